// The device, its context, streams and events. Events are those of the CUDA runtime without a GPU.
#include "driver.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

namespace tessera::driver {
namespace {

struct attribute {
  CUdevice_attribute which;
  int value;
};
// Those of an H100, but for what only sets how much work a program makes: few multiprocessors, and
// a small cache.
constexpr attribute attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 0xffff},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 0xffff},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 16},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10},
};

} // namespace

CUcontext the_context() {
  static char context;
  return reinterpret_cast<CUcontext>(&context);
}

} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int number) {
  *device = 0;
  return number == 0 ? CUDA_SUCCESS : failed(CUDA_ERROR_INVALID_DEVICE, "there is one device");
}
CUresult cuDeviceGetName(char *name, int size, CUdevice) {
  if (size <= 0)
    return failed(CUDA_ERROR_INVALID_VALUE, "");
  std::strncpy(name, "Tessera emulator", static_cast<std::size_t>(size) - 1);
  name[size - 1] = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice) {
  const auto *found = std::find_if(std::begin(attributes), std::end(attributes),
                                   [&](const attribute &one) { return one.which == which; });
  if (found == std::end(attributes))
    return failed(CUDA_ERROR_NOT_SUPPORTED,
                  "the emulator's device has no attribute " + std::to_string(which));
  *value = found->value;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent(CUcontext *context) { return cuCtxGetCurrent(context); }
// Newer programs pass a context, too.
CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext, unsigned long long *id) {
  *id = 1;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(new char);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream stream) {
  delete reinterpret_cast<char *>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream, CUcontext *context) { return cuCtxGetCurrent(context); }
CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  *id = reinterpret_cast<std::uintptr_t>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus *status) {
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }
CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent event, CUstream) { return result(cudaEventRecord(event, nullptr)); }
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  return result(cudaEventElapsedTime(milliseconds, begin, end));
}

} // extern "C"
