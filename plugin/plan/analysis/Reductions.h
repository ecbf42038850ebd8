// Which tiles a kernel's reductions wait for.
#pragma once

#include "mlir/IR/Value.h"

namespace tessera::plan {

// May a reduction or a scan combine something that is computed of the tile? Else the tile is needed
// only behind them: as weights, which the normalized row is multiplied with.
bool isCombined(mlir::Value tile);

} // namespace tessera::plan
