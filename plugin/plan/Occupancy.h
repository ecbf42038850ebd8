// How many blocks of a kernel fit an SM, as far as the plan knows.
#pragma once

#include "Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

constexpr int64_t registersOfMultiprocessor = 65536;
constexpr int64_t registersOfThread = 256; // the most, to the next power of two
constexpr int64_t registersGivenOut = 8;   // of a thread, at a time

// Registers of a thread for the largest result of a multiply; 0 without one.
int64_t accumulatorRegisters(mlir::func::FuncOp kernel);

// Registers of a thread for the multiply that takes the most, without addresses and the like: the
// operands of mma.sync and of plain multiply-adds pass through about as many as their accumulator
// holds, those of wgmma through none. 0 without a multiply.
int64_t multiplyRegisters(mlir::func::FuncOp kernel);
// Addresses, indices, predicates. Beside tiles: of the kernels with wgmma of the tests, the samples
// and TileGym none spills that is left so many; one that is left 14 does.
constexpr int64_t registersBesidesMultiply = 40, registersBesidesTiles = 15;

// Of a block with a warp that copies (CopyingWarp.h): the warps of the warpgroup that it is of, the
// registers that their threads keep, and those that the threads of two others have then.
constexpr int64_t warpsForCopies = 4, registersForCopies = 40, registersBesideCopies = 232;

// Warps for wgmma with a result of so many elements: one warpgroup or two.
int64_t warpsOfAccumulator(int64_t elements);

// The most registers of a thread that tiles and scalars hold at one time. Behind the layouts.
int64_t liveRegisters(mlir::func::FuncOp kernel);

// The registers that a thread cannot do without: those that are live, with what comes beside them.
int64_t neededRegisters(mlir::func::FuncOp kernel);

// The registers that a compiler of the emitted text is expected to take for a thread, if nothing
// bounds it: the needed ones or those of the multiply, whose operands pass through fewer where
// fewer are left.
int64_t expectedRegisters(mlir::func::FuncOp kernel);

// The most registers that a thread can have: of a kernel with a producer warp, a consumer's.
int64_t availableRegisters(mlir::func::FuncOp kernel);

int64_t threadsOf(mlir::func::FuncOp kernel);

// Blocks of so many bytes of shared memory each.
int64_t blocksOfSharedMemory(const GpuTarget &target, int64_t bytes);
// The bytes that each of so many blocks may have.
int64_t sharedOfOneOf(int64_t blocks, const GpuTarget &target);

// Blocks of a kernel that fit an SM, by its threads and its shared memory; where a compiler has
// said how many registers a thread takes, by these as well.
int64_t blocksOfMultiprocessor(const GpuTarget &target, int64_t threads, int64_t sharedBytes,
                               int64_t registers = 0);

// Launches of many blocks run another kernel (pass merge-blocks): those of this one have an SM, or
// most of it, for themselves.
bool isForFewBlocks(mlir::func::FuncOp kernel);

// The blocks of an SM that the program hints at: at least so many should fit, as far as resources
// allow. 1 says that a block may have an SM for itself; 0: the program says nothing.
int64_t hintedBlocks(mlir::func::FuncOp kernel);

// Two blocks of a multiply on one SM hide each other's waits: worth a bound on registers as long as
// the accumulator takes half of them; of wgmma, as long as it leaves enough for the rest.
bool isTwoBlocksWorth(mlir::func::FuncOp kernel);

} // namespace tessera::plan
