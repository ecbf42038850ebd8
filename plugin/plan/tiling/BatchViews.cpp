// One matrix of a batch is often a view whose base moves with the block. In a kernel that runs only
// where launches can make its tensor maps, it becomes a box of the whole batch, which a launch
// knows:
//
//   %q = getelementptr %p[%head * %stride]
//   view_load %q extents(%m, %k) strides(%k, 1) starts(%i, 0) : tensor<64x32>
// becomes
//   reshape (view_load %p extents(%heads, %m, %k) strides(%stride, %k, 1) starts(%head, %i, 0) :
//            tensor<1x64x32>)
//
// So does each term of a sum, as `batch * stride + head * other`. An index is a block's, or numbers
// the blocks along several axes, or is known not to be negative: a bulk copy takes coordinates for
// signed ones, and reads nothing below 0. What it is multiplied with must be known to the launch,
// and a whole number of elements.
#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "target/Limits.h"
#include "tile/Attributes.h"

#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_BATCHVIEWS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t maxIndex = std::numeric_limits<int32_t>::max();

// A number that the launch knows, of 32 or 64 bits.
struct Multiplier {
  Value value;
  bool isSigned;
};

// A term of an offset: an index of 32 bits, times multipliers, and a number of bytes.
struct Term {
  Value index; // null: the launch knows all of it
  SmallVector<Multiplier, 2> multipliers;
  int64_t bytes;
};

bool isOfIndex(const Term &term) { return bool(term.index); }

// A base that the launch knows, and what moves it.
struct MovedBase {
  Value base;
  SmallVector<Term, 3> terms;
  Operation *sum = nullptr; // behind all of their values
};

// What a pointer is without what is assumed of it.
Value withoutAssumptions(Value pointer) {
  while (auto assumed = pointer.getDefiningOp<tile::AssumeOp>())
    pointer = assumed.getX();
  return pointer;
}

// The axes along which an index numbers the blocks, x alone or z * grid.y + y for example; none if
// it is another number.
SmallVector<int64_t, 3> axesOf(Value index) {
  if (auto block = index.getDefiningOp<tile::BlockIndexOp>())
    return {int64_t(block.getAxis())};
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  auto product = sum.getLhs().getDefiningOp<arith::MulIOp>();
  auto inner = sum.getRhs().getDefiningOp<tile::BlockIndexOp>();
  if (!product || !inner) {
    product = sum.getRhs().getDefiningOp<arith::MulIOp>();
    inner = sum.getLhs().getDefiningOp<tile::BlockIndexOp>();
  }
  if (!product || !inner)
    return {};
  Value outer = product.getLhs();
  auto size = product.getRhs().getDefiningOp<tile::GridSizeOp>();
  if (!size) {
    outer = product.getRhs();
    size = product.getLhs().getDefiningOp<tile::GridSizeOp>();
  }
  if (!size || size.getAxis() != inner.getAxis())
    return {};
  SmallVector<int64_t, 3> axes = axesOf(outer);
  if (axes.empty() || llvm::is_contained(axes, int64_t(inner.getAxis())))
    return {};
  axes.push_back(int64_t(inner.getAxis()));
  return axes;
}

// May a 32-bit operation be done in 64 bits, on operands widened in this way? If it does not wrap.
bool isExact(Operation *op, bool isSigned) {
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return isSigned ? flags.hasNoSignedWrap() : flags.hasNoUnsignedWrap();
}

// Adds the terms of an offset, which is multiplied with the multipliers and in steps of `bytes`. A
// value of 32 bits has been widened.
bool addTerms(MovedBase &moved, Value offset, SmallVector<Multiplier, 2> multipliers, int64_t bytes,
              bool isSigned = true) {
  const bool isWide = offset.getType().isInteger(64);
  if (!isWide && !offset.getType().isInteger(32))
    return false;
  auto isExpandable = [&](Operation *op) { return isWide || isExact(op, isSigned); };
  auto multiply = [&](Value by) {
    if (std::optional<int64_t> number = getConstantIntValue(by))
      bytes *= isWide || isSigned ? *number : int64_t(uint32_t(*number));
    else
      multipliers.push_back({by, isSigned});
  };
  if (isKnownToHost(offset)) {
    multiply(offset);
    moved.terms.push_back({Value(), multipliers, bytes});
    return true;
  }
  Operation *op = offset.getDefiningOp();
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op);
      sum && isExpandable(sum) && axesOf(offset).empty())
    return addTerms(moved, sum.getLhs(), multipliers, bytes, isSigned) &&
           addTerms(moved, sum.getRhs(), multipliers, bytes, isSigned);
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op); product && isExpandable(product)) {
    Value x = product.getLhs(), y = product.getRhs();
    if (!isKnownToHost(y))
      std::swap(x, y);
    if (isKnownToHost(y)) {
      multiply(y);
      return addTerms(moved, x, multipliers, bytes, isSigned);
    }
  }
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op))
    return addTerms(moved, op->getOperand(0), multipliers, bytes, isa<arith::ExtSIOp>(op));
  if (isWide || bytes <= 0)
    return false;
  moved.terms.push_back({offset, multipliers, bytes});
  return true;
}

std::optional<MovedBase> movedBaseOf(Value pointer) {
  MovedBase moved;
  while (!isKnownToHost(pointer)) {
    auto sum = withoutAssumptions(pointer).getDefiningOp<LLVM::GEPOp>();
    if (!sum || sum.getIndices().size() != 1 || sum.getDynamicIndices().size() != 1 ||
        !sum.getDynamicIndices().front().getType().isInteger(64) ||
        !sum.getElemType().isIntOrFloat() ||
        !addTerms(moved, sum.getDynamicIndices().front(), {}, bytesOf(sum.getElemType())))
      return std::nullopt;
    if (!moved.sum)
      moved.sum = sum;
    pointer = sum.getBase();
  }
  moved.base = pointer;
  return moved;
}

