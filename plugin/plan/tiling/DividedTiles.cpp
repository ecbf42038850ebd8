#include "plan/tiling/DividedTiles.h"

#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Parts of a box are boxes: a box that starts below 0 is outside as a whole, and so must its parts
// be.
bool hasParts(Value start, int64_t extent) { return divisorOf(start) % extent == 0; }

// The starts of a read or store of a view.
MutableOperandRange startsOf(Operation *op) {
  if (auto load = dyn_cast<tile::ViewLoadOp>(op))
    return load.getStartsMutable();
  return cast<tile::ViewStoreOp>(op).getStartsMutable();
}

} // namespace

void startLater(OpBuilder &b, OpOperand &start, Value by) {
  Location loc = start.getOwner()->getLoc();
  if (by.getType() != start.get().getType())
    by = arith::ExtSIOp::create(b, loc, start.get().getType(), by);
  start.set(arith::AddIOp::create(b, loc, start.get(), by));
}

Value iotaFrom(OpBuilder &b, tile::IotaOp iota, Value first) {
  Location loc = iota.getLoc();
  const Type element = tile::elementType(iota.getType());
  if (element.getIntOrFloatBitWidth() > 32)
    first = arith::ExtSIOp::create(b, loc, element, first);
  else if (element.getIntOrFloatBitWidth() < 32)
    first = arith::TruncIOp::create(b, loc, element, first);
  return tile::BinaryOp::create(b, loc, tile::BinaryKind::add, iota,
                                tile::SplatOp::create(b, loc, iota.getType(), first));
}

std::optional<unsigned> reshaped(RankedTensorType from, unsigned dim, RankedTensorType to) {
  SmallVector<unsigned> before, behind;
  for (int64_t d = 0; d < from.getRank(); ++d)
    if (from.getDimSize(d) != 1)
      before.push_back(unsigned(d));
  for (int64_t d = 0; d < to.getRank(); ++d)
    if (to.getDimSize(d) != 1)
      behind.push_back(unsigned(d));
  if (before.size() != behind.size())
    return std::nullopt;
  std::optional<unsigned> found;
  for (auto [x, y] : llvm::zip_equal(before, behind)) {
    if (from.getDimSize(x) != to.getDimSize(y))
      return std::nullopt;
    if (x == dim)
      found = y;
  }
  return found;
}

Value oneValueAs(OpBuilder &b, Value tile, RankedTensorType type, const IRMapping &map) {
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return tile::SplatOp::create(b, splat.getLoc(), type, map.lookupOrDefault(splat.getX()));
  DenseElementsAttr elements;
  matchPattern(tile, m_Constant(&elements));
  return arith::ConstantOp::create(b, tile.getLoc(), elements.resizeSplat(type));
}

bool isOfOneValue(Value tile) {
  DenseElementsAttr elements;
  return tile.getDefiningOp<tile::SplatOp>() ||
         (matchPattern(tile, m_Constant(&elements)) && elements.isSplat());
}

bool DividedTiles::follow(Value tile, unsigned dim) {
  queue(tile, dim);
  while (!work.empty()) {
    auto [next, along] = work.pop_back_val();
    if (!followOne(next, along))
      return false;
  }
  return true;
}

std::optional<unsigned> DividedTiles::dimOf(Value tile) const {
  if (auto found = dims.find(tile); found != dims.end())
    return found->second;
  if (auto found = uniformTiles.find(tile); found != uniformTiles.end())
    return found->second;
  return std::nullopt;
}

SmallVector<Operation *> DividedTiles::behind() const {
  SmallVector<Operation *> ordered(users.begin(), users.end());
  llvm::sort(ordered, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return ordered;
}

bool DividedTiles::isPart(Operation *op) const {
  auto isDivided = [&](Value value) { return contains(value); };
  if (isa<scf::YieldOp>(op)) // it may yield a splat in place of a divided tile
    return llvm::any_of(op->getParentOp()->getResults(), isDivided);
  auto store = dyn_cast<tile::ViewStoreOp>(op);
  return store ? contains(store.getValue()) : llvm::any_of(op->getResults(), isDivided);
}

bool DividedTiles::canBe(int64_t parts) const {
  return llvm::all_of(
      dims, [&](const auto &one) { return typeOf(one.first).getDimSize(one.second) % parts == 0; });
}

unsigned DividedTiles::dimOfDivided(Value tile) const {
  if (std::optional<unsigned> dim = dimOf(tile))
    return *dim;
  llvm_unreachable("a tile that stays whole");
}

RankedTensorType DividedTiles::partOf(Value tile, int64_t parts) const {
  SmallVector<int64_t> shape(typeOf(tile).getShape());
  shape[dimOfDivided(tile)] /= parts;
  return RankedTensorType::get(shape, typeOf(tile).getElementType());
}

void DividedTiles::divide(Operation *op, Operation *copy, int64_t part, int64_t parts,
                          const IRMapping &map) const {
  OpBuilder b(copy);
  for (auto [operand, copied] : llvm::zip_equal(op->getOperands(), copy->getOpOperands()))
    if (isOfOneValue(operand) && dimOf(operand) && takesPart(op, copied.getOperandNumber()))
      copied.set(oneValueAs(b, operand, partOf(operand, parts), map));
  for (auto [result, copied] : llvm::zip_equal(op->getResults(), copy->getResults()))
    if (contains(result))
      copied.setType(partOf(result, parts));
  if (!isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
    return;
  Value tile =
      isa<tile::ViewLoadOp>(op) ? op->getResult(0) : cast<tile::ViewStoreOp>(op).getValue();
  const unsigned dim = dimOfDivided(tile);
  OpOperand &start = startsOf(copy)[dim];
  start.set(advanced(b, copy->getLoc(), start.get(), part * partOf(tile, parts).getDimSize(dim)));
}

// A yield or a loop takes only those operands in parts whose results are divided.
bool DividedTiles::takesPart(Operation *op, unsigned operand) const {
  if (isa<scf::YieldOp>(op))
    return contains(op->getParentOp()->getResult(operand));
  scf::ForOp whole = loop;
  const unsigned others = whole.getNumControlOperands();
  return op != loop || (operand >= others && contains(whole.getResult(operand - others)));
}

bool DividedTiles::followOne(Value tile, unsigned dim) {
  if (isOfOneValue(tile)) // other users may use it whole
    return uniformTiles.try_emplace(tile, dim).first->second == dim;
  auto [known, isNew] = dims.insert({tile, dim});
  if (!isNew)
    return known->second == dim;
  if (!followMaker(tile, dim))
    return false;
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) { return followUser(use, dim); });
}

