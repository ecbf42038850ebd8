// One walk over the planned kernel.
#include "explain/Remarks.h"

#include "Target.h"
#include "emit/Names.h"
#include "explain/Texts.h"
#include "explain/Words.h"
#include "plan/Layouts.h"
#include "plan/Occupancy.h"
#include "plan/Plan.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::explain {

static StringRef textOf(Remark id) {
  static constexpr StringLiteral texts[] = {
#define TESSERA_REMARK(id, text) text,
#include "explain/Remarks.def"
#undef TESSERA_REMARK
  };
  return texts[size_t(id)];
}

void Remarks::operator()(Operation *op, Remark id, ArrayRef<std::string> arguments) {
  std::string text;
  StringRef rest = textOf(id);
  while (!rest.empty()) {
    auto [before, behind] = rest.split('%');
    text += before;
    if (behind.empty())
      break;
    text += arguments[behind.front() - '0'];
    rest = behind.drop_front();
  }
  FileLineColLoc place = emit::sourcePlace(op->getLoc());
  frontend::Location location;
  if (place)
    location = {place.getFilename().str(), place.getLine(), place.getColumn()};
  if (said.insert({location.file, location.line, location.column, text}).second)
    reports({Diagnostic::Remark, location, text});
}

namespace {

int64_t bytesOf(tile::SharedAllocOp alloc) {
  return alloc.getStages() * plan::bytesOf(cast<tile::SharedType>(alloc.getType()));
}

void explainKernel(func::FuncOp kernel, Remarks &remark) {
  int64_t threads = plan::threadsOf(kernel);
  int64_t bytes = kernel->getAttrOfType<IntegerAttr>(plan::sharedBytesAttr).getInt();
  constexpr int64_t threadsOfMultiprocessor = 2048, blocksOfMultiprocessor = 32;
  int64_t blocks = std::min({plan::blocksOfSharedMemory(plan::targetOf(kernel), bytes),
                             threadsOfMultiprocessor / threads, blocksOfMultiprocessor});
  remark(kernel, Remark::Kernel,
         {kernel->getAttrOfType<StringAttr>("tile.kernel").str(), std::to_string(threads),
          std::to_string(bytes), std::to_string(blocks)});
}

void explainMultiply(tile::SharedMmaOp op, Remarks &remark) {
  auto words = [](Value factor) {
    auto type = cast<tile::SharedType>(factor.getType());
    return tileWords(type.getElementType(), type.getShape());
  };
  SmallVector<std::string> arguments = {words(op.getA()), words(op.getB())};
  if (op.getKind() == tile::MmaKind::fma) {
    bool isFloat = cast<tile::SharedType>(op.getA().getType()).getElementType().isF32();
    remark(op, isFloat ? Remark::NoMatrixUnitForFloat : Remark::NoMatrixUnit, arguments);
    return;
  }
  arguments.push_back("mma." + stringifyMmaKind(op.getKind()).str());
  remark(op, Remark::MatrixUnit, arguments);
}

// The ring that a copy of a loop fills.
void explainRing(scf::ForOp loop, Remarks &remark) {
  llvm::SmallSetVector<Operation *, 4> rings;
  for (auto copy : loop.getBody()->getOps<tile::CopyAsyncOp>())
    if (auto slot = copy.getShared().getDefiningOp<tile::SharedSlotOp>())
      if (Operation *ring = slot.getRing().getDefiningOp())
        rings.insert(ring);
  if (rings.empty())
    return;
  int64_t stages = cast<tile::SharedAllocOp>(rings.front()).getStages(), bytes = 0;
  for (Operation *ring : rings)
    bytes += bytesOf(cast<tile::SharedAllocOp>(ring));
  remark(loop, Remark::Ring,
         {std::to_string(stages - 1), std::to_string(stages), std::to_string(bytes / stages)});
}

// A store to shared memory: of a multiply's factor that the loop waits for, or of a tile whose
// layout changes.
void explainShared(tile::SharedStoreOp store, Remarks &remark) {
  auto alloc = store.getShared().getDefiningOp<tile::SharedAllocOp>();
  if (!alloc)
    return;
  auto type = cast<RankedTensorType>(store.getValue().getType());
  std::string words = tileWords(type.getElementType(), type.getShape());
  bool isFactor = llvm::any_of(alloc->getUsers(), llvm::IsaPred<tile::SharedMmaOp>);
  if (!isFactor) {
    remark(store, Remark::Exchange, {words, std::to_string(bytesOf(alloc))});
    return;
  }
  auto load = store.getValue().getDefiningOp<tile::ViewLoadOp>();
  if (!store->getParentOfType<scf::ForOp>() || !load)
    return;
  StringRef reason = load.getStaticStrides().back() != 1
                         ? "memory is not known to run along the view's last dimension"
                     : load.getPadding() != tile::Padding::zero
                         ? "what lies outside of the view is not read as zero"
                     : type.getShape().back() * plan::bytesOf(type.getElementType()) < 16
                         ? "a row has less than 16 bytes"
                         : "the loop may write where it reads (__restrict__ on pointers that "
                           "are alone helps), or knows the place in its own iteration only";
  remark(load, Remark::NoRing, {words, reason.str()});
}

} // namespace

void explain(func::FuncOp kernel, Reports &reports) {
  Remarks remark(reports);
  explainKernel(kernel, remark);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto multiply = dyn_cast<tile::SharedMmaOp>(op))
      explainMultiply(multiply, remark);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      explainRing(loop, remark);
    else if (auto store = dyn_cast<tile::SharedStoreOp>(op))
      explainShared(store, remark);
    else
      explainAccess(op, remark);
  });
}

} // namespace tessera::explain
