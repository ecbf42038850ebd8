// An operand A that threads compute from another multiply's accumulator, as attention's weights
// from its scores, need not pass through shared memory where a thread has what wgmma takes of it.
// In 16 bits it has: two neighbours of a row in a register. In 8 bits wgmma takes four neighbours,
// and a thread has two, and two that are eight columns further on.
//
// A sum over K may take K in any order, if both operands have the same one:
//
//   mma %a, %b, %c  ->  mma of %a with its columns, and %b with its rows, in another order, and %c
//
// In the order of inOrderOfAccumulators the two pairs are four neighbours. The new %a is a matter
// of names: no byte moves. The rows of %b move on their way through shared memory, which they take
// anyway: wgmma reads bytes only along K, and %b, whose rows run across K, is transposed there. The
// 32 products that an instruction sums are the same, so the result is, too.
#include "plan/mma/PermuteK.h"

#include "plan/analysis/Chains.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PERMUTEK
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t elementsOfGroup = 16, pairs = 4; // of a half of a group

// The dimensions of the tile with those of K apart: groups, halves, pairs, elements of a pair.
SmallVector<int64_t> dividedShape(ArrayRef<int64_t> shape, unsigned dim) {
  SmallVector<int64_t> divided(shape.take_front(dim));
  llvm::append_values(divided, shape[dim] / elementsOfGroup, int64_t(2), pairs, int64_t(2));
  llvm::append_range(divided, shape.drop_front(dim + 1));
  return divided;
}

// Halves and pairs exchanged: its own inverse.
SmallVector<int64_t> exchange(unsigned dim, size_t rank) {
  SmallVector<int64_t> map = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(rank)));
  std::swap(map[dim + 1], map[dim + 2]);
  return map;
}

bool isComputedInChain(tile::MmaOp multiply) {
  auto loop = dyn_cast<scf::ForOp>(multiply->getParentOp());
  std::optional<Chain> chain = loop ? chainOf(loop) : std::nullopt;
  return chain && llvm::is_contained(chain->second, multiply.getOperation());
}

// Does a loop read it, perhaps in another shape, with rows that run across K?
bool isReadAcrossK(Value b) {
  while (b.hasOneUse() && b.getDefiningOp<tile::ReshapeOp>())
    b = b.getDefiningOp()->getOperand(0);
  return b.hasOneUse() && b.getDefiningOp<tile::ViewLoadOp>();
}

bool gains(tile::MmaOp multiply) {
  constexpr int64_t kOfInstruction = 32;
  auto a = cast<RankedTensorType>(multiply.getA().getType());
  Type element = a.getElementType();
  return a.getRank() == 2 && isa<FloatType>(element) && tile::storageBits(element) == 8 &&
         a.getShape()[1] % kOfInstruction == 0 && multiply.getA().hasOneUse() &&
         instructionFor(multiply).readsPanels() && isReadAcrossK(multiply.getB()) &&
         isComputedInChain(multiply);
}

struct PermuteK : impl::PermuteKBase<PermuteK> {
  void runOnOperation() override {
    SmallVector<tile::MmaOp> multiplies;
    getOperation().walk([&](tile::MmaOp op) {
      if (gains(op))
        multiplies.push_back(op);
    });
    for (tile::MmaOp multiply : multiplies) {
      OpBuilder b(multiply);
      multiply.getAMutable().set(inOrderOfAccumulators(b, multiply.getA(), 1));
      multiply.getBMutable().set(inOrderOfAccumulators(b, multiply.getB(), 0));
    }
  }
};

} // namespace

Value inOrderOfAccumulators(OpBuilder &b, Value tile, unsigned dim) {
  auto type = cast<RankedTensorType>(tile.getType());
  Type element = type.getElementType();
  Location loc = tile.getLoc();
  SmallVector<int64_t> divided = dividedShape(type.getShape(), dim),
                       map = exchange(dim, divided.size());
  Value apart = tile::ReshapeOp::create(b, loc, RankedTensorType::get(divided, element), tile);
  std::swap(divided[dim + 1], divided[dim + 2]);
  Value exchanged =
      tile::PermuteOp::create(b, loc, RankedTensorType::get(divided, element), apart, map);
  return tile::ReshapeOp::create(b, loc, type, exchanged);
}

Value beforeOrderOfAccumulators(Value tile, unsigned dim) {
  auto joined = tile.getDefiningOp<tile::ReshapeOp>();
  auto exchanged = joined ? joined.getX().getDefiningOp<tile::PermuteOp>() : tile::PermuteOp();
  auto apart = exchanged ? exchanged.getX().getDefiningOp<tile::ReshapeOp>() : tile::ReshapeOp();
  if (!apart || !exchanged->hasOneUse() || !apart->hasOneUse())
    return {};
  SmallVector<int64_t> divided = dividedShape(tile::shapeOf(tile.getType()), dim);
  const bool isOrder = tile::shapeOf(apart.getType()) == ArrayRef<int64_t>(divided) &&
                       exchanged.getMap() == ArrayRef<int64_t>(exchange(dim, divided.size()));
  return isOrder ? apart.getX() : Value();
}

} // namespace tessera::plan
