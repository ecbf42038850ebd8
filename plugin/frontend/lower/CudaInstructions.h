// CUDA functions that are one instruction and have no body here: conversions between integers and
// floats, with which CUDA's headers convert scalars of bf16 where the GPU has no instruction for it
// (before sm_90), float arithmetic rounded to nearest, and upper halves of products.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera::frontend {

// The PTX of such a function, from $1 and $2 to $0: "cvt.rzi.s32.f32 $0, $1" for
// "__nv_float2int_rz". Empty for any other name.
std::string cudaInstruction(llvm::StringRef function);

} // namespace tessera::frontend
