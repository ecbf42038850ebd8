// The passes of the plan, in the order in which the phases run them (Phases.h): one row, one file,
// one test each. docs/internals/passes.md is made of them; run test/plan/page.py --write.
#ifndef TESSERA_PLAN_PASSES_TD
#define TESSERA_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckBounds : Pass<"tile-check-bounds", "::mlir::func::FuncOp"> {
  let summary = "accesses, indices and assumptions -> the same after checks of what the program "
                "promises about them (--check=bounds)";
  let description = [{
    The conditions are tile IR, and `tile.check` prints a report and stops the kernel. Later passes
    plan them like any computation of the program. Only with checks does tile IR carry what the
    program promises of an access (`tile.inside`, `tile.unmasked`).
  }];
}
def CheckNumbers : Pass<"tile-check-numbers", "::mlir::func::FuncOp"> {
  let summary = "operations -> the same, followed by checks that they make no NaN (--check=nan) "
                "and no infinity (--check=inf) from operands that are none";
  let description = [{
    A check stops the kernel where the result is a NaN or an infinity and no operand is one. A NaN
    that comes from memory is not reported.
  }];
  let options = [Option<"nan", "nan", "bool", "true", "look for NaN and for division by 0">,
                 Option<"inf", "inf", "bool", "false", "look for infinities">];
}
def CountLoops : Pass<"tile-count-loops", "::mlir::func::FuncOp"> {
  let summary = "while loops around multiplies that count to a bound in equal steps -> counted "
                "loops over their iterations";
  let description = [{
    A loop whose counter approaches its bound in equal steps (`left -= 64`, downwards, tested at the
    end of an iteration) becomes an scf.for, if the counter cannot wrap before the loop ends.
  }];
}
def MergeCounters : Pass<"tile-merge-counters", "::mlir::func::FuncOp"> {
  let summary = "products of a counter that a loop of multiplies carries -> products of the loop's "
                "own counter";
  let description = [{
    A loop over elements in steps of a tile that carries the number of the tile, too, reads the same
    wherever it begins: blocks of queries whose loops begin at different keys share what they read.
  }];
}
def NarrowOperands : Pass<"tile-narrow-operands", "::mlir::func::FuncOp"> {
  let summary = "operands that are widened to float before a multiply -> operands of the type that "
                "they had, which tensor cores take";
  let description = [{
    Products of two numbers of 16 bits are exact in float, so that only the order of the sums
    differs, as it does for all multiplies by tensor cores.
  }];
}
def AccumulateProducts : Pass<"tile-accumulate-products", "::mlir::func::FuncOp"> {
  let summary = "products that a loop adds to an accumulator it carries -> multiplies into it";
  let description = [{
    `c * x + (a @ b)` is one multiply then: the tensor core adds, as it does for programs that pass
    c to the multiply. Not for fp8, whose products a program may add by itself to keep bits.
  }];
}
def LateTransposes : Pass<"tile-late-transposes", "::mlir::func::FuncOp"> {
  let summary = "operands of multiplies that are transposed and then computed on, element by "
                "element -> operands that are computed and then transposed";
  let description = [{
    The multiply then takes the operand in either orientation, and the pipelined load copies it as
    it is in memory. The pass runs again after contiguous-last, which makes transposed reads.
  }];
}
def CutOperands : Pass<"tile-cut-operands", "::mlir::func::FuncOp"> {
  let summary = "f32 operands that are read and truncated to tf32 -> operands that are read as "
                "tf32; tensor cores ignore the same bits";
  let description = [{
    This holds for elements that are rounded toward zero and that nothing but tensor cores uses.
  }];
}
def LateReads : Pass<"tile-late-reads", "::mlir::func::FuncOp"> {
  let summary = "operands that a loop reads one iteration before it multiplies them -> reads in "
                "the iteration of the multiply";
  let description = [{
    pipeline-loops then copies the operand ahead at its own prefetch distance, and the operand needs
    no registers. The read moves if no op in between writes that memory.
  }];
}
def UnrollLoops : Pass<"tile-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "loops of a few constant iterations that read tiles and multiply nothing -> "
                "straight code, as far as all tiles fit the registers";
  let description = [{
    The reads of all iterations are in flight together, and a read that was made before can be
    found again.
  }];
}
def MergeReads : Pass<"tile-merge-reads", "::mlir::func::FuncOp"> {
  let summary = "tiles that a block of a kernel without multiplies reads twice -> one read, as far "
                "as tiles fit the registers that long";
  let description = [{
    Nothing in between may write that memory.
  }];
}
def SplitMaskedLoops : Pass<"tile-split-masked-loops", "::mlir::func::FuncOp"> {
  let summary = "loops of multiplies with a mask in every iteration -> loops with the mask around "
                "one without it, of the iterations in which it is all true";
  let description = [{
    The mask compares numbers that grow with the loop's variable: a causal mask, a window, a length.
    Where 32 bits would not hold these numbers, all iterations keep it.
  }];
}
def ShrinkKTile : Pass<"tile-shrink-k-tile", "::mlir::func::FuncOp"> {
  let summary = "iterations with a K tile of more than 128 bytes, for an operand that threads "
                "transpose -> iterations with a K tile of 128 bytes";
  let description = [{
    Such an operand fits the registers then, and later passes have one case less.
  }];
}
def SplitRows : Pass<"tile-split-rows", "::mlir::func::FuncOp"> {
  let summary = "chains of multiplies whose tiles exceed the registers of two warpgroups, rows "
                "that exceed those of 16 warps, and half as many in a grid-stride loop -> the rows "
                "of a block in parts, one after another";
  let description = [{
    As attention of 256 rows. Nothing may combine rows, all that is written must have them, and must
    be other memory than what is read. A grid-stride loop over the rows of a part copies the next
    ones ahead.
  }];
}
def SplitColumns : Pass<"tile-split-columns", "::mlir::func::FuncOp"> {
  let summary = "rows that exceed the registers of 16 warps -> loops over parts of their columns, "
                "one for each reduction that depends on another one, and one for the result";
  let description = [{
    Each loop reads the row again, from the L2 cache. What is written must be other memory than what
    is read. Arrays that are read beside a row count, too: layer_norm of 32768 columns is split,
    softmax of as many is not.
  }];
}
def SplitBlocks : Pass<"tile-split-blocks", "::mlir::ModuleOp"> {
  let summary = "a kernel that reduces several rows in a block -> the same kernel, and next to it "
                "one with a block for each row or two";
  let description = [{
    Warps of all rows of a block wait for each other at each reduction. The rows are divided as
    split-rows does it, and launches have as many blocks for each of the program's as there are
    parts. Kernels of images have no second one: others launch them.
  }];
}
def CoarsenBlocks : Pass<"tile-coarsen-blocks", "::mlir::ModuleOp"> {
  let summary = "a kernel whose blocks multiply small tiles -> the same kernel, and next to it one "
                "whose blocks each do the work of several neighbours, for large grids";
  let description = [{
    Blocks that multiply small tiles read much for each multiply. The second kernel has one block
    for several neighbours, and launches of many blocks run it. `WideTiles.h` proves on the
    program's own operations that the neighbours' tiles are adjacent, and that no one can observe
    which block computed them. What blocks otherwise compute, read and write is done once for each
    of them (`EachBlock.h`). Tiles that a program takes in a loop, or in an order of its own, become
    blocks first (`TileGrid.h`). `CostModel.h` decides whether the second kernel pays.
  }];
}
def BatchViews : Pass<"tile-batch-views", "::mlir::ModuleOp"> {
  let summary = "views whose base moves with the block, in a second kernel -> boxes of the whole "
                "batch, of which launches can make tensor maps";
  let description = [{
    A program that adds `head * rows * columns` to a pointer reads matrices of a batch. The offset
    becomes a dimension, if its index cannot be negative and its stride is known before the launch.
  }];
}
def SwizzleBlocks : Pass<"tile-swizzle-blocks", "::mlir::func::FuncOp"> {
  let summary = "indices of blocks that share operands along both axes of the grid -> indices with "
                "a threadblock swizzle (groups of rows), which keeps these operands in the L2 "
                "cache";
  let description = [{
    The pass leaves a kernel alone whose order of blocks the program could observe: by atomics whose
    result is used, by memory orders, by volatile reads.
  }];
}
def ContiguousLast : Pass<"tile-contiguous-last", "::mlir::func::FuncOp"> {
  let summary = "views with a unit stride before the last dimension -> permuted views with the "
                "unit stride last";
  let description = [{
    A view of layout_left is read through the permuted view. All later passes may assume that the
    last dimension is contiguous. Dimensions of one element come first, so that rows are beside
    columns.
  }];
}
def SplitBatches : Pass<"tile-split-batches", "::mlir::func::FuncOp"> {
  let summary = "batched multiplies -> multiplies of matrices, whose accumulators loops and "
                "branches carry one by one";
  let description = [{
    Tensor cores multiply matrices. A batch of one is a reshaped matrix; a larger batch is read one
    matrix at a time where its operands come from views.
  }];
}
def MergeBatches : Pass<"tile-merge-batches", "::mlir::func::FuncOp"> {
  let summary = "batched multiplies with one operand for all batches -> one multiply, with the "
                "batches in the rows or columns of its accumulator";
  let description = [{
    It applies to batches that split-batches leaves, where a tensor core takes the one multiply.
  }];
}
def SplitAccumulators : Pass<"tile-split-accumulators", "::mlir::func::FuncOp"> {
  let summary = "accumulators that exceed the registers of eight warps, alone or together -> split "
                "accumulators, one loop after the other";
  let description = [{
    A part has its own loop and its own store. It applies to one large tile, to the two GEMMs of a
    glu, and to an accumulator in two levels. Element-wise ops that use the accumulator, in the loop
    and in the epilogue, are split with it (`DividedTiles.h`). The first part's loop keeps the other
    writes of the loop.
  }];
}
def SwapOperands : Pass<"tile-swap-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of 32-bit elements where only operand B runs across K -> the "
                "transposed multiplies, with both operands transposed and exchanged";
  let description = [{
    wgmma takes tf32 operands in shared memory only along K. The operand to transpose is A after the
    exchange, and A may come from registers. The pass numbers the accumulator's rows so that threads
    read that operand without bank conflicts.
  }];
}
def SplitEpilogue : Pass<"tile-split-epilogue", "::mlir::func::FuncOp"> {
  let summary = "epilogues of wgmma that exceed the registers of a thread -> epilogues of some "
                "columns each, read and stored one after the other";
  let description = [{
    Registers may not hold both a wgmma accumulator and an operand of its epilogue, such as a
    residual.
  }];
}
def SelectLargeParts : Pass<"tile-select-large-parts", "::mlir::func::FuncOp"> {
  let summary = "cat, insert and extract at a run-time index of tiles that exceed a block's shared "
                "memory -> selects among repeated tiles and halves";
  let description = [{
    The selected tiles have the size of the result.
  }];
}
def ChooseConfig : Pass<"tile-choose-config", "::mlir::func::FuncOp"> {
  let summary = "a kernel -> the same kernel with `tile.config`: warps, K tile, stages, roles, and "
                "shares of shared memory, which all later passes obey";
  let description = [{
    The candidates stand in a table, the best first; each takes less shared memory than the one
    before it. The kernel begins with the first one. Pass `fit-shared-memory` plans it with the next
    one where it does not fit.
  }];
}
def FitSharedMemory : Pass<"tile-fit-shared-memory", "::mlir::ModuleOp"> {
  let summary = "kernels -> kernels whose shared memory the passes unroll-along-k to "
                "hoist-shared-stores allocate, with the next configuration where a block does not "
                "have enough";
  let description = [{
    If a block's shared memory does not hold the total of those passes, the kernel is planned again
    from its state before them with the next candidate of pass `choose-config`: with fewer stages,
    then without a ring, then with one tile of each operand for each multiply, then with smaller
    parts of conversions and operands. Only a kernel that does not fit then is refused.
  }];
}
def UnrollAlongK : Pass<"tile-unroll-along-k", "::mlir::func::FuncOp"> {
  let summary = "loops whose multiplies take less than 128 bytes of K -> loops unrolled along K, "
                "whose multiplies take as much, and loops over the remaining iterations";
  let description = [{
    Such a loop waits for copies a half or a quarter as often. Its other writes are done for each
    iteration that exists. The pass proves that the combined box has the same elements, read under
    the same tests.
  }];
}
def PermuteK : Pass<"tile-permute-k", "::mlir::func::FuncOp"> {
  let summary = "multiplies of fp8 whose operand A is computed from an accumulator -> the same "
                "with K in an order in which threads have what wgmma takes of A";
  let description = [{
    The columns of A and the rows of B are permuted alike, which changes no sum. A is only renamed;
    B, whose rows run across K, is transposed on its way through shared memory anyway.
  }];
}
def SelectMmaInstructions : Pass<"tile-select-mma-instructions", "::mlir::func::FuncOp"> {
  let summary = "mma on values -> mma with a chosen instruction and operands in swizzled shared "
                "memory";
  let description = [{
    The pass chooses wgmma where the GPU has it and the multiply fits, else mma.sync
    (`MmaInstructions.def`), else plain multiply-add. A transposed operand is stored untransposed
    and marked, since ldmatrix transposes it for free. An operand that wgmma takes along K alone is
    stored along K. An operand of several multiplies is stored once. Two operands that shared memory
    does not hold together are multiplied in parts along K.
  }];
}
def SubtileK : Pass<"tile-subtile-k", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops with a large K tile -> multiplies of K subtiles, if that "
                "leaves room for another block";
  let description = [{
    The K subtiles share one ring. The loop waits, copies and multiplies once for each of them.
  }];
}
def SpecializeChains : Pass<"tile-specialize-chains", "::mlir::func::FuncOp"> {
  let summary = "a kernel whose loops multiply in chains -> the same with a producer warp that "
                "fills a ring for each load";
  let description = [{
    An operand of one multiply is computed from the accumulator of another one, as in attention. The
    kernel must be one that blocks run for one work tile after the other, and its launch must make
    the tensor maps.
  }];
}
def PipelineLoops : Pass<"tile-pipeline-loops", "::mlir::func::FuncOp"> {
  let summary = "counted loops that load operands, or rows, -> a ring of shared-memory stages "
                "filled by asynchronous copies ahead of use";
  let description = [{
    The coordinates of a load must be known iterations ahead: they are computed from the induction
    variable, from carried numbers and pointers that advance by a constant stride, and from
    loop-invariant values (`OtherIterations.h`). Tiles of pointers are pipelined like views where
    AxisInfo proves contiguity. Inputs of computed operands are copied as they are in memory, and
    the computation runs when the stage is due (`ComputedOperands.h`). Other ops that take an
    operand read it again from its stage (`RereadOperands.h`). Bulk copies fill the ring
    where the launch or the kernel can make the tensor maps (`BulkRings.h`). A coarsened kernel with
    one accumulator becomes persistent, with a producer warp (`WarpSpecialization.h`). In a kernel
    that multiplies nothing, loops copy large tiles ahead, from where they go to registers
    (`LoadRings.h`).
  }];
}
def BulkStores : Pass<"tile-bulk-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of tensor core results to views -> bulk copies out of shared memory, or "
                "stores from there where the launch can make no tensor map";
  let description = [{
    The tile in shared memory has panels and reuses the ring's memory. The asynchronous proxy writes
    later, so no op of the kernel that may follow, except stores by the same tensor map, may access
    what the store writes or order the block with others.
  }];
}
def AssignLayouts : Pass<"tile-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "tiles -> tiles with a layout, conversions where two layouts meet, and the number "
                "of warps";
  let description = [{
    The layouts are a fixed point of preferences. Accumulators require their layout, which nothing
    overrides. Scans prefer runs of their dimension in a warp, accesses of memory prefer
    neighbouring elements, element-wise ops and loops tie their tiles together, and shape ops carry
    a layout over. Cheap values are recomputed instead of converted.
  }];
}
def RegisterOperands : Pass<"tile-register-operands", "::mlir::func::FuncOp"> {
  let summary = "wgmma whose operand A threads hold as wgmma takes it from registers -> the same "
                "without the way through shared memory";
  let description = [{
    A result that is the A operand of the next multiply, like attention's scores, stays in
    registers, without stores, fence and barrier.
  }];
}
def PrefetchOperands : Pass<"tile-prefetch-operands", "::mlir::func::FuncOp"> {
  let summary = "multiplies of loops that read operand A from a ring into registers -> the same "
                "left in flight while operand A of the next iteration is read";
  let description = [{
    The loop is unrolled by two, and two sets of registers alternate: a tensor core may still read
    one while the other is filled.
  }];
  let dependentDialects = ["::mlir::ub::UBDialect"];
}
def OverlapChains : Pass<"tile-overlap-chains", "::mlir::func::FuncOp"> {
  let summary = "loops that multiply in chains, whose rings a producer warp fills -> the second "
                "multiply of an iteration is in flight beside the first one of the next";
  let description = [{
    The loop is rotated: an iteration starts its first multiply and the second one of the iteration
    before, and computes on the first accumulator while the second multiply is in flight.
  }];
}
def DeferWaits : Pass<"tile-defer-waits", "::mlir::func::FuncOp"> {
  let summary = "loops that multiply in chains, whose rings a producer warp fills -> multiplies "
                "that start as early as their operands are there, and are awaited where their "
                "accumulators are read";
  let description = [{
    For loops that overlap-chains leaves as they are: of more than two multiplies, or whose
    multiplies share an operand. Threads compute on one accumulator while the multiply into another
    one is in flight.
  }];
}
def SkipRescales : Pass<"tile-skip-rescales", "::mlir::func::FuncOp"> {
  let summary = "accumulators that are rescaled by what a running maximum has grown -> the same, "
                "skipped by warps whose rows have not grown";
  let description = [{
    The factor is exp2 of 0 in most iterations of attention. The product by 1 is exact, so that the
    results stay the same, bit by bit.
  }];
}
def RotateRows : Pass<"tile-rotate-rows", "::mlir::func::FuncOp"> {
  let summary = "tiles of rows that may begin between aligned groups of elements -> the same, "
                "rotated by where the rows begin, so that aligned groups are read and written";
  let description = [{
    Slot j of the tile holds column j - shift, modulo the tile's columns. The shift is known at run
    time. It is that of all arrays whose rows have the same stride and the same indices; where these
    begin at different distances from an aligned group, rows are not rotated. Other arrays that are
    read, as one with a weight for each column, are read across groups then: the pass compares what
    is gained and lost. All tiles that are computed from what is read are rotated: element-wise ops,
    broadcasts, and reductions along the row allow that, and an iota of the columns is computed from
    slot and shift. Pieces of a row have its shift, and a loop may carry what is computed of them.
    Where another op takes one of the tiles, or a loop carries it from row to row, the row stays as
    it is.
  }];
}
def LowerToShared : Pass<"tile-lower-to-shared", "::mlir::func::FuncOp"> {
  let summary = "exchanges between threads (conversions, reductions over warps, extract, cat) -> "
                "stores and loads of shared tiles with offsets";
  let description = [{
    The pass searches the swizzle with the fewest bank conflicts for both sides of an exchange, then
    assigns offsets by liveness. Reductions and scans finish within the warps; the warps' partial
    results are combined through shared memory. Exchanges that do not wait for one another are
    stored before any is loaded. Local arrays of a block lie in front of all where each access of
    them is known.
  }];
}
def HoistSharedStores : Pass<"tile-hoist-shared-stores", "::mlir::func::FuncOp"> {
  let summary = "stores of loop-invariant values to shared tiles -> the same in front of the loop, "
                "where as many blocks fit an SM";
  let description = [{
    A tile like the queries of attention is stored once and needs no registers in the loop. It
    shares its bytes with nothing in the loops.
  }];
}
def PlanAccesses : Pass<"tile-plan-accesses", "::mlir::func::FuncOp"> {
  let summary = "reads and writes of global memory -> the same with vector width, proven "
                "alignment, and whether bounds are checked";
  let description = [{
    The width follows from the layout. Along each dimension a box is proven inside, or inside or
    outside as a whole, or it is checked element by element. Facts hold at a program point: within a
    branch its condition holds. What is not proven is guarded by one uniform test at run time. Tiles
    of pointers are accessed in contiguous groups (`AxisInfo.h`).
  }];
}
def VersionLoops : Pass<"tile-version-loops", "::mlir::func::FuncOp"> {
  let summary = "loops of mma.sync that leave a K step to the next iteration -> the same with "
                "predicated copies, next to a loop without such a step for views that are not "
                "aligned";
  let description = [{
    Compilers schedule nothing between multiplies across a branch, and a guarded copy is one.
  }];
}
def VersionAccesses : Pass<"tile-version-accesses", "::mlir::func::FuncOp"> {
  let summary = "a kernel that reduces what it reads through views of unknown alignment -> the "
                "same beside a version for aligned views";
  let description = [{
    Whether the views are aligned is asked once, before tiles are computed. The second way to make
    an access takes registers, and those of the aligned version decide how many blocks share an SM.
    Where the tiles stand in a branch, as behind a test of the row's number, the versions do, too.
  }];
}
def CoalesceRows : Pass<"tile-coalesce-rows", "::mlir::func::FuncOp"> {
  let summary = "tiles of the version for views of any alignment whose elements have 4 bytes or "
                "more -> the same in threads that hold single elements, side by side in a warp";
  let description = [{
    Lanes that access single elements side by side access whole lines of 128 bytes, wherever a row
    begins. Rows need no rotation then, chunks no groups around them. It is done for all tiles that
    are computed from each other, where no op needs neighbours in a thread.
  }];
}
def TrimWarps : Pass<"tile-trim-warps", "::mlir::func::FuncOp"> {
  let summary = "a kernel whose warps are spread along rows of as many columns as a launch says -> "
                "the same with a run of each row in each warp, of which a launch leaves out those "
                "behind the last column";
  let description = [{
    Extents of tiles are powers of two, so that up to half of a tile's columns are padding. Warps
    that hold nothing else would compute what is known: what a reduction makes of the padding.
    The registers of those that a launch leaves out go to other blocks.
  }];
}
def SinkLoads : Pass<"tile-sink-loads", "::mlir::func::FuncOp"> {
  let summary = "loads in front of a reduction over warps that are needed behind it, such as those "
                "of weights -> loads behind it";
  let description = [{
    What is loaded in front is held while the block waits at the reduction's barrier, in registers
    of which another block of the SM could have been made. A load moves if no op in between writes
    that memory, and unless a later reduction waits for it.
  }];
}
def GroupLoads : Pass<"tile-group-loads", "::mlir::func::FuncOp"> {
  let summary = "loads of global memory with pure ops between them -> loads one after the other";
  let description = [{
    They are in flight at the same time then. A load with a test of alignment or bounds is a branch,
    and compilers move nothing across it.
  }];
}
def WarnOfSpills : Pass<"tile-warn-of-spills", "::mlir::func::FuncOp"> {
  let summary = "a kernel -> the same kernel, and a warning for its largest tile that registers do "
                "not hold";
  let description = [{
    Such a tile lies in local memory, and the kernel is slow. A coarsened kernel has no warning: its
    tiles are not the program's.
  }];
}
def PlanOccupancy : Pass<"tile-plan-occupancy", "::mlir::func::FuncOp"> {
  let summary = "a kernel -> the same with the number of blocks that should fit an SM, where ptxas "
                "had better not choose its registers";
  let description = [{
    With multiplies the number is as many as shared memory and registers allow, up to four
    (`LiveRegisters.cpp`). ptxas keeps to the registers that follow. Without, and with few values in
    registers, it is as many as leave a thread 64 registers: ptxas would give it 32 and read its
    tiles one after the other. A hint of the program for its target is the minimum.
    A kernel with a producer warp has the SM for itself; its producer warp keeps 40 registers where
    the consumers' tiles leave it these, else the 24 of chains.
  }];
}
def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "accesses of shared and global memory that another thread's access must precede -> "
                "the same with barriers between them";
  let description = [{
    This is the only pass that inserts barriers; those of a ring with a producer warp are mbarriers.
    A tile program is one logical thread: a later load must see an earlier store of the block. What
    threads wrote for wgmma or a bulk copy is fenced before the barrier.
  }];
  let options = [Option<"forget", "forget", "int64_t", "0",
                        "leave out the barrier of this number of each kernel, from 1: an injected "
                        "fault for tests">];
}
def SequenceCopies : Pass<"tile-sequence-copies", "::mlir::func::FuncOp"> {
  let summary = "loops that give their variables the next values at the same time -> the same with "
                "values saved that an earlier assignment would overwrite, and with marks on tiles "
                "that need no assignment";
  let description = [{
    Generated code assigns one variable after the other. Two tiles that swap while wgmma may read
    one of them are not moved: their loop is marked, and generated code has two iterations of it,
    between which the variables swap names. A tile is marked that is computed into the variable that
    carries it on.
  }];
}
def InlineValues : Pass<"tile-inline-values", "::mlir::func::FuncOp"> {
  let summary = "values -> the same with marks on those that generated code writes where they are "
                "used";
  let description = [{
    What costs nothing is written at each use. What is pure and has one use in its block is written
    there, unless the program has a name for it or the expression has too many operations to read.
  }];
}
def NameValues : Pass<"tile-name-values", "::mlir::func::FuncOp"> {
  let summary = "values for which the program has no name -> the same with the names of "
                "their roles";
  let description = [{
    Generated code then says `row_start`, `k_next`, `is_inside`, `accumulator`. The uses of a number
    come first: coordinates of boxes, then bounds of loops, extents, strides, stages, positions. A
    test is called by what it asks: `is_zero`, `has_next`. The printer makes the names unique, and
    has the rules that depend on the names of other variables: what is read, and an address, is
    called after its array, and a cast, a reshape or a part after the value that it is made of.
  }];
}
def VerifyPlan : Pass<"tile-verify-plan", "::mlir::func::FuncOp"> {
  let summary = "nothing -> an error for each op that breaks a rule of a stage of the plan";
  let description = [{
    `VerifyPlan.cpp` is the table of the rules. The pass runs after a stage in debug builds and
    where TESSERA_VERIFY is set, as it is in all tests.
  }];
  let options = [Option<"stage", "stage", "std::string", "\"final\"",
                        "raised, contiguous, matrix, layouts, lowered or final">];
}

#endif
