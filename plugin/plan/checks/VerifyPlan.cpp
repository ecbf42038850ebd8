// The invariants of tile IR after each stage of the plan, as a table: a stage may rely on the rules
// of the stage before it and on nothing else. An op that breaks a rule is a fault of the compiler.
// Runs where a phase ends, or says so (addVerification).
#include "plan/analysis/Facts.h"
#include "plan/memory/InsertBarriers.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/naming/CarriedVariables.h"
#include "plan/naming/InlinedValues.h"
#include "plan/Config.h"
#include "plan/Passes.h"
#include "plan/Phases.h"
#include "plan/Plan.h"
#include "plan/analysis/SharedLifetimes.h"
#include "tile/Attributes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <cstdlib>

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_VERIFYPLAN
#include "plan/Passes.h.inc"

namespace {

// In the order of the plan: after raise, contiguous-last, select-mma-instructions and
// pipeline-loops, assign-layouts, lower-to-shared, and all.
enum Stage : unsigned {
  Raised = 1,
  Contiguous = 2,
  Matrix = 4,
  Layouts = 8,
  Lowered = 16,
  Final = 32,
  BeforeLayouts = Raised | Contiguous | Matrix,
  BehindLayouts = Layouts | Lowered | Final,
};

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }
RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
LinearLayout linear(Value v) { return toLinear(typeOf(v)); }

template <class Range> bool haveOneLayout(const Range &tiles) {
  return llvm::all_of(tiles, [&](Value v) {
    return tile::layoutOf(v.getType()) == tile::layoutOf((*tiles.begin()).getType());
  });
}

// Results and block arguments of an op.
bool allTiles(Operation *op, function_ref<bool(RankedTensorType)> holds) {
  auto isRight = [&](Value v) { return !isTile(v) || holds(typeOf(v)); };
  return llvm::all_of(op->getResults(), isRight) &&
         llvm::all_of(op->getRegions(),
                      [&](Region &region) { return llvm::all_of(region.getArguments(), isRight); });
}

bool isDecision(Operation *op) {
  return isa<tile::ConvertLayoutOp, tile::PartOp, tile::JoinOp, tile::ScanCarryOp,
             tile::FoldCarryOp, tile::SharedAllocOp, tile::SharedSlotOp, tile::SharedStoreOp,
             tile::SharedLoadOp, tile::SharedLoadPartOp, tile::SharedMmaOp, tile::MmaBeginOp,
             tile::MmaWaitOp, tile::MmaFinishOp, tile::MmaDoneOp, tile::FenceOp, tile::CopyAsyncOp,
             tile::GatherAsyncOp, tile::CommitGroupOp, tile::WaitGroupOp, tile::ShiftRowsOp,
             tile::RoundCopiedOp, tile::MakeTensorMapOp, tile::TensorMapExistsOp, tile::BulkStoreOp,
             tile::StorePartsOp, tile::WaitStoresOp, tile::ProducerWarpOp, tile::ProducerAcquireOp,
             tile::ConsumerReleaseOp, tile::TransposingWarpsOp, tile::TransposeStageOp,
             tile::InitBarriersOp, tile::InvalidateBarriersOp, tile::AllowsChunksOp,
             tile::RowShiftOp, tile::ExitIfOp>(op);
}

bool isExchange(Operation *op) {
  if (auto convert = dyn_cast<tile::ConvertLayoutOp>(op))
    return !linear(convert.getX()).differsInRegistersOnly(linear(convert.getResult()));
  return isa<tile::CatOp, tile::ExtractOp, tile::InsertOp>(op);
}

template <class Op> bool unitStrideIsLast(Op op) {
  ArrayRef<int64_t> strides = op.getStaticStrides();
  return strides.size() < 2 || strides.back() == 1 || !llvm::is_contained(strides, 1);
}

