// Selects the instruction that multiplies, and stores its operands.
//   mma %a, %b, %c  ->  shared_store of a and b into swizzled shared tiles, shared_mma KIND of
//   these and %c
// An operand that is a transpose is stored untransposed and marked: ldmatrix, with a permutation of
// bytes where there are any, and wgmma for elements of 16 bits, transpose it for free. Other
// operands of wgmma whose rows in memory run across K are stored transposed, so that rows of the
// shared tile run along K:
//   mma %a, %b, %c  ->  shared_store of a; permute b, shared_store of it; shared_mma wgmma of
//   these, the second transposed
// So are operands that threads compute and whose rows across K are narrower than a panel.
// An operand that several multiplies of a block share, in either order, is stored once:
//   mma %a, %b, %c; mma %a, %d, %e  ->  shared_store of a, b; shared_mma; shared_store of d;
//   shared_mma of the same a
// Operands that together exceed a block's shared memory are multiplied in parts along K, one after
// the other:
//   mma %a, %b, %c  ->  %0 = shared_mma of %a[:, first half], %b[first half, :] and %c; shared_mma
//   of the second halves and %0
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/analysis/ReadOrder.h"
#include "plan/Config.h"
#include "tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SELECTMMAINSTRUCTIONS
#include "plan/Passes.h.inc"

namespace {

tile::SharedType operandType(RankedTensorType tensor, const MmaInstruction &instruction) {
  if (instruction.readsPanels())
    return inPanels(tensor.getShape(), tensor.getElementType());
  if (!instruction.isTensorCore())
    return tile::SharedType::get(tensor.getContext(), tensor.getShape(), tensor.getElementType(), 0,
                                 0, 0);
  return swizzledByChunks(tensor);
}

// An operand of a multiply as it will lie in shared memory.
struct Operand {
  Value value;
  unsigned k; // the dimension that is summed over
  bool transposed = false;
  bool exchanged = false; // `value` is stored with its dimensions exchanged

  Operand(Value v, unsigned k) : value(v), k(k) {
    if (auto permute = v.getDefiningOp<tile::PermuteOp>();
        permute && permute.getMap() == ArrayRef<int64_t>{1, 0}) {
      value = permute.getX();
      this->k = 1 - k;
      transposed = true;
    }
  }

  bool isNarrow() const {
    return isNarrowerThanPanel(type().getElementType(), type().getShape().back());
  }

  void transposeAlongK() {
    if (k == 1)
      return;
    exchanged = true;
    transposed = !transposed;
  }

  RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
  int64_t bytes() const { return type().getNumElements() * bytesOf(type().getElementType()); }
};

class MmaLowering {
public:
  MmaLowering(tile::MmaOp op, tile::ConfigAttr config)
      : op(op), b(op), sharesOperands(config.getSharesOperands()),
        x(op.getA(), tile::shapeOf(op.getA().getType()).size() - 1),
        y(op.getB(), tile::shapeOf(op.getB().getType()).size() - 2),
        instruction(instructionFor(op)) {
    int64_t sharedBytes = config.getOperandBytes();
    int64_t k = x.type().getDimSize(x.k),
            minK = instruction.depth(bytesOf(x.type().getElementType()));
    while ((x.bytes() + y.bytes()) / parts > sharedBytes && k / parts > minK)
      parts *= 2;
    if (instruction.readsPanels())
      for (Operand *operand : {&x, &y})
        if (!takesEitherOrder(operand->type().getElementType()) || operand->isNarrow())
          operand->transposeAlongK();
  }

  void run() {
    Value accumulator = op.getC();
    tile::ViewLoadOp xLoad, yLoad;
    if (parts > 1) { // tested before the first part, whose ops would be in between
      xLoad = ownLoad(x);
      yLoad = ownLoad(y);
    }
    for (int64_t part = 0; part < parts; ++part) {
      Value xPart = copyToShared(x, xLoad, part);
      Value yPart = copyToShared(y, yLoad, part);
      accumulator = tile::SharedMmaOp::create(b, op.getLoc(), op.getType(), instruction.kind, xPart,
                                              yPart, accumulator, x.transposed, y.transposed,
                                              op.getAUnsigned(), op.getBUnsigned(), promotes());
    }
    op.replaceAllUsesWith(accumulator);
    op.erase();
  }

private:
  // Sums that an instruction makes narrower than a float. Those that begin at zero are one
  // promotion's.
  bool promotes() {
    int64_t k = x.type().getDimSize(x.k);
    return instruction.addsNarrowly(x.type().getElementType()) && !op.getFastAccumulation() &&
           !(k <= kOfPromotion && isZero(op.getC()));
  }

