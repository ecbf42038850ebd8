#include "plan/tiling/WideTiles.h"

#include "plan/analysis/Facts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Reads memory at most, and the accesses of other blocks in between make no difference.
bool onlyReads(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_();
  return isMemoryEffectFree(&op) || isa<tile::ViewLoadOp, tile::LoadOp>(op);
}

// Blocks that store the same to the same memory can be one block that does.
bool isStore(Operation &op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return isa<tile::StoreOp>(op) || (store && !store.getVolatile_());
}

ArrayRef<int64_t> shapeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getShape(); }

} // namespace

bool WideTiles::widen() {
  scaleIndices();
  do {
    hasChanged = false;
    if (!visit(kernel.getBody().front()))
      return false;
  } while (hasChanged);
  if (stores.empty())
    return false;
  rewrite();
  return true;
}

void WideTiles::scaleIndices() {
  SmallVector<tile::BlockIndexOp> indices;
  kernel.walk([&](tile::BlockIndexOp op) {
    if (op.getAxis() == axis)
      indices.push_back(op);
  });
  for (tile::BlockIndexOp index : indices) {
    OpBuilder b(index->getContext());
    b.setInsertionPointAfter(index);
    Location loc = index.getLoc();
    Value by = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(factor)));
    auto first = arith::MulIOp::create(b, loc, index, by, arith::IntegerOverflowFlags::nsw);
    index.getResult().replaceAllUsesExcept(first, first);
    distances[first] = 1;
    multiples.insert(first);
  }
}

bool WideTiles::spread(Value value, unsigned dim) {
  auto [known, isNew] = dims.try_emplace(value, dim);
  hasChanged |= isNew;
  return known->second == dim;
}

RankedTensorType WideTiles::wide(Type type, unsigned dim) const {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] *= factor;
  return RankedTensorType::get(shape, tensor.getElementType());
}

void WideTiles::setEach(Value value) {
  hasChanged |= each.add(value);
  distances.erase(value);
  multiples.erase(value);
}

// ---- What becomes of the blocks' values ---------------------------------------------------------

bool WideTiles::visit(Block &block) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) { return visit(op); });
}

bool WideTiles::visit(Operation &op) {
  return each.contains(&op) ? visitByEach(op) : visitTogether(op) || visitByEach(op);
}

// Ops that one block does for all, as they are or with wide tiles.
bool WideTiles::visitTogether(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    return visitStore(store);
  if (isa<tile::StoreOp, tile::AtomicRmwOp>(op) && isAnyWide(op.getOperands()))
    return visitPointers(op);
  const bool areUniform = llvm::all_of(op.getOperands(), [&](Value v) { return isUniform(v); });
  if (isStore(op))
    return areUniform;
  if (op.getNumRegions() || !onlyReads(op))
    return false;
  if (areUniform)
    return true;
  bool isScalar = op.getNumResults() == 1 && isa<IntegerType>(op.getResult(0).getType());
  return isScalar ? visitScalar(op) : visitTile(op);
}

// Ops that are repeated for each of the blocks, with its own values.
bool WideTiles::visitByEach(Operation &op) {
  llvm::SetVector<Value> used;
  for (Region &region : op.getRegions())
    getUsedValuesDefinedAbove(region, used);
  if (isAnyWide(op.getOperands()) || isAnyWide(used.getArrayRef()) || !mayBeDoneByEach(op))
    return false;
  // Values nested in the op lose their earlier classification.
  auto forget = [&](Value value) {
    distances.erase(value);
    multiples.erase(value);
    dims.erase(value);
    each.forget(value);
  };
  op.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), forget);
    stores.erase(inner);
    if (inner == &op)
      return;
    each.forget(inner);
    llvm::for_each(inner->getResults(), forget);
  });
  each.add(&op);
  llvm::for_each(op.getResults(), [&](Value result) { setEach(result); });
  return true;
}

