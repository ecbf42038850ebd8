// The one device: this processor. Every worker thread counts as a multiprocessor.
//
// It calls itself compute capability 9.0, because all element types that need it work.
#include "last_error.h"

#include <sys/sysinfo.h>

#include <cstdio>

using tessera::host::device_status;
using tessera::host::note;
using tessera::host::worker_count;

namespace {

constexpr int shared_memory = 227 << 10, largest_grid_x = 0x7fffffff, largest_grid_yz = 0xffff;

std::size_t total_memory() {
  struct sysinfo s;
  return sysinfo(&s) ? 0 : std::size_t(s.totalram) * s.mem_unit;
}

cudaError_t check_device(int device) {
  return device == 0 ? cudaSuccess : note(cudaErrorInvalidDevice);
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return check_device(device); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return check_device(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return device_status(); }
cudaError_t cudaDeviceReset() {
  tessera::host::mend_device();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
// An unlimited stack, heap and printf buffer.
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) {
  *value = total_memory();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *configuration) {
  *configuration = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char *name, int size, int device) {
  if (cudaError_t e = check_device(device))
    return e;
  std::snprintf(name, static_cast<std::size_t>(size), "0000:00:00.0");
  return cudaSuccess;
}
// There is no profiler.
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return note(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return note(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  if (cudaError_t e = check_device(device))
    return e;
  *p = {};
  std::snprintf(p->name, sizeof p->name, "CPU (Tessera)");
  p->major = 9;
  p->minor = 0;
  p->multiProcessorCount = static_cast<int>(worker_count());
  p->totalGlobalMem = total_memory();
  p->warpSize = 32;
  p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsPerMultiProcessor = 1;
  p->maxThreadsDim[1] = p->maxThreadsDim[2] = 1;
  p->maxGridSize[0] = largest_grid_x;
  p->maxGridSize[1] = p->maxGridSize[2] = largest_grid_yz;
  p->sharedMemPerBlock = p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = shared_memory;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->canMapHostMemory =
      p->integrated = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (cudaError_t e = check_device(device))
    return e;
  switch (attribute) {
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrMultiProcessorCount: *value = static_cast<int>(worker_count()); break;
  case cudaDevAttrWarpSize: *value = 32; break;
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
  case cudaDevAttrMaxBlockDimZ:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrIntegrated:
  case cudaDevAttrCanMapHostMemory: *value = 1; break;
  case cudaDevAttrMaxGridDimX: *value = largest_grid_x; break;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ: *value = largest_grid_yz; break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = shared_memory; break;
  default: *value = 0;
  }
  return cudaSuccess;
}

} // extern "C"
