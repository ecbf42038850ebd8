// What each tile op refuses, and what folds; everything else about the ops is generated.
//
// A verifier states the rules that no type constraint covers: how the shapes, counts and element
// types of an op fit together. It does not compare layouts, which belong to the plan: a tile means
// the same in any of them.
#include "tile/TileDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera::tile;

#define GET_OP_CLASSES
#include "tile/TileOps.cpp.inc"

namespace {

using Shape = ArrayRef<int64_t>;

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

} // namespace

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

LogicalResult ViewLoadOp::verify() {
  Shape shape = shapeOf(getType());
  if (failed(isBox(*this, shape, getExtents(), getStrides(), getStarts())))
    return failure();
  return repeatsStatics(*this, shape, getStaticExtents(), getStaticStrides());
}

LogicalResult ViewStoreOp::verify() {
  Shape shape = shapeOf(getValue().getType());
  if (failed(isBox(*this, shape, getExtents(), getStrides(), getStarts())))
    return failure();
  return repeatsStatics(*this, shape, getStaticExtents(), getStaticStrides());
}

LogicalResult InsideOp::verify() {
  return isMaskOf(*this, getMask().getType(), getPointers().getType());
}

LogicalResult PrintOp::verify() {
  if (getValues().size() > 1 &&
      llvm::any_of(getValues(), [](Value v) { return isa<RankedTensorType>(v.getType()); }))
    return emitOpError() << "prints scalars, or one tile and nothing else";
  return success();
}

LogicalResult CheckOp::verify() {
  if (!elementType(getHolds().getType()).isInteger(1))
    return emitOpError() << "takes a condition, not " << getHolds().getType();
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  if (failed(sameElements(*this, getX().getType(), getType())))
    return failure();
  return sameShape(*this, getX().getType(), getType());
}

LogicalResult SharedStoreOp::verify() {
  return isSharedAccess(*this, cast<RankedTensorType>(getValue().getType()), getShared().getType(),
                        getStarts());
}

LogicalResult SharedLoadOp::verify() {
  return isSharedAccess(*this, cast<RankedTensorType>(getType()), getShared().getType(),
                        getStarts());
}

namespace {

// The multiply is the only use of its accumulator until it is finished.
bool isCarriedInFlight(SharedMmaOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return false;
  // From the first multiply of the iteration to the last: each adds to the result of the one
  // before.
  auto isInFlight = [&](SharedMmaOp one) {
    return one && one.getInFlight() && one.getInstruction().isTensorCore() &&
           one->getBlock() == loop.getBody() && one->hasOneUse() && one.getC().hasOneUse() &&
           (!one.getInstruction().isAsync() || one.getWait());
  };
  SharedMmaOp first = op, last = op;
  while (isInFlight(first) && !isa<BlockArgument>(first.getC()))
    first = first.getC().getDefiningOp<SharedMmaOp>();
  while (isInFlight(last) && isa<SharedMmaOp>(*last->user_begin()))
    last = cast<SharedMmaOp>(*last->user_begin());
  auto accumulator = isInFlight(first) ? dyn_cast<BlockArgument>(first.getC()) : BlockArgument();
  if (!accumulator || !isInFlight(last) || accumulator.getOwner() != loop.getBody() ||
      accumulator == loop.getInductionVar())
    return false;
  unsigned index = accumulator.getArgNumber() - loop.getNumInductionVars();
  Value finished = loop.getResult(index);
  return loop.getYieldedValues()[index] == last.getResult() &&
         loop.getInitArgs()[index].getDefiningOp<MmaBeginOp>() && finished.hasOneUse() &&
         isa<MmaFinishOp>(*finished.user_begin());
}

} // namespace

MmaWaitOp SharedMmaOp::getWait() {
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode())
    if (isa<MmaWaitOp, SharedMmaOp>(op))
      return dyn_cast<MmaWaitOp>(op);
  return {};
}

SharedMmaOp MmaBeginOp::getMultiply() {
  OpOperand &use = *getResult().use_begin();
  auto loop = cast<scf::ForOp>(use.getOwner());
  return cast<SharedMmaOp>(*loop.getTiedLoopRegionIterArg(&use).user_begin());
}

SharedMmaOp MmaFinishOp::getMultiply() {
  auto result = cast<OpResult>(getX());
  auto loop = cast<scf::ForOp>(result.getOwner());
  return loop.getYieldedValues()[result.getResultNumber()].getDefiningOp<SharedMmaOp>();
}