bool WideTiles::visitScalar(Operation &op) {
  auto of = [&](unsigned i) { return distances.lookup(op.getOperand(i)); };
  if (llvm::any_of(op.getOperands(), [&](Value v) { return dims.contains(v) || each.contains(v); }))
    return false;
  int64_t distance = 0;
  bool isMultiple = llvm::any_of(op.getOperands(), [&](Value v) { return multiples.contains(v); });
  if (isa<arith::AddIOp>(op)) {
    distance = of(0) + of(1);
    isMultiple = false;
  } else if (isa<arith::SubIOp>(op)) {
    distance = of(0) - of(1);
    isMultiple = false;
  } else if (isa<arith::MulIOp>(op)) {
    std::optional<int64_t> x = constantOf(op.getOperand(0)), y = constantOf(op.getOperand(1));
    if (!x && !y)
      return false;
    distance = y ? of(0) * *y : of(1) * *x;
  } else if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> by = constantOf(op.getOperand(1));
    if (!by || *by < 0 || *by > 20)
      return false;
    distance = of(0) << *by;
  } else if (isa<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    // Within an aligned group of blocks nothing wraps around.
    distance = of(0);
    bool isAligned = distance > 0 && llvm::isPowerOf2_64(uint64_t(distance)) &&
                     divisorOf(op.getOperand(0)) % (factor * distance) == 0;
    if (!isAligned)
      return false;
  } else if (isa<arith::TruncIOp, tile::AssumeOp>(op)) {
    distance = of(0);
  } else {
    return false;
  }
  if (distance == 0)
    return true;
  if (isMultiple)
    multiples.insert(op.getResult(0));
  auto [known, isNew] = distances.try_emplace(op.getResult(0), distance);
  hasChanged |= isNew;
  return known->second == distance;
}

// Of a box in a view: the dimension along which the blocks' boxes lie side by side; none if they
// are one box. The first begins at a multiple of the whole group's extent, so that no box of a
// group is below 0 or wraps around by itself.
bool WideTiles::visitAccess(ValueRange view, ValueRange starts, ArrayRef<int64_t> box,
                            std::optional<unsigned> &dim) {
  if (!llvm::all_of(view, [&](Value v) { return isUniform(v); }))
    return false;
  for (auto [d, start] : llvm::enumerate(starts)) {
    if (isUniform(start))
      continue;
    if (dim || distances.lookup(start) != box[d] || divisorOf(start) % (factor * box[d]) != 0)
      return false;
    dim = unsigned(d);
  }
  return true;
}

bool WideTiles::visitStore(tile::ViewStoreOp store) {
  std::optional<unsigned> dim;
  SmallVector<Value> view = {store.getBase()};
  llvm::append_range(view, store.getExtents());
  llvm::append_range(view, store.getStrides());
  if (!visitAccess(view, store.getStarts(), shapeOf(store.getValue()), dim))
    return false;
  if (!dim)
    return isUniform(store.getValue());
  if (!canRepeat(store.getValue(), *dim))
    return false;
  stores[store] = *dim;
  return true;
}

// A wide tile that is stored, or added atomically, by a tile of pointers.
bool WideTiles::visitPointers(Operation &op) {
  auto found = llvm::find_if(op.getOperands(), [&](Value v) { return dims.contains(v); });
  const unsigned dim = dims.lookup(*found);
  if (globalEffectsOf(&op).orders || !spreadOperands(op, dim))
    return false;
  stores[&op] = dim;
  return op.getNumResults() == 0 || spread(op.getResult(0), dim);
}

bool WideTiles::spreadOperands(Operation &op, unsigned dim) {
  return llvm::all_of(op.getOperands(), [&](Value v) { return canRepeat(v, dim); });
}