bool hasLayoutOfKernel(Operation *op) {
  auto kernel = isa<func::FuncOp>(op) ? op : op->getParentOfType<func::FuncOp>();
  auto config = kernel->getAttrOfType<tile::ConfigAttr>(tile::configAttr);
  return config && allTiles(op, [&](RankedTensorType type) {
           if (!tile::layoutOf(type))
             return false;
           LinearLayout layout = toLinear(type);
           return layout.coversTile() && int64_t(1) << layout.warps().size() == config.getWarps();
         });
}

bool isAccumulator(tile::SharedMmaOp mma) {
  if (!mma.getInstruction().isTensorCore())
    return true;
  LinearLayout layout = linear(mma.getResult());
  if (mma.getInstruction().isOfWarpgroups()) {
    int64_t warps = int64_t(1) << layout.warps().size();
    return warps >= 4 && layout == LinearLayout::warpgroupAccumulator(layout.shape(), warps) &&
           (!mma.hasAInRegisters() ||
            feedsWarpgroups(linear(mma.getA()), tile::elementType(mma.getA().getType()), layout));
  }
  const LinearLayout wanted = accumulatorOf(mma, int64_t(1) << layout.warps().size());
  ArrayRef<uint32_t> registers = layout.registers();
  return registers.take_front(2) == wanted.registers().take_front(2) &&
         layout.lanes() == wanted.lanes();
}

// A reduction's result has what the operand's layout leaves: of the block, or of each warp.
bool isReducedLayout(Value x, Value result, unsigned dim) {
  LinearLayout from = linear(x);
  return from.keepsApart(dim) &&
         linear(result) ==
             (typeOf(result).getDimSize(dim) == 1 ? from.reduced(dim) : from.partiallyReduced(dim));
}

bool carriesLayout(Operation *op) {
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return isReducedLayout(reduce.getX(), reduce.getResult(), reduce.getDim()) &&
           (!reduce.getIndices() || linear(reduce.getIndices()) == linear(reduce.getX()));
  if (auto fold = dyn_cast<tile::FoldOp>(op))
    return haveOneLayout(fold.getX()) && haveOneLayout(fold.getResults()) &&
           (fold.getScan()
                ? linear(fold.getX().front()) == linear(fold.getResult(0))
                : isReducedLayout(fold.getX().front(), fold.getResult(0), fold.getDim()));
  auto transfer = dyn_cast<tile::LayoutTransfer>(op);
  if (!transfer)
    return true;
  // Compared from the result, since a broadcast's operand does not imply the result's layout.
  std::optional<LinearLayout> operand = transfer.operandLayout(linear(op->getResult(0)));
  return !operand || *operand == linear(op->getOperand(0));
}

bool staysInWarp(Operation *op) {
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return scan.getWithinWarps() || !linear(scan.getX()).warpBitsAlong(scan.getDim());
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return typeOf(reduce.getResult()).getDimSize(reduce.getDim()) > 1 ||
           !linear(reduce.getX()).warpBitsAlong(reduce.getDim());
  if (auto fold = dyn_cast<tile::FoldOp>(op))
    return fold.getWithinWarps() ||
           (!fold.getScan() && typeOf(fold.getResult(0)).getDimSize(fold.getDim()) > 1) ||
           !linear(fold.getX().front()).warpBitsAlong(fold.getDim());
  return true;
}

template <class Op> bool hasAccess(Op op, Value tile) {
  std::optional<tile::AccessAttr> access = op.getAccess();
  int64_t rank = typeOf(tile).getRank();
  return access && access->getAlong() == rank - 1 && int64_t(access->getBounds().size()) == rank &&
         linear(tile).contiguous() % access->getVector() == 0;
}

// At most as wide as the layout allows; one element at a time needs no attribute.
template <class Op> bool hasRun(Op op) {
  std::optional<tile::RunAttr> access = op.getAccess();
  return !access || linear(op.getPointers()).contiguous() % access->getVector() == 0;
}

// An access of a local variable is marked: emit relies on it alone.
bool knowsLocalMemory(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (!load && !store)
    return true;
  Value base = baseOf(load ? load.getAddr() : store.getAddr());
  return !base || !base.getDefiningOp<LLVM::AllocaOp>() || op->hasAttr(tile::localAttr);
}

