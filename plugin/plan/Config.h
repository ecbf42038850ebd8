// The configuration of a kernel: #tile.config, which the pass choose-config chooses and the passes
// after it obey.
#pragma once

#include "target/Limits.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// The bytes of K of a multiply's tile.
constexpr int64_t bestKBytes = bytesOfPanel;

// What the candidates of a kernel are, the best first. Each takes less shared memory than the one
// before it.
llvm::SmallVector<tile::ConfigAttr> candidateConfigs(mlir::func::FuncOp kernel);

// The same for all threads of a block as consumers of what they copy themselves.
tile::ConfigAttr withoutProducerWarp(tile::ConfigAttr config);

// Of the kernel that an op is in, or that it is: the attribute, or the best candidate where the
// pass choose-config did not run.
tile::ConfigAttr configOf(mlir::Operation *op);
void setConfig(mlir::func::FuncOp kernel, tile::ConfigAttr config);

} // namespace tessera::plan
