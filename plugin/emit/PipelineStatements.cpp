// Statements of a pipeline: copies ahead, barriers of its stages, producer and consumers, and
// multiplies in flight.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "layout/LinearLayout.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

// Those who release stages, as template arguments: warpgroups unless they are as many as warps, or
// transpose.
static std::string readersOf(tile::InitBarriersOp ring, int64_t warps) {
  const std::optional<int64_t> readers = ring.getReaders();
  if (!readers)
    return "";
  const bool areWarps = *readers == warps || ring.isReadByTransposingWarps();
  return ", " + std::to_string(*readers) + (areWarps ? ", 32" : "");
}

void KernelPrinter::print(tile::CopyAsyncOp o) {
  std::string from = viewOf(o);
  std::string condition = o.getWhen() ? use(o.getWhen()) : "true";
  std::string to = copiedTile(o.getShared(), o.getBoxShape(), o.getEnds());
  auto map = o.getMap() ? o.getMap().getDefiningOp<tile::MakeTensorMapOp>() : nullptr;
  std::string threads = o.isRowOfProducer() ? "" : ", " + std::to_string(32 * warps);
  std::string copy =
      map && map.getNeeded() ? "(" : "<" + accessName(o.getAccess()) + threads + ">(";
  if (o.getStraight()) {
    markLocation(o.getLoc());
    return line("copy_async_if" + copy + condition + ", " + to + ", " + from + ", " +
                box(o.getStarts()) + ");");
  }
  copy =
      "copy_async" + copy + to + ", " + from + ", " + box(o.getStarts()) + ringArguments(o) + ");";
  markLocation(o.getLoc());
  line(condition == "true" ? copy : "if (" + condition + ") " + copy);
}

void KernelPrinter::print(tile::ShiftRowsOp o) {
  auto type = cast<tile::SharedType>(o.getShared().getType());
  std::string from =
      viewOf(o.getBase(), o.getExtents(), o.getStrides(), type.getElementType(), true);
  markLocation(o.getLoc());
  line("shift_rows<" + llvm::Twine(32 * warps) + ">(" +
       copiedTile(o.getShared(), o.getBoxShape(), o.getEnds()) + ", " + from + ", " +
       box(o.getStarts()) + (o.getBarriers() ? ", " + text[o.getBarriers()] : "") + ");");
}

void KernelPrinter::print(tile::RoundCopiedOp o) {
  markLocation(o.getLoc());
  line("round_copied<" + llvm::Twine(32 * warps) + ">(" +
       copiedTile(o.getShared(), o.getShared().getType().getShape(), Value()) + ", " +
       text[o.getBarriers()] + ");");
}

void KernelPrinter::print(tile::GatherAsyncOp o) {
  Value pointers = o.getPointers();
  Type element = o.getShared().getType().getElementType();
  std::string copy = "copy_async" + runName(o.getAccess()) + "(" +
                     sharedTile(o.getShared(), tile::shapeOf(pointers.getType())) + ", " +
                     pointer(pointers, element, true) +
                     (o.getMask() ? ", " + use(o.getMask()) : "") + ");";
  markLocation(o.getLoc());
  line((o.getWhen() ? "if (" + use(o.getWhen()) + ") " : std::string()) + copy);
}

void KernelPrinter::print(tile::ExitIfOp o) { line("if (" + use(o.getCondition()) + ") return;"); }

void KernelPrinter::print(tile::CommitGroupOp /*op*/) { line("commit_group();"); }

void KernelPrinter::print(tile::WaitGroupOp o) {
  std::string of =
      o.getBarriers() ? text[o.getBarriers()] + ", " + use(o.getSlot()) : std::string();
  tile::InitBarriersOp ring = o.getRing();
  std::string groups = "<" + std::to_string(o.getPending()) + ">";
  line((ring ? "consumer_wait" : "wait_group") + (ring && ring.isBulkOnly() ? "" : groups) + "(" +
       of + ");");
}

void KernelPrinter::print(tile::InitBarriersOp o) {
  auto buffer = o.getBuffer().getDefiningOp<tile::SharedAllocOp>();
  text[o.getResult()] = names.fresh("barriers");
  line("auto " + text[o.getResult()] +
       (o.getReaders() ? " = init_pipeline_barriers<" : " = init_barriers<") +
       llvm::Twine(o.getStages()) + ", " + llvm::Twine(o.getCopies()) + readersOf(o, warps) + ">(" +
       llvm::Twine(buffer.getOffset().value_or(0)) + tensorMapArguments(o.getMaps()) + ");");
}

