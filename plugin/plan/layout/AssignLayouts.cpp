// Writes the layouts that LayoutInference chose into the types, and inserts a conversion wherever
// an op's operand has another layout than the op needs. A tile that is cheap to compute (a
// constant, an index, arithmetic on such) is recomputed instead of converted.
#include "plan/layout/LayoutInference.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Config.h"
#include "target/Limits.h"
#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "plan/Passes.h.inc"

namespace {

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

class LayoutRewriter {
public:
  LayoutRewriter(func::FuncOp kernel, const LayoutInference &inference)
      : kernel(kernel), inference(inference) {}

  void run() {
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      setTypes(op);
    for (Operation *op : ops)
      fixOperands(op);
  }

private:
  // Writes each tile's layout into its type.
  void setTypes(Operation *op) {
    for (Value v : op->getResults())
      setType(v);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value v : block.getArguments())
          setType(v);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
        constant.setValueAttr(dense.reshape(cast<ShapedType>(constant.getType())));
  }

  void setType(Value v) {
    if (isTile(v))
      v.setType(withLayout(cast<RankedTensorType>(v.getType()), inference.layoutOf(v)));
  }

  void fixOperands(Operation *op) {
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      return fixScan(scan);
    if (auto fold = dyn_cast<tile::FoldOp>(op))
      return fixFold(fold);
    if (SmallVector<Value> values = tilesInOneLayout(op); !values.empty()) {
      LinearLayout layout = toLinear(cast<RankedTensorType>(values.front().getType()));
      if (auto store = dyn_cast<tile::StoreOp>(op))
        layout = toLinear(cast<RankedTensorType>(store.getPointers().getType()));
      return require(op, layout);
    }
    TypeSwitch<Operation *>(op)
        .Case([&](tile::SharedMmaOp mma) { require(mma.getCMutable(), resultLayout(op)); })
        .Case([&](tile::MmaBeginOp begin) { require(begin->getOpOperand(0), resultLayout(op)); })
        .Case([&](tile::ReduceOp reduce) { fixReduction(reduce); })
        .Case([&](tile::LayoutTransfer) {
          require(op->getOpOperand(0), operandLayout(op, resultLayout(op)));
        })
        .Case([&](tile::ExtractOp extract) { fixExtract(extract); })
        .Case([&](tile::ViewStoreOp store) { fixStore(store); })
        .Case([&](tile::StorePartsOp store) {
          auto type = cast<RankedTensorType>(store.getValue().getType());
          if (!isLayoutOfParts(toLinear(type), store))
            require(store.getValueMutable(), layoutOfParts(store));
        })
        .Case([&](tile::LocalStoreOp store) {
          // Inference tied the tiles of the array together; they share the layout of the first one.
          SmallVector<Value> tiles =
              tilesOfArray(store.getArray().getDefiningOp<tile::LocalAllocOp>());
          if (!tiles.empty())
            require(store->getOpOperand(0), inference.layoutOf(tiles.front()));
        })
        .Case([&](scf::ForOp loop) {
          for (auto [init, argument] :
               llvm::zip(loop.getInitArgsMutable(), loop.getRegionIterArgs()))
            requireAs(init, argument);
        })
        .Case([&](scf::WhileOp loop) {
          for (auto [init, argument] : llvm::zip(loop.getInitsMutable(), loop.getBeforeArguments()))
            requireAs(init, argument);
        })
        .Case([&](scf::ConditionOp condition) {
          for (auto [passed, argument] :
               llvm::zip(condition.getArgsMutable(),
                         condition->getParentOfType<scf::WhileOp>().getAfterArguments()))
            requireAs(passed, argument);
        })
        .Case([&](scf::YieldOp yield) {
          Operation *parent = yield->getParentOp();
          auto loop = dyn_cast<scf::WhileOp>(parent);
          for (auto [i, operand] : llvm::enumerate(yield->getOpOperands()))
            requireAs(operand,
                      loop ? Value(loop.getBeforeArguments()[i]) : Value(parent->getResult(i)));
        });
  }

  // The layout of an op's operand that gives its result this layout.
  static LinearLayout operandLayout(Operation *op, const LinearLayout &result) {
    auto transfer = dyn_cast<tile::LayoutTransfer>(op);
    return transfer ? transfer.operandLayout(result).value_or(result) : result;
  }

  // A constant part stays in the registers that hold it, unless a thread would then hold many
  // elements of others for the sake of a small part: such a part is exchanged, where shared memory
  // has room.
  void fixExtract(tile::ExtractOp extract) {
    std::optional<IndexBits> part = constantPart(extract);
    if (!part)
      return;
    auto type = cast<RankedTensorType>(extract.getX().getType());
    LinearLayout have = toLinear(type);
    LinearLayout whole = resultLayout(extract).wholeOf(have.shape(), part->mask);
    int64_t bytes = type.getNumElements() * bytesOf(type.getElementType());
    if (whole.registerCount() <= 2 * have.registerCount() ||
        bytes > configOf(kernel).getExchangeBytes())
      require(extract->getOpOperand(0), whole);
  }

  // The result of a reduction has the layout that its operand's leaves. A tile that is transposed
  // on its way lies along diagonals, which have no rows.
  void fixReduction(tile::ReduceOp reduce) {
    LinearLayout from = toLinear(cast<RankedTensorType>(reduce.getX().getType()));
    if (!from.keepsApart(reduce.getDim()))
      from = inference.preferred(from.shape());
    require(reduce, from);
    give(reduce, from.reduced(reduce.getDim()));
  }

