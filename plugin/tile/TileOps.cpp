// What each op of the program refuses. PlanOps.cpp has those of the plan, Folding.cpp what folds;
// everything else about the ops is generated.
//
// A verifier states the rules that no type constraint covers: how the shapes, counts and element
// types of an op fit together. It does not compare layouts, which belong to the plan: a tile means
// the same in any of them.
#include "tile/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tile;

#define GET_OP_CLASSES
#include "tile/TileOps.cpp.inc"

// ---- Verifiers, in the order of TileOps.td ----------------------------------------------------

LogicalResult SplatOp::verify() { return sameElements(*this, getX().getType(), getType()); }

LogicalResult ScalarOp::verify() {
  if (countOf(shapeOf(getX().getType())) != 1)
    return emitOpError() << "takes a tile of one element, not of shape ["
                         << shapeOf(getX().getType()) << "]";
  return sameElements(*this, getX().getType(), getType());
}

LogicalResult FieldOp::verify() {
  if (getPath().count('#') == getIndices().size())
    return success();
  return emitOpError() << "names " << getPath().count('#') << " indices and has "
                       << getIndices().size();
}

LogicalResult CompareOp::verify() { return isMaskOf(*this, getType(), getX().getType()); }
LogicalResult ClassifyOp::verify() { return isMaskOf(*this, getType(), getX().getType()); }
LogicalResult SelectOp::verify() { return isMaskOf(*this, getMask().getType(), getType()); }

LogicalResult Bf16TermOp::verify() {
  if (getTerm() < 0 || getTerm() > 2)
    return emitOpError() << "has no term " << getTerm() << "; a float has the terms 0, 1 and 2";
  if (!elementType(getX().getType()).isF32() || !elementType(getType()).isBF16())
    return emitOpError() << "gives terms of bf16 of elements of f32";
  return success();
}

LogicalResult BitcastOp::verify() {
  unsigned from = storageBits(elementType(getX().getType())),
           to = storageBits(elementType(getType()));
  if (from != to)
    return emitOpError() << "reads elements of " << from << " bits as elements of " << to;
  return success();
}

LogicalResult ReshapeOp::verify() {
  Shape from = shapeOf(getX().getType()), to = shapeOf(getType());
  if (countOf(from) != countOf(to))
    return emitOpError() << "gives " << countOf(from) << " elements a shape of " << countOf(to);
  return sameElements(*this, getX().getType(), getType());
}

LogicalResult BroadcastOp::verify() {
  Shape from = shapeOf(getX().getType()), to = shapeOf(getType());
  bool repeats = from.size() == to.size() && llvm::all_of(llvm::zip(from, to), [](auto pair) {
                   auto [small, large] = pair;
                   return small == 1 || small == large;
                 });
  if (!repeats)
    return emitOpError() << "repeats dimensions of extent 1 only: [" << from
                         << "] does not become [" << to << "]";
  return sameElements(*this, getX().getType(), getType());
}

LogicalResult PermuteOp::verify() {
  Shape from = shapeOf(getX().getType()), to = shapeOf(getType()), map = getMap();
  SmallVector<int64_t> sorted(map);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.size())))
    return emitOpError() << "has the map [" << map << "], which is no permutation of "
                         << from.size() << " dimensions";
  if (!llvm::equal(llvm::map_range(map, [&](int64_t d) { return from[d]; }), to))
    return emitOpError() << "does not transpose [" << from << "] into [" << to << "]";
  return sameElements(*this, getX().getType(), getType());
}

LogicalResult CatOp::verify() {
  Shape x = shapeOf(getX().getType()), y = shapeOf(getY().getType()), all = shapeOf(getType());
  if (failed(isDimension(*this, getDim(), x)))
    return failure();
  if (!differOnlyAlong(getDim(), x, y) || !differOnlyAlong(getDim(), x, all) ||
      x[getDim()] + y[getDim()] != all[getDim()])
    return emitOpError() << "does not make [" << all << "] of [" << x << "] and [" << y << "]";
  if (failed(sameElements(*this, getX().getType(), getY().getType())))
    return failure();
  return sameElements(*this, getX().getType(), getType());
}

LogicalResult ExtractOp::verify() { return isPart(*this, getType(), getX().getType(), getIndex()); }

LogicalResult InsertOp::verify() {
  if (shapeOf(getX().getType()) != shapeOf(getType()))
    return emitOpError() << "gives back the tile it changes, of one shape";
  if (failed(sameElements(*this, getX().getType(), getType())))
    return failure();
  return isPart(*this, getPart().getType(), getType(), getIndex());
}

