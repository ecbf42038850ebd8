// The last error of a thread, as cudaGetLastError returns it, and declarations that the library's
// parts share.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tessera::host {

// Records an error for cudaGetLastError and returns it; success leaves the record unchanged.
cudaError_t note(cudaError_t error);

// The error of a kernel that failed while it ran: the first one is sticky, as on a GPU, and later
// launches do nothing. The message is that of failure.h.
void fail_device(cudaError_t error, const char *message);
cudaError_t device_status();
bool has_failed(); // without recording anything
// Clears the error, like a device reset: kernels are launched again.
void mend_device();

// The number of threads that run blocks.
std::size_t worker_count();

} // namespace tessera::host
