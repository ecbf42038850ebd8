#include "plan/tiling/TileGrid.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/Plan.h"
#include "tile/Sources.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr size_t axes = 3;
// Of the narrowest integers that hold any index of a grid.
constexpr unsigned bitsOfIndex = 32;
constexpr int64_t maxShift = 20;
// Of a kernel: a launch compares those that tiles depend on, with a bit for each.
constexpr unsigned maxParameters = 64;

bool isNumber(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         isa<IntegerType>(op->getResult(0).getType()) && isMemoryEffectFree(op);
}

// The value that another one depends on by sums and products with values that are the same for all
// tiles. The other one grows by `distance` when the value grows by one; nothing where that is not
// known.
struct Number {
  Value value;
  std::optional<int64_t> distance;
};

class TileNumbers {
public:
  explicit TileNumbers(func::FuncOp kernel) : kernel(kernel) {}

  bool find();
  TileGrid grid();

private:
  Block *body() { return loop ? loop.getBody() : &kernel.getBody().front(); }
  void findLoop();
  void spread();
  bool differs(Value v) const { return differing.contains(v); }
  Value differingOperandOf(Operation *op) const;
  Number numberOf(Value v) const;
  bool isMadeOfOthers(Value v);
  bool isListed(Value v);
  bool isOneToOne(tile::ViewStoreOp store);
  bool isOrderSeen();
  OwningOpRef<func::FuncOp> asBlocks();
  OwningOpRef<func::FuncOp> asList();

  func::FuncOp kernel;
  scf::ForOp loop;                        // over a block's tiles; null: it has one
  llvm::DenseSet<Value> differing;        // integers that are not the same for all tiles
  llvm::SmallSetVector<Value, 4> numbers; // along x, y and z
};

// The loop over a block's tiles: it contains all stores of the kernel.
void TileNumbers::findLoop() {
  for (Operation &op : kernel.getBody().front())
    if (auto candidate = dyn_cast<scf::ForOp>(op); candidate && candidate->getNumResults() == 0) {
      WalkResult others = kernel.walk([&](tile::ViewStoreOp store) {
        return candidate->isAncestor(store) ? WalkResult::advance() : WalkResult::interrupt();
      });
      if (!others.wasInterrupted())
        loop = candidate;
    }
}

void TileNumbers::spread() {
  if (loop)
    differing.insert(loop.getInductionVar());
  kernel.walk([&](Operation *op) {
    bool isIndex = isa<tile::BlockIndexOp, tile::GridSizeOp>(op);
    if (isIndex ||
        (isNumber(op) && llvm::any_of(op->getOperands(), [&](Value v) { return differs(v); })))
      differing.insert(op->getResult(0));
  });
}

// The operand of an op that maps tiles to tiles at the same distances, or null.
Value TileNumbers::differingOperandOf(Operation *op) const {
  if (!op || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::ExtSIOp,
                  arith::ExtUIOp, arith::TruncIOp, tile::AssumeOp>(op))
    return {};
  if (op->getResult(0).getType().getIntOrFloatBitWidth() < bitsOfIndex)
    return {};
  SmallVector<Value> found =
      llvm::filter_to_vector(op->getOperands(), [&](Value v) { return differs(v); });
  bool isSecond = found.size() == 1 && isa<arith::ShLIOp>(op) && found[0] != op->getOperand(0);
  return found.size() == 1 && !isSecond ? found[0] : Value();
}

Number TileNumbers::numberOf(Value v) const {
  Number number{v, 1};
  while (Value from = differingOperandOf(number.value.getDefiningOp())) {
    Operation *op = number.value.getDefiningOp();
    if (isa<arith::MulIOp, arith::ShLIOp>(op)) {
      std::optional<int64_t> by = constantOf(op->getOperand(op->getOperand(0) == from ? 1 : 0));
      if (by && isa<arith::ShLIOp>(op))
        by = *by >= 0 && *by <= maxShift ? std::optional(int64_t(1) << *by) : std::nullopt;
      number.distance =
          by && number.distance ? std::optional(*number.distance * *by) : std::nullopt;
    }
    number.value = from;
  }
  return number;
}

// Is one of the numbers computed from the others alone? Then there is no grid.
bool TileNumbers::isMadeOfOthers(Value v) {
  return tile::areAllRight(v, [&](Value source) -> std::optional<bool> {
    if (source != v && (!differs(source) || numbers.contains(source)))
      return true;
    Operation *op = source.getDefiningOp();
    return op && !isa<tile::BlockIndexOp, tile::GridSizeOp>(op) ? std::nullopt
                                                                : std::optional(false);
  });
}

// Can host code compute it, given a block of the grid?
bool TileNumbers::isListed(Value value) {
  return tile::areAllRight(value, [&](Value v) -> std::optional<bool> {
    if (auto argument = dyn_cast<BlockArgument>(v))
      return argument.getOwner()->getParentOp() == kernel ? argument.getArgNumber() < maxParameters
                                                          : argument.getOwner() == body();
    Operation *op = v.getDefiningOp();
    if (isa<tile::BlockIndexOp, tile::GridSizeOp>(op))
      return true;
    bool mayBe =
        isListable(op) && (op->getBlock() == body() || isa<func::FuncOp>(op->getParentOp()));
    return mayBe ? std::nullopt : std::optional(false);
  });
}

// No two tiles write the same: each number determines the box along a dimension of its own.
bool TileNumbers::isOneToOne(tile::ViewStoreOp store) {
  llvm::SmallSetVector<Value, 4> found;
  for (auto [dim, start] : llvm::enumerate(store.getStarts())) {
    if (!differs(start))
      continue;
    Number number = numberOf(start);
    auto box = cast<RankedTensorType>(store.getValue().getType());
    if (number.distance != box.getDimSize(unsigned(dim)) || !found.insert(number.value))
      return false;
  }
  return found.size() == numbers.size();
}

