// Accesses through tiles of pointers, which those of views become where they are ordered, atomic or
// indexed.
#pragma once

#include "tileir/Kernel.h"

namespace tessera::tileir {

struct Access {
  MlirValue pointers, mask; // mask null: all
};

// The order and the scope of an atomic access.
tile::MemoryOrder orderOf(const Op &op);
tile::Scope scopeOf(const Op &op);
bool isWeak(const Op &op);

// By the attributes of `op`: a plain access or an atomic one. `type`: of the value; `padding`: what
// stands where the mask is false, null: nobody uses that.
MlirValue load(Kernel &kernel, const Op &op, const Access &access, mlir::Type type,
               MlirValue padding);
void store(Kernel &kernel, const Op &op, const Access &access, MlirValue value);
// The old values. Fails for modes that the element type has not.
std::optional<MlirValue> atomicRmw(Kernel &kernel, const Op &op, const Access &access,
                                   MlirValue value);

} // namespace tessera::tileir
