// The passes of the plan, in the order in which Plan.cpp runs them: one row, one file, one test
// folder each.
#ifndef TESSERA_PLAN_PASSES_TD
#define TESSERA_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckBounds : Pass<"tile-check-bounds", "::mlir::func::FuncOp"> {
  let summary = "accesses, indices and assumptions -> the same behind checks of what the program "
                "promises of them (--check=bounds)";
}
def CheckNumbers : Pass<"tile-check-numbers", "::mlir::func::FuncOp"> {
  let summary = "operations -> the same before checks that they made no NaN (--check=nan) and no "
                "infinity (--check=inf) of operands that are none";
  let options = [Option<"nan", "nan", "bool", "true", "look for NaN and for division by 0">,
                 Option<"inf", "inf", "bool", "false", "look for infinities">];
}
def CountLoops : Pass<"tile-count-loops", "::mlir::func::FuncOp"> {
  let summary = "while loops around multiplies, of a number that goes to a bound in equal steps -> "
                "counted loops over their turns";
}
def LateTransposes : Pass<"tile-late-transposes", "::mlir::func::FuncOp"> {
  let summary = "operands of multiplies that are transposed and then computed on, element by "
                "element -> operands that are computed and then transposed";
}
def CutOperands : Pass<"tile-cut-operands", "::mlir::func::FuncOp"> {
  let summary = "operands of floats that are read and cut off to tf32 -> operands that are read as "
                "tf32, of which matrix units ignore the same bits";
}
def LateReads : Pass<"tile-late-reads", "::mlir::func::FuncOp"> {
  let summary = "operands that a loop reads an iteration before it multiplies -> reads in the "
                "iteration that multiplies";
}
def DivideSteps : Pass<"tile-divide-steps", "::mlir::func::FuncOp"> {
  let summary = "turns that multiply more than 128 bytes of K, of an operand that threads turn -> "
                "turns of 128 bytes";
}
def MergeBlocks : Pass<"tile-merge-blocks", "::mlir::ModuleOp"> {
  let summary = "a kernel whose blocks multiply small tiles -> the same, and beside it one whose "
                "blocks do what several neighbours of its would, for launches of many";
}
def BandBlocks : Pass<"tile-band-blocks", "::mlir::func::FuncOp"> {
  let summary = "indices of blocks that share what they read along both axes of the grid -> "
                "indices in bands of rows, which keep in the L2 cache what is shared";
}
def ContiguousLast : Pass<"tile-contiguous-last", "::mlir::func::FuncOp"> {
  let summary = "views with a unit stride before the last dimension -> permuted views with the "
                "unit stride last";
}
def SplitBatches : Pass<"tile-split-batches", "::mlir::func::FuncOp"> {
  let summary = "multiplies of batches -> multiplies of matrices, whose sums loops and branches "
                "carry one by one";
}
def SplitSums : Pass<"tile-split-sums", "::mlir::func::FuncOp"> {
  let summary = "sums of multiplies that are beyond the registers of eight warps, one by one or "
                "together -> sums of parts of them, one loop after the other";
}
def SwapOperands : Pass<"tile-swap-operands", "::mlir::func::FuncOp"> {
  let summary = "products of words whose second operand alone runs across K -> the transposed "
                "products of the transposed operands in the other order";
}
def SplitEpilogue : Pass<"tile-split-epilogue", "::mlir::func::FuncOp"> {
  let summary = "what an accumulator of wgmma meets behind its loop, beyond the registers of a "
                "thread -> parts of columns, read and stored one after the other";
}
def SelectLargeParts : Pass<"tile-select-large-parts", "::mlir::func::FuncOp"> {
  let summary = "cat, insert and extract at a run-time index of tiles that a block's shared memory "
                "does not hold -> selections among repeated tiles and halves";
}
def FitSharedMemory : Pass<"tile-fit-shared-memory", "::mlir::ModuleOp"> {
  let summary = "kernels -> kernels with their shared memory given out by the passes matrix to "
                "smem, which get less to spend where a block does not have what they took";
}
def MergeSteps : Pass<"tile-merge-steps", "::mlir::func::FuncOp"> {
  let summary = "loops whose multiplies take less than 128 bytes of K -> loops over several turns "
                "at once, whose multiplies take as much, and over what is left";
}
def SelectMatrixUnits : Pass<"tile-select-matrix-units", "::mlir::func::FuncOp"> {
  let summary = "mma on values -> mma of a named instruction on operands in swizzled shared memory";
}
def SplitDepth : Pass<"tile-split-depth", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops that take much of K at a time -> the same in parts along K, "
                "where that leaves room for another block";
}
def PipelineLoops : Pass<"tile-pipeline-loops", "::mlir::func::FuncOp"> {
  let summary = "counted loops that load operands from views -> a ring of shared-memory stages "
                "filled by asynchronous copies ahead of use";
}
def BulkStores : Pass<"tile-bulk-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of what comes of matrix units to views -> bulk copies out of shared "
                "memory, or stores from there where the launch could make no map";
}
def AssignLayouts : Pass<"tile-assign-layouts", "::mlir::func::FuncOp"> {
  let summary =
      "tiles -> tiles with a layout, conversions where two layouts meet, and the number of warps";
}
def RegisterOperands : Pass<"tile-register-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of warpgroups whose first operand threads hold as the unit takes it -> "
                "the same without its way through shared memory";
}
def PrefetchOperands : Pass<"tile-prefetch-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops that take their first operand from a ring to registers -> the "
                "same left in flight, the operand of the next turn read meanwhile";
  let dependentDialects = ["::mlir::ub::UBDialect"];
}
def LowerToShared : Pass<"tile-lower-to-shared", "::mlir::func::FuncOp"> {
  let summary = "what threads must exchange (conversions, reductions over warps, extract, cat) -> "
                "stores and loads of shared tiles with offsets";
}
def HoistSharedStores : Pass<"tile-hoist-shared-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of what a loop does not change to shared tiles within the loop -> the same "
                "before the loop, where as many blocks fit an SM";
}
def PlanAccesses : Pass<"tile-plan-accesses", "::mlir::func::FuncOp"> {
  let summary = "reads and writes of global memory -> the same with vector width, what is proven "
                "of alignment, whether bounds are checked";
}
def StraightenCopies : Pass<"tile-straighten-copies", "::mlir::func::FuncOp"> {
  let summary = "loops of mma.sync that leave a step to the next turn -> the same with copies that "
                "do not branch, beside a loop without such a step for views that are not aligned";
}
def GroupLoads : Pass<"tile-group-loads", "::mlir::func::FuncOp"> {
  let summary = "loads of global memory with pure ops between them -> loads one after the other";
}
def PlanOccupancy : Pass<"tile-plan-occupancy", "::mlir::func::FuncOp"> {
  let summary = "a kernel with multiplies -> the same with the number of blocks that should "
                "fit an SM";
}
def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "accesses of shared and global memory that another thread's access must precede -> "
                "the same with barriers between them";
  let options = [Option<"forget", "forget", "int64_t", "0",
                        "leave out this one of a kernel's barriers, counted from 1: a fault on "
                        "purpose, for the judges of the plan">];
}
def VerifyPlan : Pass<"tile-verify-plan", "::mlir::func::FuncOp"> {
  let summary = "nothing -> an error for each op that breaks a rule of a stage of the plan";
  let options = [Option<"stage", "stage", "std::string", "\"final\"",
                        "raised, contiguous, matrix, layouts, lowered or final">];
}

#endif