LogicalResult SharedMmaOp::verify() {
  auto shared = dyn_cast<SharedType>(getA().getType());
  Shape a = shared ? shared.getShape() : shapeOf(getA().getType()), b = getB().getType().getShape();
  if (a.size() < 2 || b.size() < 2)
    return emitOpError() << "multiplies matrices";
  const bool readsPanels = getInstruction().readsPanels();
  if ((shared && shared.getPanels() != readsPanels) || getB().getType().getPanels() != readsPanels)
    return emitOpError() << "has operands in panels for wgmma, and for nothing else";
  if (!shared &&
      (!readsPanels || getATransposed() || !isa<FloatType>(elementType(getA().getType())) ||
       storageBits(elementType(getA().getType())) > 32))
    return emitOpError()
           << "has an operand in registers for wgmma, of floats of 32 bits at most, as "
              "it is";
  if (getInFlight() && !isCarriedInFlight(*this))
    return emitOpError()
           << "is left in flight by a loop that carries nothing but its accumulator from "
              "mma_begin to mma_finish, and waits for the one before";
  return multiplies(*this, transposed(a, getATransposed()), transposed(b, getBTransposed()),
                    shapeOf(getType()));
}

// 16 bytes for each row of a box.
static bool areEndsOf(SharedType ends, Shape box) {
  return ends.getElementType().isInteger(32) &&
         ShapedType::getNumElements(ends.getShape()) * box.back() ==
             4 * ShapedType::getNumElements(box);
}

LogicalResult CopyAsyncOp::verify() {
  Shape box = getBoxShape(), tile = getShared().getType().getShape();
  if (ShapedType::getNumElements(box) != ShapedType::getNumElements(tile))
    return emitOpError() << "copies as many elements as the tile has";
  if (getRounds() && (!getMap() || !isa<FloatTF32Type>(getShared().getType().getElementType())))
    return emitOpError() << "rounds to tf32, by a map";
  if (getEnds() && !areEndsOf(getEnds().getType(), box))
    return emitOpError() << "has ends of 16 bytes for each row";
  if (bool(getMap()) != bool(getBarriers()))
    return emitOpError() << "has a map and barriers, or neither";
  if (getMap()) {
    auto map = getMap().getDefiningOp<MakeTensorMapOp>();
    auto barriers = getBarriers().getDefiningOp<InitBarriersOp>();
    auto slot = getShared().getDefiningOp<SharedSlotOp>();
    if (!map || map.getTile() != getShared().getType() || map.getBoxShape() != box ||
        map.getBase() != getBase() || map.getRounds() != getRounds())
      return emitOpError() << "has a map for other boxes";
    if (!barriers || !slot || !llvm::is_contained(barriers.getMaps(), getMap()))
      return emitOpError() << "arrives at the slot of a ring that knows its map";
  }
  return isBox(*this, box, getExtents(), getStrides(), getStarts());
}

LogicalResult ShiftRowsOp::verify() {
  Shape box = getBoxShape(), tile = getShared().getType().getShape();
  if (ShapedType::getNumElements(box) != ShapedType::getNumElements(tile) ||
      !areEndsOf(getEnds().getType(), box))
    return emitOpError() << "has the tile's elements, and ends of 16 bytes for each row";
  return isBox(*this, box, getExtents(), getStrides(), getStarts());
}

LogicalResult GatherAsyncOp::verify() {
  SharedType tile = getShared().getType();
  Shape shape = shapeOf(getPointers().getType());
  if (ShapedType::getNumElements(shape) != ShapedType::getNumElements(tile.getShape()))
    return emitOpError() << "copies as many elements as the tile has";
  return isMaskedAccess(*this, getPointers().getType(),
                        withElementType(getPointers().getType(), tile.getElementType()), getMask());
}

LogicalResult WaitGroupOp::verify() {
  if (bool(getBarriers()) != bool(getSlot()))
    return emitOpError() << "waits for a slot of its barriers";
  return success();
}

LogicalResult MakeTensorMapOp::verify() {
  constexpr int64_t maxOfBox = 256, maxDimensions = 5;
  auto tile = cast<SharedType>(getTile());
  Shape box = getBoxShape();
  if (!tile.getPanels() || box.size() < 2 || int64_t(box.size()) > maxDimensions ||
      box.back() != tile.getShape().back() ||
      ShapedType::getNumElements(box) != ShapedType::getNumElements(tile.getShape()))
    return emitOpError() << "is for tiles in panels, and boxes with their rows";
  if (llvm::any_of(box.drop_back(), [](int64_t extent) { return extent > maxOfBox; }))
    return emitOpError() << "has boxes of up to " << maxOfBox << " elements along a dimension";
  if (getExtents().size() != box.size() || getStrides().size() != box.size())
    return emitOpError() << "has an extent and a stride for each dimension of its boxes";
  if (bool(getScratch()) == bool(getGiven()))
    return emitOpError() << "is made in scratch memory or given by the launch";
  if (getNeeded() && !getGiven())
    return emitOpError() << "is needed where the launch gives it alone";
  return success();
}

