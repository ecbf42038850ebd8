// A row that exceeds the registers of 16 warps, alone or with what is read beside it, is computed
// in parts of its columns. What a reduction combines is known only after all parts: so the block
// goes over the row once for each reduction that depends on another one, and once more for its
// result. It reads the row again each time, from the L2 cache, where a row that was just read lies:
//
//   %x = view_load [0]; %m = reduce max %x; %s = reduce sum (exp (%x - %m)); view_store ... [0]
// becomes
//   for %part { %x = view_load [%part * 16384]; %largest = max %largest, %x }; %m = reduce max %largest
//   for %part { %x = view_load [%part * 16384]; %sums = add %sums, exp (%x - %m) }; %s = reduce sum %sums
//   for %part { %x = view_load [%part * 16384]; ...; view_store [%part * 16384] }
//
// A reduction adds part by part, element by element, and then the elements of one part: another
// order than that of the whole row, as its layout decides the order anyway.
//
// Nothing but reductions may combine columns, the tiles must be in one block of ops, and what is
// written must be other memory than what is read.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/tiling/DividedTiles.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITCOLUMNS
#include "plan/Passes.h.inc"

namespace {

// Elements of a part: 32 for each thread of 16 warps; and of rows that stay whole: 64, for which
// registers have room. bf16 on an H200, GB/s of softmax whole and in parts: rows of 32768 elements
// 2671 and 1869, of 65536 1569 and 1934, of 131072 142 and 1860
// (bench/results/2026-11-29-tall-rows-h200.txt).
constexpr int64_t elementsOfPart = 16384, elementsOfRow = 32768;
// Bytes that a block may read into its tiles: 80 of a thread's 128 registers, the rest is for what
// is computed. A row that needs several arrays exceeds them earlier than softmax: layer_norm of
// 32768 bf16, with weight and bias, spills 1,300 to 1,700 bytes of a thread when it stays whole,
// and of float 11,700. bf16 on an H200, GB/s of TileGym's persistent layer_norm: rows of 32768
// elements whole 2653, of 65536 in parts 3037 (in the same file).
constexpr int64_t bytesOfRows = int64_t(160) * 1024;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Of a reduction, the operation on two elements; none where it has no such.
std::optional<tile::BinaryKind> pairwise(tile::ReduceKind kind) {
  if (kind == tile::ReduceKind::sum)
    return tile::BinaryKind::add;
  if (kind == tile::ReduceKind::prod)
    return tile::BinaryKind::mul;
  return tile::symbolizeBinaryKind(tile::stringifyReduceKind(kind));
}

// The number with which a reduction gives the other one, or null. Of max and min, which ignore a
// NaN beside a number, it is NaN; of a sum the zero that changes no sign.
TypedAttr neutralOf(tile::ReduceOp reduce) {
  Type element = tile::elementType(reduce.getX().getType());
  const tile::ReduceKind kind = reduce.getKind();
  using Kind = tile::ReduceKind;
  if (auto type = dyn_cast<FloatType>(element)) {
    if (!type.isF32() && !type.isF64() && !type.isF16() && !type.isBF16())
      return {};
    const llvm::fltSemantics &of = type.getFloatSemantics();
    switch (kind) {
    case Kind::sum: return FloatAttr::get(type, APFloat::getZero(of, /*Negative=*/true));
    case Kind::prod: return FloatAttr::get(type, APFloat(of, 1));
    case Kind::max:
    case Kind::min: return FloatAttr::get(type, APFloat::getQNaN(of));
    case Kind::max_nan: return FloatAttr::get(type, APFloat::getInf(of, /*Negative=*/true));
    case Kind::min_nan: return FloatAttr::get(type, APFloat::getInf(of));
    default: return {};
    }
  }
  auto type = dyn_cast<IntegerType>(element);
  if (!type || type.getWidth() == 1)
    return {};
  const unsigned bits = type.getWidth();
  const bool isUnsigned = reduce.getIsUnsigned();
  switch (kind) {
  case Kind::sum:
  case Kind::bit_or:
  case Kind::bit_xor: return IntegerAttr::get(type, APInt::getZero(bits));
  case Kind::prod: return IntegerAttr::get(type, APInt(bits, 1));
  case Kind::bit_and: return IntegerAttr::get(type, APInt::getAllOnes(bits));
  case Kind::max:
    return IntegerAttr::get(type,
                            isUnsigned ? APInt::getZero(bits) : APInt::getSignedMinValue(bits));
  case Kind::min:
    return IntegerAttr::get(type,
                            isUnsigned ? APInt::getMaxValue(bits) : APInt::getSignedMaxValue(bits));
  default: return {};
  }
}

class ColumnDivision {
public:
  explicit ColumnDivision(func::FuncOp kernel) : kernel(kernel) {}

