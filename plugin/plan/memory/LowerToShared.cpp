// Values that one thread has and another needs go through shared memory: conversions between
// layouts, reductions over warps, parts of tiles at run-time indices, results of atomics and
// addresses that one thread received. Block memory moves there from the heap where it can
// (ShareBlockMemory.h). Then exchanges that do not wait for one another are grouped
// (GroupExchanges.h), and every shared tile gets its byte offset.
//
//   convert_layout %x            ->  shared_store %x, %s; shared_load %s           (unless registers alone suffice)
//   reduce %x over warps         ->  reduce within warps; shared_store; shared_load (all partial results in each thread); reduce
//   scan %x over warps           ->  scan within warps; their totals through shared memory; scan_carry
//   extract %x[%i]               ->  shared_store %x, %s; shared_load %s[%i * extent]      (constant %i: part of the registers)
//   cat %x, %y; insert %p, %x    ->  stores of both into one shared tile; shared_load
#include "llvm/ADT/TypeSwitch.h"
#include "plan/tiling/EachBlock.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/memory/GroupExchanges.h"
#include "plan/memory/ShareBlockMemory.h"
#include "plan/analysis/BlockMemory.h"
#include "plan/pipeline/WarpgroupBlocks.h"
#include "plan/Config.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Speculation.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_LOWERTOSHARED
#include "plan/Passes.h.inc"

namespace {

// Partial results of several rows and many warps take more registers than the rows.
constexpr int64_t registersToReduce = 16;

RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Does only the first thread need this scalar result of an atomic? What other threads compute from
// it is unused, and must not fail. Every thread has elements of a tile, and reductions use them
// all.
bool isForFirstThread(Value scalar) {
  if (isa<RankedTensorType>(scalar.getType()) || scalar.getDefiningOp<tile::BlockMemoryOp>())
    return false;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(scalar);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      auto store = dyn_cast<LLVM::StoreOp>(user);
      const bool stores = store ? !store.getVolatile_() && globalEffectsOf(store).writes
                                : isa<tile::StoreOp, tile::AtomicRmwOp, tile::AtomicStoreOp,
                                      tile::AtomicCompareExchangeOp>(user) &&
                                      !isa<RankedTensorType>(addressOf(user).getType());
      if (stores)
        continue;
      const bool yields = isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp());
      const bool computes = user->getNumResults() > 0 && user->getNumRegions() == 0 &&
                            tile::isSpeculatable(user) && !isQuotient(user);
      if (!yields && !computes)
        return false;
      auto results = (yields ? user->getParentOp() : user)->getResults();
      if (llvm::any_of(results.getTypes(), llvm::IsaPred<RankedTensorType>))
        return false;
      values.insert(results.begin(), results.end());
    }
  return true;
}

class Lowering {
public:
  Lowering(func::FuncOp kernel, OpBuilder b, int64_t maxAtOnce)
      : kernel(kernel), b(b), maxAtOnce(maxAtOnce) {}

  void lower(Operation *op) {
    b.setInsertionPoint(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](tile::ConvertLayoutOp o) { lowerConversion(o); })
        .Case([&](tile::ReduceOp o) { lowerReduction(o); })
        .Case([&](tile::ScanOp o) { lowerScan(o); })
        .Case([&](tile::FoldOp o) { lowerFold(o); })
        .Case([&](tile::ExtractOp o) { lowerExtract(o); })
        .Case([&](tile::CatOp o) { lowerCat(o); })
        .Case([&](tile::InsertOp o) { lowerInsert(o); })
        .Case<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
              tile::BlockMemoryOp>([&](auto o) { shareResult(o); });
  }

