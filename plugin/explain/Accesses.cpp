// Why an access of global memory has its width, as the pass states it: plan/analysis/Accesses.h.
#include "explain/Said.h"
#include "explain/Words.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::explain {
namespace {

using plan::Box;
using plan::Unproven;

// The runtime reads pairs of elements one by one (ops/shifted_chunks.cuh).
constexpr int64_t minElementsShifted = 4;

// Is the op in the version of a kernel for views of any alignment?
bool isOfAnyAlignment(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>())
    if (branch->hasAttr(tile::byAlignmentAttr))
      return branch.getElseRegion().isAncestor(op->getParentRegion());
  return false;
}

void explainWidth(Operation *op, const Box &box, Said &say) {
  int64_t bytes = box.access.getVector() * box.bytes();
  if (bytes >= bytesPerInstruction)
    return;
  if (box.isContiguous && box.layout && isOfAnyAlignment(op)) {
    const LinearLayout::Run run = box.layout->run();
    if (!run.neighbours && box.bytes() << run.lanes >= bytesOfLine)
      return say(op, Id::Coalesces, {std::to_string(box.bytes())});
  }
  if (!box.isContiguous)
    return say(op, Id::NotContiguous, {std::to_string(bytesPerInstruction)});
  int64_t row = box.shape.back() * box.bytes();
  if (row < bytesPerInstruction)
    return say(op, Id::ShortRow, {std::to_string(row)});
  int64_t threads = plan::threadsOf(op->getParentOfType<func::FuncOp>());
  int64_t perThread = std::max(ShapedType::getNumElements(box.shape) / threads, int64_t(1));
  if (perThread * box.bytes() <= bytes)
    return say(op, Id::FewElements, {std::to_string(bytes), std::to_string(threads)});
  say(op, Id::Neighbours, {std::to_string(box.access.getVector())});
}

void explainUnproven(Operation *op, const Unproven &unproven, Said &say) {
  std::string divisor = std::to_string(unproven.divisor);
  if (unproven.kind == Unproven::Base) {
    std::optional<std::string> name = memoryName(unproven.value);
    return say(op, name ? Id::UnknownAlignment : Id::UnknownPointer, {name.value_or(""), divisor});
  }
  if (std::optional<std::string> name = variableOf(unproven.value))
    return say(op, Id::UnknownDivisor, {*name, divisor});
  StringRef what = unproven.kind == Unproven::Stride  ? "the stride"
                   : unproven.kind == Unproven::Start ? "the box's start"
                                                      : "the extent";
  say(op, Id::UnknownCoordinates, {what.str(), std::to_string(unproven.dimension), divisor});
}

// Explains a test for all elements of a dimension, if more knowledge about a variable would change
// it.
void explainBounds(Operation *op, const Box &box, size_t dimension, Said &say) {
  std::string number = std::to_string(dimension);
  Value extent = box.extents[dimension];
  int64_t size = box.shape[dimension];
  std::optional<std::string> name = variableOf(extent);
  if (name && plan::divisorOf(extent) % size && plan::divisorOf(box.starts[dimension]) % size == 0)
    say(op, Id::CheckedFor, {number, *name, std::to_string(size)});
  else
    say(op, Id::Checked, {number});
}

// Does a store replace a bulk store for which there is no tensor map?
bool isBesideBulkStore(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
  return isa<tile::ViewStoreOp>(op) && branch &&
         branch.getCondition().getDefiningOp<tile::TensorMapExistsOp>();
}

void explainBox(Operation *op, const Box &box, Said &say) {
  int64_t vector = box.access.getVector();
  Id id = isa<tile::ViewLoadOp>(op)    ? Id::Reads
          : isa<tile::ViewStoreOp>(op) ? Id::Writes
                                       : Id::ReadsAhead;
  say(op, id,
      {tileWords(box.element, box.shape, box.base), memoryWords(box.base),
       std::to_string(vector * box.bytes())});
  if (isBesideBulkStore(op))
    say(op, Id::BulkStore, {});
  explainWidth(op, box, say);
  const SmallVector<Unproven> unproven = unprovenOf(box, vector, box.access.getBounds().back());
  for (const Unproven &some : unproven)
    explainUnproven(op, some, say);
  const auto rotation = op->getAttrOfType<tile::RotationAttr>("rotation");
  if (rotation && rotation.getSame())
    say(op, Id::Rotates, {std::to_string(vector * box.bytes())});
  else if (!unproven.empty() && !box.access.getAligned() && vector >= minElementsShifted &&
           isa<tile::ViewLoadOp>(op))
    say(op, Id::Shifts, {std::to_string(vector * box.bytes())});
  for (auto [dimension, bounds] : llvm::enumerate(box.access.getBounds()))
    if (bounds == tile::Bounds::checked)
      explainBounds(op, box, dimension, say);
}

// The base pointer of a tile of pointers.
Value startOf(Value pointers) {
  while (isa<RankedTensorType>(pointers.getType())) {
    if (auto argument = dyn_cast<BlockArgument>(pointers)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop)
        return {};
      pointers = loop.getTiedLoopInit(argument)->get();
    } else if (isa_and_nonnull<tile::OffsetOp, tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp,
                               tile::PermuteOp>(pointers.getDefiningOp()))
      pointers = pointers.getDefiningOp()->getOperand(0);
    else
      return {};
  }
  return pointers;
}

void explainGuard(Operation *op, Value pointers, int64_t bytes, Said &say) {
  Value start = startOf(pointers);
  if (start && plan::divisorOf(start) < bytes)
    explainUnproven(op, {Unproven::Base, start, 0, bytes}, say);
  else
    say(op, Id::UnknownRun, {std::to_string(bytes)});
}

// For a tile of pointers: `single` if each is accessed by itself, else `together`.
template <class Op> void explainPointers(Op op, Type value, Id single, Id together, Said &say) {
  auto type = dyn_cast<RankedTensorType>(value);
  if (!type)
    return;
  std::optional<tile::RunAttr> access = op.getAccess();
  int64_t bytes = plan::bytesOf(type.getElementType()) * (access ? access->getVector() : 1);
  say(op, access ? together : single,
      {tileWords(type.getElementType(), type.getShape(), op.getPointers()), std::to_string(bytes)});
  if (access && !access->getAligned())
    explainGuard(op, op.getPointers(), bytes, say);
}

} // namespace

void explainAccess(Operation *op, Said &say) {
  if (std::optional<Box> box = plan::boxOf(op))
    explainBox(op, *box, say);
  else if (auto load = dyn_cast<tile::LoadOp>(op))
    explainPointers(load, load.getType(), Id::Gathers, Id::ReadsRuns, say);
  else if (auto store = dyn_cast<tile::StoreOp>(op))
    explainPointers(store, store.getValue().getType(), Id::Scatters, Id::WritesRuns, say);
  else if (auto copy = dyn_cast<tile::GatherAsyncOp>(op))
    explainPointers(copy,
                    tile::withElementType(copy.getPointers().getType(),
                                          copy.getShared().getType().getElementType()),
                    Id::CopiesByPointers, Id::CopiesByPointers, say);
}

} // namespace tessera::explain
