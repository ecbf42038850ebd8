// The ops with a region that combines neighbours: how they are built, and what they refuse.
#include "tile/Verify.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tile {

// ---- Builder ----------------------------------------------------------------------------------

void FoldOp::build(OpBuilder &builder, OperationState &state, ValueRange x, int64_t dim,
                   ArrayAttr identities, bool scan, bool backward,
                   function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> combine) {
  state.addOperands(x);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.dim = builder.getI64IntegerAttr(dim);
  properties.identities = identities;
  properties.scan = scan ? builder.getUnitAttr() : UnitAttr();
  properties.backward = backward ? builder.getUnitAttr() : UnitAttr();
  SmallVector<Type> elements;
  for (Type type : x.getTypes()) {
    SmallVector<int64_t> shape(shapeOf(type));
    if (!scan)
      shape[dim] = 1;
    elements.push_back(elementType(type));
    state.addTypes(RankedTensorType::get(shape, elements.back()));
  }
  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  const SmallVector<Location> locations(x.size(), state.location);
  Block *block = builder.createBlock(region);
  block->addArguments(elements, locations);
  block->addArguments(elements, locations);
  SmallVector<Value> combined = combine(builder, block->getArguments().take_front(x.size()),
                                        block->getArguments().drop_front(x.size()));
  YieldOp::create(builder, state.location, combined);
}

// ---- Verifiers --------------------------------------------------------------------------------

namespace {

// Tiles of one shape, whose elements are numbers.
LogicalResult areFolded(Operation *op, ValueRange tiles) {
  for (Value tile : tiles) {
    if (isa<LLVM::LLVMPointerType>(elementType(tile.getType())))
      return op->emitOpError() << "combines numbers, not pointers";
    if (failed(sameShape(op, tiles.front().getType(), tile.getType())))
      return failure();
  }
  return success();
}

LogicalResult haveElementsOf(Operation *op, ValueRange tiles, ValueRange results) {
  if (tiles.empty() || tiles.size() != results.size())
    return op->emitOpError() << "has " << tiles.size() << " tiles and " << results.size()
                             << " results, which must be as many, and one at least";
  for (auto [tile, result] : llvm::zip(tiles, results))
    if (failed(sameElements(op, tile.getType(), result.getType())))
      return failure();
  return success();
}

// The constants of that name, one for each tile and of its elements' type.
LogicalResult areIdentities(FoldOp op) {
  std::optional<ArrayAttr> identities = op.getIdentities();
  if (!identities)
    return success();
  if (identities->size() != op.getX().size())
    return op.emitOpError() << "has " << identities->size() << " identities for "
                            << op.getX().size() << " tiles";
  for (auto [identity, tile] : llvm::zip(*identities, op.getX())) {
    auto number = dyn_cast<TypedAttr>(identity);
    if (!number || number.getType() != elementType(tile.getType()))
      return op.emitOpError() << "has the identity " << identity << " for elements of type "
                              << elementType(tile.getType());
  }
  return success();
}

// The region takes n elements, then n accumulators, and yields n accumulators.
template <class Op> LogicalResult combinesElements(Op op) {
  SmallVector<Type> elements =
      llvm::map_to_vector(op.getX().getTypes(), [](Type type) { return elementType(type); });
  SmallVector<Type> both = elements, arguments(op.getCombine().getArgumentTypes());
  llvm::append_range(both, elements);
  if (arguments != both)
    return op.emitOpError() << "has a region that takes (" << arguments
                            << "): an element, then an accumulator of each tile is (" << elements
                            << ", " << elements << ")";
  auto yield = dyn_cast<YieldOp>(op.getCombine().front().getTerminator());
  if (!yield || !llvm::equal(yield.getValues().getTypes(), elements))
    return op.emitOpError() << "has a region that does not yield (" << elements << ")";
  return success();
}

// Scalars only, and no memory: any thread may do it, any number of times.
template <class Op> LogicalResult combinesScalars(Op op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  WalkResult result = op.getCombine().walk([&](Operation *inner) {
    if (llvm::any_of(inner->getOperandTypes(), isTile) ||
        llvm::any_of(inner->getResultTypes(), isTile)) {
      inner->emitOpError() << "is about tiles; the region of a fold combines scalars";
      return WalkResult::interrupt();
    }
    if (!isMemoryEffectFree(inner)) {
      inner->emitOpError() << "accesses memory; the region of a fold computes only";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace

LogicalResult FoldOp::verify() {
  if (failed(haveElementsOf(*this, getX(), getResults())) || failed(areFolded(*this, getX())) ||
      failed(areFolded(*this, getResults())))
    return failure();
  Shape from = shapeOf(getX().front().getType()), to = shapeOf(getResult(0).getType());
  const int64_t dim = getDim();
  if (failed(isDimension(*this, dim, from)))
    return failure();
  if (getWithinWarps() && !getScan())
    return emitOpError() << "is a reduction, whose result type says what of it there is";
  if (getScan() && from != to)
    return emitOpError() << "scans [" << from << "] to the same shape, not to [" << to << "]";
  if (!differOnlyAlong(dim, from, to) || from[dim] % to[dim])
    return emitOpError() << "along dimension " << dim << " does not fold [" << from << "] to ["
                         << to << "]";
  return areIdentities(*this);
}

LogicalResult FoldOp::verifyRegions() {
  return success(succeeded(combinesElements(*this)) && succeeded(combinesScalars(*this)));
}

LogicalResult FoldCarryOp::verify() {
  if (failed(haveElementsOf(*this, getX(), getResults())) ||
      failed(haveElementsOf(*this, getX(), getTotals())) || failed(areFolded(*this, getX())) ||
      failed(areFolded(*this, getTotals())))
    return failure();
  Shape whole = shapeOf(getX().front().getType()), totals = shapeOf(getTotals().front().getType());
  if (failed(isDimension(*this, getDim(), whole)))
    return failure();
  if (!differOnlyAlong(getDim(), whole, totals) || whole[getDim()] % totals[getDim()])
    return emitOpError() << "has totals [" << totals << "] of [" << whole << "]";
  return success(llvm::all_of(getResultTypes(), [&](Type type) { return shapeOf(type) == whole; }));
}

LogicalResult FoldCarryOp::verifyRegions() {
  return success(succeeded(combinesElements(*this)) && succeeded(combinesScalars(*this)));
}

} // namespace tessera::tile