  Value copyToShared(const Operand &operand, tile::ViewLoadOp load, int64_t part) {
    Value value = parts == 1 ? operand.value : partOf(operand, load, part);
    if (operand.exchanged)
      value = transpose(value);
    tile::SharedType type = operandType(cast<RankedTensorType>(value.getType()), instruction);
    if (Value placed = findPlaced(value, type))
      return placed;
    Value shared = tile::SharedAllocOp::create(b, op.getLoc(), type, 1, IntegerAttr());
    tile::SharedStoreOp::create(b, op.getLoc(), value, shared, ValueRange());
    return shared;
  }

  // The same value for every multiply of this block that transposes it.
  Value transpose(Value value) {
    SmallVector<int64_t> map = {1, 0};
    for (Operation *user : value.getUsers())
      if (auto permute = dyn_cast<tile::PermuteOp>(user);
          permute && permute.getMap() == ArrayRef<int64_t>(map) &&
          permute->getBlock() == op->getBlock() && permute->isBeforeInBlock(op))
        return permute;
    auto type = cast<RankedTensorType>(value.getType());
    ArrayRef<int64_t> shape = type.getShape();
    // Not the accumulator's name, which the multiply has.
    Location loc = NameLoc::get(b.getStringAttr("operand_t"), op.getLoc());
    return tile::PermuteOp::create(
        b, loc, RankedTensorType::get({shape[1], shape[0]}, type.getElementType()), value, map);
  }

  // The shared tile to which an earlier multiply of this block, or the other operand, has stored
  // the same value.
  Value findPlaced(Value value, tile::SharedType type) {
    for (Operation *user : value.getUsers()) {
      auto store = dyn_cast<tile::SharedStoreOp>(user);
      if (!store || store->getBlock() != op->getBlock() || store.getShared().getType() != type)
        continue;
      bool isOtherOperand = store->getNextNode() == op;
      if (sharesOperands || isOtherOperand)
        return store.getShared();
    }
    return {};
  }

  // The read that gives an operand to this multiply alone.
  tile::ViewLoadOp ownLoad(const Operand &operand) {
    auto load = operand.value.getDefiningOp<tile::ViewLoadOp>();
    bool isOnlyHere = load && llvm::all_of(load->getUsers(), [&](Operation *user) {
                        return user == op || (isa<tile::PermuteOp>(user) && user->hasOneUse());
                      });
    return isOnlyHere && hasParts(load, operand.k) && memoryStaysFrom(load, op)
               ? load
               : tile::ViewLoadOp();
  }

  // A read from memory for this multiply alone is made in parts, so that it never has to fit
  // registers as a whole.
  Value partOf(const Operand &operand, tile::ViewLoadOp load, int64_t part) {
    if (load)
      return readPart(b, load, operand.k, part, parts);
    SmallVector<int64_t> shape(operand.type().getShape());
    shape[operand.k] /= parts;
    SmallVector<Value> index;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      index.push_back(arith::ConstantOp::create(b, op.getLoc(),
                                                b.getI32IntegerAttr(dim == operand.k ? part : 0)));
    auto type = RankedTensorType::get(shape, operand.type().getElementType());
    return tile::ExtractOp::create(b, op.getLoc(), type, operand.value, index);
  }

  tile::MmaOp op;
  OpBuilder b;
  bool sharesOperands;
  Operand x, y;
  const MmaInstruction &instruction;
  int64_t parts = 1;
};

struct SelectMmaInstructions : impl::SelectMmaInstructionsBase<SelectMmaInstructions> {
  void runOnOperation() override {
    tile::ConfigAttr config = configOf(getOperation());
    getOperation().walk([&](tile::MmaOp op) { MmaLowering(op, config).run(); });
    // Transposes that are free in shared memory, and reads that are made in parts.
    eraseDead(getOperation());
  }
};

} // namespace

} // namespace tessera::plan