int64_t StorePartsOp::getWarpgroups() {
  return getPanels().getType().getShape()[getTransposed() ? 1 : 0] / rowsOfWarpgroup;
}

// A warpgroup's rows of the accumulator are consecutive.
uint32_t StorePartsOp::getMask() {
  Shape whole = cast<RankedTensorType>(getValue().getType()).getShape();
  const int64_t warpgroups = getWarpgroups();
  SmallVector<int64_t> box = getBoxOfWarpgroup();
  auto bitsBeyond = [](int64_t extent, int64_t part) {
    return uint32_t((extent - 1) & ~(part - 1));
  };
  auto bitsAlong = [&](int dim, bool isOfWarpgroups) {
    return bitsBeyond(whole[dim] / (isOfWarpgroups ? warpgroups : 1), box[box.size() - 2 + dim]);
  };
  return bitsAlong(1, getTransposed()) | bitsAlong(0, !getTransposed()) * uint32_t(whole[1]);
}

SmallVector<int64_t> StorePartsOp::getBoxShape() {
  SmallVector<int64_t> box(getStarts().size(), 1);
  llvm::copy(getPanels().getType().getShape(), box.end() - 2);
  return box;
}

SmallVector<int64_t> StorePartsOp::boxOfWarpgroup(Shape panel, bool isTransposed) {
  SmallVector<int64_t> box(panel);
  box[box.size() - (isTransposed ? 1 : 2)] = rowsOfWarpgroup;
  return box;
}

SmallVector<int64_t> StorePartsOp::getBoxOfWarpgroup() {
  return boxOfWarpgroup(getBoxShape(), getTransposed());
}

LogicalResult StorePartsOp::verify() {
  auto map = getMap().getDefiningOp<MakeTensorMapOp>();
  SharedType panels = getPanels().getType();
  auto value = cast<RankedTensorType>(getValue().getType());
  if (!map || !map.getGiven())
    return emitOpError() << "goes by a map that the launch gives";
  if (value.getRank() != 2 || panels.getShape().size() != 2 || !panels.getPanels() ||
      value.getElementType() != panels.getElementType() || getStarts().size() < 2 ||
      value.getDimSize(0) % panels.getShape()[0] != 0 ||
      value.getDimSize(1) % panels.getShape()[1] != 0)
    return emitOpError() << "has rows and columns, of which panels hold a part";
  if (map.getBoxShape() != Shape(getBoxOfWarpgroup()) || map.getBase() != getBase() ||
      panels.getShape()[getTransposed() ? 1 : 0] % rowsOfWarpgroup != 0)
    return emitOpError() << "has a map for other boxes";
  return isBox(*this, getBoxShape(), getExtents(), getStrides(), getStarts());
}

InitBarriersOp WaitGroupOp::getRing() {
  return getBarriers() ? getBarriers().getDefiningOp<InitBarriersOp>() : InitBarriersOp();
}

bool WaitGroupOp::isFilledByProducerWarp() {
  InitBarriersOp ring = getRing();
  return ring && ring.getReaders();
}

bool InitBarriersOp::isBulkOnly() {
  return llvm::all_of(getMaps(), [](Value map) {
    auto made = map.getDefiningOp<MakeTensorMapOp>();
    return made && made.getNeeded();
  });
}

LogicalResult BulkStoreOp::verify() {
  auto map = getMap().getDefiningOp<MakeTensorMapOp>();
  if (!map || !map.getGiven())
    return emitOpError() << "goes by a map that the launch gives";
  if (map.getTile() != getShared().getType() || map.getBoxShape() != Shape(getBoxShape()) ||
      map.getBase() != getBase())
    return emitOpError() << "has a map for other boxes";
  return isBox(*this, getBoxShape(), getExtents(), getStrides(), getStarts());
}

LogicalResult InitBarriersOp::verify() {
  if (getMaps().empty() || getStages() < 2 || getCopies() < 1)
    return emitOpError() << "has maps, two stages or more, and copies";
  if (getReaders() && !isBulkOnly())
    return emitOpError() << "is filled by a warp where bulk copies do all of it";
  return success();
}

