// A sum that is too large for the registers of eight warps is made in parts, one loop after the
// other.
//
//   %c = for { mma %a, %b, %c : 256x64, 64x256, 256x256 }; view_store (cast %c)
//   ->  %c0 = for { mma %a0, %b : 128x64, 64x256, 128x256 }; %c1 = for { mma %a1, %b, ... };
//       view_store (cast %c0) to the upper half of the box; view_store (cast %c1) to the lower half
//
// The parts have 128 rows where that is enough, one instruction for each warpgroup; else fewer
// columns. What the sum is made of must be read and computed, so that it may be made again, and
// nothing that the loop writes may change it; what the loop does besides its first part does. The
// factor
// that is divided is read from a view for this multiply alone; and the sum goes element by element
// to stores to views. Both may be one matrix of a view of more dimensions. The stores stay behind
// all loops, since they may write what the loops read, with the parts as narrow as they are stored;
// where they are known not to, a part is stored before the next one is begun, and registers never
// hold two.
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/MatrixUnits.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/ReadOrder.h"
#include "tile/TileDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITSUMS
#include "plan/Passes.h.inc"

namespace {

// What eight warps' registers hold beside the rest, and one step of two warpgroups.
constexpr int64_t elementsOfSum = int64_t(2) * 64 * 256, bitsOfSum = 32 * elementsOfSum,
                  rowsOfPart = 128;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

tile::PermuteOp transposition(Value factor) {
  auto permute = factor.getDefiningOp<tile::PermuteOp>();
  return permute && permute.getMap() == ArrayRef<int64_t>{1, 0} ? permute : tile::PermuteOp();
}

// A tile with the elements of a matrix, behind dimensions of one element.
bool isMatrix(Value tile) {
  ArrayRef<int64_t> shape = typeOf(tile).getShape();
  return shape.size() >= 2 &&
         llvm::all_of(shape.drop_back(2), [](int64_t extent) { return extent == 1; });
}

tile::ReshapeOp reshapedMatrix(Operation *op) {
  auto reshape = dyn_cast_or_null<tile::ReshapeOp>(op);
  bool isOne =
      reshape && isMatrix(reshape.getX()) && isMatrix(reshape) &&
      typeOf(reshape.getX()).getShape().take_back(2) == typeOf(reshape).getShape().take_back(2);
  return isOne ? reshape : tile::ReshapeOp();
}

// A dimension of a matrix, in a tile that is one behind others.
unsigned inTile(unsigned dim, Value tile) { return dim + unsigned(typeOf(tile).getRank()) - 2; }

// Parts of a box are boxes: one that starts below 0 is outside as a whole, and so must they be.
bool hasParts(Value start, int64_t extent) { return divisorOf(start) % extent == 0; }

class Split {
public:
  Split(scf::ForOp loop, tile::MmaOp multiply) : loop(loop), multiply(multiply) {}

