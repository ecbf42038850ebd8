// How many blocks of a kernel fit an SM, as far as the plan knows.
#pragma once

#include "target/RegisterBudgets.h"
#include "target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Registers of a thread for the largest result of a multiply; 0 without one.
int64_t accumulatorRegisters(mlir::func::FuncOp kernel);

// Registers of a thread for the most expensive multiply, without addresses and the like: the
// operands of mma.sync and of plain multiply-adds pass through about as many as their accumulator
// holds, those of wgmma through none, and its promoted sums are beside the accumulator. 0 without a
// multiply.
int64_t multiplyRegisters(mlir::func::FuncOp kernel);

// The warps of a producer's warpgroup (WarpSpecialization.h).
constexpr int64_t warpsForCopies = 4;
// Of them, those that transpose what the producer warp copies.
constexpr int64_t warpsThatTranspose = warpsForCopies - 1;

// Warps for wgmma with a result of this many elements: one warpgroup or two.
int64_t warpsOfAccumulator(int64_t elements);

// The maximum registers of a thread that tiles and scalars hold at one time. After layouts. late:
// reads of views are made where their elements are used, as compilers do with reads that are not
// behind a test.
enum class Reads { inOrder, late };
int64_t liveRegisters(mlir::func::FuncOp kernel, Reads reads = Reads::inOrder);

// The registers that a thread cannot do without: the live ones, and a margin for everything besides
// tiles.
int64_t neededRegisters(mlir::func::FuncOp kernel);

// The registers that a compiler of the generated code is expected to take for a thread without a
// bound: the needed ones or those of the multiply, whose operands pass through fewer where fewer
// are left.
int64_t expectedRegisters(mlir::func::FuncOp kernel);

// The maximum registers that a thread can have: of a kernel with a producer warp, a consumer's.
int64_t availableRegisters(mlir::func::FuncOp kernel);

// Of shared memory, where it has been laid out.
int64_t sharedBytesOf(mlir::func::FuncOp kernel);
int64_t threadsOf(mlir::func::FuncOp kernel);

// Tile blocks that a block computes side by side: 2 where each consumer warpgroup is one
// (plan/pipeline/WarpgroupBlocks.h), else 1.
int64_t tileBlocksOf(mlir::func::FuncOp kernel);

// The warps that compute: those of the configuration, for each of these tile blocks.
int64_t computingWarps(mlir::func::FuncOp kernel);

// Blocks that fit an SM, with this many bytes of shared memory each.
int64_t blocksOfSharedMemory(const GpuTarget &target, int64_t bytes);
// The bytes that each of this many blocks may have.
int64_t sharedOfOneOf(int64_t blocks, const GpuTarget &target);

// Blocks of a kernel that fit an SM, by its threads and its shared memory; also by registers, where
// a compiler has reported how many a thread takes.
int64_t blocksOfMultiprocessor(const GpuTarget &target, int64_t threads, int64_t sharedBytes,
                               int64_t registers = 0);

// Large grids run the coarsened kernel (pass coarsen-blocks): blocks of this one have an SM, or
// most of it, for themselves.
bool isForFewBlocks(mlir::func::FuncOp kernel);

// The program's hint of blocks per SM: at least this many should fit, as far as resources allow. 1
// means that a block may have an SM for itself; 0: no hint.
int64_t hintedBlocks(mlir::func::FuncOp kernel);

// Two blocks of a multiply on one SM hide each other's waits: worth a bound on registers as long as
// the accumulator takes half of them; of wgmma, as long as it leaves enough for the rest.
bool isTwoBlocksWorth(mlir::func::FuncOp kernel);

} // namespace tessera::plan