private:
  Value alloc(Location loc, RankedTensorType type, const Swizzle &swizzle = {}) {
    auto shared = tile::SharedType::get(b.getContext(), type.getShape(), type.getElementType(),
                                        swizzle.bits, swizzle.base, swizzle.shift);
    return sharedOfTileBlock(b, loc, kernel, shared);
  }

  Value index(Location loc, int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(n));
  }

  // Through shared memory, from the layout of a value to that of `type`; both have one shape. A
  // tile that exceeds the limit goes in parts: the elements with certain index bits, which lie in
  // registers of the source layout.
  Value exchange(Location loc, Value x, RankedTensorType type) {
    LinearLayout from = toLinear(tensorOf(x));
    int64_t bytes = type.getNumElements() * bytesOf(type.getElementType());
    uint32_t mask = 0;
    for (uint32_t left = from.registerBits(); bytes > maxAtOnce && left; bytes /= 2) {
      mask |= llvm::bit_floor(left);
      left ^= llvm::bit_floor(left);
    }
    if (!mask)
      return exchangeAtOnce(loc, x, type);
    RankedTensorType partType = withLayout(type, from.part(mask));
    Value whole = ub::PoisonOp::create(b, loc, type);
    for (uint32_t value = 0;; value = (value - mask) & mask) {
      Value shared = alloc(loc, partType);
      tile::SharedStoreOp::create(b, loc, tile::PartOp::create(b, loc, partType, x, mask, value),
                                  shared, ValueRange());
      whole = tile::SharedLoadPartOp::create(b, loc, shared, whole, mask, value);
      if (value == mask)
        return whole;
    }
  }

  Value exchangeAtOnce(Location loc, Value x, RankedTensorType type) {
    Swizzle swizzle =
        chooseSwizzle({toLinear(tensorOf(x)), toLinear(type)}, bytesOf(type.getElementType()));
    Value shared = alloc(loc, type, swizzle);
    tile::SharedStoreOp::create(b, loc, x, shared, ValueRange());
    return tile::SharedLoadOp::create(b, loc, type, shared, ValueRange());
  }

  void replace(Operation *op, Value with) {
    op->getResult(0).replaceAllUsesWith(with);
    op->erase();
  }

  void lowerConversion(tile::ConvertLayoutOp op) {
    if (!toLinear(tensorOf(op.getX())).differsInRegistersOnly(toLinear(tensorOf(op.getResult()))))
      replace(op, exchange(op.getLoc(), op.getX(), tensorOf(op.getResult())));
  }

  void lowerReduction(tile::ReduceOp op) {
    Location loc = op.getLoc();
    LinearLayout layout = toLinear(tensorOf(op.getX()));
    unsigned dim = op.getDim();
    if (!layout.warpBitsAlong(dim))
      return;
    bool isArg =
        op.getKind() == tile::ReduceKind::argmax || op.getKind() == tile::ReduceKind::argmin;
    if (isArg)
      return lowerArgReduction(op, layout);
    Value x = widened(loc, op.getX());
    Value partial = reduce(op, x, op.getKind(), Value(), layout.partiallyReduced(dim));
    Value gathered = gather(loc, partial, layout, dim, registersToReduce);
    Value whole = reduce(op, gathered, op.getKind(), Value(), toLinear(tensorOf(op.getResult())));
    replace(op, narrowed(loc, whole, op.getType()));
  }

  // The index that each warp found goes along with its value.
  void lowerArgReduction(tile::ReduceOp op, const LinearLayout &layout) {
    unsigned dim = op.getDim();
    auto extreme =
        op.getKind() == tile::ReduceKind::argmax ? tile::ReduceKind::max : tile::ReduceKind::min;
    LinearLayout partial = layout.partiallyReduced(dim);
    Value indices = reduce(op, op.getX(), op.getKind(), op.getIndices(), partial),
          values = reduce(op, op.getX(), extreme, Value(), partial);
    indices = gather(op.getLoc(), indices, layout, dim, registersToReduce);
    values = gather(op.getLoc(), values, layout, dim, registersToReduce);
    replace(op, reduce(op, values, op.getKind(), indices, toLinear(tensorOf(op.getResult()))));
  }

  // Like `op`, of another kind and of x; the result has the layout.
  Value reduce(tile::ReduceOp op, Value x, tile::ReduceKind kind, Value indices,
               const LinearLayout &layout) {
    bool isArg = kind == tile::ReduceKind::argmax || kind == tile::ReduceKind::argmin;
    Type element = isArg ? Type(b.getI32Type()) : tensorOf(x).getElementType();
    auto type = withLayout(RankedTensorType::get(layout.shape(), element), layout);
    // Said only where it makes a difference, so that a scan's totals are known to be a sum.
    const bool isExtreme = isArg || kind == tile::ReduceKind::max || kind == tile::ReduceKind::min;
    return tile::ReduceOp::create(b, op.getLoc(), type, kind, x, op.getDim(), op.getRounding(),
                                  op.getFlush(), isExtreme && op.getIsUnsigned(), indices);
  }

  // The results that the warps along `dim` left, in the registers of every thread; or, for a
  // reduction, in lanes beyond this many.
  Value gather(Location loc, Value partial, const LinearLayout &layout, unsigned dim,
               int64_t maxRegisters = std::numeric_limits<int64_t>::max()) {
    return exchange(loc, partial,
                    withLayout(tensorOf(partial), layout.gatheredPartials(dim, maxRegisters)));
  }

  // A scan within warps, then over them.
  void lowerScan(tile::ScanOp op) {
    Location loc = op.getLoc();
    LinearLayout layout = toLinear(tensorOf(op.getX()));
    unsigned dim = op.getDim();
    if (op.getWithinWarps() || !layout.warpBitsAlong(dim))
      return;
    Value x = widened(loc, op.getX());
    LinearLayout partial = layout.partiallyReduced(dim);
    auto type =
        withLayout(RankedTensorType::get(partial.shape(), tensorOf(x).getElementType()), partial);
    Value totals = tile::ReduceOp::create(b, loc, type, op.getKind(), x, dim, op.getRounding(),
                                          op.getFlush(), /*isUnsigned=*/false, Value());
    totals = gather(loc, totals, layout, dim);
    Value within = tile::ScanOp::create(b, loc, x.getType(), op.getKind(), x, dim, op.getBackward(),
                                        op.getRounding(), op.getFlush(), /*withinWarps=*/true);
    Value whole = tile::ScanCarryOp::create(b, loc, x.getType(), op.getKind(), within, totals, dim,
                                            op.getBackward(), op.getRounding(), op.getFlush());
    replace(op, narrowed(loc, whole, op.getType()));
  }

  // As a reduction or a scan, of n tiles at once.
  void lowerFold(tile::FoldOp op) {
    LinearLayout layout = toLinear(tensorOf(op.getX().front()));
    unsigned dim = op.getDim();
    if (op.getWithinWarps() || !layout.warpBitsAlong(dim))
      return;
    SmallVector<Value> totals = gatherAll(
        op.getLoc(),
        foldLike(op, op.getX(), layout.partiallyReduced(dim), /*scan=*/false).getResults(), layout,
        dim);
    if (op.getScan()) {
      auto within = foldLike(op, op.getX(), layout, /*scan=*/true);
      IRMapping map;
      auto carry = tile::FoldCarryOp::create(b, op.getLoc(), op.getResultTypes(),
                                             within.getResults(), totals, dim, op.getBackward());
      op.getCombine().cloneInto(&carry.getCombine(), map);
      op.replaceAllUsesWith(carry.getResults());
    } else {
      op.replaceAllUsesWith(foldLike(op, totals, toLinear(tensorOf(op.getResult(0))),
                                     /*scan=*/false)
                                .getResults());
    }
    op.erase();
  }

  // As gather, of several tiles; all are stored before any is loaded, between two barriers, unless
  // they exceed the limit together.
  SmallVector<Value> gatherAll(Location loc, ValueRange partials, const LinearLayout &layout,
                               unsigned dim) {
    const LinearLayout to = layout.gatheredPartials(dim);
    int64_t bytes = 0;
    for (Value partial : partials)
      bytes += tensorOf(partial).getNumElements() * bytesOf(tensorOf(partial).getElementType());
    SmallVector<Value> shared, gathered;
    for (Value partial : partials) {
      if (bytes > maxAtOnce) {
        gathered.push_back(gather(loc, partial, layout, dim));
        continue;
      }
      Swizzle swizzle = chooseSwizzle({toLinear(tensorOf(partial)), to},
                                      bytesOf(tensorOf(partial).getElementType()));
      shared.push_back(alloc(loc, withLayout(tensorOf(partial), to), swizzle));
      tile::SharedStoreOp::create(b, loc, partial, shared.back(), ValueRange());
    }
    for (auto [partial, buffer] : llvm::zip(partials, shared))
      gathered.push_back(tile::SharedLoadOp::create(b, loc, withLayout(tensorOf(partial), to),
                                                    buffer, ValueRange()));
    return gathered;
  }

  // The same combination of tiles; a reduction, or a scan within warps. Results have the layout.
  tile::FoldOp foldLike(tile::FoldOp op, ValueRange x, const LinearLayout &layout, bool scan) {
    SmallVector<Type> types;
    for (Type type : x.getTypes())
      types.push_back(
          withLayout(RankedTensorType::get(layout.shape(), tile::elementType(type)), layout));
    auto fold = tile::FoldOp::create(b, op.getLoc(), types, x, op.getDim(), op.getIdentitiesAttr(),
                                     scan, op.getBackward(), op.getCommutative(),
                                     /*withinWarps=*/scan, op.getInFloat());
    IRMapping map;
    op.getCombine().cloneInto(&fold.getCombine(), map);
    return fold;
  }

  // Combined partial results are rounded once: small floats are exchanged as f32.
  Value widened(Location loc, Value x) {
    Type element = tensorOf(x).getElementType();
    if (!element.isF16() && !element.isBF16())
      return x;
    return tile::CastOp::create(b, loc, tile::withElementType(x.getType(), b.getF32Type()), x,
                                tile::Rounding::nearest, false, false);
  }
  Value narrowed(Location loc, Value x, Type type) {
    if (x.getType() == type)
      return x;
    return tile::CastOp::create(b, loc, type, x, tile::Rounding::nearest, false, false);
  }

  void lowerExtract(tile::ExtractOp op) {
    Location loc = op.getLoc();
    // A constant part lies in registers of its own where the layouts were chosen for it.
    if (std::optional<IndexBits> part = constantPart(op)) {
      LinearLayout have = toLinear(tensorOf(op.getX())), want = toLinear(tensorOf(op.getResult()));
      if ((have.registerBits() & part->mask) == part->mask && have.part(part->mask) == want)
        return replace(
            op, tile::PartOp::create(b, loc, op.getType(), op.getX(), part->mask, part->value));
    }
    Value shared = alloc(loc, tensorOf(op.getX()));
    tile::SharedStoreOp::create(b, loc, op.getX(), shared, ValueRange());
    SmallVector<Value> starts = startsOf(loc, op.getIndex(), tensorOf(op.getResult()).getShape());
    replace(op, tile::SharedLoadOp::create(b, loc, tensorOf(op.getResult()), shared, starts));
  }

  SmallVector<Value> startsOf(Location loc, ValueRange indices, ArrayRef<int64_t> shape) {
    SmallVector<Value> starts;
    for (auto [i, extent] : llvm::zip(indices, shape))
      starts.push_back(b.createOrFold<arith::MulIOp>(loc, i, index(loc, extent)));
    return starts;
  }

  // Two tiles of one layout become one in registers, which may then have to be exchanged: two
  // elements of a thread that are neighbours in the result go through shared memory together.
  bool joinInRegisters(tile::CatOp op) {
    RankedTensorType type = tensorOf(op.getResult());
    const int64_t half = tensorOf(op.getX()).getDimSize(op.getDim());
    if (op.getX().getType() != op.getY().getType() || !llvm::isPowerOf2_64(half))
      return false;
    int64_t bit = half;
    for (int64_t extent : type.getShape().drop_front(op.getDim() + 1))
      bit *= extent;
    const RankedTensorType joined =
        withLayout(type, toLinear(tensorOf(op.getX())).wholeOf(type.getShape(), uint32_t(bit)));
    Value whole = tile::JoinOp::create(b, op.getLoc(), joined, op.getX(), op.getY(), bit);
    if (joined == type) {
      replace(op, whole);
      return true;
    }
    auto converted = tile::ConvertLayoutOp::create(b, op.getLoc(), type, whole);
    replace(op, converted);
    b.setInsertionPoint(converted); // the builder stood at what is gone
    lowerConversion(converted);
    return true;
  }

  void lowerCat(tile::CatOp op) {
    if (joinInRegisters(op))
      return;
    Location loc = op.getLoc();
    Value shared = alloc(loc, tensorOf(op.getResult()));
    SmallVector<Value> starts(tensorOf(op.getX()).getRank(), index(loc, 0));
    tile::SharedStoreOp::create(b, loc, op.getX(), shared, starts);
    starts[op.getDim()] = index(loc, tensorOf(op.getX()).getDimSize(op.getDim()));
    tile::SharedStoreOp::create(b, loc, op.getY(), shared, starts);
    replace(op, tile::SharedLoadOp::create(b, loc, tensorOf(op.getResult()), shared, ValueRange()));
  }

  void lowerInsert(tile::InsertOp op) {
    Location loc = op.getLoc();
    Value shared = alloc(loc, tensorOf(op.getX()));
    tile::SharedStoreOp::create(b, loc, op.getX(), shared, ValueRange());
    tile::SharedStoreOp::create(b, loc, op.getPart(), shared,
                                startsOf(loc, op.getIndex(), tensorOf(op.getPart()).getShape()));
    replace(op, tile::SharedLoadOp::create(b, loc, tensorOf(op.getResult()), shared, ValueRange()));
  }

  // Only owners receive the result of an atomic; threads that hold copies of its elements get them
  // from the owners.
  template <class Op> void shareResult(Op op) {
    if (op.getResult().use_empty() || isForFirstThread(op.getResult()) ||
        (isa<tile::BlockMemoryOp>(op) && isBlockMemoryInShared(op)))
      return;
    b.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    Value result = op.getResult();
    Operation *store = nullptr;
    Value shared, all;
    if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
      LinearLayout layout = toLinear(type);
      if (!llvm::is_contained(layout.lanes(), 0u) && !llvm::is_contained(layout.warps(), 0u))
        return;
      shared = alloc(loc, type);
      store = tile::SharedStoreOp::create(b, loc, result, shared, ValueRange());
      all = tile::SharedLoadOp::create(b, loc, type, shared, ValueRange());
    } else {
      auto one = RankedTensorType::get({1}, result.getType());
      one = withLayout(one, LinearLayout::blocked({1}, 1, configOf(op).getWarps()));
      store = tile::SplatOp::create(b, loc, one, result);
      shared = alloc(loc, one);
      tile::SharedStoreOp::create(b, loc, store->getResult(0), shared, ValueRange());
      Value loaded = tile::SharedLoadOp::create(b, loc, one, shared, ValueRange());
      all = tile::ScalarOp::create(b, loc, result.getType(), loaded);
    }
    result.replaceAllUsesExcept(all, store);
  }

  func::FuncOp kernel;
  OpBuilder b;
  int64_t maxAtOnce; // bytes of one conversion
};

struct LowerToShared : impl::LowerToSharedBase<LowerToShared> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    shareBlockMemory(kernel);
    SmallVector<Operation *> ops;
    kernel.walk([&](Operation *op) { ops.push_back(op); });
    Lowering lowering(kernel, OpBuilder(&getContext()), configOf(kernel).getExchangeBytes());
    for (Operation *op : ops)
      lowering.lower(op);
    kernel->setAttr(tile::sharedBytesAttr,
                    Builder(&getContext()).getI64IntegerAttr(groupExchanges(kernel)));
  }
};

} // namespace
} // namespace tessera::plan
