// The fixed point of LayoutInference.h.
#include "plan/layout/LayoutInference.h"

#include "llvm/ADT/TypeSwitch.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/AxisInfo.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isTile(Value v) { return v && isa<RankedTensorType>(v.getType()); }
ArrayRef<int64_t> shape(Value v) { return cast<RankedTensorType>(v.getType()).getShape(); }
int64_t elements(Value v) { return cast<RankedTensorType>(v.getType()).getNumElements(); }

} // namespace

Value oneOf(Value tile) {
  auto result = dyn_cast<OpResult>(tile);
  if (!result)
    return tile;
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return loop.getRegionIterArg(result.getResultNumber());
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    return loop.getAfterArguments()[result.getResultNumber()];
  if (auto load = dyn_cast<tile::LocalLoadOp>(result.getOwner()))
    return tilesOfArray(load.getArray().getDefiningOp<tile::LocalAllocOp>()).front();
  return tile;
}

LayoutInference::LayoutInference(func::FuncOp kernel, int64_t warps)
    : kernel(kernel), warps(warps) {
  seed();
  propagate();
  // The rest has no preference; one at a time, so that ties propagate the first default.
  auto settle = [&](Value v) {
    if (!isTile(v) || choices.count(oneOf(v)))
      return;
    prefer(v, Default, elements(v), preferred(shape(v)));
    propagate();
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value v : op->getResults())
      settle(v);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value v : block.getArguments())
          settle(v);
  });
}

LinearLayout LayoutInference::preferred(ArrayRef<int64_t> shape) const {
  return LinearLayout::blocked(shape, vectorOf(shape), warps);
}

LinearLayout LayoutInference::runs(ArrayRef<int64_t> shape, unsigned dim) const {
  return LinearLayout::runs(shape, dim, vectorOf(shape), warps);
}

int64_t LayoutInference::vectorOf(ArrayRef<int64_t> shape) const {
  int64_t count = ShapedType::getNumElements(shape);
  auto found = vectors.find(SmallVector<int64_t>(shape));
  int64_t vector = found == vectors.end() ? 4 : found->second;
  // A vector stays within a row, and no thread idles for the sake of wide accesses of others.
  vector = std::min(vector, shape.empty() ? 1 : shape.back());
  return std::min(vector, std::max<int64_t>(1, count / (32 * warps)));
}

void LayoutInference::seed() {
  auto access = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    int64_t &vector = vectors[SmallVector<int64_t>(tensor.getShape())];
    vector = std::max<int64_t>(vector, 16 / bytesOf(tensor.getElementType()));
  };
  AxisInfo axisInfo;
  auto accessBy = [&](Value pointers, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && axisInfo.neighbours(pointers, bytesOf(tensor.getElementType())) > 1)
      access(type);
  };
  kernel.walk([&](tile::LoadOp op) { accessBy(op.getPointers(), op.getType()); });
  kernel.walk([&](tile::StoreOp op) { accessBy(op.getPointers(), op.getValue().getType()); });
  kernel.walk([&](tile::GatherAsyncOp op) {
    Type element = op.getShared().getType().getElementType();
    accessBy(op.getPointers(), tile::withElementType(op.getPointers().getType(), element));
  });
  kernel.walk([&](tile::ViewLoadOp op) { access(op.getType()); });
  kernel.walk([&](tile::ViewStoreOp op) { access(op.getValue().getType()); });
  kernel.walk([&](tile::SharedLoadOp op) { access(op.getType()); });
  const bool multiplies = hasMultiply(kernel);
  kernel.walk([&](Operation *op) {
    if (auto mma = dyn_cast<tile::SharedMmaOp>(op)) {
      auto result = cast<RankedTensorType>(mma.getType());
      if (!mma.getInstruction().isTensorCore())
        prefer(mma.getResult(), Fixed, result.getNumElements(), preferred(result.getShape()));
      else if (mma.getInstruction().isOfWarpgroups())
        requireOfUnit(mma, accumulatorOf(mma, warps)), preferForFirst(mma),
            preferForTransposed(mma.getB());
      else
        requireOfUnit(mma, accumulatorOf(mma, warps));
    } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
      prefer(scan.getResult(), Along, elements(scan.getResult()),
             runs(shape(scan.getResult()), scan.getDim()));
    } else if (auto fold = dyn_cast<tile::FoldOp>(op)) {
      Value x = fold.getX().front();
      if (fold.isInOrder())
        prefer(x, Along, elements(x), runs(shape(x), fold.getDim()));
    } else if (isa<tile::ViewLoadOp, tile::LoadOp, tile::AtomicRmwOp, tile::AtomicLoadOp,
                   tile::AtomicCompareExchangeOp>(op)) {
      // A row or a column that is combined with a larger tile is read in that tile's layout:
      // several threads read the same element, but no exchange is needed.
      bool mayRepeat = isa<tile::ViewLoadOp, tile::LoadOp>(op);
      if (Value v = op->getResult(0); isTile(v) && !(mayRepeat && elements(v) <= 32 * warps))
        prefer(v, Memory, elements(v), preferred(shape(v)));
    } else if (auto load = dyn_cast<tile::SharedLoadOp>(op)) {
      // A tile that was copied ahead, and is for no multiply.
      if (!multiplies)
        prefer(load.getResult(), Memory, elements(load.getResult()), preferred(shape(load)));
    } else if (auto copy = dyn_cast<tile::GatherAsyncOp>(op)) {
      Value pointers = copy.getPointers();
      prefer(pointers, Memory, elements(pointers), preferred(shape(pointers)));
    } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
      prefer(store.getValue(), Default, elements(store.getValue()),
             preferred(shape(store.getValue())));
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      if (isTile(store.getPointers()))
        prefer(store.getPointers(), Default, elements(store.getPointers()),
               preferred(shape(store.getPointers())));
    }
  });
}

