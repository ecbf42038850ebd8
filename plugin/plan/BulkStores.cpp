// Sums of multiplies that go to views: by bulk copies out of shared memory, where a launch can make
// the maps of these.
//
//   view_store %x, %view
// becomes
//   shared_store %x, %s; if (map_exists %m) { bulk_store %s, %view by %m }
//   else { view_store (shared_load %s), %view }
//
// where %x comes of matrix units, so that threads hold two elements of a row at a time: it goes
// through shared memory either way. One thread starts the boxes. Where the view allows no bulk
// copies when the kernel runs, threads store as they would have, from the same tile.
//
// A bulk store writes through the asynchronous proxy, some time after its op. So it is taken only
// where the end of the kernel is early enough: nothing that could come behind it, in this iteration
// or a later one, accesses what it writes or orders the block with others, and nothing before it
// writes there or orders. What is read before it has been read: the fence and the barrier of the
// tile say so (pass insert-barriers). Two such stores may write the same memory if they go by the
// same map, so that both are bulk stores or neither is; the later one then waits until what the
// earlier one wrote is there (inOrder), and so does one in a loop, for its earlier iterations. A
// loop that stores behind each single multiply would wait for that all the time: it is left alone.
//
// In a kernel whose ring a warp fills (CopyingWarp.h) there are no dead stages: the next place's
// operands arrive. There the tile goes out part by part through two panels beside the ring:
//
//   store_parts %x, %panels, %view by %m
//
// or, where there is no map, is stored from there by the threads that wrote it.
//
// The tile lies in panels, whose exchange of chunks the copy undoes. It shares its bytes with what
// is dead by then, as a rule the stages of the multiply's ring; a block must not take so much more
// that fewer of them fit an SM. This runs before layouts: the sum keeps its own.
#include "plan/BulkStores.h"

#include "plan/BulkRings.h"
#include "plan/DisjointBoxes.h"
#include "plan/Facts.h"
#include "plan/HostValues.h"
#include "plan/LayoutInference.h"
#include "plan/Layouts.h"
#include "plan/MatrixUnits.h"
#include "plan/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/SharedLifetimes.h"
#include "tile/TileDialect.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_BULKSTORES
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t mostMaps = 16;
constexpr int64_t rowsOfWarpgroup = tile::StorePartsOp::rowsOfWarpgroup;

RankedTensorType typeOf(tile::ViewStoreOp store) {
  return cast<RankedTensorType>(store.getValue().getType());
}

// What a value of an op with regions, or one that is carried, is made of there.
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

// The multiply of a matrix unit of whose sum a tile is computed, element by element.
struct Sum {
  tile::SharedMmaOp multiply;
  int64_t exchanges = 0; // of the sum's dimensions, on the way to the tile
};

Sum sumOf(Value tile) {
  constexpr size_t mostValues = 64;
  SmallVector<std::pair<Value, int64_t>> values = {{tile, 0}};
  for (size_t i = 0; i < values.size() && i < mostValues; ++i) {
    auto [value, exchanges] = values[i];
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<RankedTensorType>(result.getType()))
      continue;
    if (auto mma = dyn_cast<tile::SharedMmaOp>(result.getOwner()))
      return mma.getKind() != tile::MmaKind::fma ? Sum{mma, exchanges} : Sum();
    auto permute = dyn_cast<tile::PermuteOp>(result.getOwner());
    const bool isExchange = permute && permute.getMap() == ArrayRef<int64_t>{1, 0};
    for (Value source : sourcesOf(result))
      values.emplace_back(source, exchanges + isExchange);
  }
  return {};
}

// Is there more in an iteration that stores than one multiply?
bool isWorthWaiting(tile::ViewStoreOp store, tile::SharedMmaOp multiply) {
  Operation *loop = loopAround(store);
  return !loop || loopAround(multiply) != loop;
}

