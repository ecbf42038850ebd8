// Tiles have powers of two as extents, rows seldom: of a tile of 8192 columns the last three of
// eight warps may hold padding alone. The host knows the columns at a launch, and starts the warps
// that have some:
//
//   %x = view_load %p extents(%m, %n) : tensor<1x8192xf32, <[1, 2, 1024, ...], [4, ...], [128, ...]>>
//   %m = reduce max %x : ... -> tensor<1x8xf32>;  shared_store %m, %s
//   %all = shared_load %s;  %r = reduce max %all
// becomes
//   %w = launched_warps %n by 1024
//   %x = view_load %p extents(%m, %n) : tensor<1x8192xf32, <[1, 2, 128, ...], [4, ...], [1024, ...]>>
//   %m = reduce max %x : ... -> tensor<1x8xf32>;  shared_store %m, %s first %w else -inf
//   %all = shared_load %s;  %r = reduce max %all
//
// Each warp gets a run of the row for that. What a warp that is not there would have added to a
// reduction is known (RowPadding.h): nothing, or the padding. Other blocks have its registers.
//
// A kernel's warps are all it has: everything that is spread over them must be such rows, which
// begin at their first column, or what they exchange. Arrays of other lengths may be among them: no
// row ends behind the longest. Its images are launched by others, with all warps.
//
// On an H200 softmax of 4097 floats in a tile of 8192 had 3285 GB/s with eight warps and 4034 with
// five, its gradient of bf16 2138 and 3408 (bench/results/2026-11-30-trimmed-warps-h200.txt).
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/RowPadding.h"
#include "plan/analysis/TileClosure.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_TRIMWARPS
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// Do warps hold different elements of it?
bool isSpread(Value tile) {
  return llvm::any_of(toLinear(typeOf(tile)).warps(), [](uint32_t base) { return base != 0; });
}

bool isAlongRows(tile::ReduceOp reduce) {
  return int64_t(reduce.getDim()) == typeOf(reduce.getX()).getRank() - 1;
}

// Tiles of rows that are computed from each other.
class Rows final : public TileClosure {
public:
  explicit Rows(int64_t columns) : columns(columns) {}

  // False if they cannot have runs of warps.
  bool followFrom(Value tile) { return add(tile) && follow(); }
  ArrayRef<Value> all() const { return tiles.getArrayRef(); }
  ArrayRef<Operation *> views() const { return accesses.getArrayRef(); }

private:
  bool add(Value tile) override {
    ArrayRef<int64_t> shape = typeOf(tile).getShape();
    if (shape.empty() || shape.back() != columns || !toLinear(typeOf(tile)).withRunsOfWarps())
      return false;
    tiles.insert(tile);
    return true;
  }

  bool addChosen(scf::IfOp branch, unsigned result) {
    return addAll({branch.getResult(result), branch.thenYield().getOperand(result),
                   branch.elseYield().getOperand(result)});
  }

  bool followMaker(Operation *maker, Value tile) override {
    return llvm::TypeSwitch<Operation *, bool>(maker)
        .Case<tile::SplatOp, tile::IotaOp>([](auto) { return true; })
        .Case(
            [](arith::ConstantOp constant) { return isa<DenseElementsAttr>(constant.getValue()); })
        .Case([&](tile::ReduceOp reduce) { return !isAlongRows(reduce) && add(reduce.getX()); })
        .Case([&](scf::IfOp branch) {
          return addChosen(branch, cast<OpResult>(tile).getResultNumber());
        })
        .Case<tile::ReshapeOp, tile::ConvertLayoutOp>([](auto) { return false; })
        .Default([&](Operation *) { return TileClosure::followMaker(maker, tile); });
  }

  bool followUser(OpOperand &use) override {
    Operation *user = use.getOwner();
    if (auto reduce = dyn_cast<tile::ReduceOp>(user))
      return !reduce.getIndices() && (isAlongRows(reduce) || add(reduce.getResult()));
    if (isa<tile::ReshapeOp, tile::ConvertLayoutOp>(user))
      return false;
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp()); branch && isa<scf::YieldOp>(user))
      return addChosen(branch, use.getOperandNumber());
    return TileClosure::followUser(use);
  }

  int64_t columns;
};

// What the warps exchange of a reduction along rows.
struct Exchange {
  tile::SharedStoreOp store;
  TypedAttr ofPadding; // what a warp that holds padding alone would have put there
};

// A kernel whose warps are spread along rows, and nothing else.
class TrimmedKernel {
public:
  explicit TrimmedKernel(func::FuncOp kernel) : kernel(kernel), warps(computingWarps(kernel)) {}