  bool isPossible() {
    RankedTensorType c = typeOf(multiply.getC());
    carried = dyn_cast<BlockArgument>(multiply.getC());
    if (c.getRank() != 2 || !isTooLarge() || !carried || carried.getOwner() != loop.getBody() ||
        carried == loop.getInductionVar() || !carried.hasOneUse() || !multiply->hasOneUse() ||
        loop.getTiedLoopYieldedValue(carried)->get() != multiply.getResult() || !findNeeded())
      return false;
    Value init = loop.getTiedLoopInit(carried)->get();
    DenseElementsAttr elements;
    bool isConstant = matchPattern(init, m_Constant(&elements)) && elements.isSplat();
    if (!isConstant && !init.getDefiningOp<tile::SplatOp>())
      return false;
    dim = c.getDimSize(0) / parts >= rowsOfPart ? 0 : 1;
    if (!findRead() || !collectUsers(loop.getTiedLoopResult(carried)))
      return false;
    llvm::sort(users, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
    return true;
  }

  void run() {
    for (Operation *user : users)
      for (Value operand : user->getOperands())
        makeReady(operand);
    ArrayRef<Operation *> all = users;
    SmallVector<Operation *> pure(llvm::make_filter_range(all, isMemoryEffectFree)), stores;
    llvm::copy_if(all, std::back_inserter(stores), llvm::IsaPred<tile::ViewStoreOp>);
    bool isReady = areReady(pure), isApart = areReady(all) && storesAreApart();
    Operation *behind = loop;
    SmallVector<IRMapping> maps(parts);
    for (int64_t part = 0; part < parts; ++part) {
      behind = makeLoop(part, behind, maps[part]);
      if (isReady)
        behind = makeUsers(isApart ? all : pure, part, behind, maps[part]);
    }
    for (int64_t part = 0; !isApart && part < parts; ++part)
      makeUsers(isReady ? ArrayRef(stores) : all, part, nullptr, maps[part]);
    for (Operation *user : llvm::reverse(users))
      user->erase();
    loop.getResults().replaceUsesWithIf(otherResults, [](OpOperand &) { return true; });
    loop.erase();
  }

private:
  // Gives `parts`.
  bool isTooLarge() {
    RankedTensorType c = typeOf(multiply.getC());
    parts = c.getNumElements() * c.getElementTypeBitWidth() / bitsOfSum;
    if (targetOf(multiply).has(GpuTarget::Wgmma) &&
        warpgroupObstacle(productOf(multiply)) == WarpgroupObstacle::Large)
      parts = std::max(parts, c.getNumElements() / elementsOfSum);
    return parts > 1;
  }

  // What the sum is made of, from turn to turn: gives `needed`, if that can be made again.
  bool findNeeded() {
    SmallVector<Value> values = {multiply.getResult()};
    for (size_t i = 0; i < values.size(); ++i) {
      auto argument = dyn_cast<BlockArgument>(values[i]);
      if (argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() &&
          needs.insert(argument).second)
        values.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      Operation *op = values[i].getDefiningOp();
      if (op && op->getBlock() == loop.getBody() && needed.insert(op).second)
        llvm::append_range(values, op->getOperands());
    }
    return llvm::all_of(needed, [&](Operation *op) {
      const bool isRead = isa<tile::ViewLoadOp, tile::LoadOp>(op);
      return op->getNumRegions() == 0 && (isMemoryEffectFree(op) || isRead) &&
             (!isRead || obstacleOfMove(op, loop) == ReadObstacle::None);
    });
  }

  // The factor that has the dimension, and where it is read.
  bool findRead() {
    Value factor = dim == 0 ? multiply.getA() : multiply.getB();
    if (!factor.hasOneUse())
      return false;
    turned = transposition(factor);
    Value matrix = turned ? turned.getX() : factor;
    shaped = matrix.hasOneUse() ? reshapedMatrix(matrix.getDefiningOp()) : tile::ReshapeOp();
    read = (shaped ? shaped.getX() : matrix).getDefiningOp<tile::ViewLoadOp>();
    if (!read)
      return false;
    dimOfRead = inTile(turned ? 1 - dim : dim, read);
    return read->hasOneUse() && read->getBlock() == loop.getBody() &&
           hasParts(read.getStarts()[dimOfRead], typeOf(read).getDimSize(dimOfRead));
  }

  // What becomes of the sum, as far as stores to views.
  bool collectUsers(Value value) {
    return !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (llvm::is_contained(users, user))
        return true; // a square
      if (user->getBlock() != loop->getBlock())
        return false;
      users.push_back(user);
      if (auto store = dyn_cast<tile::ViewStoreOp>(user))
        return hasParts(store.getStarts()[inTile(dim, value)],
                        typeOf(value).getDimSize(inTile(dim, value)));
      if (!isa<tile::CastOp, tile::UnaryOp, tile::BinaryOp>(user) && !reshapedMatrix(user))
        return false;
      bool isOfSumAlone = llvm::all_of(user->getOperands(), [&](Value operand) {
        return operand == value || operand.getDefiningOp<tile::SplatOp>();
      });
      return isOfSumAlone && collectUsers(user->getResult(0));
    });
  }