// The tile in shared memory that a store's value goes through; null if it is none of rows in
// panels.
tile::SharedType panelsOf(tile::ViewStoreOp store) {
  RankedTensorType type = typeOf(store);
  ArrayRef<int64_t> shape = type.getShape();
  Type element = type.getElementType();
  if (type.getRank() < 2 || type.getRank() > mostDimensions || !element.isIntOrFloat() ||
      element.isInteger(1) ||
      llvm::any_of(shape.drop_back(), [](int64_t extent) { return extent > mostOfBox; }))
    return {};
  constexpr int64_t leastOfRow = 32, leastRows = 8;
  int64_t columns = shape.back(), rows = type.getNumElements() / columns;
  if (columns * bytesOf(element) < leastOfRow || rows < leastRows)
    return {};
  return tile::SharedType::get(type.getContext(), {rows, columns}, element, 0, 0, 0,
                               /*panels=*/true);
}

// May the launch find that the view allows bulk copies?
bool mayHaveMap(tile::ViewStoreOp store) {
  ArrayRef<int64_t> strides = store.getStaticStrides();
  int64_t bytes = bytesOf(typeOf(store).getElementType());
  if (strides.back() != 1 || llvm::any_of(strides.drop_back(), [&](int64_t stride) {
        return stride != ShapedType::kDynamic && stride >= 0 && stride * bytes % 16 != 0;
      }))
    return false;
  return isViewKnownToHost(store);
}

bool haveSameMap(tile::ViewStoreOp x, tile::ViewStoreOp y) {
  return typeOf(x) == typeOf(y) && x.getBase() == y.getBase() && x.getExtents() == y.getExtents() &&
         x.getStrides() == y.getStrides();
}

bool mayOverlap(tile::ViewStoreOp x, tile::ViewStoreOp y) {
  return mayAlias(baseOf(x.getBase()), baseOf(y.getBase())) && !areApart(x, y);
}

bool isInLoop(Operation *op) { return loopAround(op); }

// Does an op stand before the other, and never run behind it?
bool isBefore(Operation *op, Operation *other) {
  for (Operation *around = op; !isa<func::FuncOp>(around); around = around->getParentOp()) {
    Operation *there = around->getBlock()->findAncestorOpInBlock(*other);
    if (there && there != around)
      return around->isBeforeInBlock(there) && !isInLoop(around);
  }
  return false;
}

