// plan: decides how a tile program runs. Tile IR in, the same tile IR out with every decision an
// attribute or an op.
#pragma once

#include "Checks.h"
#include "PlanPolicy.h"
#include "Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tessera::plan {

// What the plan may use, and what it found out for the emitter; attributes of the kernel
// (func.func).
inline constexpr llvm::StringLiteral warpsAttr = "tile.warps"; // i64, warps per block
inline constexpr llvm::StringLiteral sharedBytesAttr =
    "tile.shared_bytes"; // i64, dynamic shared memory
inline constexpr llvm::StringLiteral minBlocksAttr =
    "tile.min_blocks"; // i64, blocks that should fit on one SM; absent: no wish
inline constexpr llvm::StringLiteral registersAttr =
    "tile.registers"; // i64, of a thread: as many as the plan expects a compiler to take
inline constexpr llvm::StringLiteral occupancyAttr =
    "tile.occupancy"; // i64: a hint of the program's, blocks of an SM
inline constexpr llvm::StringLiteral targetAttr =
    "tile.target"; // #tile.target on the module; absent: the default of the table
inline constexpr llvm::StringLiteral allowanceAttr =
    "tile.allowance"; // four i64, as SharedAllowance; absent: as much as is good

inline constexpr llvm::StringLiteral withoutAttr =
    "tile.without"; // string, on the module or a kernel: what the plan must not do (Techniques.def)
inline constexpr llvm::StringLiteral launchedAttr =
    "tile.launched"; // unit, on the module: host code that is emitted, too, launches the kernels

// A kernel that launches run in place of another where its grid is large (pass merge-blocks).
inline constexpr llvm::StringLiteral mergedOfAttr =
    "tile.merged_of"; // string, the symbol of the other
inline constexpr llvm::StringLiteral mergedAttr =
    "tile.merged"; // two i64: how many of the other's blocks along x and y one block of it does
inline constexpr llvm::StringLiteral tilesOfAttr =
    "tile.tiles_of"; // string, of host code that lists tiles: the kernel that has a block for each
inline constexpr llvm::StringLiteral cyclesAttr =
    "tile.cycles"; // i64, of both: what a block takes of an SM, to compare them by

// A kernel one of whose warps does nothing but fill a ring, for blocks that do the work of one
// place of the grid after the other; and its loop over these (CopyingWarp.h).
inline constexpr llvm::StringLiteral copyingWarpAttr = "tile.copying_warp"; // unit
inline constexpr llvm::StringLiteral placesAttr = "tile.places";            // unit
inline constexpr llvm::StringLiteral noCopyingWarpAttr =
    "tile.no_copying_warp"; // unit, of a kernel that would not have enough registers then

// Of a loop: it takes a few turns at most, which are not worth a ring of copies ahead.
inline constexpr llvm::StringLiteral fewTurnsAttr = "tile.few_turns"; // unit

// Of a loop: it starts the copies of a ring's first stages and does nothing else. Its text stays a
// loop, where compilers would repeat it for each of a few turns.
inline constexpr llvm::StringLiteral firstCopiesAttr = "tile.first_copies"; // unit

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
      true; // multiplies read one tile of an operand, which lives through them all
};
SharedAllowance allowanceOf(mlir::Operation *kernel);
void setAllowance(mlir::Operation *kernel, const SharedAllowance &allowance);

// The passes of a kernel that give out shared memory, which FitSharedMemory runs.
void buildSharedMemoryPasses(mlir::OpPassManager &kernel);

// Adds the passes of the plan in their order, with the checks. forgottenBarrier: what the pass
// tile-insert-barriers leaves out on purpose, or 0.
void buildPipeline(mlir::OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier);

// "tile-count-loops", "canonicalize": those that these two run, each once.
std::vector<std::string> passNames();

} // namespace tessera::plan
