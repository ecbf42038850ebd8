// cudaLaunchKernel and what else takes a kernel's address: tile kernels are found by the entry that
// their text registered.
#include "last_error.h"

#include <tessera/host/cpu.h>

#include <unordered_map>

using tessera::host::note;

namespace tessera::host {
namespace {

struct registered_kernel {
  kernel_caller call;
  const char *name;
};

std::unordered_map<const void *, registered_kernel> &registry() {
  static std::unordered_map<const void *, registered_kernel> kernels;
  return kernels;
}

} // namespace

void register_kernel(const void *entry, kernel_caller call, const char *name) {
  registry()[entry] = {call, name};
}

// The launch leaves an error, if any, as the last one; the call returns it, too, and an older one
// stays.
static cudaError_t launch(const void *entry, const launch_configuration &c, void **arguments) {
  if (c.block.x == 0 || c.block.y == 0 || c.block.z == 0)
    return note(cudaErrorInvalidConfiguration);
  const auto found = registry().find(entry);
  if (found == registry().end())
    return note(cudaErrorInvalidDeviceFunction);
  const cudaError_t before = cudaGetLastError();
  configure(c.grid, c.block, c.shared_memory, c.stream);
  found->second.call(entry, arguments);
  const cudaError_t result = cudaPeekAtLastError();
  if (result == cudaSuccess)
    note(before);
  return result;
}

} // namespace tessera::host

extern "C" {

cudaError_t cudaLaunchKernel(const void *entry, dim3 grid, dim3 block, void **arguments,
                             size_t shared_memory, cudaStream_t stream) {
  return tessera::host::launch(entry, {grid, block, shared_memory, stream}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *entry, void **arguments) {
  return tessera::host::launch(entry, {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream},
                               arguments);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *entry) {
  if (!tessera::host::registry().count(entry))
    return note(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->maxThreadsPerBlock = 1;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}

} // extern "C"