// A block's tiles are computed one after the other: one could read what an earlier one wrote, or
// overwrite it. What stores by pointers write is unknown.
bool TileNumbers::isOrderSeen() {
  SmallVector<tile::ViewStoreOp> stores;
  kernel.walk([&](tile::ViewStoreOp op) { stores.push_back(op); });
  for (tile::ViewStoreOp store : stores)
    for (tile::ViewStoreOp other : stores)
      if (store == other ? !isOneToOne(store)
                         : mayAlias(baseOf(store.getBase()), baseOf(other.getBase())))
        return true;
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (op == kernel || isa<tile::ViewStoreOp>(op))
      return WalkResult::advance();
    GlobalEffects effects = globalEffectsOf(op);
    if (effects.writes)
      return WalkResult::interrupt();
    if (!effects.reads)
      return WalkResult::advance();
    Value address = addressOf(op), base = address ? baseOf(address) : Value();
    bool mayBeWritten = llvm::any_of(
        stores, [&](tile::ViewStoreOp store) { return mayAlias(base, baseOf(store.getBase())); });
    return mayBeWritten ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

bool TileNumbers::find() {
  findLoop();
  spread();
  if (loop && !llvm::all_of(loop->getOperands(), [&](Value v) { return isListed(v); }))
    return false;
  llvm::SmallSetVector<Value, 4> all;
  SmallVector<tile::ViewStoreOp> stores;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      stores.push_back(store);
    if (op == loop || isNumber(op))
      return;
    for (Value operand : op->getOperands())
      if (differs(operand))
        all.insert(numberOf(operand).value);
  });
  if (stores.empty() || all.empty() || all.size() > axes)
    return false;
  for (Value start : llvm::reverse(stores.front().getStarts()))
    if (differs(start))
      numbers.insert(numberOf(start).value);
  numbers.insert_range(all);
  bool areKnown = llvm::all_of(numbers, [&](Value v) {
    return (v.getType().isInteger(32) || v.getType().isInteger(64)) && isListed(v) &&
           !isMadeOfOthers(v);
  });
  // Blocks with these numbers as their indices are such a grid already.
  bool areIndices =
      llvm::all_of(numbers, [](Value v) { return bool(v.getDefiningOp<tile::BlockIndexOp>()); });
  return areKnown && !(areIndices && !loop) && !(loop && isOrderSeen());
}

void eraseDead(func::FuncOp kernel) {
  kernel.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

OwningOpRef<func::FuncOp> TileNumbers::asBlocks() {
  IRMapping map;
  OwningOpRef<func::FuncOp> copy(cast<func::FuncOp>(kernel->clone(map)));
  OpBuilder b = OpBuilder::atBlockBegin(&copy->getBody().front());
  llvm::SmallPtrSet<Operation *, 4> indices;
  for (auto [axis, number] : llvm::enumerate(numbers)) {
    Value own = map.lookup(number);
    Value index = tile::BlockIndexOp::create(b, own.getLoc(), b.getI32Type(), axis, false);
    indices.insert(index.getDefiningOp());
    if (own.getType() != index.getType())
      index = arith::ExtUIOp::create(b, own.getLoc(), own.getType(), index);
    own.replaceAllUsesWith(index);
  }
  eraseDead(*copy);
  if (loop) {
    auto tiles = cast<scf::ForOp>(map.lookup(loop.getOperation()));
    if (!tiles.getInductionVar().use_empty())
      return nullptr;
    tiles.getBody()->getTerminator()->erase();
    tiles->getBlock()->getOperations().splice(Block::iterator(tiles),
                                              tiles.getBody()->getOperations());
    tiles->erase();
    eraseDead(*copy);
  }
  WalkResult others = copy->walk([&](Operation *op) {
    bool isOther = isa<tile::BlockIndexOp, tile::GridSizeOp>(op) && !indices.contains(op);
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return others.wasInterrupted() ? nullptr : std::move(copy);
}

OwningOpRef<func::FuncOp> TileNumbers::asList() {
  IRMapping map;
  OwningOpRef<func::FuncOp> copy(cast<func::FuncOp>(kernel->clone(map)));
  llvm::SmallSetVector<Operation *, 32> needed;
  OpBuilder b(copy->getContext());
  b.setInsertionPoint(
      loop ? cast<scf::ForOp>(map.lookup(loop.getOperation())).getBody()->getTerminator()
           : copy->getBody().front().getTerminator());
  SmallVector<Value> coordinates =
      llvm::map_to_vector(numbers, [&](Value v) { return map.lookup(v); });
  needed.insert(tile::ListTileOp::create(b, copy->getLoc(), coordinates));
  if (loop)
    needed.insert(map.lookup(loop.getOperation()));
  for (size_t i = 0; i < needed.size(); ++i)
    for (Value operand : needed[i]->getOperands())
      if (Operation *from = operand.getDefiningOp())
        needed.insert(from);
  copy->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != *copy && !op->hasTrait<OpTrait::IsTerminator>() && !needed.contains(op)) {
      op->dropAllUses();
      op->erase();
    }
  });
  return copy;
}

TileGrid TileNumbers::grid() { return {asBlocks(), asList()}; }

} // namespace

std::optional<TileGrid> tileGridOf(func::FuncOp kernel) {
  TileNumbers numbers(kernel);
  if (!numbers.find())
    return std::nullopt;
  TileGrid grid = numbers.grid();
  return grid.blocks ? std::optional(std::move(grid)) : std::nullopt;
}

} // namespace tessera::plan
