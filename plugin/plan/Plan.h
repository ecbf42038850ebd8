// plan: decides how a tile program runs. Tile IR in, the same tile IR out with every decision an
// attribute or an op.
#pragma once

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
inline constexpr llvm::StringLiteral targetAttr =
    "tile.target"; // #tile.target on the module; absent: the default of the table

// The GPU that a kernel is planned for.
const GpuTarget &targetOf(mlir::Operation *kernel);

// Adds the passes of the plan in their order.
void buildPipeline(mlir::OpPassManager &manager);

} // namespace tessera::plan