  // Moves what a value is computed of by itself before the loop: where a store goes, as a rule.
  bool makeReady(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
      return true;
    if (op == loop || op->getNumRegions() || !isMemoryEffectFree(op) ||
        llvm::is_contained(users, op) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) { return makeReady(operand); }))
      return false;
    op->moveBefore(loop);
    return true;
  }

  // Whether all that some users need besides the sum is there before the loop.
  bool areReady(ArrayRef<Operation *> of) {
    return llvm::all_of(of, [&](Operation *user) {
      return llvm::all_of(user->getOperands(), [&](Value operand) {
        auto splat = operand.getDefiningOp<tile::SplatOp>();
        Operation *needed = (splat ? splat.getX() : operand).getDefiningOp();
        return !needed || needed == loop || llvm::is_contained(users, needed) ||
               needed->getBlock() != loop->getBlock() || needed->isBeforeInBlock(loop);
      });
    });
  }

  // Whether what is stored cannot be what the loop reads: then it may be, right behind the loop.
  bool storesAreApart() {
    SmallVector<Value> bases;
    for (Operation &op : *loop.getBody()) {
      if (isa<tile::LoadOp>(op))
        return false;
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        bases.push_back(baseOf(load.getBase()));
    }
    // Of several that overlap the last one counts, whatever the part.
    if (llvm::count_if(users, llvm::IsaPred<tile::ViewStoreOp>) != 1)
      return false;
    for (Operation *user : users) {
      auto store = dyn_cast<tile::ViewStoreOp>(user);
      if (!store)
        continue;
      Value base = baseOf(store.getBase());
      if (llvm::any_of(bases, [&](Value of) { return mayAlias(base, of); }))
        return false;
      for (Operation *op = loop->getNextNode(); op != store; op = op->getNextNode())
        if (!isMemoryEffectFree(op) && !llvm::is_contained(users, op))
          return false;
    }
    return true;
  }

  // Of the sum, or of what is computed of it.
  RankedTensorType partOf(Value value) const { return partOf(value, inTile(dim, value)); }

  RankedTensorType partOf(Value value, unsigned along) const {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[along] /= parts;
    return RankedTensorType::get(shape, typeOf(value).getElementType());
  }

  Value partOfSplat(OpBuilder &b, Value value) const {
    if (auto splat = value.getDefiningOp<tile::SplatOp>())
      return tile::SplatOp::create(b, splat.getLoc(), partOf(value), splat.getX());
    DenseElementsAttr elements;
    matchPattern(value, m_Constant(&elements));
    return arith::ConstantOp::create(b, value.getLoc(), elements.resizeSplat(partOf(value)));
  }

  Value advance(OpBuilder &b, Location loc, Value start, int64_t distance) const {
    if (!distance)
      return start;
    Value by = arith::ConstantOp::create(b, loc, b.getIntegerAttr(start.getType(), distance));
    return b.createOrFold<arith::AddIOp>(loc, start, by);
  }

  Operation *makeLoop(int64_t part, Operation *behind, IRMapping &map) {
    OpBuilder b(loop);
    Value init = partOfSplat(b, loop.getTiedLoopInit(carried)->get());
    b.setInsertionPointAfter(behind);
    auto copy = cast<scf::ForOp>(b.clone(*loop, map));
    unsigned place = carried.getArgNumber() - loop.getNumInductionVars();
    copy.getInitArgsMutable()[place].set(init);
    auto change = [&](Value value, RankedTensorType type) { map.lookup(value).setType(type); };
    change(carried, partOf(carried));
    change(multiply.getResult(), partOf(carried));
    change(loop.getResult(place), partOf(carried));
    auto load = map.lookup(read.getResult()).getDefiningOp<tile::ViewLoadOp>();
    if (turned)
      change(turned.getResult(), partOf(turned));
    if (shaped)
      change(shaped.getResult(), partOf(shaped, inTile(turned ? 1 - dim : dim, shaped)));
    RankedTensorType type = partOf(read, dimOfRead);
    b.setInsertionPoint(load);
    load.getStartsMutable()[dimOfRead].set(
        advance(b, load.getLoc(), load.getStarts()[dimOfRead], part * type.getDimSize(dimOfRead)));
    load.getResult().setType(type);
    if (part == 0)
      otherResults.assign(copy.result_begin(), copy.result_end());
    else
      dropOthers(copy, map);
    return copy;
  }

  // Other sums of the loop, and what it does besides, are those of its first part.
  void dropOthers(scf::ForOp copy, const IRMapping &map) {
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (!needs.contains(argument))
        copy.getTiedLoopYieldedValue(cast<BlockArgument>(map.lookup(Value(argument))))
            ->set(map.lookup(Value(argument)));
    for (Operation &op : llvm::reverse(loop.getBody()->without_terminator()))
      if (!needed.contains(&op))
        map.lookup(&op)->erase();
  }

  // Some users of one part, behind an op or where they were; gives the last.
  Operation *makeUsers(ArrayRef<Operation *> of, int64_t part, Operation *behind, IRMapping &map) {
    for (Operation *user : of) {
      OpBuilder b(user);
      if (behind)
        b.setInsertionPointAfter(behind);
      for (Value operand : user->getOperands())
        if (isa<RankedTensorType>(operand.getType()) && !map.contains(operand))
          map.map(operand, partOfSplat(b, operand));
      Operation *copy = b.clone(*user, map);
      if (auto store = dyn_cast<tile::ViewStoreOp>(copy)) {
        b.setInsertionPoint(store);
        const unsigned along = inTile(dim, store.getValue());
        int64_t extent = typeOf(store.getValue()).getDimSize(along);
        store.getStartsMutable()[along].set(
            advance(b, store.getLoc(), store.getStarts()[along], part * extent));
      } else {
        copy->getResult(0).setType(partOf(user->getResult(0)));
      }
      if (behind)
        behind = copy;
    }
    return behind;
  }

  scf::ForOp loop;
  tile::MmaOp multiply;
  BlockArgument carried;
  tile::ViewLoadOp read;
  tile::PermuteOp turned;                    // of what is read, or null
  tile::ReshapeOp shaped;                    // to a matrix, or null
  llvm::SmallPtrSet<Operation *, 16> needed; // of the loop's body
  llvm::DenseSet<Value> needs;               // of what the loop carries
  int64_t parts = 1;
  unsigned dim = 0, dimOfRead = 0; // of the sum that is divided, of what is read
  SmallVector<Operation *> users;  // of the sum behind the loop
  SmallVector<Value> otherResults; // of the loop, from its first part
};

// Its loop is made again with all that is in it: pointers to other multiplies of it end.
bool splitOne(func::FuncOp kernel) {
  return kernel
      .walk([](tile::MmaOp op) {
        auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
        if (!loop)
          return WalkResult::advance();
        Split split(loop, op);
        if (!split.isPossible())
          return WalkResult::advance();
        split.run();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

struct SplitSums : impl::SplitSumsBase<SplitSums> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet unused(std::move(patterns));
    // Of several sums of a loop each is split; those of copies that nothing reads go first.
    while (splitOne(kernel)) {
      (void)applyPatternsGreedily(kernel, unused);
      eraseDead(kernel);
    }
  }
};

} // namespace
} // namespace tessera::plan
