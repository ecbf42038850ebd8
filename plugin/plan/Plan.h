// plan: decides how a tile program runs. Tile IR in, the same tile IR out with every decision an
// attribute or an op.
#pragma once

#include "Checks.h"
#include "PlanPolicy.h"
#include "Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tessera::plan {

// What the plan may use, and what it found for the emitter; attributes of the kernel (func.func).
inline constexpr llvm::StringLiteral warpsAttr = "tile.warps"; // i64, warps per block
inline constexpr llvm::StringLiteral sharedBytesAttr =
    "tile.shared_bytes"; // i64, dynamic shared memory
inline constexpr llvm::StringLiteral minBlocksAttr =
    "tile.min_blocks"; // i64, blocks that should fit on one SM; absent: no bound
inline constexpr llvm::StringLiteral registersAttr =
    "tile.registers"; // i64, of a thread: what the plan expects a compiler to take
inline constexpr llvm::StringLiteral occupancyAttr =
    "tile.occupancy"; // i64: the program's hint, blocks of an SM
inline constexpr llvm::StringLiteral targetAttr =
    "tile.target"; // #tile.target on the module; absent: the default of the table
inline constexpr llvm::StringLiteral allowanceAttr =
    "tile.allowance"; // four i64, as SharedAllowance; absent: as much as is good

inline constexpr llvm::StringLiteral withoutAttr =
    "tile.without"; // string, on the module or a kernel: techniques to leave out (Techniques.def)
inline constexpr llvm::StringLiteral launchedAttr =
    "tile.launched"; // unit, on the module: emitted host code launches the kernels

// A coarsened kernel, which launches run instead of the original where the grid is large (pass
// coarsen-blocks).
inline constexpr llvm::StringLiteral coarsenedFromAttr =
    "tile.coarsened_from"; // string, the symbol of the other
inline constexpr llvm::StringLiteral coarseningAttr =
    "tile.coarsening"; // two i64: how many of the other's blocks along x and y one block of it does
inline constexpr llvm::StringLiteral tilesOfAttr =
    "tile.tiles_of"; // string, of host code that lists tiles: the kernel that has a block for each
inline constexpr llvm::StringLiteral cyclesAttr =
    "tile.cycles"; // i64, of both: what a block costs on an SM, to compare them

// A kernel with a producer warp, for blocks that take one work tile of the grid after the other;
// and its loop over work tiles (WarpSpecialization.h).
inline constexpr llvm::StringLiteral warpSpecializedAttr = "tile.warp_specialized"; // unit
inline constexpr llvm::StringLiteral workTilesAttr = "tile.work_tiles";             // unit
inline constexpr llvm::StringLiteral noWarpSpecializationAttr =
    "tile.no_warp_specialization"; // unit, of a kernel that would not have enough registers for it

// Of a loop: it has a few iterations at most, which are not worth a ring of copies ahead.
inline constexpr llvm::StringLiteral fewIterationsAttr = "tile.few_iterations"; // unit

// Of a loop: it is the prologue of a ring and starts the copies of the first stages. The generated
// code keeps it a loop, which compilers would unroll for a few iterations.
inline constexpr llvm::StringLiteral prologueAttr = "tile.prologue"; // unit

// The GPU that a kernel is planned for.
const GpuTarget &targetOf(mlir::Operation *kernel);

// What the plan of a kernel, or of a module, may do.
PlanPolicy policyOf(mlir::Operation *op);
// Of a module or, in its place, of one kernel.
void setPolicy(mlir::Operation *op, const PlanPolicy &policy);

// What the passes may take of shared memory for speed: a kernel that does not fit otherwise is
// planned with less.
struct SharedAllowance {
  int64_t stages;   // of a ring of copies ahead; 1: no ring
  int64_t operands; // bytes, of the two operands of a multiply
  int64_t exchange; // bytes, of a conversion
  bool sharesOperands =
      true; // multiplies share one tile of an operand, which lives through them all
};
SharedAllowance allowanceOf(mlir::Operation *kernel);
void setAllowance(mlir::Operation *kernel, const SharedAllowance &allowance);

// The passes of a kernel that allocate shared memory, which FitSharedMemory runs.
void buildSharedMemoryPasses(mlir::OpPassManager &kernel);

// Adds the passes of the plan in their order, with the checks. forgottenBarrier: the barrier that
// the pass tile-insert-barriers leaves out on purpose, or 0.
void buildPipeline(mlir::OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier);

// "tile-count-loops", "canonicalize": the passes that these two run, each once.
std::vector<std::string> passNames();

} // namespace tessera::plan
