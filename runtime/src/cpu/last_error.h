// The last error of a thread, as cudaGetLastError gives it, and what the parts of the library
// share.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tessera::host {

// Keeps an error for cudaGetLastError and returns it; success leaves what is kept.
cudaError_t note(cudaError_t error);

// The error of a kernel that failed while it ran: it stays, the first one, as on a GPU, and nothing
// is launched any more. The message is that of failure.h.
void fail_device(cudaError_t error, const char *message);
cudaError_t device_status();
bool has_failed(); // without noting anything
// Forgets the error, as a device that is reset does: kernels are launched again.
void mend_device();

// The number of threads that run blocks.
std::size_t worker_count();

} // namespace tessera::host