  // Are those of the last columns not needed?
  bool canTrim() {
    return warps > 1 && warps == threadsOf(kernel) / warpSize && findRows() && knowsAll() &&
           !exchanges.empty() && llvm::all_of(ends, isKnownToHost) && mayEndEarly();
  }

  void trim() {
    OpBuilder b = atStart();
    Value count = tile::LaunchedWarpsOp::create(
        b, NameLoc::get(b.getStringAttr("active_warps"), kernel.getLoc()), b.getI32Type(),
        lastEnd(b), perWarp(), asked.getArrayRef(), multiple);
    for (Value tile : tiles) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the closure takes no others
      setLayout(tile, *toLinear(typeOf(tile)).withRunsOfWarps());
    }
    for (const Exchange &exchange : exchanges) {
      tile::SharedStoreOp store = exchange.store;
      store.getCountMutable().assign(count);
      store.setPaddingAttr(exchange.ofPadding);
    }
  }

private:
  static constexpr int64_t warpSize = 32;

  int64_t perWarp() const { return width / warps; }

  // All rows that are read and written, and where they end.
  bool findRows() {
    const WalkResult walked = kernel.walk([&](Operation *op) {
      std::optional<Box> box = boxOf(op);
      auto load = dyn_cast<tile::ViewLoadOp>(op);
      auto store = dyn_cast<tile::ViewStoreOp>(op);
      if (!box || (!load && !store))
        return WalkResult::advance();
      Value tile = load ? load.getResult() : store.getValue();
      if (!isSpread(tile) || tiles.contains(tile))
        return WalkResult::advance();
      if (!width)
        width = typeOf(tile).getShape().back();
      Rows rows(width);
      if (!rows.followFrom(tile) || !llvm::all_of(rows.views(), [&](Operation *view) {
            return endsWithColumns(view) && knowsShift(view);
          }))
        return WalkResult::interrupt();
      tiles.insert(rows.all().begin(), rows.all().end());
      return WalkResult::advance();
    });
    return !walked.wasInterrupted() && width >= warps;
  }

  // Does the box begin with the first column, and is what is behind the last one left out?
  bool endsWithColumns(Operation *op) {
    const Box box = *boxOf(op); // NOLINT(bugprone-unchecked-optional-access)
    const int64_t last = int64_t(box.shape.size()) - 1;
    if (!box.access || box.access.getAlong() != last ||
        box.access.getBounds().back() != tile::Bounds::checked ||
        constantOf(box.starts.back()) != 0 || box.shape.back() != width)
      return false;
    ends.insert(lengthBehind(box.extents.back()));
    return true;
  }

  // By how much rows may be rotated, and what says that they are not.
  bool knowsShift(Operation *op) {
    Value shift = isa<tile::ViewLoadOp>(op) ? cast<tile::ViewLoadOp>(op).getShift()
                                            : cast<tile::ViewStoreOp>(op).getShift();
    if (!shift)
      return true;
    while (shift) {
      auto row = shift.getDefiningOp<tile::RowShiftOp>();
      if (!row || !isKnownToHost(row.getBase()) || !llvm::all_of(row.getStrides(), isKnownToHost))
        return false;
      multiple = std::max<int64_t>(multiple, int64_t(row.getMultiple()));
      asked.insert(row.getBase());
      asked.insert(row.getStrides().begin(), std::prev(row.getStrides().end()));
      shift = row.getLike();
    }
    return true;
  }

  // Is nothing else spread over warps, and no warp needed for what it does besides?
  bool knowsAll() {
    const WalkResult walked = kernel.walk([&](Operation *op) {
      const bool isKnown =
          llvm::TypeSwitch<Operation *, bool>(op)
              .Case([&](tile::SharedStoreOp store) { return isPartial(store.getValue()); })
              .Case([&](tile::SharedLoadOp load) { return addExchange(load); })
              .Case([&](tile::ReduceOp reduce) {
                return !tiles.contains(reduce.getX()) || !isAlongRows(reduce) ||
                       isExchanged(reduce) || !isSpread(reduce.getResult());
              })
              .Case<func::FuncOp, func::ReturnOp, scf::IfOp, scf::ForOp, scf::YieldOp,
                    tile::ViewLoadOp, tile::ViewStoreOp, tile::SplatOp, tile::IotaOp,
                    tile::ScalarOp, tile::BroadcastOp, tile::ReshapeOp, tile::SharedAllocOp,
                    tile::AllowsChunksOp, tile::RowShiftOp, tile::BlockIndexOp, tile::GridSizeOp,
                    tile::FieldOp, tile::AssumeOp, LLVM::GEPOp, ub::PoisonOp>(
                  [](auto) { return true; })
              .Default([](Operation *other) {
                return isElementwise(other) || isa<arith::ArithDialect>(other->getDialect());
              });
      return isKnown && llvm::all_of(op->getResults(), [&](Value result) { return isOurs(result); })
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return !walked.wasInterrupted();
  }

  bool isOurs(Value value) {
    return !isTile(value) || !isSpread(value) || tiles.contains(value) || isPartial(value);
  }

  // What each warp has of a reduction of rows.
  bool isPartial(Value value) {
    auto reduce = value.getDefiningOp<tile::ReduceOp>();
    return reduce && tiles.contains(reduce.getX()) && isAlongRows(reduce) && isExchanged(reduce);
  }
  bool isExchanged(tile::ReduceOp reduce) const {
    return typeOf(reduce.getResult()).getShape().back() == warps && reduce->hasOneUse() &&
           isa<tile::SharedStoreOp>(*reduce->user_begin());
  }

  // Loads of all partial results that one store wrote, which the same reduction combines.
  bool addExchange(tile::SharedLoadOp load) {
    tile::SharedStoreOp store;
    for (Operation *user : load.getShared().getUsers()) {
      if (user == load.getOperation())
        continue;
      auto other = dyn_cast<tile::SharedStoreOp>(user);
      if (!other || store || !other.getStarts().empty() || !isPartial(other.getValue()))
        return false;
      store = other;
    }
    if (!store || !load.getStarts().empty() ||
        !load.getShared().getDefiningOp<tile::SharedAllocOp>() ||
        typeOf(load.getResult()).getShape().back() != warps || isSpread(load.getResult()))
      return false;
    auto partial = store.getValue().getDefiningOp<tile::ReduceOp>();
    for (Operation *user : load->getUsers()) {
      auto reduce = dyn_cast<tile::ReduceOp>(user);
      if (!reduce || reduce.getKind() != partial.getKind() || !isAlongRows(reduce))
        return false;
    }
    RowPadding padding(ends.getArrayRef());
    TypedAttr ofPadding = padding.reduced(partial);
    if (!ofPadding)
      return false;
    exchanges.push_back({store, ofPadding});
    return true;
  }

  bool mayEndEarly() const {
    return llvm::all_of(ends, [&](Value end) {
      std::optional<int64_t> count = constantOf(end);
      return !count || *count <= width - perWarp();
    });
  }

  // The largest of them: as wide as they are before casts, which only make them smaller.
  Value lastEnd(OpBuilder &b) {
    auto widened = [&](Value end) -> Value {
      if (ends.size() == 1 || end.getType() == b.getI64Type())
        return end;
      return arith::ExtUIOp::create(b, kernel.getLoc(), b.getI64Type(), end);
    };
    Value last = widened(ends.front());
    for (Value end : llvm::drop_begin(ends)) {
      Value other = widened(end);
      Value isLater =
          arith::CmpIOp::create(b, kernel.getLoc(), arith::CmpIPredicate::ugt, other, last);
      last = arith::SelectOp::create(b, kernel.getLoc(), isLater, other, last);
    }
    return last;
  }

  // Where all is known that the number of warps depends on: the host knows it, too, so that it can
  // be computed at the kernel's start.
  OpBuilder atStart() {
    llvm::SetVector<Operation *> needed;
    SmallVector<Value> values(asked.begin(), asked.end());
    values.append(ends.begin(), ends.end());
    for (size_t i = 0; i < values.size(); ++i)
      if (Operation *op = values[i].getDefiningOp(); op && needed.insert(op))
        llvm::append_range(values, op->getOperands());
    Block &body = kernel.getBody().front();
    const llvm::SetVector<Operation *> inOrder = topologicalSort(needed);
    for (Operation *op : llvm::reverse(inOrder))
      op->moveBefore(&body, body.begin());
    return {&body, inOrder.empty() ? body.begin() : std::next(Block::iterator(inOrder.back()))};
  }

  func::FuncOp kernel;
  const int64_t warps;
  int64_t width = 0;     // of a tile's rows
  SetVector<Value> ends; // how many columns there are of each array's, without casts
  SetVector<Value> tiles;
  SetVector<Value> asked; // of these depends whether rows are rotated
  int64_t multiple = 1;   // by which they are
  std::vector<Exchange> exchanges;
};

struct TrimWarps : impl::TrimWarpsBase<TrimWarps> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    auto module = kernel->getParentOfType<ModuleOp>();
    if (!module || !module->hasAttr(tile::launchedAttr) || !policyOf(kernel).trim_warps)
      return;
    if (TrimmedKernel trimmed(kernel); trimmed.canTrim())
      trimmed.trim();
  }
};

} // namespace
} // namespace tessera::plan
