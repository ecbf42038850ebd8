// Stores of accumulators to views leave by bulk copies out of shared memory, where a launch can
// make the tensor maps.
//
//   view_store %x, %view
// becomes
//   shared_store %x, %s; if (tensor_map_exists %m) { bulk_store %s, %view by %m }
//   else { view_store (shared_load %s), %view }
//
// %x is computed from a tensor core accumulator, so a thread holds two elements of a row at a time:
// it goes through shared memory either way. One thread starts the boxes. Where the view allows no
// bulk copies when the kernel runs, threads store from the same tile.
//
// A bulk store writes through the asynchronous proxy, some time after its op. So the pass takes one
// only where the end of the kernel is early enough: no op that may run after it, in this iteration
// or a later one, accesses what it writes or orders the block with others, and no op in front of it
// writes there or orders. Earlier reads are complete: the fence and the barrier of the tile
// guarantee that (pass insert-barriers). Two bulk stores may write the same memory if they use the
// same tensor map, so that both are bulk stores or neither is; the later one then waits until the
// writes of the earlier one have landed (inOrder), and so does one in a loop, for its earlier
// iterations. A loop that stores after each single multiply would always wait for that: the pass
// leaves it alone.
//
// In a kernel whose ring a producer warp fills (WarpSpecialization.h) no stage is dead: the
// operands of the next work tile arrive. There the tile leaves part by part through two panels next
// to the ring:
//
//   store_parts %x, %panels, %view by %m
//
// or, without a tensor map, the threads that wrote it store it from there.
//
// The tile lies in panels; the copy undoes their exchange of chunks. It shares its bytes with tiles
// that are dead by then, usually the stages of the multiply's ring; it must not make a block so
// large that fewer blocks fit an SM. The pass runs before layouts: the accumulator keeps its own.
#include "plan/pipeline/BulkStores.h"

#include "plan/pipeline/BulkRings.h"
#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/pipeline/WarpgroupBlocks.h"
#include "plan/Config.h"
#include "plan/Plan.h"
#include "plan/analysis/SharedLifetimes.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_BULKSTORES
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t maxTensorMaps = 16;
constexpr int64_t rowsOfWarpgroup = tile::StorePartsOp::rowsOfWarpgroup;

RankedTensorType typeOf(tile::ViewStoreOp store) {
  return cast<RankedTensorType>(store.getValue().getType());
}

// The operands, or yielded values, that a result is computed from.
SmallVector<Value> sourcesOf(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  SmallVector<Value> values;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    values.push_back(loop.getYieldedValues()[number]);
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      values.push_back(region->front().getTerminator()->getOperand(number));
  else if (auto extract = dyn_cast<tile::ExtractOp>(op); extract && constantPart(extract))
    values.push_back(extract.getX());
  else if (isa<tile::MmaFinishOp, tile::ReshapeOp, tile::PermuteOp>(op))
    values.push_back(op->getOperand(0));
  else if (isPure(op) && !isa<tile::ScanOp>(op) && !tilesInOneLayout(op).empty())
    llvm::append_range(values, op->getOperands());
  return values;
}

// The tensor core multiply from whose accumulator a tile is computed, element-wise.
struct Accumulator {
  tile::SharedMmaOp multiply;
  int64_t exchanges = 0; // of the accumulator's dimensions, up to the tile
};

Accumulator accumulatorOf(Value tile) {
  constexpr size_t maxValues = 64;
  SmallVector<std::pair<Value, int64_t>> values = {{tile, 0}};
  for (size_t i = 0; i < values.size() && i < maxValues; ++i) {
    auto [value, exchanges] = values[i];
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<RankedTensorType>(result.getType()))
      continue;
    if (auto mma = dyn_cast<tile::SharedMmaOp>(result.getOwner()))
      return mma.getInstruction().isTensorCore() ? Accumulator{mma, exchanges} : Accumulator();
    auto permute = dyn_cast<tile::PermuteOp>(result.getOwner());
    const bool isExchange = permute && permute.getMap() == ArrayRef<int64_t>{1, 0};
    for (Value source : sourcesOf(result))
      values.emplace_back(source, exchanges + isExchange);
  }
  return {};
}

// Does an iteration that stores do more than one multiply?
bool isWorthWaiting(tile::ViewStoreOp store, tile::SharedMmaOp multiply) {
  Operation *loop = loopAround(store);
  return !loop || loopAround(multiply) != loop;
}

