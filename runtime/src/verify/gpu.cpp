// Launches on a GPU that are compared with the CPU's. The program is linked with --wrap for the
// functions of CUDA that allocate: their calls come here first.
#include "follow.h"

#include <tessera/host/verify.h>

namespace tessera::host {

bool is_sampled(dim3) { return false; }

cudaError_t follow(const char *name, const void *, const dim3 *, const sampled_launch &run) {
  return verify::follow_launch({"GPU", nullptr, nullptr}, name, [&] { return run({}); });
}

} // namespace tessera::host

namespace {

cudaError_t noted(cudaError_t error, void **address, std::size_t size) {
  if (error == cudaSuccess && address)
    tessera::verify::note_allocation(*address, size);
  return error;
}

} // namespace

extern "C" {

cudaError_t __real_cudaMalloc(void **address, size_t size);
cudaError_t __real_cudaMallocManaged(void **address, size_t size, unsigned flags);
cudaError_t __real_cudaMallocAsync(void **address, size_t size, cudaStream_t stream);
cudaError_t __real_cudaMallocHost(void **address, size_t size);
cudaError_t __real_cudaFree(void *address);
cudaError_t __real_cudaFreeAsync(void *address, cudaStream_t stream);
cudaError_t __real_cudaFreeHost(void *address);

cudaError_t __wrap_cudaMalloc(void **address, size_t size) {
  return noted(__real_cudaMalloc(address, size), address, size);
}
cudaError_t __wrap_cudaMallocManaged(void **address, size_t size, unsigned flags) {
  return noted(__real_cudaMallocManaged(address, size, flags), address, size);
}
cudaError_t __wrap_cudaMallocAsync(void **address, size_t size, cudaStream_t stream) {
  const cudaError_t error = __real_cudaMallocAsync(address, size, stream);
  return noted(error == cudaSuccess ? cudaStreamSynchronize(stream) : error, address, size);
}
cudaError_t __wrap_cudaMallocHost(void **address, size_t size) {
  return noted(__real_cudaMallocHost(address, size), address, size);
}
cudaError_t __wrap_cudaFree(void *address) {
  tessera::verify::forget_allocation(address);
  return __real_cudaFree(address);
}
cudaError_t __wrap_cudaFreeAsync(void *address, cudaStream_t stream) {
  tessera::verify::forget_allocation(address);
  return __real_cudaFreeAsync(address, stream);
}
cudaError_t __wrap_cudaFreeHost(void *address) {
  tessera::verify::forget_allocation(address);
  return __real_cudaFreeHost(address);
}

} // extern "C"
