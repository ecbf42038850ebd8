// The operations of primitives that compute pointers or access memory, through tiles of pointers or
// views.
#pragma once

#include "raise/PrimitiveCall.h"

namespace tessera::raising::primitive {

mlir::Value offset(const Call &call);
mlir::Value difference(const Call &call);
mlir::Value inside(const Call &call);
mlir::Value load(const Call &call);
mlir::Value loadMasked(const Call &call);
mlir::Value store(const Call &call);
mlir::Value storeMasked(const Call &call);
mlir::Value atomicLoad(const Call &call);
mlir::Value atomicStore(const Call &call);
mlir::Value atomicRmw(const Call &call);
mlir::Value atomicCompareExchange(const Call &call);
mlir::Value viewLoad(const Call &call);
mlir::Value viewStore(const Call &call);

} // namespace tessera::raising::primitive