// Partial results are whole groups of the operand's elements; an argument reduction gives indices.
LogicalResult ReduceOp::verify() {
  Shape from = shapeOf(getX().getType()), to = shapeOf(getType());
  int64_t dim = getDim();
  if (failed(isDimension(*this, dim, from)))
    return failure();
  if (!differOnlyAlong(dim, from, to) || from[dim] % to[dim])
    return emitOpError() << "along dimension " << dim << " does not fold [" << from << "] to ["
                         << to << "]";
  if (getKind() != ReduceKind::argmax && getKind() != ReduceKind::argmin)
    return getIndices() ? LogicalResult(emitOpError() << "gives values, not indices")
                        : sameElements(*this, getX().getType(), getType());
  if (getIndices() && failed(sameShape(*this, getX().getType(), getIndices().getType())))
    return failure();
  return elementType(getType()).isInteger(32)
             ? success()
             : LogicalResult(emitOpError() << "gives indices, which are i32");
}

LogicalResult ScanOp::verify() {
  if (getKind() != ReduceKind::sum && getKind() != ReduceKind::prod)
    return emitOpError() << "gives prefix sums or products, not " << stringifyReduceKind(getKind());
  return isDimension(*this, getDim(), shapeOf(getType()));
}

LogicalResult ScanCarryOp::verify() {
  Shape whole = shapeOf(getType()), totals = shapeOf(getTotals().getType());
  if (failed(isDimension(*this, getDim(), whole)))
    return failure();
  if (!differOnlyAlong(getDim(), whole, totals) || whole[getDim()] % totals[getDim()])
    return emitOpError() << "has totals [" << totals << "] of [" << whole << "]";
  return sameElements(*this, getTotals().getType(), getType());
}

LogicalResult MmaOp::verify() {
  return multiplies(*this, shapeOf(getA().getType()), shapeOf(getB().getType()),
                    shapeOf(getType()));
}

LogicalResult OffsetOp::verify() {
  return isAccess(*this, getPointers().getType(), getCount().getType());
}
LogicalResult DifferenceOp::verify() { return isAccess(*this, getX().getType(), getType()); }

LogicalResult LoadOp::verify() {
  if (failed(isMaskedAccess(*this, getPointers().getType(), getType(), getMask())))
    return failure();
  return getPadding() && getPadding().getType() != getType()
             ? LogicalResult(emitOpError() << "pads with another type than it reads")
             : success();
}

LogicalResult StoreOp::verify() {
  return isMaskedAccess(*this, getPointers().getType(), getValue().getType(), getMask());
}
LogicalResult AtomicRmwOp::verify() {
  return isMaskedAccess(*this, getPointers().getType(), getType(), getMask());
}
LogicalResult AtomicCompareExchangeOp::verify() {
  return isMaskedAccess(*this, getPointers().getType(), getType(), getMask());
}
LogicalResult AtomicLoadOp::verify() {
  return isMaskedAccess(*this, getPointers().getType(), getType(), getMask());
}
LogicalResult AtomicStoreOp::verify() {
  return isMaskedAccess(*this, getPointers().getType(), getValue().getType(), getMask());
}

// Rows are rotated as their columns are numbered in the tile.
template <class Op> static LogicalResult isRotated(Op op, Shape shape) {
  std::optional<RotationAttr> rotation = op.getRotation();
  if (rotation.has_value() != bool(op.getShift()))
    return op.emitOpError() << "has a shift without a rotation, or a rotation without a shift";
  if (rotation && (shape.empty() || rotation->getMultiple() <= 0 ||
                   shape.back() % rotation->getMultiple() != 0))
    return op.emitOpError() << "rotates rows by groups of which they are no multiple";
  return success();
}

LogicalResult ViewLoadOp::verify() {
  Shape shape = shapeOf(getType());
  if (failed(isBox(*this, shape, getExtents(), getStrides(), getStarts())) ||
      failed(isRotated(*this, shape)))
    return failure();
  return repeatsStatics(*this, shape, getStaticExtents(), getStaticStrides());
}

LogicalResult ViewStoreOp::verify() {
  Shape shape = shapeOf(getValue().getType());
  if (failed(isBox(*this, shape, getExtents(), getStrides(), getStarts())) ||
      failed(isRotated(*this, shape)))
    return failure();
  return repeatsStatics(*this, shape, getStaticExtents(), getStaticStrides());
}

LogicalResult InsideOp::verify() {
  return isMaskOf(*this, getMask().getType(), getPointers().getType());
}

LogicalResult CheckOp::verify() {
  if (!elementType(getHolds().getType()).isInteger(1))
    return emitOpError() << "takes a condition, not " << getHolds().getType();
  return success();
}
