// Why an access of global memory is as wide as it is: what is missing is found with the questions
// that the plan asks (plan/PlanAccesses.cpp).
#include "explain/Texts.h"
#include "explain/Words.h"
#include "plan/Facts.h"
#include "plan/Layouts.h"

using namespace mlir;

namespace tessera::explain {
namespace {

constexpr int64_t bytesPerInstruction = 16;

struct Box {
  Value base;
  ValueRange extents, strides, starts;
  ArrayRef<int64_t> shape;
  Type element;
  tile::AccessAttr access;

  int64_t bytes() const { return plan::bytesOf(element); }
};

template <class Op> Box boxOf(Op op, ArrayRef<int64_t> shape, Type element) {
  return {op.getBase(), op.getExtents(), op.getStrides(),   op.getStarts(),
          shape,        element,         op.getAccessAttr()};
}

// A number that should be a multiple of the vector.
void explainDivisor(Operation *op, Value number, int64_t vector, StringRef what, int64_t dimension,
                    Remarks &remark) {
  if (plan::divisorOf(number) % vector == 0)
    return;
  if (std::optional<std::string> name = variableOf(number))
    remark(op, Remark::UnknownDivisor, {*name, std::to_string(vector)});
  else
    remark(op, Remark::UnknownPlace,
           {what.str(), std::to_string(dimension), std::to_string(vector)});
}

// What would prove that every group of elements is aligned.
void explainAlignment(Operation *op, const Box &box, Remarks &remark) {
  int64_t vector = box.access.getVector(), bytes = vector * box.bytes();
  if (vector == 1 || box.access.getAligned())
    return;
  if (plan::alignmentOf(box.base) % bytes)
    if (Value base = plan::baseOf(box.base))
      if (std::optional<std::string> name = variableOf(base))
        remark(op, Remark::UnknownAlignment, {*name, std::to_string(bytes)});
  int64_t last = box.shape.size() - 1;
  for (auto [dimension, stride] : llvm::enumerate(box.strides.drop_back()))
    explainDivisor(op, stride, vector, "the stride", dimension, remark);
  explainDivisor(op, box.starts.back(), vector, "the box's start", last, remark);
  if (box.access.getBounds().back() == tile::Bounds::checked)
    explainDivisor(op, box.extents.back(), vector, "the extent", last, remark);
}

void explainBox(Operation *op, const Box &box, Remark kind, ArrayRef<int64_t> staticStrides,
                Remarks &remark) {
  int64_t bytes = box.access.getVector() * box.bytes();
  remark(op, kind,
         {tileWords(box.element, box.shape), memoryWords(box.base), std::to_string(bytes)});
  if (bytes < bytesPerInstruction && !staticStrides.empty()) {
    if (staticStrides.back() != 1)
      remark(op, Remark::NotContiguous, {std::to_string(bytesPerInstruction)});
    else
      remark(op, Remark::NotWide, {std::to_string(box.access.getVector())});
  }
  explainAlignment(op, box, remark);
  for (auto [dimension, bounds] : llvm::enumerate(box.access.getBounds()))
    if (bounds == tile::Bounds::checked)
      remark(op, Remark::Checked, {std::to_string(dimension)});
}

void explainPointers(Operation *op, Type value, Remark kind, Remarks &remark) {
  if (auto type = dyn_cast<RankedTensorType>(value))
    remark(op, kind,
           {tileWords(type.getElementType(), type.getShape()),
            std::to_string(plan::bytesOf(type.getElementType()))});
}

} // namespace

void explainAccess(Operation *op, Remarks &remark) {
  if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
    auto type = cast<RankedTensorType>(load.getType());
    explainBox(op, boxOf(load, type.getShape(), type.getElementType()), Remark::Reads,
               load.getStaticStrides(), remark);
  } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
    auto type = cast<RankedTensorType>(store.getValue().getType());
    explainBox(op, boxOf(store, type.getShape(), type.getElementType()), Remark::Writes,
               store.getStaticStrides(), remark);
  } else if (auto copy = dyn_cast<tile::CopyAsyncOp>(op)) {
    auto type = cast<tile::SharedType>(copy.getShared().getType());
    Box box = {copy.getBase(),  copy.getExtents(),     copy.getStrides(), copy.getStarts(),
               type.getShape(), type.getElementType(), copy.getAccess()};
    explainBox(op, box, Remark::ReadsAhead, {}, remark);
  } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
    explainPointers(op, load.getType(), Remark::Gathers, remark);
  } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
    explainPointers(op, store.getValue().getType(), Remark::Scatters, remark);
  }
}

} // namespace tessera::explain
