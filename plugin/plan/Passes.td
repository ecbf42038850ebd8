// The passes of the plan, in the order in which Plan.cpp runs them: one row, one file, one test
// folder each.
#ifndef TESSERA_PLAN_PASSES_TD
#define TESSERA_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckBounds : Pass<"tile-check-bounds", "::mlir::func::FuncOp"> {
  let summary = "accesses, indices and assumptions -> the same after checks of what the program "
                "promises about them (--check=bounds)";
}
def CheckNumbers : Pass<"tile-check-numbers", "::mlir::func::FuncOp"> {
  let summary = "operations -> the same, followed by checks that they make no NaN (--check=nan) "
                "and no infinity (--check=inf) from operands that are none";
  let options = [Option<"nan", "nan", "bool", "true", "look for NaN and for division by 0">,
                 Option<"inf", "inf", "bool", "false", "look for infinities">];
}
def CountLoops : Pass<"tile-count-loops", "::mlir::func::FuncOp"> {
  let summary = "while loops around multiplies that count to a bound in equal steps -> counted "
                "loops over their iterations";
}
def LateTransposes : Pass<"tile-late-transposes", "::mlir::func::FuncOp"> {
  let summary = "operands of multiplies that are transposed and then computed on, element by "
                "element -> operands that are computed and then transposed";
}
def CutOperands : Pass<"tile-cut-operands", "::mlir::func::FuncOp"> {
  let summary = "f32 operands that are read and truncated to tf32 -> operands that are read as "
                "tf32; tensor cores ignore the same bits";
}
def LateReads : Pass<"tile-late-reads", "::mlir::func::FuncOp"> {
  let summary = "operands that a loop reads one iteration before it multiplies them -> reads in "
                "the iteration of the multiply";
}
def ShrinkKTile : Pass<"tile-shrink-k-tile", "::mlir::func::FuncOp"> {
  let summary = "iterations with a K tile of more than 128 bytes, of an operand that threads "
                "transpose -> iterations with a K tile of 128 bytes";
}
def CoarsenBlocks : Pass<"tile-coarsen-blocks", "::mlir::ModuleOp"> {
  let summary = "a kernel whose blocks multiply small tiles -> the same kernel, and next to it one "
                "whose blocks each do the work of several neighbours, for large grids";
}
def SwizzleBlocks : Pass<"tile-swizzle-blocks", "::mlir::func::FuncOp"> {
  let summary = "indices of blocks that share operands along both axes of the grid -> indices with "
                "a threadblock swizzle (groups of rows), which keeps these operands in the L2 "
                "cache";
}
def ContiguousLast : Pass<"tile-contiguous-last", "::mlir::func::FuncOp"> {
  let summary = "views with a unit stride before the last dimension -> permuted views with the "
                "unit stride last";
}
def SplitBatches : Pass<"tile-split-batches", "::mlir::func::FuncOp"> {
  let summary = "batched multiplies -> multiplies of matrices, whose accumulators loops and "
                "branches carry one by one";
}
def SplitAccumulators : Pass<"tile-split-accumulators", "::mlir::func::FuncOp"> {
  let summary = "accumulators that exceed the registers of eight warps, alone or together -> split "
                "accumulators, one loop after the other";
}
def SwapOperands : Pass<"tile-swap-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of 32-bit elements where only operand B runs across K -> the "
                "transposed multiplies, with both operands transposed and exchanged";
}
def SplitEpilogue : Pass<"tile-split-epilogue", "::mlir::func::FuncOp"> {
  let summary = "epilogues of wgmma that exceed the registers of a thread -> epilogues of some "
                "columns each, read and stored one after the other";
}
def SelectLargeParts : Pass<"tile-select-large-parts", "::mlir::func::FuncOp"> {
  let summary = "cat, insert and extract at a run-time index of tiles that exceed a block's shared "
                "memory -> selects among repeated tiles and halves";
}
def FitSharedMemory : Pass<"tile-fit-shared-memory", "::mlir::ModuleOp"> {
  let summary = "kernels -> kernels whose shared memory the passes unroll-along-k to "
                "hoist-shared-stores allocate, with a smaller allowance where a block does not "
                "have enough";
}
def UnrollAlongK : Pass<"tile-unroll-along-k", "::mlir::func::FuncOp"> {
  let summary = "loops whose multiplies take less than 128 bytes of K -> loops unrolled along K, "
                "whose multiplies take as much, and loops over the remaining iterations";
}
def SelectMatrixUnits : Pass<"tile-select-matrix-units", "::mlir::func::FuncOp"> {
  let summary = "mma on values -> mma with a chosen instruction and operands in swizzled shared "
                "memory";
}
def SubtileK : Pass<"tile-subtile-k", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops with a large K tile -> multiplies of K subtiles, where that "
                "leaves room for another block";
}
def PipelineLoops : Pass<"tile-pipeline-loops", "::mlir::func::FuncOp"> {
  let summary = "counted loops that load operands from views -> a ring of shared-memory stages "
                "filled by asynchronous copies ahead of use";
}
def BulkStores : Pass<"tile-bulk-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of tensor core results to views -> bulk copies out of shared memory, or "
                "stores from there where the launch can make no tensor map";
}
def AssignLayouts : Pass<"tile-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "tiles -> tiles with a layout, conversions where two layouts meet, and the number "
                "of warps";
}
def RegisterOperands : Pass<"tile-register-operands", "::mlir::func::FuncOp"> {
  let summary = "wgmma whose operand A threads hold as wgmma takes it from registers -> the same "
                "without the way through shared memory";
}
def PrefetchOperands : Pass<"tile-prefetch-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops that read operand A from a ring into registers -> the same "
                "left in flight while operand A of the next iteration is read";
  let dependentDialects = ["::mlir::ub::UBDialect"];
}
def LowerToShared : Pass<"tile-lower-to-shared", "::mlir::func::FuncOp"> {
  let summary = "exchanges between threads (conversions, reductions over warps, extract, cat) -> "
                "stores and loads of shared tiles with offsets";
}
def HoistSharedStores : Pass<"tile-hoist-shared-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of loop-invariant values to shared tiles -> the same in front of the loop, "
                "where as many blocks fit an SM";
}
def PlanAccesses : Pass<"tile-plan-accesses", "::mlir::func::FuncOp"> {
  let summary = "reads and writes of global memory -> the same with vector width, proven "
                "alignment, and whether bounds are checked";
}
def VersionLoops : Pass<"tile-version-loops", "::mlir::func::FuncOp"> {
  let summary = "loops of mma.sync that leave a K step to the next iteration -> the same with "
                "predicated copies, next to a loop without such a step for views that are not "
                "aligned";
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
                        "leave out this one of a kernel's barriers, counted from 1: an injected "
                        "fault, for tests of what judges the plan">];
}
def VerifyPlan : Pass<"tile-verify-plan", "::mlir::func::FuncOp"> {
  let summary = "nothing -> an error for each op that breaks a rule of a stage of the plan";
  let options = [Option<"stage", "stage", "std::string", "\"final\"",
                        "raised, contiguous, matrix, layouts, lowered or final">];
}

#endif