// Whether the op is in the loop, or after it in its block.
bool DividedTiles::note(Operation *op) {
  if (op == loop || loop->isProperAncestor(op))
    return true;
  if (op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
    return false;
  return users.insert(op), true;
}

bool DividedTiles::followMaker(Value tile, unsigned dim) {
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
      return false;
    Value init = loop.getTiedLoopInit(argument)->get();
    return isOfOneValue(init) && queue(init, dim) &&
           queue(loop.getTiedLoopYieldedValue(argument)->get(), dim) &&
           queue(loop.getTiedLoopResult(argument), dim);
  }
  Operation *op = tile.getDefiningOp();
  if (!note(op))
    return false;
  const unsigned number = cast<OpResult>(tile).getResultNumber();
  if (op == loop)
    return isLoopWhole || queue(loop.getRegionIterArgs()[number], dim);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return loop->isProperAncestor(op) && queue(branch.thenYield().getOperand(number), dim) &&
           queue(branch.elseYield().getOperand(number), dim);
  if (auto multiply = dyn_cast<tile::MmaOp>(op))
    return typeOf(multiply).getRank() == 2 && queue(multiply.getC(), dim) &&
           queue(dim == 0 ? multiply.getA() : multiply.getB(), dim);
  if (isElementwise(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isa<RankedTensorType>(operand.getType()) && queue(operand, dim);
    });
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return typeOf(broadcast.getX()).getDimSize(dim) == 1 || queue(broadcast.getX(), dim);
  if (auto permute = dyn_cast<tile::PermuteOp>(op))
    return queue(permute.getX(), unsigned(permute.getMap()[dim]));
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    auto of = reshaped(typeOf(reshape), dim, typeOf(reshape.getX()));
    return of && queue(reshape.getX(), *of);
  }
  auto read = dyn_cast<tile::ViewLoadOp>(op);
  return read && hasParts(read.getStarts()[dim], typeOf(read).getDimSize(dim));
}

bool DividedTiles::followUser(OpOperand &use, unsigned dim) {
  Operation *op = use.getOwner();
  const unsigned number = use.getOperandNumber();
  if (!note(op))
    return false;
  if (isa<scf::YieldOp>(op)) {
    if (op->getParentOp() == loop)
      return queue(loop.getRegionIterArgs()[number], dim);
    return isa<scf::IfOp>(op->getParentOp()) && queue(op->getParentOp()->getResult(number), dim);
  }
  if (auto multiply = dyn_cast<tile::MmaOp>(op)) {
    // Along K it would be a sum of accumulators.
    const bool isAccumulator = number == 2, isRows = number == 0 && dim == 0,
               isColumns = number == 1 && dim == 1;
    return (isAccumulator || isRows || isColumns) && queue(multiply.getResult(), dim);
  }
  if (isElementwise(op))
    return queue(op->getResult(0), dim);
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return queue(broadcast.getResult(), dim);
  if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
    const auto *at = llvm::find(permute.getMap(), int64_t(dim));
    return queue(permute.getResult(), unsigned(at - permute.getMap().begin()));
  }
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
    auto of = reshaped(typeOf(reshape.getX()), dim, typeOf(reshape));
    return of && queue(reshape.getResult(), *of);
  }
  auto store = dyn_cast<tile::ViewStoreOp>(op);
  return store && store.getValue() == use.get() && !loop->isProperAncestor(op) &&
         hasParts(store.getStarts()[dim], typeOf(use.get()).getDimSize(dim));
}

} // namespace tessera::plan
