// Rewrites a kernel for the wide tiles that WideTiles.cpp has proven.
#include "plan/tiling/WideTiles.h"

#include "plan/analysis/Facts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tessera::plan {

namespace {

ArrayRef<int64_t> shapeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getShape(); }

} // namespace

void WideTiles::repeatOperands(Operation &op, unsigned dim) {
  OpBuilder b(&op);
  for (OpOperand &operand : op.getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      operand.set(repeat(b, operand.get(), dim));
}

// The last group may have fewer blocks: a block beyond the grid must write nothing. The others'
// boxes end where the grid does: as many blocks after the start as there are left.
void WideTiles::clip(tile::ViewStoreOp store, unsigned dim) const {
  OpBuilder b(store);
  Location loc = store.getLoc();
  Type i64 = b.getI64Type();
  auto wide = [&](Value v) -> Value {
    return v.getType() == i64 ? v : arith::ExtUIOp::create(b, loc, i64, v).getResult();
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value blocks = wide(tile::GridSizeOp::create(b, loc, b.getI32Type(), axis)),
        own = wide(store.getExtents()[dim]), start = store.getStarts()[dim],
        each = constant(shapeOf(store.getValue())[dim] / factor), end;
  if (multiples.contains(start)) {
    end = arith::MulIOp::create(b, loc, blocks, each);
  } else {
    Value index = wide(tile::BlockIndexOp::create(b, loc, b.getI32Type(), axis, false)),
          first = arith::MulIOp::create(b, loc, index, constant(factor)),
          left = arith::SubIOp::create(b, loc, blocks, first),
          length = arith::MulIOp::create(b, loc, left, each);
    end = arith::AddIOp::create(b, loc, wide(start), length);
  }
  Value isShorter = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, end, own);
  Value clipped = arith::SelectOp::create(b, loc, isShorter, end, own);
  OpOperand &extent = store.getExtentsMutable()[dim];
  if (extent.get().getType() != i64)
    clipped = arith::TruncIOp::create(b, loc, extent.get().getType(), clipped);
  extent.set(clipped);
  SmallVector<int64_t> known(store.getStaticExtents());
  known[dim] = -1;
  store.setStaticExtents(known);
}

// Does the op work along the dimension of the blocks, separately for each of them?
bool WideTiles::isWithinBlocks(Operation *op) const {
  auto found = op->getNumResults() == 1 ? dims.find(op->getResult(0)) : dims.end();
  if (found == dims.end())
    return false;
  const unsigned dim = found->second;
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return reduce.getDim() == dim;
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return scan.getDim() == dim;
  auto broadcast = dyn_cast<tile::BroadcastOp>(op);
  return broadcast && shapeOf(broadcast.getX())[dim] != shapeOf(broadcast)[dim];
}

// Gives the blocks a dimension of their own in the op.
void WideTiles::keepApart(Operation *op) {
  Value from = op->getOperand(0), result = op->getResult(0);
  const unsigned dim = dims.lookup(result);
  auto inBlocks = [&](Value tile) {
    SmallVector<int64_t> shape(shapeOf(tile));
    shape[dim] /= factor;
    shape.insert(shape.begin() + dim, factor);
    return RankedTensorType::get(shape, tile::elementType(tile.getType()));
  };
  OpBuilder b(op);
  Type fromType = inBlocks(from), resultType = inBlocks(result), type = result.getType();
  op->setOperand(0, tile::ReshapeOp::create(b, op->getLoc(), fromType, from));
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    reduce.setDim(dim + 1);
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    scan.setDim(dim + 1);
  b.setInsertionPointAfter(op);
  Value together = tile::ReshapeOp::create(b, op->getLoc(), type, result);
  result.replaceAllUsesExcept(together, together.getDefiningOp());
  result.setType(resultType);
  dims.erase(result);
  dims[together] = dim;
}

void WideTiles::rewrite() {
  each.rewrite([&](Value from, Value to) {
    if (auto found = dims.find(from); found != dims.end()) {
      const unsigned dim = found->second;
      dims.erase(found);
      dims[to] = dim;
    }
  });
  for (auto [value, dim] : dims)
    value.setType(wide(value.getType(), dim));
  SmallVector<Operation *> all;
  kernel.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all) {
    if (auto store = dyn_cast<tile::ViewStoreOp>(op); store && stores.contains(store)) {
      OpBuilder b(store);
      store.getValueMutable().set(repeat(b, store.getValue(), stores.lookup(store)));
      clip(store, stores.lookup(store));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (BlockArgument carried : loop.getRegionIterArgs())
        if (auto found = dims.find(carried); found != dims.end()) {
          OpBuilder b(loop);
          OpOperand *init = loop.getTiedLoopInit(carried),
                    *next = loop.getTiedLoopYieldedValue(carried);
          init->set(repeat(b, init->get(), found->second));
          b.setInsertionPoint(loop.getBody()->getTerminator());
          next->set(repeat(b, next->get(), found->second));
        }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (OpResult result : branch.getResults())
        if (auto found = dims.find(result); found != dims.end())
          for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
            OpBuilder b(yield);
            OpOperand &value = yield->getOpOperand(result.getResultNumber());
            value.set(repeat(b, value.get(), found->second));
          }
    } else if (auto multiply = dyn_cast<tile::MmaOp>(op)) {
      OpBuilder b(multiply);
      if (auto found = dims.find(multiply.getResult()); found != dims.end())
        multiply.getCMutable().set(repeat(b, multiply.getC(), found->second));
    } else if (isWithinBlocks(op)) {
      keepApart(op);
    } else if (auto found = stores.find(op); found != stores.end()) {
      repeatOperands(*op, found->second);
      clipPointers(op, found->second);
    } else if (op->getNumResults() == 1 && isElementwise(op)) {
      if (auto found = dims.find(op->getResult(0)); found != dims.end())
        repeatOperands(*op, found->second);
    }
  }
}

} // namespace tessera::plan