  bool find() {
    if (!chooseColumns() || !collectSinks() || !areTilesDivisible())
      return false;
    findLevels();
    return isMemoryApart();
  }

  void rewrite() {
    SmallVector<Operation *> ops;
    for (Operation &op : block->without_terminator())
      ops.push_back(&op);
    Operation *end = block->getTerminator();
    for (int64_t level = 0; level <= last; ++level) {
      for (Operation *op : ops)
        if (!isWideOp(op) && levels.lookup(op) == level)
          op->moveBefore(end);
      goOver(level, end);
    }
    for (Operation *op : llvm::reverse(ops))
      if (isWideOp(op) && !isOneValueOp(op))
        op->erase();
    eraseDead(kernel);
  }

private:
  // The longest reduction, if the tiles that are reduced have too many elements, or what is read of
  // its rows too many bytes. Nothing that has no more columns than a part.
  bool chooseColumns() {
    bool multiplies = false;
    int64_t elements = 0;
    kernel.walk([&](Operation *op) {
      multiplies |= isa<tile::MmaOp>(op);
      if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        const RankedTensorType type = typeOf(reduce.getX());
        columns = std::max(columns, type.getDimSize(reduce.getDim()));
        elements = std::max(elements, type.getNumElements());
      }
    });
    return !multiplies && columns > elementsOfPart &&
           (elements > elementsOfRow || bytesRead() > bytesOfRows);
  }

  // By the tiles that have the columns; the arrays of one row are read once for all rows.
  int64_t bytesRead() {
    int64_t bytes = 0;
    kernel.walk([&](Operation *op) {
      if (isa<tile::ViewLoadOp, tile::LoadOp>(op) && isWide(op->getResult(0)))
        bytes += typeOf(op->getResult(0)).getNumElements() *
                 bytesOf(typeOf(op->getResult(0)).getElementType());
    });
    return bytes;
  }

