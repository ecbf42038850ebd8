// Memory: what the driver allocates, by the CUDA runtime without a GPU, and the arrays that a
// launch is given, which a program that has no GPU allocates itself.
#include "arrays.h"
#include "driver.h"

#include <tessera/host/allocations.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <vector>

namespace tessera::driver {
namespace {

thread_local std::vector<array> given;
std::mutex launches;

// Arrays that overlap are one allocation.
std::vector<array> united(std::vector<array> arrays) {
  std::sort(arrays.begin(), arrays.end(),
            [](const array &a, const array &b) { return a.address < b.address; });
  std::vector<array> whole;
  for (const array &a : arrays) {
    if (a.bytes == 0)
      continue;
    if (whole.empty() || a.address > whole.back().address + whole.back().bytes)
      whole.push_back(a);
    else
      whole.back().bytes = std::max(whole.back().bytes, a.address + a.bytes - whole.back().address);
  }
  return whole;
}

void *pointer(CUdeviceptr address) { return std::bit_cast<void *>(address); }

} // namespace

arrays_of_launch::arrays_of_launch() : launching(launches), noted(united(given)) {
  std::erase_if(noted, [](const array &a) { // memory of the driver's own
    const auto known = host::allocations().near(a.address);
    return known && known->has(a.address);
  });
  for (const array &a : noted)
    host::allocations().note({a.address, a.bytes, 0, nullptr});
}
arrays_of_launch::~arrays_of_launch() {
  for (const array &a : noted)
    (void)host::allocations().forget(std::bit_cast<const void *>(a.address));
}

} // namespace tessera::driver

using namespace tessera::driver;
using tessera::host::allocations;

extern "C" {

void tessera_arrays_of_launch(const array *first, std::size_t count) {
  given.assign(first, first + count);
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  void *memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return result(error);
}
CUresult cuMemAllocHost(void **memory, size_t bytes) {
  return result(cudaMallocHost(memory, bytes));
}
CUresult cuMemFree(CUdeviceptr address) { return result(cudaFree(pointer(address))); }
CUresult cuMemFreeHost(void *memory) { return result(cudaFreeHost(memory)); }

CUresult cuMemGetAddressRange(CUdeviceptr *first, size_t *bytes, CUdeviceptr address) {
  const auto known = allocations().near(address);
  if (!known || !known->has(address))
    return failed(CUDA_ERROR_NOT_FOUND, "");
  if (first)
    *first = known->address;
  if (bytes)
    *bytes = known->bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream) {
  std::memcpy(pointer(to), from, bytes);
  return CUDA_SUCCESS;
}

// Every address is the device's.
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute which, CUdeviceptr address) {
  switch (which) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *static_cast<CUcontext *>(value) = the_context(); break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<CUmemorytype *>(value) = CU_MEMORYTYPE_DEVICE;
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr *>(value) = address; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(value) = 0; break;
  default:
    return failed(CUDA_ERROR_NOT_SUPPORTED, "the emulator's driver has no attribute " +
                                                std::to_string(which) + " of pointers");
  }
  return CUDA_SUCCESS;
}

} // extern "C"