// Tile IR consists of these ops and of the tile dialect's: the generated code can express nothing
// else.
bool hasWords(Operation *op) {
  if (isa<tile::TileDialect>(op->getDialect()))
    return !isa<tile::FoldArgumentOp, tile::FoldResultOp>(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<ElementsAttr>(constant.getValue());
    return !elements || elements.isSplat();
  }
  if (auto step = dyn_cast<LLVM::GEPOp>(op))
    return step.getIndices().size() == 1;
#define TESSERA_SCALAR_OP(operation)                                                               \
  if (isa<operation>(op))                                                                          \
    return llvm::none_of(op->getOperands(), isTile) && llvm::none_of(op->getResults(), isTile);
#define TESSERA_OTHER_OP(operation)                                                                \
  if (isa<operation>(op))                                                                          \
    return true;
#include "tile/OtherOps.def"
  return false;
}

bool isSequenced(scf::ForOp loop) {
  return swappedPairOf(loop) == swappedTiles(loop) && overwrittenOperands(loop).empty();
}

template <bool (*Holds)(Operation *)> bool ifMarked(Operation *op, StringRef mark) {
  return !op->hasAttr(mark) || Holds(op);
}

// The warps of a kernel that compute next to a producer warp; 0: it has none.
int64_t warpsBesideProducer(Operation *op) {
  auto kernel = op->getParentOfType<func::FuncOp>();
  return kernel->hasAttr(tile::warpSpecializedAttr) ? computingWarps(kernel) : 0;
}

// Those of a tile block, of which a block may have several.
bool meetsWhatComputes(tile::BarrierOp barrier) {
  return int64_t(barrier.getWarps().value_or(0)) ==
         warpsBesideProducer(barrier) / tileBlocksOf(barrier->getParentOfType<func::FuncOp>());
}

bool copiesByOwnWarp(tile::CopyAsyncOp copy) {
  auto map = copy.getMap() ? copy.getMap().getDefiningOp<tile::MakeTensorMapOp>() : nullptr;
  return !map || !copy->getParentOfType<tile::ProducerWarpOp>() ||
         int64_t(map.getWarp()) == warpsBesideProducer(copy);
}

struct Rule {
  unsigned stages;
  StringLiteral text;
  bool (*holds)(Operation *op);
};

// An op that a rule does not apply to satisfies it.
template <class Op, bool (*Holds)(Op)> bool of(Operation *op) {
  auto one = dyn_cast<Op>(op);
  return !one || Holds(one);
}