// The tile in shared memory for a store's value; null if it is not made of rows in panels.
tile::SharedType panelsOf(tile::ViewStoreOp store) {
  RankedTensorType type = typeOf(store);
  ArrayRef<int64_t> shape = type.getShape();
  Type element = type.getElementType();
  if (type.getRank() < 2 || type.getRank() > maxDimensions || !element.isIntOrFloat() ||
      element.isInteger(1) ||
      llvm::any_of(shape.drop_back(), [](int64_t extent) { return extent > maxOfBox; }))
    return {};
  int64_t columns = shape.back(), rows = type.getNumElements() / columns;
  if (columns * bytesOf(element) < minBytesOfPanel || rows < rowsOfSwizzle)
    return {};
  return inPanels({rows, columns}, element);
}

// May the launch find that the view allows bulk copies?
bool mayHaveTensorMap(tile::ViewStoreOp store) {
  ArrayRef<int64_t> strides = store.getStaticStrides();
  int64_t bytes = bytesOf(typeOf(store).getElementType());
  if (strides.back() != 1 || llvm::any_of(strides.drop_back(), [&](int64_t stride) {
        return stride != ShapedType::kDynamic && stride >= 0 && stride * bytes % 16 != 0;
      }))
    return false;
  return startsAtChunk(store.getStarts(), typeOf(store).getElementType()) &&
         isViewKnownToHost(store);
}

bool haveSameTensorMap(tile::ViewStoreOp x, tile::ViewStoreOp y) {
  return typeOf(x) == typeOf(y) && x.getBase() == y.getBase() && x.getExtents() == y.getExtents() &&
         x.getStrides() == y.getStrides();
}

bool mayOverlap(tile::ViewStoreOp x, tile::ViewStoreOp y) {
  return mayAlias(baseOf(x.getBase()), baseOf(y.getBase())) && !areApart(x, y);
}

bool isInLoop(Operation *op) { return loopAround(op); }

// Does an op stand in front of the other, and never run after it?
bool isBefore(Operation *op, Operation *other) {
  for (Operation *around = op; !isa<func::FuncOp>(around); around = around->getParentOp()) {
    Operation *there = around->getBlock()->findAncestorOpInBlock(*other);
    if (there && there != around)
      return around->isBeforeInBlock(there) && !isInLoop(around);
  }
  return false;
}

// Must the store's writes be ordered with the op's effects? Warps of the block meet where they
// release a stage: none of them accesses what is written, as other ops would say.
bool conflicts(Operation *op, tile::ViewStoreOp store) {
  if (isa<tile::BarrierOp>(op))
    return false;
  GlobalEffects effects = globalEffectsOf(op);
  if (!effects.reads && !effects.writes && !effects.orders)
    return false;
  Value address = addressOf(op);
  bool mayTouch = mayAlias(address ? baseOf(address) : Value(), baseOf(store.getBase()));
  return effects.orders || (mayTouch && (effects.writes || !isBefore(op, store)));
}

class BulkStoring {
public:
  explicit BulkStoring(func::FuncOp kernel) : kernel(kernel) {}

  void run() {
    findCandidates();
    for (bool changes = true; changes;) {
      size_t before = stores.size();
      llvm::erase_if(stores, [&](tile::ViewStoreOp store) { return hasConflict(store); });
      changes = stores.size() != before;
    }
    SmallVector<bool> inOrder = llvm::map_to_vector(
        stores, [&](tile::ViewStoreOp store) { return isBehindAnother(store); });
    for (auto [store, isInOrder] : llvm::zip(stores, inOrder))
      rewrite(store, isInOrder);
  }

private:
  void findCandidates() {
    const bool goInParts = kernel->hasAttr(tile::warpSpecializedAttr);
    kernel.walk([&](tile::ViewStoreOp store) {
      if (goInParts ? mayGoInParts(store) : mayGoAtOnce(store))
        stores.push_back(store);
    });
  }

  // Parts leave while other threads still read: only copies have completed their reads.
  bool mayGoInParts(tile::ViewStoreOp store) {
    return storedPartOf(store) &&
           !isReadIn(kernel, store.getBase(), llvm::IsaPred<tile::CopyAsyncOp, tile::BarrierOp>);
  }

  bool mayGoAtOnce(tile::ViewStoreOp store) {
    tile::SharedMmaOp multiply = accumulatorOf(store.getValue()).multiply;
    return multiply && isWorthWaiting(store, multiply) && panelsOf(store) &&
           mayHaveTensorMap(store) && hasRoom(store);
  }