// An accumulator in flight has one layout from begin to finish.
void LayoutInference::requireOfUnit(tile::SharedMmaOp mma, const LinearLayout &layout) {
  require(mma.getResult(), layout);
  auto accumulator = dyn_cast<BlockArgument>(mma.getC());
  if (!mma.getInFlight() || !accumulator)
    return;
  auto loop = cast<scf::ForOp>(mma->getParentOp());
  Value finished = loop.getTiedLoopResult(accumulator);
  SmallVector<Value> tiles = {accumulator, loop.getTiedLoopInit(accumulator)->get(), finished};
  llvm::append_range(tiles, finished.user_begin()->getResults());
  for (Value tile : tiles)
    require(tile, layout);
}

// A transpose between two shared tiles is best done in blocks.
void LayoutInference::preferForTransposed(Value shared) {
  auto buffer = shared.getDefiningOp<tile::SharedAllocOp>();
  if (!buffer)
    return;
  for (Operation *user : buffer->getUsers()) {
    auto store = dyn_cast<tile::SharedStoreOp>(user);
    auto permute = store ? store.getValue().getDefiningOp<tile::PermuteOp>() : tile::PermuteOp();
    if (!permute || permute.getMap() != ArrayRef<int64_t>{1, 0} || !isOfShared(permute))
      continue;
    Value x = permute.getX();
    prefer(x, Memory, elements(x),
           LinearLayout::transposed(shape(x), bytesOf(tile::elementType(x.getType())), warps));
  }
}

void LayoutInference::preferForFirst(tile::SharedMmaOp mma) {
  if (std::optional<RegisterOperand> found = registerOperandOf(mma, warps))
    prefer(found->tile, Memory, elements(found->tile), found->layout);
  else
    preferForTransposed(mma.getA());
}

void LayoutInference::propagate() {
  do {
    changed = false;
    kernel.walk([&](Operation *op) { visit(op); });
  } while (changed);
}

void LayoutInference::require(Value tile, const LinearLayout &layout) {
  choices.insert_or_assign(oneOf(tile), Choice{Fixed, elements(tile), layout, true});
}

void LayoutInference::prefer(Value tile, Strength strength, int64_t weight,
                             const LinearLayout &layout) {
  tile = oneOf(tile);
  auto found = choices.find(tile);
  if (found != choices.end() &&
      (found->second.isRequired || std::make_pair(found->second.strength, found->second.weight) >=
                                       std::make_pair(strength, weight)))
    return;
  choices.insert_or_assign(tile, Choice{strength, weight, layout, false});
  changed = true;
}