const Rule rules[] = {
    {~0u, "the printer has code for the op", hasWords},
    {~0u, "an access of a local variable has the attribute tile.local", knowsLocalMemory},
    {Raised | Contiguous, "the op belongs to the program, not to the plan",
     [](Operation *op) { return !isDecision(op); }},
    {BeforeLayouts, "no tile has a layout yet",
     [](Operation *op) {
       return allTiles(op, [](RankedTensorType type) { return !type.getEncoding(); });
     }},
    {BeforeLayouts | Layouts, "no access is decided yet",
     [](Operation *op) {
       auto load = dyn_cast<tile::ViewLoadOp>(op);
       auto store = dyn_cast<tile::ViewStoreOp>(op);
       auto gather = dyn_cast<tile::LoadOp>(op);
       auto scatter = dyn_cast<tile::StoreOp>(op);
       return !(load && (load.getAccess() || load.getShift())) &&
              !(store && (store.getAccess() || store.getShift())) &&
              !(gather && gather.getAccess()) && !(scatter && scatter.getAccess());
     }},
    {~unsigned(Raised), "the unit stride of a view is its last stride",
     [](Operation *op) {
       return of<tile::ViewLoadOp, unitStrideIsLast>(op) &&
              of<tile::ViewStoreOp, unitStrideIsLast>(op);
     }},
    {Matrix | BehindLayouts, "every multiply has an instruction",
     [](Operation *op) { return !isa<tile::MmaOp>(op); }},
    {Matrix, "the op has uses or effects", [](Operation *op) { return !isOpTriviallyDead(op); }},
    {Matrix | Layouts, "no shared tile has an offset yet",
     [](Operation *op) {
       auto alloc = dyn_cast<tile::SharedAllocOp>(op);
       return !alloc || !alloc.getOffset();
     }},
    {Matrix | BehindLayouts, "a ring is accessed slot by slot",
     [](Operation *op) {
       auto alloc = dyn_cast<tile::SharedAllocOp>(op);
       return !alloc || alloc.getStages() == 1 || llvm::all_of(alloc->getUsers(), [](Operation *u) {
         return isa<tile::SharedSlotOp>(u);
       });
     }},
    {BehindLayouts, "every tile has a layout that covers it, over the kernel's warps",
     hasLayoutOfKernel},
    {BehindLayouts, "tiles that are computed together have one layout",
     [](Operation *op) {
       auto array = dyn_cast<tile::LocalAllocOp>(op);
       return haveOneLayout(array ? tilesOfArray(array) : tilesInOneLayout(op));
     }},
    {BehindLayouts, "the result of a matrix instruction has its accumulator layout",
     of<tile::SharedMmaOp, isAccumulator>},
    {BehindLayouts, "a tile that is stored in parts has the accumulator layout of wgmma",
     [](Operation *op) {
       auto store = dyn_cast<tile::StorePartsOp>(op);
       return !store || isLayoutOfParts(linear(store.getValue()), store);
     }},
    {BehindLayouts, "a change of shape moves nothing between threads", carriesLayout},
    {BehindLayouts, "each warp holds a contiguous run along the scanned dimension",
     [](Operation *op) {
       auto scan = dyn_cast<tile::ScanOp>(op);
       auto fold = dyn_cast<tile::FoldOp>(op);
       return (!scan || linear(scan.getX()).hasRunsAlong(scan.getDim())) &&
              (!fold || !fold.isInOrder() ||
               linear(fold.getX().front()).hasRunsAlong(fold.getDim()));
     }},
    {Matrix | BehindLayouts, "a producer warp has no tiles: they belong to all warps",
     [](Operation *op) {
       return !op->getParentOfType<tile::ProducerWarpOp>() ||
              (llvm::none_of(op->getOperands(), isTile) && llvm::none_of(op->getResults(), isTile));
     }},
    {Matrix | BehindLayouts, "the tensor map of a producer warp's copy is for that warp",
     of<tile::CopyAsyncOp, copiesByOwnWarp>},
    {Lowered | Final, "what threads exchange goes through shared memory",
     [](Operation *op) { return !isExchange(op); }},
    {Lowered | Final, "reductions and scans stay within warps", staysInWarp},
    {Lowered | Final, "every shared tile has an offset",
     [](Operation *op) {
       auto alloc = dyn_cast<tile::SharedAllocOp>(op);
       return !alloc ||
              (alloc.getOffset() &&
               *alloc.getOffset() % alignmentOf(cast<tile::SharedType>(alloc.getType())) == 0);
     }},
    {Final, "every access of a view has a vector width that its layout allows",
     [](Operation *op) {
       auto load = dyn_cast<tile::ViewLoadOp>(op);
       auto store = dyn_cast<tile::ViewStoreOp>(op);
       return (!load || hasAccess(load, load.getResult())) &&
              (!store || hasAccess(store, store.getValue()));
     }},
    {Final, "every access by pointers has a vector width that its layout allows",
     [](Operation *op) {
       return of<tile::LoadOp, hasRun>(op) && of<tile::StoreOp, hasRun>(op) &&
              of<tile::GatherAsyncOp, hasRun>(op);
     }},
    {Final, "next to a producer warp a barrier is of the warps that compute, else of the block",
     of<tile::BarrierOp, meetsWhatComputes>},
    {Final, "no assignment of a loop's next values overwrites what a later one reads",
     of<scf::ForOp, isSequenced>},
    {Final, "a tile is computed into a variable that nothing reads any more",
     [](Operation *op) { return ifMarked<canComputeInPlace>(op, tile::inPlaceAttr); }},
    {Final, "a value without a variable can be computed where it is used",
     [](Operation *op) {
       return ifMarked<isExpanded>(op, tile::expandedAttr) &&
              ifMarked<canInline>(op, tile::inlinedAttr);
     }},
};