  bool hasConflict(tile::ViewStoreOp store) {
    return kernel
        .walk([&](Operation *op) {
          auto other = dyn_cast<tile::ViewStoreOp>(op);
          bool isOne = other && llvm::is_contained(stores, other);
          bool isBad = isOne ? mayOverlap(other, store) && !haveSameTensorMap(other, store)
                             : conflicts(op, store);
          return op != kernel && isBad ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool isBehindAnother(tile::ViewStoreOp store) {
    return isInLoop(store) || llvm::any_of(stores, [&](tile::ViewStoreOp other) {
             return other != store && mayOverlap(other, store) && !isBefore(store, other);
           });
  }

  // Do as many blocks fit an SM with the tile as without, or as their registers allow?
  bool hasRoom(tile::ViewStoreOp store) {
    const GpuTarget &target = targetOf(kernel);
    int64_t without = blocksOfSharedMemory(target, placeSharedTiles(kernel));
    OpBuilder b(store);
    auto buffer = tile::SharedAllocOp::create(b, store.getLoc(), panelsOf(store), 1, IntegerAttr());
    int64_t with = blocksOfSharedMemory(target, placeSharedTiles(kernel));
    buffer.erase();
    kernel.walk([](tile::SharedAllocOp op) { op.removeOffsetAttr(); });
    return with >= 1 && with >= std::min(without, maxBlocksOfRegisters());
  }

  int64_t maxBlocksOfRegisters() {
    int64_t maximum = targetOf(kernel).registersOfMultiprocessor;
    kernel.walk([&](tile::SharedMmaOp mma) {
      if (!mma.getInstruction().isTensorCore())
        return;
      int64_t elements = cast<RankedTensorType>(mma.getType()).getNumElements(),
              threads = 32 * configOf(kernel).getWarps();
      maximum = std::min(maximum, targetOf(kernel).registersOfMultiprocessor /
                                      (elements + registersBesidesMultiply * threads));
    });
    return maximum;
  }

  // A tensor map for boxes of this shape, in addition to those that the launch makes already; null
  // if there are too many.
  tile::MakeTensorMapOp makeMap(OpBuilder &b, tile::ViewStoreOp store, tile::SharedType panels,
                                ArrayRef<int64_t> shape) {
    auto box = shape == panels.getShape() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(shape);
    auto map = tile::MakeTensorMapOp::create(
        b, store.getLoc(), /*warp=*/0, Value(), b.getI64IntegerAttr(0), store.getBase(),
        store.getExtents(), store.getStrides(), panels, box, /*rounds=*/false, /*needed=*/false,
        /*finder=*/IntegerAttr());
    const int64_t number = numberOfGiven(map);
    map.setGiven(number);
    if (number < maxTensorMaps)
      return map;
    map.erase();
    return {};
  }

  // The panels live as long as the loop over work tiles: the stores of one work tile leave while
  // the next one is multiplied. Stores of the same shape take turns: each has an even number of
  // parts, and a part waits until the one before the last has been read.
  void rewriteInParts(tile::ViewStoreOp store) {
    Location loc = store.getLoc();
    const StoredPart stored = *storedPartOf(store); // NOLINT(bugprone-unchecked-optional-access)
    tile::SharedType part = stored.panel;
    RankedTensorType type = typeOf(store);
    tile::SharedType box =
        inPanels(tile::StorePartsOp::boxOfWarpgroup(part.getShape(), stored.isTransposed),
                 part.getElementType());
    SmallVector<int64_t> boxShape(type.getRank(), 1);
    llvm::copy(box.getShape(), boxShape.end() - 2);
    OpBuilder b(store);
    tile::MakeTensorMapOp map = makeMap(b, store, box, boxShape);
    if (!map)
      return;
    Value &panels = panelsOfShape[part];
    if (!panels) {
      b.setInsertionPointToStart(&kernel.getBody().front());
      panels = tile::SharedAllocOp::create(b, loc, part, tileBlocksOf(kernel) * panelsOfParts,
                                           IntegerAttr());
      b.setInsertionPoint(store);
    }
    auto rowsType = RankedTensorType::get(
        {type.getNumElements() / type.getShape().back(), type.getShape().back()},
        type.getElementType());
    Value first = tile::SharedSlotOp::create(b, loc, part, panels,
                                             firstSlotOfTileBlock(b, loc, kernel, panelsOfParts));
    tile::StorePartsOp::create(b, loc,
                               b.createOrFold<tile::ReshapeOp>(loc, rowsType, store.getValue()),
                               first, store.getBase(), store.getExtents(), store.getStrides(),
                               store.getStarts(), map, stored.isTransposed);
    store.erase();
  }

  void rewrite(tile::ViewStoreOp store, bool inOrder) {
    if (kernel->hasAttr(tile::warpSpecializedAttr))
      return rewriteInParts(store);
    Location loc = store.getLoc();
    OpBuilder b(store);
    tile::SharedType panels = panelsOf(store);
    RankedTensorType type = typeOf(store);
    tile::MakeTensorMapOp map = makeMap(b, store, panels, type.getShape());
    if (!map)
      return;
    auto rowsType = RankedTensorType::get(panels.getShape(), panels.getElementType());
    Value buffer = tile::SharedAllocOp::create(b, loc, panels, 1, IntegerAttr());
    tile::SharedStoreOp::create(b, loc,
                                b.createOrFold<tile::ReshapeOp>(loc, rowsType, store.getValue()),
                                buffer, ValueRange());
    Value exists = tile::TensorMapExistsOp::create(b, loc, map);
    auto choice = scf::IfOp::create(b, loc, exists, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    tile::BulkStoreOp::create(b, loc, buffer, store.getBase(), store.getExtents(),
                              store.getStrides(), store.getStarts(), map, inOrder,
                              map.getBoxAttr());
    b.setInsertionPointToStart(choice.elseBlock());
    Value loaded = tile::SharedLoadOp::create(b, loc, rowsType, buffer, ValueRange());
    store.getValueMutable().set(b.createOrFold<tile::ReshapeOp>(loc, type, loaded));
    store->moveBefore(choice.elseBlock()->getTerminator());
  }

  func::FuncOp kernel;
  SmallVector<tile::ViewStoreOp> stores;
  llvm::DenseMap<tile::SharedType, Value> panelsOfShape;
};

struct BulkStores : impl::BulkStoresBase<BulkStores> {
  void runOnOperation() override {
    bool hasMaps = getOperation()->getParentOfType<ModuleOp>()->hasAttr(tile::launchedAttr);
    if (policyOf(getOperation()).bulk_stores && hasMaps && hasBulkCopies(targetOf(getOperation())))
      BulkStoring(getOperation()).run();
  }
};

} // namespace

bool isOfAccumulator(tile::ViewStoreOp store) {
  tile::SharedMmaOp multiply = accumulatorOf(store.getValue()).multiply;
  return multiply && (cast<RankedTensorType>(multiply.getType()).getNumElements() ==
                          typeOf(store).getNumElements() ||
                      storedPartOf(store));
}

std::optional<StoredPart> storedPartOf(tile::ViewStoreOp store) {
  RankedTensorType type = typeOf(store);
  Accumulator accumulator = accumulatorOf(store.getValue());
  if (!accumulator.multiply || !accumulator.multiply.getInstruction().isOfWarpgroups() ||
      !panelsOf(store) || !mayHaveTensorMap(store))
    return {};
  const bool isTransposed = accumulator.exchanges % 2;
  auto accumulatorType = cast<RankedTensorType>(accumulator.multiply.getType());
  SmallVector<int64_t> shape(type.getShape().take_back(2)),
      shapeOfAccumulator(accumulatorType.getShape().take_back(2));
  const int64_t bytes = bytesOf(type.getElementType()),
                warpgroupRows = rowsOfWarpgroup * configOf(store).getWarps() / 4;
  SmallVector<int64_t> panel = {warpgroupRows, bytesOfPanel / bytes};
  if (isTransposed) {
    std::swap(shapeOfAccumulator[0], shapeOfAccumulator[1]);
    std::swap(panel[0], panel[1]);
    if (rowsOfWarpgroup * bytes % bytesOfPanel)
      return {}; // a warpgroup's columns are no panel
  }
  const bool isMatrix =
      llvm::all_of(type.getShape().drop_back(2), [](int64_t extent) { return extent == 1; });
  // All that the warps have of some of the accumulator's columns.
  const unsigned warpDim = isTransposed ? 1 : 0, other = 1 - warpDim;
  if (!isMatrix || shape[warpDim] != shapeOfAccumulator[warpDim] ||
      shapeOfAccumulator[other] % shape[other] != 0 || shape[0] % panel[0] != 0 ||
      shape[1] % panel[1] != 0 || type.getNumElements() < 2 * panel[0] * panel[1])
    return {};
  return StoredPart{inPanels(panel, type.getElementType()), isTransposed};
}

} // namespace tessera::plan
