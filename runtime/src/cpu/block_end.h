// How a block on the CPU ends before its kernel returns.
#pragma once

#include <cuda_runtime_api.h>

namespace tessera::host {

// The error stays that of the device. Outside of a block it ends the process.
[[noreturn]] void end_block(cudaError_t error);

} // namespace tessera::host