// The dimension along which the results of all blocks lie.
std::optional<unsigned> WideTiles::alongOf(Operation &op) {
  auto dimOf = [&](Value v) -> std::optional<unsigned> {
    auto found = dims.find(v);
    return found == dims.end() ? std::nullopt : std::optional(found->second);
  };
  if (isElementwise(&op)) {
    for (Value operand : op.getOperands())
      if (std::optional<unsigned> dim = dimOf(operand))
        return spreadOperands(op, *dim) ? dim : std::nullopt;
    return std::nullopt;
  }
  if (auto multiply = dyn_cast<tile::MmaOp>(op)) {
    auto rank = unsigned(shapeOf(multiply.getC()).size());
    std::optional<unsigned> aDim = dimOf(multiply.getA()), bDim = dimOf(multiply.getB());
    std::optional<unsigned> dim = aDim ? aDim : bDim;
    bool isOfOne = dim && *dim == (aDim ? rank - 2 : rank - 1) &&
                   isUniform(aDim ? multiply.getB() : multiply.getA());
    return isOfOne && canRepeat(multiply.getC(), *dim) ? dim : std::nullopt;
  }
  std::optional<unsigned> dim = op.getNumOperands() ? dimOf(op.getOperand(0)) : std::nullopt;
  if (!dim)
    return std::nullopt;
  if (isa<tile::BroadcastOp>(op))
    return dim;
  if (isa<tile::ReshapeOp>(op))
    return sameDimension(shapeOf(op.getOperand(0)), *dim, shapeOf(op.getResult(0)));
  if (auto permute = dyn_cast<tile::PermuteOp>(op))
    return unsigned(llvm::find(permute.getMap(), int64_t(*dim)) - permute.getMap().begin());
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return reduce.getIndices() || (reduce.getDim() == *dim && shapeOf(reduce)[*dim] != 1)
               ? std::nullopt
               : dim;
  return isa<tile::ScanOp>(op) ? dim : std::nullopt;
}

bool WideTiles::visitTile(Operation &op) {
  std::optional<unsigned> dim;
  if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
    SmallVector<Value> view = {load.getBase()};
    llvm::append_range(view, load.getExtents());
    llvm::append_range(view, load.getStrides());
    if (!visitAccess(view, load.getStarts(), shapeOf(load), dim))
      return false;
  } else if (op.getNumResults() == 1 && isa<RankedTensorType>(op.getResult(0).getType())) {
    dim = alongOf(op);
  }
  return dim && spread(op.getResult(0), *dim);
}

bool WideTiles::visitFor(scf::ForOp loop) {
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!isUniform(bound))
      return false;
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (Value init = loop.getTiedLoopInit(carried)->get(); dims.contains(init)) {
      if (!spread(carried, dims.lookup(init)))
        return false;
    } else if (!isUniform(init)) {
      setEach(carried);
    }
  if (!visit(*loop.getBody()))
    return false;
  for (BlockArgument carried : loop.getRegionIterArgs()) {
    Value next = loop.getTiedLoopYieldedValue(carried)->get();
    if (!dims.contains(next) && !isUniform(next))
      setEach(carried);
    if (each.contains(carried)) {
      if (dims.contains(carried) || dims.contains(next))
        return false;
      setEach(loop.getTiedLoopResult(carried));
      continue;
    }
    if (!dims.contains(next) && !dims.contains(carried))
      continue;
    unsigned dim = dims.contains(carried) ? dims.lookup(carried) : dims.lookup(next);
    if (!canRepeat(loop.getTiedLoopInit(carried)->get(), dim) || !spread(carried, dim) ||
        !canRepeat(next, dim) || !spread(loop.getTiedLoopResult(carried), dim))
      return false;
  }
  return true;
}

bool WideTiles::visitIf(scf::IfOp branch) {
  if (!isUniform(branch.getCondition()))
    return false;
  for (Region *region : branch.getRegions())
    if (!region->empty() && !visit(region->front()))
      return false;
  for (OpResult result : branch.getResults()) {
    Value yielded[] = {branch.thenYield().getOperand(result.getResultNumber()),
                       branch.elseYield().getOperand(result.getResultNumber())};
    for (Value value : yielded) {
      if (distances.contains(value) || each.contains(value))
        return false;
      if (dims.contains(value) && !spread(result, dims.lookup(value)))
        return false;
    }
    if (dims.contains(result) &&
        !llvm::all_of(yielded, [&](Value value) { return canRepeat(value, dims.lookup(result)); }))
      return false;
  }
  return true;
}

} // namespace tessera::plan
