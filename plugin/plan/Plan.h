// plan: decides how a tile program runs. Tile IR in, the same tile IR out with every decision an
// attribute or an op.
#pragma once

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
inline constexpr llvm::StringLiteral archAttr =
    "tile.arch"; // i64 on the module: compute capability times ten

// Dynamic shared memory that a block of the kernel may have on its architecture, in bytes.
int64_t sharedLimit(mlir::Operation *kernel);

// Adds the passes of the plan in their order.
void buildPipeline(mlir::OpPassManager &manager);

} // namespace tessera::plan
