// A program without a GPU is one file, compiled once: as the host's pass reads it, with the code
// that kernels run differently added.
//
//   { tokens of the host }   ->   { if (on_device()) { tokens of the device } else { tokens of the
//                                   host } }
//
// That is the body of a function for both whose tokens differ between the passes, directly (#ifdef
// __CUDA_ARCH__) or through macros. A function for kernels only has the device's body. Declarations
// of the device's pass alone are added after the condition that hides them; a function that each
// pass declares at its own location becomes one with two bodies.
//
// Not supported, and refused: variables, types and headers of functions that differ and that device
// code names, and constants of device code that are computed by functions with two bodies. Code of
// kernels that are compiled for a GPU, or emulated, comes from the device's pass and needs none of
// this.
#pragma once

#include "frontend/edit/PassText.h"
#include "frontend/edit/Rewrite.h"

namespace tessera::frontend {

// The edits of the host's code. Failures are locations of the device's pass.
View viewOfBothPasses(const Pass &device, const Pass &host, Target target,
                      std::vector<RewriteFailure> &failures);

} // namespace tessera::frontend
