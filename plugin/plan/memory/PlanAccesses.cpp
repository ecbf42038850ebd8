// How each access of global memory through a view is made: its vector width from the layout,
// alignment and bounds from facts.
//   view_load ... : tensor<1x4096xbf16, #l>  ->  the same with access<8 along 1, aligned = true,
//   bounds = [inside, checked]>
// What is not proven is left to a test at run time (aligned = false) and to predicates: one of each
// dimension (checked), or one for all elements where a box is never cut there (whole). Dynamic
// extents cost little, and the result is right for any extents, starts and pointers. An access by a
// tile of pointers takes contiguous groups (AxisInfo.h), whose mask bits may be known to be equal:
//   load %pointers, %mask  ->  the same with access<4, aligned = false, shareMask = true>
#include "plan/memory/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "plan/analysis/AxisInfo.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PLANACCESSES
#include "plan/Passes.h.inc"

namespace {

template <class Op> Box boxIn(Op op, RankedTensorType type, bool isContiguous) {
  return {op.getBase(),   op.getExtents(), op.getStrides(),
          op.getStarts(), type.getShape(), type.getElementType(),
          toLinear(type), isContiguous,    op.getAccessAttr()};
}

// What is known where the box is accessed: under the conditions in `given`.
tile::Bounds boundsOf(Value extent, Value start, int64_t size, ArrayRef<Condition> given) {
  Range first = rangeOf(start, given);
  if (first.low >= 0 && first.high <= std::numeric_limits<int64_t>::max() - size &&
      first.high + size <= rangeOf(extent, given).low)
    return tile::Bounds::inside;
  // Boxes divide the extent without a remainder, so each is inside or outside as a whole; which of
  // both, the start decides at run time.
  if (divisorOf(extent) % size == 0 && divisorOf(start) % size == 0)
    return tile::Bounds::whole;
  return tile::Bounds::checked;
}

tile::AccessAttr accessOf(Operation *op, const Box &box) {
  SmallVector<Condition> given = conditionsOf(op);
  SmallVector<tile::Bounds> bounds;
  for (auto [extent, start, size] : llvm::zip(box.extents, box.starts, box.shape))
    bounds.push_back(boundsOf(extent, start, size, given));
  int64_t vector = vectorOf(box);
  return tile::AccessAttr::get(op->getContext(), vector, box.shape.size() - 1,
                               unprovenOf(box, vector, bounds.back()).empty(), bounds);
}

template <class Op> void planRun(Op op, Type value, AxisInfo &runs) {
  auto pointers = dyn_cast<RankedTensorType>(op.getPointers().getType());
  if (!pointers)
    return;
  int64_t bytes = bytesOf(tile::elementType(value));
  int64_t vector = std::min({toLinear(pointers).contiguous(), bytesPerInstruction / bytes,
                             runs.neighbours(op.getPointers(), bytes)});
  if (vector > 1)
    op.setAccessAttr(tile::RunAttr::get(op.getContext(), vector,
                                        runs.areAligned(op.getPointers(), bytes, vector),
                                        op.getMask() && runs.areEqual(op.getMask(), vector)));
}

struct PlanAccesses : impl::PlanAccessesBase<PlanAccesses> {
  void runOnOperation() override {
    AxisInfo runs;
    getOperation().walk([&](Operation *op) {
      if (std::optional<Box> box = boxOf(op))
        op->setAttr("access", accessOf(op, *box));
      else if (auto load = dyn_cast<tile::LoadOp>(op))
        planRun(load, load.getType(), runs);
      else if (auto store = dyn_cast<tile::StoreOp>(op))
        planRun(store, store.getValue().getType(), runs);
      else if (auto copy = dyn_cast<tile::GatherAsyncOp>(op))
        planRun(copy, copy.getShared().getType().getElementType(), runs);
    });
  }
};

} // namespace

std::optional<Box> boxOf(Operation *op) {
  if (auto load = dyn_cast<tile::ViewLoadOp>(op))
    return boxIn(load, cast<RankedTensorType>(load.getType()), load.getStaticStrides().back() == 1);
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    return boxIn(store, cast<RankedTensorType>(store.getValue().getType()),
                 store.getStaticStrides().back() == 1);
  auto copy = dyn_cast<tile::CopyAsyncOp>(op);
  if (!copy)
    return std::nullopt;
  auto type = cast<tile::SharedType>(copy.getShared().getType());
  return Box{copy.getBase(),   copy.getExtents(),     copy.getStrides(),
             copy.getStarts(), copy.getBoxShape(),    type.getElementType(),
             std::nullopt,     /*isContiguous=*/true, copy.getAccess()};
}

tile::ViewLoadOp readOf(Value tile) {
  while (auto reshape = tile.getDefiningOp<tile::ReshapeOp>())
    tile = reshape.getX();
  return tile.getDefiningOp<tile::ViewLoadOp>();
}

int64_t vectorOf(const Box &box) {
  if (!box.isContiguous)
    return 1;
  int64_t most = bytesPerInstruction / box.bytes();
  return box.layout ? std::min(box.layout->contiguous(), most) : most;
}

SmallVector<Unproven> unprovenOf(const Box &box, int64_t vector, tile::Bounds alongLast) {
  SmallVector<Unproven> unproven;
  if (vector == 1)
    return unproven;
  auto require = [&](Unproven::Kind kind, Value value, int64_t dimension, int64_t known,
                     int64_t divisor) {
    if (known % divisor)
      unproven.push_back({kind, value, dimension, divisor});
  };
  require(Unproven::Base, box.base, 0, alignmentOf(box.base), vector * box.bytes());
  for (auto [dimension, stride] : llvm::enumerate(box.strides.drop_back()))
    require(Unproven::Stride, stride, int64_t(dimension), divisorOf(stride), vector);
  int64_t last = int64_t(box.shape.size()) - 1;
  require(Unproven::Start, box.starts.back(), last, divisorOf(box.starts.back()), vector);
  if (alongLast == tile::Bounds::checked)
    require(Unproven::Extent, box.extents.back(), last, divisorOf(box.extents.back()), vector);
  return unproven;
}

} // namespace tessera::plan