class Rewriter {
public:
  explicit Rewriter(func::FuncOp kernel) : kernel(kernel) {}

  void run() {
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        rewrite(load, load.getResult());
      else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
        rewrite(store, store.getValue());
    });
  }

private:
  template <class Op> void rewrite(Op op, Value tile) {
    const int64_t rank = op.getStarts().size();
    if (rank < 2 || isKnownToHost(op.getBase()))
      return;
    const int64_t bytes = bytesOf(tile::elementType(tile.getType()));
    std::optional<MovedBase> moved = movedBaseOf(op.getBase());
    if (!moved || rank + llvm::count_if(moved->terms, isOfIndex) > maxDimensions ||
        llvm::any_of(moved->terms,
                     [&](const Term &term) { return isOfIndex(term) && term.bytes % bytes; }))
      return;
    Location loc = op.getLoc();
    OpBuilder b(op), before(moved->sum);
    Value base = moved->base;
    SmallVector<Value> extents, strides, starts;
    SmallVector<int64_t> staticStrides;
    for (const Term &term : moved->terms) {
      if (!isOfIndex(term)) {
        base = LLVM::GEPOp::create(before, loc, base.getType(), before.getI8Type(), base,
                                   productOf(before, loc, term.multipliers, term.bytes));
        continue;
      }
      std::optional<Value> extent = extentOf(term.index);
      if (!extent)
        return;
      const int64_t elements = term.bytes / bytes;
      extents.push_back(*extent);
      strides.push_back(productOf(before, loc, term.multipliers, elements));
      starts.push_back(term.index);
      staticStrides.push_back(term.multipliers.empty() ? elements : -1);
    }
    SmallVector<int64_t> staticExtents(extents.size(), -1), shape(extents.size(), 1);
    auto type = cast<RankedTensorType>(tile.getType());
    llvm::append_range(extents, op.getExtents());
    llvm::append_range(strides, op.getStrides());
    llvm::append_range(starts, op.getStarts());
    llvm::append_range(staticExtents, op.getStaticExtents());
    llvm::append_range(staticStrides, op.getStaticStrides());
    llvm::append_range(shape, type.getShape());
    auto box = RankedTensorType::get(shape, type.getElementType());
    if constexpr (std::is_same_v<Op, tile::ViewLoadOp>) {
      auto load = tile::ViewLoadOp::create(b, loc, box, base, extents, strides, starts,
                                           staticExtents, staticStrides, op.getPadding(),
                                           tile::AccessAttr(), op.getWaitsAttr());
      tile.replaceAllUsesWith(tile::ReshapeOp::create(b, loc, type, load));
    } else {
      Value reshaped = tile::ReshapeOp::create(b, loc, box, tile);
      tile::ViewStoreOp::create(b, loc, reshaped, base, extents, strides, starts, staticExtents,
                                staticStrides, tile::AccessAttr());
    }
    op.erase();
  }

  // How many matrices there are at most; nothing where an index may be negative.
  std::optional<Value> extentOf(Value index) {
    OpBuilder b(&kernel.getBody().front(), kernel.getBody().front().begin());
    Location loc = index.getLoc();
    SmallVector<int64_t, 3> axes = axesOf(index);
    // The number of all blocks fits an int, which counts the work tiles, if each does one of them.
    const bool isOneBlock =
        llvm::all_of(kernel->getAttrOfType<DenseI64ArrayAttr>(tile::coarseningAttr).asArrayRef(),
                     [](int64_t blocks) { return blocks == 1; });
    if (axes.empty() || (axes.size() > 1 && !isOneBlock)) {
      if (rangeOf(index).low < 0)
        return std::nullopt;
      return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(maxIndex)).getResult();
    }
    Value extent;
    for (int64_t axis : axes) {
      Value size = tile::GridSizeOp::create(b, loc, b.getI32Type(), axis);
      extent = extent ? arith::MulIOp::create(b, loc, extent, size).getResult() : size;
    }
    return extent;
  }

  static Value productOf(OpBuilder &b, Location loc, ArrayRef<Multiplier> multipliers,
                         int64_t number) {
    Type i64 = b.getI64Type();
    Value product = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(number));
    for (const Multiplier &multiplier : llvm::reverse(multipliers)) {
      Value value = multiplier.value;
      if (!value.getType().isInteger(64))
        value = multiplier.isSigned ? arith::ExtSIOp::create(b, loc, i64, value).getResult()
                                    : arith::ExtUIOp::create(b, loc, i64, value).getResult();
      product = arith::MulIOp::create(b, loc, value, product);
    }
    return product;
  }

  func::FuncOp kernel;
};

struct BatchViews : impl::BatchViewsBase<BatchViews> {
  void runOnOperation() override {
    // Where a program numbers its tiles itself, a block's index has nothing to do with the grid.
    llvm::StringSet<> listed;
    getOperation().walk([&](func::FuncOp list) {
      if (auto of = list->getAttrOfType<StringAttr>(tile::tilesOfAttr))
        listed.insert(of.getValue());
    });
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernel->hasAttr(tile::coarsenedFromAttr) && !listed.contains(kernel.getName()) &&
          hasBulkRings(kernel))
        Rewriter(kernel).run();
  }
};

} // namespace
} // namespace tessera::plan
