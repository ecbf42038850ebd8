// CUDA's functions that convert between integers and floats, which have no body here: CUDA's
// headers convert scalars of bf16 with them where the GPU has no instruction for it (before sm_90).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera::frontend {

// The PTX of such a function, from $1 to $0: "cvt.rzi.s32.f32 $0, $1" for "__nv_float2int_rz".
// Empty for any other name.
std::string conversionInstruction(llvm::StringRef function);

} // namespace tessera::frontend