void KernelPrinter::print(tile::InvalidateBarriersOp o) {
  line("invalidate_barriers(" + text[o.getBarriers()] + ");");
}

void KernelPrinter::print(tile::ProducerWarpOp o) {
  // Compilers of PTX move registers where the two ways never meet.
  line("if (warp_index() >= " + llvm::Twine(warps) + ") {");
  openScope();
  line("setmaxnreg_dec<" + llvm::Twine(o.getRegisters()) + ">();");
  Block &body = o.getBody().front();
  if (body.empty() || !isa<tile::TransposingWarpsOp>(body.front()))
    line("if (warp_index() != " + llvm::Twine(warps) + ") return;");
  printBlock(body);
  line("return;");
  closeScope();
  line("}");
  line("setmaxnreg_inc<" + llvm::Twine(integerAttr(kernel, tile::warpSpecializedAttr)) + ">();");
}

void KernelPrinter::print(tile::TransposingWarpsOp o) {
  line("if (warp_index() != " + llvm::Twine(warps) + ") {");
  openScope();
  printBlock(o.getBody().front());
  line("return;");
  closeScope();
  line("}");
}

void KernelPrinter::print(tile::TransposeStageOp o) {
  markLocation(o.getLoc());
  line("transpose_stage<" + llvm::Twine(warps + 1) + ", " + llvm::Twine(plan::warpsThatTranspose) +
       ">(" + sharedTile(o.getFrom(), o.getFrom().getType().getShape()) + ", " +
       sharedTile(o.getTo(), o.getTo().getType().getShape()) + ", " + text[o.getBarriers()] + ", " +
       use(o.getSlot()) + ");");
}

void KernelPrinter::print(tile::ProducerAcquireOp o) {
  line("producer_acquire(" + text[o.getBarriers()] + ", " + use(o.getSlot()) + ");");
}

void KernelPrinter::print(tile::ConsumerReleaseOp o) {
  line("consumer_release(" + text[o.getBarriers()] + ", " + use(o.getSlot()) + ");");
}

void KernelPrinter::print(tile::WaitStoresOp /*op*/) { line("wait_stores<0>();"); }

// A multiply in flight adds to the variable that the loop carries, to that of the multiply before
// it, or to one of its own; or it is the first one to write its own.
void KernelPrinter::printStart(tile::SharedMmaOp o) {
  Value c = o.getC();
  markLocation(o.getLoc());
  std::string accumulator;
  if (o.addsInPlace()) {
    accumulator = use(c);
  } else if (o.startsFromZero()) {
    accumulator = names.fresh(nameFor(*o));
    line(variableType(o.getResult()) + " " + accumulator + ";");
  } else {
    std::string initial = use(c);
    accumulator = names.fresh(nameFor(*o));
    line("auto " + accumulator + " = " + initial + ";");
  }
  text[o.getResult()] = accumulator;
  line(multiplication(o, accumulator) + ";");
}

void KernelPrinter::print(tile::MmaWaitOp o) {
  line("mma_wait<" + llvm::Twine(o.getPending()) + ">();");
}

void KernelPrinter::print(tile::MmaFinishOp o) {
  std::string sum = use(o.getX());
  if (o.getMultiply().getInstruction().isAsync()) {
    line("mma_wait" +
         (o.getPending() ? "<" + std::to_string(o.getPending()) + ">" : std::string()) + "(" + sum +
         ");");
  } else {
    markLocation(o.getLoc());
    line("mma_finish(" + sum + ");");
    sum += ".accumulator";
  }
  text[o.getResult()] = sum;
}

void KernelPrinter::print(tile::MmaDoneOp o) {
  for (Value operand : o.getOperands())
    line("mma_done(" + use(operand) + ");");
}

void KernelPrinter::print(tile::FenceOp o) {
  line(o.getGlobal() ? "fence_memory();" : "fence_shared();");
}

void KernelPrinter::print(tile::BarrierOp o) {
  const std::optional<int64_t> warpsThatMeet = o.getWarps();
  if (!warpsThatMeet)
    return line("barrier();");
  const StringRef number = plan::tileBlocksOf(kernel) > 1 ? "4 + warpgroup_index()" : "1";
  line("barrier_of_warps(" + number + ", " + llvm::Twine(32 * *warpsThatMeet) + ");");
}

} // namespace tessera::emit