void LayoutInference::tie(ArrayRef<Value> values) {
  const Choice *best = nullptr;
  for (Value v : values)
    if (auto found = choices.find(oneOf(v)); found != choices.end())
      if (!best || std::make_pair(found->second.strength, found->second.weight) >
                       std::make_pair(best->strength, best->weight))
        best = &found->second;
  if (!best)
    return;
  Choice copy = *best;
  for (Value v : values)
    if (shape(v) == copy.layout.shape())
      prefer(v, copy.strength, copy.weight, copy.layout);
}

void LayoutInference::carry(Value from, Value to,
                            function_ref<std::optional<LinearLayout>(const LinearLayout &)> map) {
  auto found = choices.find(oneOf(from));
  if (found == choices.end())
    return;
  Choice copy = found->second;
  if (std::optional<LinearLayout> layout = map(copy.layout))
    prefer(to, copy.strength, copy.weight, *layout);
}

void LayoutInference::visit(Operation *op) {
  if (SmallVector<Value> values = tilesInOneLayout(op); !values.empty())
    return tie(values);
  TypeSwitch<Operation *>(op)
      .Case([&](tile::SharedMmaOp mma) { tie({mma.getResult(), mma.getC()}); })
      .Case([&](tile::MmaBeginOp begin) { tie({begin.getResult(), begin.getX()}); })
      .Case([&](tile::FoldOp fold) {
        SmallVector<Value> tiles(fold.getX());
        if (fold.getScan())
          llvm::append_range(tiles, fold.getResults());
        tie(tiles);
        for (Value result : fold.getResults())
          if (!fold.getScan())
            carry(tiles.front(), result,
                  [&](const LinearLayout &l) { return l.reduced(fold.getDim()); });
      })
      .Case([&](tile::LayoutTransfer transfer) {
        Value x = op->getOperand(0), y = op->getResult(0);
        if (auto reduce = dyn_cast<tile::ReduceOp>(op); reduce && reduce.getIndices())
          tie({x, reduce.getIndices()});
        carry(x, y, [&](const LinearLayout &l) { return transfer.resultLayout(l); });
        carry(y, x, [&](const LinearLayout &l) { return transfer.operandLayout(l); });
      })
      .Case([&](tile::ExtractOp extract) {
        // A constant part whose bits lie in registers stays where it is.
        Value x = extract.getX();
        std::optional<IndexBits> part = constantPart(extract);
        auto found = choices.find(oneOf(x));
        if (part && found != choices.end() &&
            (part->mask & ~found->second.layout.registerBits()) == 0)
          carry(x, extract.getResult(), [&](const LinearLayout &l) { return l.part(part->mask); });
      })
      .Case([&](tile::LocalAllocOp array) { tie(tilesOfArray(array)); })
      .Case<scf::ForOp, scf::WhileOp>([&](auto loop) { visitLoop(loop); })
      .Case([&](scf::IfOp branch) {
        for (auto [i, result] : llvm::enumerate(branch.getResults()))
          if (isTile(result))
            tie({result, branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)});
      })
      .Case([&](scf::IndexSwitchOp branch) {
        for (auto [i, result] : llvm::enumerate(branch.getResults()))
          if (isTile(result)) {
            SmallVector<Value> values = {result};
            for (Region &region : branch->getRegions())
              values.push_back(region.front().getTerminator()->getOperand(i));
            tie(values);
          }
      });
}

void LayoutInference::visitLoop(scf::ForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(),
                 loop.getResults()))
    if (isTile(result))
      tie({result, argument, yielded, init});
}

void LayoutInference::visitLoop(scf::WhileOp loop) {
  for (auto [init, argument, yielded] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments(), loop.getYieldedValues()))
    if (isTile(argument))
      tie({argument, init, yielded});
  for (auto [passed, argument, result] :
       llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults()))
    if (isTile(result))
      tie({result, argument, passed});
}

} // namespace tessera::plan