  // A scan needs a layout in which each warp has one run.
  void fixScan(tile::ScanOp scan) {
    LinearLayout layout = resultLayout(scan);
    if (!layout.hasRunsAlong(scan.getDim())) {
      layout = inference.runs(layout.shape(), scan.getDim());
      give(scan, layout);
    }
    require(scan->getOpOperand(0), layout);
  }

  // All tiles of a fold have one layout. Where only neighbours are combined each warp has one run.
  void fixFold(tile::FoldOp fold) {
    const unsigned dim = fold.getDim();
    LinearLayout from = toLinear(cast<RankedTensorType>(fold.getX().front().getType()));
    if (fold.isInOrder() ? !from.hasRunsAlong(dim) : !from.keepsApart(dim))
      from =
          fold.isInOrder() ? inference.runs(from.shape(), dim) : inference.preferred(from.shape());
    require(fold, from);
    for (OpResult result : fold.getResults())
      give(result, fold.getScan() ? from : from.reduced(dim));
  }

  // The op computes its result in this layout; its users get the layout that was inferred.
  void give(Operation *op, const LinearLayout &layout) { give(op->getResult(0), layout); }

  void give(OpResult result, const LinearLayout &layout) {
    Operation *op = result.getOwner();
    auto type = cast<RankedTensorType>(result.getType());
    if (toLinear(type) == layout)
      return;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    result.setType(withLayout(type, layout));
    auto convert = tile::ConvertLayoutOp::create(b, op->getLoc(), type, result);
    result.replaceAllUsesExcept(convert.getResult(), convert);
  }

  // Contiguous bytes that the lanes of a warp touch in one access along a row.
  static int64_t runInBytes(const LinearLayout &layout, int64_t bytes) {
    int64_t run = std::min(layout.contiguous(), 16 / bytes);
    for (uint32_t basis : layout.lanes()) {
      if (basis != run || run >= layout.shape().back())
        break;
      run *= 2;
    }
    return run * bytes;
  }

  // Memory moves in sectors of 32 bytes: a layout that fills them worse than the preferred one is
  // converted first. Not next to a ring that is being filled, which leaves no room for the
  // conversion.
  void fixStore(tile::ViewStoreOp store) {
    if (kernel->hasAttr(tile::warpSpecializedAttr))
      return;
    auto type = cast<RankedTensorType>(store.getValue().getType());
    LinearLayout have = toLinear(type), best = inference.preferred(type.getShape());
    int64_t bytes = bytesOf(type.getElementType()), run = runInBytes(have, bytes);
    constexpr int64_t worthwhile = 2048;
    if (run < bytesOfSector && run < runInBytes(best, bytes) &&
        type.getNumElements() * bytes >= worthwhile)
      require(store->getOpOperand(0), best);
  }

  LinearLayout resultLayout(Operation *op) {
    return toLinear(cast<RankedTensorType>(op->getResult(0).getType()));
  }

  void require(Operation *op, const LinearLayout &layout) {
    for (OpOperand &operand : op->getOpOperands())
      if (isTile(operand.get()))
        require(operand, layout);
  }

  void requireAs(OpOperand &operand, Value like) {
    if (isTile(like))
      require(operand, toLinear(cast<RankedTensorType>(like.getType())));
  }

  void require(OpOperand &operand, const LinearLayout &layout) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (toLinear(type) == layout)
      return;
    OpBuilder b(operand.getOwner());
    operand.set(inLayout(b, operand.get(), layout));
  }

  Value inLayout(OpBuilder &b, Value v, const LinearLayout &layout) {
    auto type = withLayout(cast<RankedTensorType>(v.getType()), layout);
    if (v.getType() == type)
      return v;
    if (isCheap(v, 6))
      return recompute(b, v, layout);
    return tile::ConvertLayoutOp::create(b, v.getLoc(), type, v);
  }

  // Constants, indices, element-wise arithmetic on such, and reshapes of these.
  static bool isCheap(Value v, int depth) {
    Operation *op = v.getDefiningOp();
    if (!op || depth == 0)
      return false;
    if (isa<tile::SplatOp, tile::IotaOp, arith::ConstantOp, ub::PoisonOp>(op))
      return true;
    const bool isSimple = op->hasTrait<OpTrait::Elementwise>();
    bool isShape = isa<tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp>(op); // costs nothing
    return (isSimple || isShape) && llvm::all_of(op->getOperands(), [&](Value x) {
             return !isTile(x) || isCheap(x, depth - (isSimple ? 1 : 0));
           });
  }

  Value recompute(OpBuilder &b, Value v, const LinearLayout &layout) {
    Operation *op = v.getDefiningOp();
    LinearLayout needed = operandLayout(op, layout);
    SmallVector<Value> operands;
    for (Value x : op->getOperands())
      operands.push_back(isTile(x) ? inLayout(b, x, needed) : x);
    Operation *copy = b.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(withLayout(cast<RankedTensorType>(v.getType()), layout));
    if (auto constant = dyn_cast<arith::ConstantOp>(copy))
      if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
        constant.setValueAttr(dense.reshape(cast<ShapedType>(constant.getType())));
    return copy->getResult(0);
  }

  func::FuncOp kernel;
  const LayoutInference &inference;
};

struct AssignLayouts : impl::AssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    tile::ConfigAttr config = configOf(kernel);
    setConfig(kernel, config); // the layouts are for its warps
    LayoutInference inference(kernel, config.getWarps());
    LayoutRewriter(kernel, inference).run();
  }
};

} // namespace
} // namespace tessera::plan