// Of a ring that a producer warp fills.
static LogicalResult hasReaders(Operation *op, Value barriers) {
  auto ring = barriers.getDefiningOp<InitBarriersOp>();
  if (ring && !ring.getReaders())
    return op->emitOpError() << "is for a ring that a warp of its own fills";
  return success();
}

LogicalResult ProducerAcquireOp::verify() { return hasReaders(*this, getBarriers()); }
LogicalResult ConsumerReleaseOp::verify() { return hasReaders(*this, getBarriers()); }

// ---- Folders ----------------------------------------------------------------------------------

// scalar(splat(x)) is x.
OpFoldResult ScalarOp::fold(FoldAdaptor) {
  if (auto splat = getX().getDefiningOp<SplatOp>())
    return splat.getX();
  return {};
}

// Casts, bit casts, reshapes and broadcasts to a value's own type are that value.
OpFoldResult CastOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}
OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? getX() : Value();
}

// ---- Splats -----------------------------------------------------------------------------------

namespace {

// An operation whose result has only elements of its splat operand is a splat.
template <class Op> LogicalResult splatInstead(Op op, PatternRewriter &rewriter) {
  auto splat = op.getX().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getX());
  return success();
}

// x with x is x.
bool isIdempotent(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::max:
  case ReduceKind::min:
  case ReduceKind::max_nan:
  case ReduceKind::min_nan:
  case ReduceKind::bit_and:
  case ReduceKind::bit_or: return true;
  default: return false;
  }
}

} // namespace

// Dimensions of one element that a permutation moves to the front, and a reshape then drops, are
// dropped before the permutation. So a transposed matrix is recognized, whatever view it is from.
static LogicalResult dropDimensionsFirst(ReshapeOp op, PatternRewriter &rewriter) {
  auto permute = op.getX().getDefiningOp<PermuteOp>();
  if (!permute)
    return failure();
  ArrayRef<int64_t> from = shapeOf(permute.getX().getType()), map = permute.getMap(),
                    permuted = shapeOf(permute.getType()), to = shapeOf(op.getType());
  if (to.empty() || to.size() >= permuted.size() || to != permuted.take_back(to.size()))
    return failure();
  ArrayRef<int64_t> dropped = map.drop_back(to.size()), kept = map.take_back(to.size());
  SmallVector<int64_t> shape, rest;
  for (auto [dim, extent] : llvm::enumerate(from))
    if (!llvm::is_contained(dropped, int64_t(dim)))
      shape.push_back(extent);
  for (int64_t dim : kept)
    rest.push_back(dim - llvm::count_if(dropped, [&](int64_t other) { return other < dim; }));
  auto type = cast<RankedTensorType>(op.getType());
  Value matrix = rewriter.createOrFold<ReshapeOp>(
      op.getLoc(), RankedTensorType::get(shape, type.getElementType()), permute.getX());
  rewriter.replaceOpWithNewOp<PermuteOp>(op, type, matrix, rest);
  return success();
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (succeeded(splatInstead(op, rewriter)))
    return success();
  if (auto first = op.getX().getDefiningOp<ReshapeOp>()) {
    rewriter.replaceOp(op,
                       rewriter.createOrFold<ReshapeOp>(op.getLoc(), op.getType(), first.getX()));
    return success();
  }
  return dropDimensionsFirst(op, rewriter);
}
LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  return splatInstead(op, rewriter);
}
// A permutation that keeps the order of the dimensions of more than one element is a reshape.
static LogicalResult reshapeInstead(PermuteOp op, PatternRewriter &rewriter) {
  Shape shape = shapeOf(op.getX().getType());
  SmallVector<int64_t> moved;
  for (int64_t dim : op.getMap())
    if (shape[dim] > 1)
      moved.push_back(dim);
  if (!llvm::is_sorted(moved))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
  return success();
}

LogicalResult PermuteOp::canonicalize(PermuteOp op, PatternRewriter &rewriter) {
  if (succeeded(splatInstead(op, rewriter)))
    return success();
  return reshapeInstead(op, rewriter);
}
LogicalResult ExtractOp::canonicalize(ExtractOp op, PatternRewriter &rewriter) {
  return splatInstead(op, rewriter);
}
// A reduction that flushes subnormals changes even a single element.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  return isIdempotent(op.getKind()) && !op.getFlush() ? splatInstead(op, rewriter) : failure();
}
