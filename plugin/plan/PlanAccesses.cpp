// How each access of global memory through a view is made: its vector width from the layout,
// alignment and bounds from facts.
//   view_load ... : tensor<1x4096xbf16, #l>  ->  the same with access<8 along 1, aligned = true,
//   checked = true>
// What is not proven is left to a test at run time (aligned = false) and to predicates (checked =
// true): dynamic extents cost little, and the result is right for any extents and pointers.
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
bool isAligned(const Box &box, int64_t vector, bool checked) {
  if (vector == 1)
    return true;
  if (alignmentOf(box.base) % (vector * box.bytes))
    return false;
  for (Value stride : box.strides.drop_back())
    if (divisorOf(stride) % vector)
      return false;
  return divisorOf(box.starts.back()) % vector == 0 &&
         (!checked || divisorOf(box.extents.back()) % vector == 0);
}

// The grid of boxes covers the extents exactly; a box that lies outside as a whole is the program's
// error.
bool isInside(const Box &box) {
  for (auto [extent, start, size] : llvm::zip(box.extents, box.starts, box.shape)) {
    bool exact = size == 1 || (divisorOf(extent) % size == 0 && divisorOf(start) % size == 0);
    if (!exact)
      return false;
  }
  return true;
}

tile::AccessAttr access(MLIRContext *context, const Box &box, int64_t vector) {
  bool checked = !isInside(box);
  return tile::AccessAttr::get(context, vector, box.shape.size() - 1,
                               isAligned(box, vector, checked), checked);
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
    MLIRContext *context = &getContext();
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
        auto type = cast<RankedTensorType>(load.getType());
        load.setAccessAttr(access(context, boxOf(load, type.getShape(), type.getElementType()),
                                  vectorOf(type, load.getStaticStrides())));
      } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
        auto type = cast<RankedTensorType>(store.getValue().getType());
        store.setAccessAttr(access(context, boxOf(store, type.getShape(), type.getElementType()),
                                   vectorOf(type, store.getStaticStrides())));
      } else if (auto copy = dyn_cast<tile::CopyAsyncOp>(op)) {
        auto type = cast<tile::SharedType>(copy.getShared().getType());
        copy.setAccessAttr(access(context, boxOf(copy, type.getShape(), type.getElementType()),
                                  copy.getAccess().getVector()));
      }
    });
  }
};

} // namespace
} // namespace tessera::plan
