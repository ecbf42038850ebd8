// How each access of global memory through a view is made: its vector width from the layout,
// alignment and bounds from facts.
//   view_load ... : tensor<1x4096xbf16, #l>  ->  the same with access<8 along 1, aligned = true,
//   bounds = [inside, checked]>
// What is not proven is left to a test at run time (aligned = false) and to predicates: of each
// dimension its own (checked), or one for all elements where a box is never cut there (whole).
// Dynamic extents cost little, and the result is right for any extents, starts and pointers.
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PLANACCESSES
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t bytesPerInstruction = 16;

// A view, as far as both kinds of access and the asynchronous copy have it in common.
struct Box {
  Value base;
  ValueRange extents, strides, starts;
  ArrayRef<int64_t> shape;
  int64_t bytes; // of an element
};

// Every group of `vector` elements is aligned, and lies within the extents or outside as a whole.
bool isAligned(const Box &box, int64_t vector, tile::Bounds alongLast) {
  if (vector == 1)
    return true;
  if (alignmentOf(box.base) % (vector * box.bytes))
    return false;
  for (Value stride : box.strides.drop_back())
    if (divisorOf(stride) % vector)
      return false;
  return divisorOf(box.starts.back()) % vector == 0 &&
         (alongLast != tile::Bounds::checked || divisorOf(box.extents.back()) % vector == 0);
}

// What is known where the box is accessed: under the conditions in `given`.
tile::Bounds boundsOf(Value extent, Value start, int64_t size, ArrayRef<Condition> given) {
  Range first = rangeOf(start, given);
  if (first.low >= 0 && first.high <= std::numeric_limits<int64_t>::max() - size &&
      first.high + size <= rangeOf(extent, given).low)
    return tile::Bounds::inside;
  // The extent is cut into boxes without a rest, so that one is inside or outside as a whole; which
  // of both, the start says at run time.
  if (divisorOf(extent) % size == 0 && divisorOf(start) % size == 0)
    return tile::Bounds::whole;
  return tile::Bounds::checked;
}

tile::AccessAttr access(Operation *op, const Box &box, int64_t vector) {
  SmallVector<Condition> given = conditionsOf(op);
  SmallVector<tile::Bounds> bounds;
  for (auto [extent, start, size] : llvm::zip(box.extents, box.starts, box.shape))
    bounds.push_back(boundsOf(extent, start, size, given));
  return tile::AccessAttr::get(op->getContext(), vector, box.shape.size() - 1,
                               isAligned(box, vector, bounds.back()), bounds);
}

int64_t vectorOf(RankedTensorType type, ArrayRef<int64_t> staticStrides) {
  if (staticStrides.back() != 1)
    return 1;
  return std::min(toLinear(type).contiguous(),
                  bytesPerInstruction / bytesOf(type.getElementType()));
}

template <class Op> Box boxOf(Op op, ArrayRef<int64_t> shape, Type element) {
  return {op.getBase(), op.getExtents(), op.getStrides(), op.getStarts(), shape, bytesOf(element)};
}

struct PlanAccesses : impl::PlanAccessesBase<PlanAccesses> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
        auto type = cast<RankedTensorType>(load.getType());
        load.setAccessAttr(access(load, boxOf(load, type.getShape(), type.getElementType()),
                                  vectorOf(type, load.getStaticStrides())));
      } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
        auto type = cast<RankedTensorType>(store.getValue().getType());
        store.setAccessAttr(access(store, boxOf(store, type.getShape(), type.getElementType()),
                                   vectorOf(type, store.getStaticStrides())));
      } else if (auto copy = dyn_cast<tile::CopyAsyncOp>(op)) {
        auto type = cast<tile::SharedType>(copy.getShared().getType());
        copy.setAccessAttr(access(copy, boxOf(copy, type.getShape(), type.getElementType()),
                                  copy.getAccess().getVector()));
      }
    });
  }
};

} // namespace
} // namespace tessera::plan
