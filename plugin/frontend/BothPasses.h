// A program without a GPU is one text, read once: as the host's pass reads it, with what kernels
// run otherwise beside it.
//
//   { tokens of the host }   ->   { if (on_device()) { tokens of the device } else { tokens of the
//                                   host } }
//
// That is the body of a function for both whose tokens differ between the passes, directly
// (#ifdef __CUDA_ARCH__) or through macros. A function of kernels alone has the device's body. What
// the device's pass alone declares is added behind the condition that hides it; a function that
// each pass declares in a place of its own is one with two bodies.
//
// Without an answer: variables, types and headers of functions that differ and that what runs as
// device code names, and constants of device code that are computed by functions of two bodies.
// They are refused. Code of kernels that are compiled for a GPU, or emulated, comes from the
// device's pass and needs nothing of this.
#pragma once

#include "frontend/PassText.h"
#include "frontend/Rewrite.h"

namespace tessera::frontend {

// The edits of the host's text. Failures are places of the device's pass.
View viewOfBothPasses(const Pass &device, const Pass &host, Target target,
                      std::vector<RewriteFailure> &failures);

} // namespace tessera::frontend
