// Which tile blocks consumer warpgroups can compute side by side (plan/pipeline/WarpgroupBlocks.h).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// The axis of the grid (0, 1 = x, y) along which neighbours read the same in their loops, if all of
// the kernel's multiplies are chains of 64 rows that two warpgroups beside a producer warp have the
// registers for. Before instructions are chosen.
std::optional<int64_t> axisOfWarpgroupBlocks(mlir::func::FuncOp kernel);

} // namespace tessera::plan
