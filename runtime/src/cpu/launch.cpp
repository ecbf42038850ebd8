// cudaLaunchKernel and other functions that take the address of a kernel: they find kernels by the
// entry that the program's code registered.
#include "last_error.h"
#include "launch.h"

#include <tessera/host/fork.h>
#include <tessera/host/registry.h>

namespace tessera::host {
namespace {

using registry = kernel_registry<entry_record>;

struct registry_lock {
  void lock() { registry::instance().hold(); }
  void unlock() { registry::instance().release(); }
};
registry_lock &lock_of_registry() {
  static constinit registry_lock one;
  return one;
}
[[maybe_unused]] const bool is_whole_in_forks =
    keep_whole_in_forks<registry_lock, lock_of_registry>();

// As on a GPU: a block has one thread, a launch with more is refused.
cudaError_t check_kernel(const void *entry) {
  return find_entry(entry) ? cudaSuccess : note(cudaErrorInvalidDeviceFunction);
}

} // namespace

void register_entry(const void *entry, const entry_record *record) {
  registry::instance().add(entry, record);
}
void unregister_entry(const void *entry, const entry_record *record) {
  registry::instance().remove(entry, record);
}
const entry_record *find_entry(const void *entry) { return registry::instance().find(entry); }

// An error of the launch becomes the last one; the call returns it, too, and an older one stays.
cudaError_t launch_entry(const void *entry, const launch_configuration &c, void **arguments) {
  if (c.block.x == 0 || c.block.y == 0 || c.block.z == 0)
    return note(cudaErrorInvalidConfiguration);
  const entry_record *found = find_entry(entry);
  if (!found)
    return note(cudaErrorInvalidDeviceFunction);
  const cudaError_t before = cudaGetLastError();
  const configured_launch pending(c);
  found->call(entry, arguments);
  const cudaError_t result = cudaPeekAtLastError();
  if (result == cudaSuccess)
    note(before);
  return result;
}

} // namespace tessera::host

using tessera::host::check_kernel;
using tessera::host::launch_entry;
using tessera::host::note;

extern "C" {

cudaError_t cudaLaunchKernel(const void *entry, dim3 grid, dim3 block, void **arguments,
                             size_t shared_memory, cudaStream_t stream) {
  return launch_entry(entry, {grid, block, shared_memory, stream}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *entry, void **arguments) {
  return launch_entry(entry, {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void *entry, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_memory, cudaStream_t stream) {
  return launch_entry(entry, {grid, block, shared_memory, stream}, arguments);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *entry) {
  *attributes = {};
  const auto *found = tessera::host::find_entry(entry);
  attributes->maxThreadsPerBlock = found && found->is_simt ? 1024 : 1;
  return check_kernel(entry);
}

cudaError_t cudaFuncGetName(const char **name, const void *entry) {
  const auto *found = tessera::host::find_entry(entry);
  *name = found ? found->name : nullptr;
  return check_kernel(entry);
}

cudaError_t cudaFuncSetAttribute(const void *entry, cudaFuncAttribute, int) {
  return check_kernel(entry);
}
cudaError_t cudaFuncSetCacheConfig(const void *entry, cudaFuncCache) { return check_kernel(entry); }

// A worker runs one block at a time.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *entry,
                                                                   int threads, size_t, unsigned) {
  const auto *found = tessera::host::find_entry(entry);
  *blocks = 1;
  return found && !found->is_simt && threads != 1 ? note(cudaErrorInvalidValue)
                                                  : check_kernel(entry);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *entry,
                                                          int threads, size_t shared_memory) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, entry, threads,
                                                                shared_memory, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *entry, int, int) {
  *bytes = 0;
  return check_kernel(entry);
}

// No kernel can be launched through a cudaFunction_t.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *, const void *) {
  return note(cudaErrorNotSupported);
}
cudaError_t cudaGetKernel(cudaKernel_t *, const void *) { return note(cudaErrorNotSupported); }

} // extern "C"
