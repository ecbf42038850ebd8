// How the shapes, counts and element types of an op fit together.
#include "tile/Verify.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tile {

int64_t countOf(Shape shape) { return ShapedType::getNumElements(shape); }

LogicalResult sameElements(Operation *op, Type x, Type y) {
  if (elementType(x) == elementType(y))
    return success();
  return op->emitOpError() << "has element types " << elementType(x) << " and " << elementType(y)
                           << ", which must be one";
}

LogicalResult sameShape(Operation *op, Type x, Type y) {
  if (isa<RankedTensorType>(x) == isa<RankedTensorType>(y) && shapeOf(x) == shapeOf(y))
    return success();
  return op->emitOpError() << "has shapes [" << shapeOf(x) << "] and [" << shapeOf(y)
                           << "], which must be one";
}

LogicalResult isMaskOf(Operation *op, Type mask, Type tile) {
  if (!elementType(mask).isInteger(1))
    return op->emitOpError() << "has truth values of type " << elementType(mask)
                             << ", which must be i1";
  return sameShape(op, mask, tile);
}

LogicalResult isDimension(Operation *op, int64_t dim, Shape shape) {
  if (dim >= 0 && dim < int64_t(shape.size()))
    return success();
  return op->emitOpError() << "names dimension " << dim << " of a tile with " << shape.size();
}

// Two shapes of one rank that agree except along one dimension.
bool differOnlyAlong(int64_t dim, Shape x, Shape y) {
  if (x.size() != y.size())
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, x.size()),
                      [&](int64_t d) { return d == dim || x[d] == y[d]; });
}

// A part of a tile that an index in units of its own shape selects.
LogicalResult isPart(Operation *op, Type part, Type whole, ValueRange index) {
  if (shapeOf(part).size() != shapeOf(whole).size() || index.size() != shapeOf(whole).size())
    return op->emitOpError() << "needs a part of the tile's rank, and one index per dimension";
  if (!llvm::all_of(llvm::zip(shapeOf(whole), shapeOf(part)),
                    [](auto pair) { return std::get<0>(pair) % std::get<1>(pair) == 0; }))
    return op->emitOpError() << "cuts shape [" << shapeOf(whole) << "] into parts of ["
                             << shapeOf(part) << "]";
  return sameElements(op, part, whole);
}

// One pointer per element.
LogicalResult isAccess(Operation *op, Type pointers, Type value) {
  if (!isa<LLVM::LLVMPointerType>(elementType(pointers)))
    return op->emitOpError() << "goes through elements of type " << elementType(pointers)
                             << ", which must be pointers";
  return sameShape(op, pointers, value);
}

LogicalResult isMaskedAccess(Operation *op, Type pointers, Type value, Value mask) {
  if (failed(isAccess(op, pointers, value)))
    return failure();
  return mask ? isMaskOf(op, mask.getType(), value) : success();
}

// Extents, strides and starts: one of each per dimension of the box.
LogicalResult isBox(Operation *op, Shape shape, ValueRange extents, ValueRange strides,
                    ValueRange starts) {
  if (extents.size() == shape.size() && strides.size() == shape.size() &&
      starts.size() == shape.size())
    return success();
  return op->emitOpError() << "needs one extent, one stride and one start for each of "
                           << shape.size() << " dimensions";
}

LogicalResult repeatsStatics(Operation *op, Shape shape, Shape staticExtents, Shape staticStrides) {
  if (staticExtents.size() == shape.size() && staticStrides.size() == shape.size())
    return success();
  return op->emitOpError() << "needs one static extent and one static stride, or -1, for each of "
                           << shape.size() << " dimensions";
}

// The whole shared tile, or a box of it.
LogicalResult isSharedAccess(Operation *op, RankedTensorType tile, SharedType shared,
                             ValueRange starts) {
  if (tile.getElementType() != shared.getElementType())
    return op->emitOpError() << "has element types " << tile.getElementType() << " and "
                             << shared.getElementType() << ", which must be one";
  if (starts.empty()
          ? tile.getShape() == shared.getShape()
          : starts.size() == shared.getShape().size() && tile.getRank() == int64_t(starts.size()))
    return success();
  return op->emitOpError() << "needs a tile of the shared tile's shape, or one start per dimension";
}

// (M, K) x (K, N) -> (M, N), with a leading batch dimension in all three or in none.
LogicalResult multiplies(Operation *op, Shape a, Shape b, Shape c) {
  bool ranks = (c.size() == 2 || c.size() == 3) && a.size() == c.size() && b.size() == c.size();
  if (!ranks)
    return op->emitOpError() << "multiplies tiles of ranks " << a.size() << ", " << b.size()
                             << " and " << c.size() << "; all must be 2 or all 3";
  bool batches = c.size() == 2 || ((a[0] == 1 || a[0] == c[0]) && (b[0] == 1 || b[0] == c[0]));
  Shape x = a.take_back(2), y = b.take_back(2), z = c.take_back(2);
  if (batches && x[0] == z[0] && x[1] == y[0] && y[1] == z[1])
    return success();
  return op->emitOpError() << "multiplies [" << a << "] by [" << b << "] and adds [" << c << "]";
}

SmallVector<int64_t> transposed(Shape shape, bool transposed) {
  SmallVector<int64_t> result(shape);
  if (transposed)
    std::swap(result[result.size() - 2], result.back());
  return result;
}

} // namespace tessera::tile
