// How each access of global memory through a view is made: its vector width from the layout,
// alignment and bounds from facts.
//   view_load ... : tensor<1x4096xbf16, #l>  ->  the same with access<8 along 1, aligned = true,
//   bounds = [inside, checked]>
// What is not proven is left to a test at run time (aligned = false) and to predicates: one of each
// dimension (checked), or one for all elements where a box is never cut there (whole). Dynamic
// extents cost little, and the result is right for any extents, starts and pointers. An access by a
// tile of pointers takes contiguous groups (AxisInfo.h), whose mask bits may be known to be equal:
//   load %pointers, %mask  ->  the same with access<4, aligned = false, shareMask = true>
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "plan/analysis/AxisInfo.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PLANACCESSES
#include "plan/Passes.h.inc"

namespace {

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

} // namespace tessera::plan