  // The dimension of the columns of a tile that has them; else its rank.
  unsigned columnDim(RankedTensorType type) const {
    return unsigned(llvm::find(type.getShape(), columns) - type.getShape().begin());
  }
  std::optional<unsigned> dimOf(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    const unsigned dim = type ? columnDim(type) : 0;
    return type && dim < type.getRank() ? std::optional(dim) : std::nullopt;
  }
  bool isWide(Value value) const { return dimOf(value).has_value(); }
  bool isWideOp(Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](Value v) { return isWide(v); }) ||
           llvm::any_of(op->getResults(), [&](Value v) { return isWide(v); });
  }
  static bool isOneValueOp(Operation *op) {
    return op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
           isOfOneValue(op->getResult(0));
  }

  bool isSink(Operation *op) const {
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      return dimOf(reduce.getX()) == unsigned(reduce.getDim());
    return isa<tile::ViewStoreOp, tile::StoreOp>(op);
  }

  // What is reduced or stored; all in one block.
  bool collectSinks() {
    kernel.walk([&](Operation *op) {
      if (isWideOp(op) && isSink(op))
        sinks.push_back(op);
    });
    block = sinks.front()->getBlock();
    return llvm::all_of(sinks, [&](Operation *sink) { return sink->getBlock() == block; });
  }

  bool areTilesDivisible() {
    return !kernel
                .walk([&](Operation *op) {
                  return !isWideOp(op) || isDivisible(op) ? WalkResult::advance()
                                                          : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  bool isDivisible(Operation *op) const {
    for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
      if (auto type = dyn_cast<RankedTensorType>(value.getType());
          type && llvm::count(type.getShape(), columns) > 1)
        return false;
    if (isOneValueOp(op))
      return true;
    if (llvm::any_of(op->getOperands(), [](Value v) {
          return isa<BlockArgument>(v) && isa<RankedTensorType>(v.getType());
        }))
      return false;
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](tile::ReduceOp reduce) {
          if (!isSink(op))
            return !reduce.getIndices() && isWide(reduce.getResult());
          return !reduce.getIndices() && typeOf(reduce).getDimSize(reduce.getDim()) == 1 &&
                 pairwise(reduce.getKind()) && neutralOf(reduce);
        })
        .Case([&](tile::BroadcastOp broadcast) {
          return isWide(broadcast.getX()) ||
                 typeOf(broadcast.getX()).getDimSize(columnDim(typeOf(broadcast))) == 1;
        })
        .Case([&](tile::ReshapeOp reshape) {
          return isWide(reshape.getX()) && isWide(reshape.getResult()) &&
                 reshaped(typeOf(reshape.getX()), columnDim(typeOf(reshape.getX())),
                          typeOf(reshape)) == dimOf(reshape.getResult());
        })
        .Case([&](tile::IotaOp iota) { return typeOf(iota).getNumElements() == columns; })
        .Case<tile::ViewLoadOp, tile::ViewStoreOp, tile::PermuteOp>([](auto) { return true; })
        .Case<tile::LoadOp, tile::StoreOp>([&](Operation *access) { return haveOneShape(access); })
        .Default([&](Operation *other) { return isElementwise(other) && haveOneShape(other); });
  }

  // Have all tiles of the op the columns?
  bool haveOneShape(Operation *op) const {
    return llvm::all_of(llvm::concat<Value>(op->getOperands(), op->getResults()), [&](Value value) {
      return !isa<RankedTensorType>(value.getType()) || isWide(value);
    });
  }

  // Phases read again what the block has read, and write in another order.
  bool isMemoryApart() {
    std::optional<GlobalAccesses> accesses = globalAccessesOf(kernel);
    if (!accesses || isOrderSeen(kernel))
      return false;
    auto areApart = [](Operation *x, Operation *y) {
      return !mayAlias(baseOf(addressOf(x)), baseOf(addressOf(y)));
    };
    return llvm::all_of(llvm::enumerate(accesses->writes), [&](auto write) {
      return llvm::all_of(accesses->reads,
                          [&](Operation *read) { return areApart(write.value(), read); }) &&
             llvm::all_of(
                 ArrayRef(accesses->writes).drop_front(write.index() + 1), [&](Operation *later) {
                   return areApart(write.value(), later) || staysBefore(write.value(), later);
                 });
    });
  }

  // Of two writes of the block: those of small tiles go in the order of their levels.
  bool staysBefore(Operation *earlier, Operation *later) const {
    return earlier->getBlock() == block && later->getBlock() == block && !isWideOp(earlier) &&
           !isWideOp(later) && levels.lookup(earlier) <= levels.lookup(later);
  }

  // How many reductions of the row, one after the other, an op depends on.
  void findLevels() {
    for (Operation &op : *block) {
      int64_t level = 0;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *from = operand.getDefiningOp())
            if (Operation *here = block->findAncestorOpInBlock(*from); here && here != &op)
              level = std::max(level, levels.lookup(here) + isReduction(here));
      });
      levels[&op] = level;
      last = std::max(last, level);
    }
  }
  bool isReduction(Operation *op) const {
    return isa<tile::ReduceOp>(op) && isWideOp(op) && isSink(op);
  }

  RankedTensorType partOf(Value tile) const {
    SmallVector<int64_t> shape(typeOf(tile).getShape());
    shape[columnDim(typeOf(tile))] = elementsOfPart;
    return RankedTensorType::get(shape, typeOf(tile).getElementType());
  }

  // A loop over the parts of what is reduced or stored at a level.
  void goOver(int64_t level, Operation *end) {
    SmallVector<std::pair<tile::ReduceOp, tile::BinaryKind>> reductions;
    SmallVector<Operation *> stores;
    for (Operation *sink : sinks) {
      if (levels.lookup(sink) != level)
        continue;
      auto reduce = dyn_cast<tile::ReduceOp>(sink);
      std::optional<tile::BinaryKind> kind = reduce ? pairwise(reduce.getKind()) : std::nullopt;
      if (kind)
        reductions.emplace_back(reduce, *kind);
      else
        stores.push_back(sink);
    }
    if (reductions.empty() && stores.empty())
      return;
    OpBuilder b(end);
    Location loc = stores.empty() ? reductions.front().first.getLoc() : stores.front()->getLoc();
    auto number = [&](int64_t n) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
    };
    SmallVector<Value> inits;
    for (auto [reduce, kind] : reductions)
      inits.push_back(tile::SplatOp::create(
          b, reduce.getLoc(), partOf(reduce.getX()),
          arith::ConstantOp::create(b, reduce.getLoc(), neutralOf(reduce)).getResult()));
    auto loop =
        scf::ForOp::create(b, loc, number(0), number(columns), number(elementsOfPart), inits);
    Value first = loop.getInductionVar();
    first.setLoc(NameLoc::get(b.getStringAttr("first_column"), loc));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      llvm::DenseMap<Value, Value> parts;
      SmallVector<Value> sums;
      for (auto [reduction, sum] : llvm::zip_equal(reductions, loop.getRegionIterArgs())) {
        auto [reduce, kind] = reduction;
        sums.push_back(tile::BinaryOp::create(
            b, reduce.getLoc(), kind, sum, part(b, reduce.getX(), first, parts),
            reduce.getRounding(), reduce.getFlush(), reduce.getIsUnsigned()));
      }
      for (Operation *store : stores)
        clone(b, store, first, parts);
      if (!inits.empty())
        scf::YieldOp::create(b, loc, sums);
    }
    for (auto [reduction, sum] : llvm::zip_equal(reductions, loop.getResults())) {
      tile::ReduceOp reduce = reduction.first;
      auto whole = cast<tile::ReduceOp>(b.clone(*reduce));
      whole.getXMutable().assign(sum);
      reduce.getResult().replaceAllUsesWith(whole.getResult());
    }
  }

  // The part of a value from `first` on.
  Value part(OpBuilder &b, Value value, Value first, llvm::DenseMap<Value, Value> &parts) {
    if (!isWide(value))
      return value;
    if (Value known = parts.lookup(value))
      return known;
    Value result = isOfOneValue(value)
                       ? oneValueAs(b, value, partOf(value), IRMapping())
                       : clone(b, value.getDefiningOp(), first, parts)->getResult(0);
    return parts[value] = result;
  }

  Operation *clone(OpBuilder &b, Operation *op, Value first, llvm::DenseMap<Value, Value> &parts) {
    SmallVector<Value> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return part(b, operand, first, parts); });
    Operation *copy = b.clone(*op);
    copy->setOperands(operands);
    for (auto [result, own] : llvm::zip_equal(op->getResults(), copy->getResults()))
      if (isWide(result))
        own.setType(partOf(result));
    OpBuilder before(copy);
    if (auto load = dyn_cast<tile::ViewLoadOp>(copy))
      startLater(before, load.getStartsMutable()[columnDim(typeOf(op->getResult(0)))], first);
    else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      startLater(
          before,
          cast<tile::ViewStoreOp>(copy).getStartsMutable()[columnDim(typeOf(store.getValue()))],
          first);
    else if (auto iota = dyn_cast<tile::IotaOp>(copy))
      return iotaFrom(b, iota, first).getDefiningOp();
    return copy;
  }

  func::FuncOp kernel;
  int64_t columns = 0;
  Block *block = nullptr;
  SmallVector<Operation *> sinks;
  llvm::DenseMap<Operation *, int64_t> levels;
  int64_t last = 0;
};

struct SplitColumns : impl::SplitColumnsBase<SplitColumns> {
  void runOnOperation() override {
    if (ColumnDivision division(getOperation()); division.find())
      division.rewrite();
  }
};

} // namespace
} // namespace tessera::plan
