// One walk over the planned kernel.
#include "explain/Remarks.h"

#include "support/Counted.h"
#include "emit/Names.h"
#include "explain/Said.h"
#include "explain/Words.h"
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/memory/MemoryTraffic.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/memory/VersionAccesses.h"
#include "plan/Plan.h"
#include "plan/pipeline/PlannedLoops.h"
#include "target/Target.h"
#include "tile/Attributes.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::explain {

namespace {

struct Row {
  StringLiteral topic, text, advice;
};

constexpr Row rows[] = {
#define TESSERA_REMARK(id, topic, text, advice) {#topic, text, advice},
#include "explain/Remarks.def"
#undef TESSERA_REMARK
};

std::string filled(StringRef text, ArrayRef<std::string> arguments) {
  std::string result;
  while (!text.empty()) {
    auto [before, behind] = text.split('%');
    result += before;
    if (behind.empty())
      break;
    result += arguments[behind.front() - '0'];
    text = behind.drop_front();
  }
  return result;
}

} // namespace

void Said::operator()(Operation *op, Id id, ArrayRef<std::string> arguments) {
  const Row &row = rows[size_t(id)];
  Remark remark{locationOf(op), row.topic, filled(row.text, arguments),
                filled(row.advice, arguments)};
  const FileLocation &location = remark.location;
  if (known.insert({location.file, location.line, location.column, remark.text}).second)
    remarks.push_back(std::move(remark));
}