// Must the store's writes be told from what the op does?
bool conflicts(Operation *op, tile::ViewStoreOp store) {
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
    const bool goInParts = kernel->hasAttr(copyingWarpAttr);
    kernel.walk([&](tile::ViewStoreOp store) {
      if (goInParts ? mayGoInParts(store) : mayGoAtOnce(store))
        stores.push_back(store);
    });
  }

  // Parts go out while other threads still read: copies alone have done so.
  bool mayGoInParts(tile::ViewStoreOp store) {
    return storedPartOf(store) &&
           !isReadIn(kernel, store.getBase(), llvm::IsaPred<tile::CopyAsyncOp>);
  }

  bool mayGoAtOnce(tile::ViewStoreOp store) {
    tile::SharedMmaOp multiply = sumOf(store.getValue()).multiply;
    return multiply && isWorthWaiting(store, multiply) && panelsOf(store) && mayHaveMap(store) &&
           hasRoom(store);
  }

  bool hasConflict(tile::ViewStoreOp store) {
    return kernel
        .walk([&](Operation *op) {
          auto other = dyn_cast<tile::ViewStoreOp>(op);
          bool isOne = other && llvm::is_contained(stores, other);
          bool isBad =
              isOne ? mayOverlap(other, store) && !haveSameMap(other, store) : conflicts(op, store);
          return op != kernel && isBad ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool isBehindAnother(tile::ViewStoreOp store) {
    return isInLoop(store) || llvm::any_of(stores, [&](tile::ViewStoreOp other) {
             return other != store && mayOverlap(other, store) && !isBefore(store, other);
           });
  }

  // Fit as many blocks an SM with the tile as without, or as their registers let run?
  bool hasRoom(tile::ViewStoreOp store) {
    const GpuTarget &target = targetOf(kernel);
    int64_t without = blocksOfSharedMemory(target, placeSharedTiles(kernel));
    OpBuilder b(store);
    auto buffer = tile::SharedAllocOp::create(b, store.getLoc(), panelsOf(store), 1, IntegerAttr());
    int64_t with = blocksOfSharedMemory(target, placeSharedTiles(kernel));
    buffer.erase();
    kernel.walk([](tile::SharedAllocOp op) { op.removeOffsetAttr(); });
    return with >= 1 && with >= std::min(without, mostBlocksOfRegisters());
  }

  int64_t mostBlocksOfRegisters() {
    int64_t most = registersOfMultiprocessor;
    kernel.walk([&](tile::SharedMmaOp mma) {
      if (mma.getKind() == tile::MmaKind::fma)
        return;
      int64_t elements = cast<RankedTensorType>(mma.getType()).getNumElements(),
              threads = 32 * warpsOfAccumulator(elements);
      most = std::min(most,
                      registersOfMultiprocessor / (elements + registersBesidesMultiply * threads));
    });
    return most;
  }

  // A map for boxes of this shape beside those that the launch makes already; null where there are
  // too many.
  tile::MakeBoxMapOp makeMap(OpBuilder &b, tile::ViewStoreOp store, tile::SharedType panels,
                             ArrayRef<int64_t> shape) {
    auto box = shape == panels.getShape() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(shape);
    auto map = tile::MakeBoxMapOp::create(
        b, store.getLoc(), /*warp=*/0, Value(), b.getI64IntegerAttr(0), store.getBase(),
        store.getExtents(), store.getStrides(), panels, box, /*rounds=*/false, /*needed=*/false);
    const int64_t number = numberOfGiven(map);
    map.setGiven(number);
    if (number < mostMaps)
      return map;
    map.erase();
    return {};
  }

  // The panels live as long as the loop over places: what is stored at one leaves while the next
  // one's is multiplied. Stores take turns with those of their shape: each has an even number of
  // parts, and a part waits until the one before the last has been read.
  void rewriteInParts(tile::ViewStoreOp store) {
    Location loc = store.getLoc();
    const StoredPart stored = *storedPartOf(store); // NOLINT(bugprone-unchecked-optional-access)
    tile::SharedType part = stored.panel;
    RankedTensorType type = typeOf(store);
    auto box = tile::SharedType::get(
        store.getContext(),
        tile::StorePartsOp::boxOfWarpgroup(part.getShape(), stored.isTransposed),
        part.getElementType(), 0, 0, 0, /*panels=*/true);
    SmallVector<int64_t> boxShape(type.getRank(), 1);
    llvm::copy(box.getShape(), boxShape.end() - 2);
    OpBuilder b(store);
    tile::MakeBoxMapOp map = makeMap(b, store, box, boxShape);
    if (!map)
      return;
    Value &panels = panelsOfShape[part];
    if (!panels) {
      b.setInsertionPointToStart(&kernel.getBody().front());
      panels = tile::SharedAllocOp::create(b, loc, part, panelsOfParts, IntegerAttr());
      b.setInsertionPoint(store);
    }
    auto ofRows = RankedTensorType::get(
        {type.getNumElements() / type.getShape().back(), type.getShape().back()},
        type.getElementType());
    Value first = tile::SharedSlotOp::create(
        b, loc, part, panels, arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)));
    tile::StorePartsOp::create(b, loc,
                               b.createOrFold<tile::ReshapeOp>(loc, ofRows, store.getValue()),
                               first, store.getBase(), store.getExtents(), store.getStrides(),
                               store.getStarts(), map, stored.isTransposed);
    store.erase();
  }

  void rewrite(tile::ViewStoreOp store, bool inOrder) {
    if (kernel->hasAttr(copyingWarpAttr))
      return rewriteInParts(store);
    Location loc = store.getLoc();
    OpBuilder b(store);
    tile::SharedType panels = panelsOf(store);
    RankedTensorType type = typeOf(store);
    tile::MakeBoxMapOp map = makeMap(b, store, panels, type.getShape());
    if (!map)
      return;
    auto ofRows = RankedTensorType::get(panels.getShape(), panels.getElementType());
    Value buffer = tile::SharedAllocOp::create(b, loc, panels, 1, IntegerAttr());
    tile::SharedStoreOp::create(b, loc,
                                b.createOrFold<tile::ReshapeOp>(loc, ofRows, store.getValue()),
                                buffer, ValueRange());
    Value exists = tile::MapExistsOp::create(b, loc, map);
    auto choice = scf::IfOp::create(b, loc, exists, /*withElseRegion=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    tile::BulkStoreOp::create(b, loc, buffer, store.getBase(), store.getExtents(),
                              store.getStrides(), store.getStarts(), map, inOrder,
                              map.getBoxAttr());
    b.setInsertionPointToStart(choice.elseBlock());
    Value loaded = tile::SharedLoadOp::create(b, loc, ofRows, buffer, ValueRange());
    store.getValueMutable().set(b.createOrFold<tile::ReshapeOp>(loc, type, loaded));
    store->moveBefore(choice.elseBlock()->getTerminator());
  }

  func::FuncOp kernel;
  SmallVector<tile::ViewStoreOp> stores;
  llvm::DenseMap<tile::SharedType, Value> panelsOfShape;
};

struct BulkStores : impl::BulkStoresBase<BulkStores> {
  void runOnOperation() override {
    bool hasMaps = getOperation()->getParentOfType<ModuleOp>()->hasAttr(launchedAttr);
    if (policyOf(getOperation()).bulk_stores && hasMaps && hasBulkCopies(targetOf(getOperation())))
      BulkStoring(getOperation()).run();
  }
};

} // namespace

bool isOfSum(tile::ViewStoreOp store) {
  tile::SharedMmaOp multiply = sumOf(store.getValue()).multiply;
  return multiply && (cast<RankedTensorType>(multiply.getType()).getNumElements() ==
                          typeOf(store).getNumElements() ||
                      storedPartOf(store));
}

std::optional<StoredPart> storedPartOf(tile::ViewStoreOp store) {
  RankedTensorType type = typeOf(store);
  Sum sum = sumOf(store.getValue());
  if (!sum.multiply || sum.multiply.getKind() != tile::MmaKind::wgmma || !panelsOf(store) ||
      !mayHaveMap(store))
    return {};
  const bool isTransposed = sum.exchanges % 2;
  auto ofSum = cast<RankedTensorType>(sum.multiply.getType());
  SmallVector<int64_t> shape(type.getShape().take_back(2)),
      shapeOfSum(ofSum.getShape().take_back(2));
  const int64_t bytes = bytesOf(type.getElementType()),
                ofWarpgroups = rowsOfWarpgroup * warpsOfAccumulator(ofSum.getNumElements()) / 4;
  SmallVector<int64_t> panel = {ofWarpgroups, bytesOfPanel / bytes};
  if (isTransposed) {
    std::swap(shapeOfSum[0], shapeOfSum[1]);
    std::swap(panel[0], panel[1]);
    if (rowsOfWarpgroup * bytes % bytesOfPanel)
      return {}; // a warpgroup's columns are no panel
  }
  const bool isMatrix =
      llvm::all_of(type.getShape().drop_back(2), [](int64_t extent) { return extent == 1; });
  // All that the warps have of some of the sum's columns.
  const unsigned ofWarps = isTransposed ? 1 : 0, other = 1 - ofWarps;
  if (!isMatrix || shape[ofWarps] != shapeOfSum[ofWarps] || shapeOfSum[other] % shape[other] != 0 ||
      shape[0] % panel[0] != 0 || shape[1] % panel[1] != 0 ||
      type.getNumElements() < 2 * panel[0] * panel[1])
    return {};
  return StoredPart{tile::SharedType::get(type.getContext(), panel, type.getElementType(), 0, 0, 0,
                                          /*panels=*/true),
                    isTransposed};
}

} // namespace tessera::plan
