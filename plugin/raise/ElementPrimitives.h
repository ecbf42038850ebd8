// The operations of primitives that compute element by element.
#pragma once

#include "raise/PrimitiveCall.h"

namespace tessera::raising::primitive {

mlir::Value unary(const Call &call);
mlir::Value binary(const Call &call);
mlir::Value fma(const Call &call);
mlir::Value compare(const Call &call);
mlir::Value classify(const Call &call);
mlir::Value select(const Call &call);
mlir::Value castElements(const Call &call);
mlir::Value bitcast(const Call &call);

} // namespace tessera::raising::primitive