namespace {

int64_t bytesOf(tile::SharedAllocOp alloc) {
  return int64_t(alloc.getStages()) * plan::bytesOf(cast<tile::SharedType>(alloc.getType()));
}

int64_t numberOf(func::FuncOp kernel, StringRef name) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

template <class Op> bool has(func::FuncOp kernel) {
  return kernel.walk([](Op) { return WalkResult::interrupt(); }).wasInterrupted();
}

// Who loads, and in which order blocks take their work.
std::string rolesOf(func::FuncOp kernel) {
  if (!kernel->hasAttr(tile::warpSpecializedAttr))
    return "";
  std::string roles = kernel->hasAttr(tile::coarseningAttr) ? ", persistent, with a producer warp"
                                                            : ", with a producer warp";
  if (has<tile::TransposingWarpsOp>(kernel))
    roles += ", transposing warps";
  if (plan::tileBlocksOf(kernel) > 1)
    roles += ", a tile block per consumer warpgroup";
  return roles + (has<tile::ScheduledWorkTileOp>(kernel) ? ", the longest work tiles first" : "");
}

void explainKernel(func::FuncOp kernel, StringRef name, Said &say) {
  int64_t threads = plan::threadsOf(kernel), bytes = numberOf(kernel, tile::sharedBytesAttr),
          wanted = numberOf(kernel, tile::minBlocksAttr), hinted = plan::hintedBlocks(kernel);
  int64_t blocks = plan::blocksOfMultiprocessor(plan::targetOf(kernel), threads, bytes);
  say(kernel, Id::Kernel,
      {name.str(), counted(threads / 32, "warp"), std::to_string(threads), std::to_string(bytes),
       std::to_string(blocks),
       rolesOf(kernel) +
           (wanted ? "; compiled with registers for " + counted(wanted, "block") + " per SM"
                   : std::string()) +
           (hinted ? "; the hint asks for " + counted(hinted, "block") : std::string())});
}

void explainMemory(func::FuncOp kernel, StringRef name, Said &say) {
  if (const std::optional<plan::MemoryTraffic> traffic = plan::memoryTrafficOf(kernel))
    say(kernel, Id::Traffic,
        {name.str(), traffic->isOfIteration ? "an iteration" : "a block", withUnit(traffic->read),
         traffic->written ? withUnit(traffic->written) : "nothing",
         counted(traffic->blocks, "block"), withUnit(traffic->inFlight),
         std::to_string(traffic->percent) + " %"});
}

// Of a kernel whose accesses are tested for alignment: nothing where they need no versions.
StringRef reasonOf(plan::VersionObstacle obstacle) {
  switch (obstacle) {
  case plan::VersionObstacle::Reduces: return "it reduces nothing";
  case plan::VersionObstacle::Views:
    return "fewer than two of its views are known before its tiles are computed";
  case plan::VersionObstacle::Few: return "only one access is tested for alignment";
  case plan::VersionObstacle::Long: return "it has too many operations to print them twice";
  case plan::VersionObstacle::None:
  case plan::VersionObstacle::Proven:
  case plan::VersionObstacle::Multiplies: break;
  }
  return "";
}

void explainVersions(func::FuncOp kernel, StringRef name, Said &say) {
  if (kernel->hasAttr(tile::versionsAttr))
    return say(kernel, Id::Versions, {name.str()});
  if (StringRef reason = reasonOf(plan::versionObstacle(kernel)); !reason.empty())
    say(kernel, Id::NoVersions, {name.str(), reason.str()});
}

// What wgmma needs that a matmul lacks.
StringRef reasonOf(const Matmul &matmul) {
  switch (warpgroupObstacle(matmul)) {
  case MmaObstacle::Rows: return "a result of at least 64 rows";
  case MmaObstacle::Large: return "a result of at most 128x256 elements";
  case MmaObstacle::Narrow: return "at least 32 bytes of K, and rows of 128 bytes across K";
  case MmaObstacle::Elements:
  case MmaObstacle::None: break;
  }
  return matmul.isAUnsigned != matmul.isBUnsigned ? "bytes that are both signed or both unsigned"
                                                  : "an accumulator of float or int";
}

void explainMultiply(tile::SharedMmaOp op, Said &say) {
  auto shapeOf = [](Value operand) {
    auto inRegisters = dyn_cast<RankedTensorType>(operand.getType());
    return inRegisters ? inRegisters.getShape()
                       : cast<tile::SharedType>(operand.getType()).getShape();
  };
  const Matmul matmul = plan::matmulOf(op);
  const GpuTarget &target = plan::targetOf(op);
  const MmaSelection selected = selectMma(matmul, target);
  SmallVector<std::string> arguments = {
      tileWords(matmul.a, shapeOf(op.getA()), op.getAUnsigned() ? "unsigned" : "signed"),
      tileWords(matmul.b, shapeOf(op.getB()), op.getBUnsigned() ? "unsigned" : "signed")};
  auto with = [&](Id id, ArrayRef<std::string> more = {}) {
    arguments.append(more.begin(), more.end());
    say(op, id, arguments);
  };
  switch (selected.obstacle) {
  case MmaSelection::Batches: return with(Id::Batches);
  case MmaSelection::Small: return with(Id::Small, {std::to_string(selected.minK)});
  case MmaSelection::
      TwoTypes: // programs have none, nor accumulators that operands do not add up in
  case MmaSelection::Accumulator:
  case MmaSelection::Operands:
    return matmul.a.isF32() ? with(Id::Float) : with(Id::Operands, {target.name.str()});
  case MmaSelection::None: break;
  }
  std::string instruction = nameOf(op.getInstruction());
  if (!op.getInstruction().isOfWarpgroups() && target.has(GpuTarget::Wgmma))
    with(Id::OlderUnit, {instruction, reasonOf(matmul).str()});
  else
    with(Id::MatrixUnit, {instruction});
}

// The ring that a copy of a loop fills; or why there is none.
void explainStages(scf::ForOp loop, Said &say) {
  std::optional<plan::PlannedRing> ring = plan::ringOf(loop);
  if (!ring)
    return;
  if (ring->isSingle())
    return say(loop, Id::SingleStages, {std::to_string(ring->bytes)});
  const bool isOfOperands = plan::hasMultiply(loop->getParentOfType<func::FuncOp>());
  say(loop, isOfOperands ? Id::Ring : Id::LoadRing,
      {ring->ahead % ring->parts ? counted(ring->ahead, "part") + " of an iteration"
                                 : counted(ring->ahead / ring->parts, "iteration"),
       std::to_string(ring->stages), std::to_string(ring->bytes)});
  if (ring->isBulk)
    say(loop, Id::BulkCopies, {});
}

// A loop that reads global memory itself, and multiplies nothing of it or is not counted.
void explainNoStages(Operation *loop, Said &say) {
  bool reads = false, waits = false, multiplies = false;
  loop->walk([&](Operation *op) {
    bool isOwn = op->getParentOfType<LoopLikeOpInterface>() == loop;
    const bool isRead = isOwn && isa<tile::ViewLoadOp, tile::LoadOp>(op) &&
                        isa<RankedTensorType>(op->getResult(0).getType());
    reads |= isRead;
    waits |= isRead && plan::waitOf(op);
    multiplies |= isa<tile::SharedMmaOp>(op);
  });
  if (!reads)
    return;
  if (!multiplies && !waits) // else said of each read
    say(loop, Id::NoOperands, {});
  else if (multiplies && isa<scf::WhileOp>(loop))
    say(loop, Id::NotCounted, {});
}

bool isKnownBeforeLoops(tile::SharedStoreOp store) {
  for (auto loop = store->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (!loop.isDefinedOutsideOfLoop(store.getValue()))
      return false;
  return true;
}

// The parameter that a read goes through, declared __restrict__.
std::string restrictOf(Operation *load) {
  auto parameter = cast<BlockArgument>(plan::baseOf(plan::addressOf(load)));
  auto kernel = cast<func::FuncOp>(parameter.getOwner()->getParentOp());
  auto type = kernel.getArgAttrOfType<StringAttr>(parameter.getArgNumber(), tile::typeAttr);
  std::string spelled = type ? type.str() : "";
  return spelled + (StringRef(spelled).ends_with("*") ? "" : " ") + "__restrict__ " +
         memoryName(parameter).value_or("");
}

Id idOf(tile::WaitReason reason) {
  switch (reason) {
  case tile::WaitReason::uses: return Id::WaitsForUses;
  case tile::WaitReason::inner: return Id::WaitsForInner;
  case tile::WaitReason::condition: return Id::WaitsForCondition;
  case tile::WaitReason::coordinates: return Id::WaitsForCoordinates;
  case tile::WaitReason::stride: return Id::WaitsForStride;
  case tile::WaitReason::padding: return Id::WaitsForPadding;
  case tile::WaitReason::narrow: return Id::WaitsForNarrow;
  case tile::WaitReason::gather: return Id::WaitsForNeighbours;
  case tile::WaitReason::alias: return Id::WaitsForAlias;
  case tile::WaitReason::writes: return Id::WaitsForWrites;
  case tile::WaitReason::order: return Id::WaitsForOrder;
  case tile::WaitReason::few: return Id::WaitsForFew;
  case tile::WaitReason::room: return Id::WaitsForRoom;
  case tile::WaitReason::forbidden: return Id::WaitsForPolicy;
  case tile::WaitReason::branch: return Id::WaitsForBranch;
  case tile::WaitReason::uncounted: return Id::NotCounted;
  case tile::WaitReason::once: return Id::WaitsForOneIteration;
  case tile::WaitReason::busy: return Id::WaitsForBusy;
  }
  llvm_unreachable("a reason to wait");
}

// A read of an operand that the loop waits for, as the pass pipeline-loops said why.
void explainWait(Operation *load, const std::string &words, Said &say) {
  plan::Wait wait = plan::waitOf(load);
  if (!wait || !load->getParentOfType<LoopLikeOpInterface>())
    return;
  Id id = idOf(*wait);
  if (id == Id::NotCounted) // which is said of the loop
    return say(load->getParentOp(), id, {});
  if (id == Id::WaitsForAlias)
    return say(load, id, {words, memoryName(plan::addressOf(load)).value_or(""), restrictOf(load)});
  say(load, id, {words});
}

// The same of an operand in shared memory; or one that the pass hoist-shared-stores left in the
// loop.
void explainWait(tile::SharedStoreOp store, const std::string &words, Said &say) {
  if (!store->getParentOfType<scf::ForOp>())
    return;
  if (isKnownBeforeLoops(store))
    return say(store, Id::StoredAgain, {words});
  if (tile::ViewLoadOp load = plan::readOf(store.getValue()))
    return explainWait(load, words, say);
  if (auto load = store.getValue().getDefiningOp<tile::LoadOp>())
    return explainWait(load, words, say);
  say(store, Id::WaitsForValue, {words});
}

// Why what a store puts into shared memory goes through it.
Id reasonOf(tile::SharedStoreOp store, tile::SharedAllocOp alloc) {
  Value value = store.getValue();
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getX();
  if (isa_and_present<tile::ReduceOp, tile::FoldOp>(value.getDefiningOp()))
    return Id::Partials;
  if (isa_and_present<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp>(
          value.getDefiningOp()))
    return Id::Handed;
  Id reason = Id::Exchange;
  for (Operation *user : alloc->getUsers()) {
    auto load = dyn_cast<tile::SharedLoadOp>(user);
    auto other = dyn_cast<tile::SharedStoreOp>(user);
    if ((load && !load.getStarts().empty()) || (other && !other.getStarts().empty()))
      return Id::Locations;
    if (load && llvm::any_of(load->getUsers(), llvm::IsaPred<tile::ViewStoreOp>))
      reason = Id::ExchangeForStore;
  }
  return reason;
}

void explainShared(tile::SharedStoreOp store, Said &say) {
  auto alloc = store.getShared().getDefiningOp<tile::SharedAllocOp>();
  if (!alloc)
    return;
  std::string words = valueWords(store.getValue());
  if (llvm::any_of(alloc->getUsers(), llvm::IsaPred<tile::SharedMmaOp>))
    explainWait(store, words, say);
  else
    say(store, reasonOf(store, alloc), {words, std::to_string(bytesOf(alloc))});
}

} // namespace

Remark registersRemark(const FileLocation &location, StringRef name, unsigned registers,
                       unsigned spilled, int64_t blocks) {
  const Row &row = rows[size_t(Id::Registers)];
  return {location, row.topic,
          filled(row.text, {name.str(), std::to_string(registers),
                            spilled ? std::to_string(spilled) + " bytes" : "nothing",
                            std::to_string(blocks)}),
          ""};
}

Remark plansAgainRemark(const FileLocation &location, StringRef name, StringRef without) {
  const Row &row = rows[size_t(Id::PlansAgain)];
  return {location, row.topic, filled(row.text, {name.str(), without.str()}), ""};
}

std::vector<Remark> kernelRemark(func::FuncOp kernel, StringRef name) {
  Said say;
  explainKernel(kernel, name, say);
  return say.take();
}

std::vector<Remark> remarksOf(func::FuncOp kernel, StringRef name) {
  Said say;
  explainKernel(kernel, name, say);
  explainMemory(kernel, name, say);
  explainVersions(kernel, name, say);
  const bool multiplies = plan::hasMultiply(kernel);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto multiply = dyn_cast<tile::SharedMmaOp>(op)) {
      explainMultiply(multiply, say);
      if (tile::ViewLoadOp load =
              multiply.hasAInRegisters() ? plan::readOf(multiply.getA()) : tile::ViewLoadOp())
        explainWait(load, valueWords(multiply.getA()), say);
    } else if (auto term = dyn_cast<tile::Bf16TermOp>(op); term && term.getTerm() == 0)
      say(op, Id::Terms, {});
    else if (auto store = dyn_cast<tile::SharedStoreOp>(op))
      explainShared(store, say);
    else {
      explainAccess(op, say);
      if (!multiplies && plan::waitOf(op)) // else where the operand is stored
        explainWait(op, valueWords(op->getResult(0)), say);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      explainStages(loop, say);
    if (isa<scf::ForOp, scf::WhileOp>(op))
      explainNoStages(op, say);
  });
  return say.take();
}

} // namespace tessera::explain