bool liveTilesLieApart(func::FuncOp kernel) {
  SmallVector<SharedLifetime> tiles = sharedLifetimes(kernel);
  for (size_t i = 0; i < tiles.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      int64_t x = tiles[i].op.getOffset().value_or(0), y = tiles[j].op.getOffset().value_or(0);
      if (tiles[i].overlaps(tiles[j]) && x < y + tiles[j].bytes && y < x + tiles[i].bytes)
        return false;
    }
  return true;
}

int64_t sharedBytesOf(func::FuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(tile::sharedBytesAttr);
  return bytes ? bytes.getInt() : -1;
}

struct KernelRule {
  unsigned stages;
  StringLiteral text;
  bool (*holds)(func::FuncOp kernel);
};

const KernelRule kernelRules[] = {
    {Lowered | Final, "shared tiles with overlapping lifetimes do not overlap in memory",
     liveTilesLieApart},
    {Lowered | Final, "shared tiles lie within the kernel's shared memory",
     [](func::FuncOp kernel) {
       return llvm::all_of(sharedLifetimes(kernel), [&](SharedLifetime tile) {
         return int64_t(tile.op.getOffset().value_or(0)) + tile.bytes <= sharedBytesOf(kernel);
       });
     }},
    {Final, "a block has the kernel's shared memory",
     [](func::FuncOp kernel) {
       int64_t bytes = sharedBytesOf(kernel);
       return bytes >= 0 && bytes <= targetOf(kernel).sharedOfBlock;
     }},
    {Final,
     "the roles of a warp-specialized kernel share an SM's registers: one block has them all",
     [](func::FuncOp kernel) {
       auto blocks = kernel->getAttrOfType<IntegerAttr>(tile::minBlocksAttr);
       return !kernel->hasAttr(tile::warpSpecializedAttr) || (blocks && blocks.getInt() == 1);
     }},
    {Final, "accesses that conflict have a barrier between them, and a fence where wgmma reads",
     [](func::FuncOp kernel) { return !needsBarrier(kernel); }},
};

struct VerifyPlan : impl::VerifyPlanBase<VerifyPlan> {
  using VerifyPlanBase::VerifyPlanBase;

  void runOnOperation() override {
    unsigned bit = llvm::StringSwitch<unsigned>(stage)
                       .Case("raised", Raised)
                       .Case("contiguous", Contiguous)
                       .Case("matrix", Matrix)
                       .Case("layouts", Layouts)
                       .Case("lowered", Lowered)
                       .Case("final", Final)
                       .Default(0);
    if (!bit) {
      emitError(getOperation().getLoc()) << "'" << stage << "' is no stage of the plan";
      return signalPassFailure();
    }
    auto fail = [&](Operation *op, StringRef rule) {
      mlir::emitError(op->getLoc())
          << "'" << op->getName() << "' breaks a rule of the stage " << stage << ": " << rule;
      signalPassFailure();
    };
    bool isRight = true;
    // One report per op: an op that breaks a rule may break what another rule assumes.
    getOperation().walk([&](Operation *op) {
      for (const Rule &rule : rules)
        if (rule.stages & bit && !rule.holds(op)) {
          isRight = false;
          return fail(op, rule.text);
        }
    });
    for (const KernelRule &rule : kernelRules)
      if (isRight && rule.stages & bit && !rule.holds(getOperation()))
        fail(getOperation(), rule.text);
  }
};

bool verifiesStages() {
  if (const char *setting = std::getenv("TESSERA_VERIFY"))
    return StringRef(setting) != "0";
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

} // namespace

void addVerification(OpPassManager &kernel, const char *stage) {
  if (verifiesStages())
    kernel.addPass(createVerifyPlan({stage}));
}

} // namespace tessera::plan
