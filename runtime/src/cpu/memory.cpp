// Memory: device memory is host memory, so every copy is a memcpy and every address is valid on
// both sides.
#include "last_error.h"

#include "../verify/memory.h"

#include <tessera/host/allocations.h>
#include <tessera/host/capture.h>

#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <cstdlib>
#include <cstring>

using tessera::host::note;
using tessera::host::run_in;

namespace {

using tessera::host::allocations;

// At least as aligned as cudaMalloc's, and more where large pages can then back a large allocation,
// for which Linux is asked: by itself it often gives none. The emulator's programs have guards
// around it, which are never accessed.
cudaError_t allocate(void **to, std::size_t size) {
  constexpr std::size_t alignment = 256, large_page = 2 << 20;
  if (!to)
    return note(cudaErrorInvalidValue);
  *to = nullptr;
  if (size == 0)
    return cudaSuccess;
  const std::size_t guard = allocations().guard_of(size);
  const bool is_large = size >= 2 * large_page;
  void *storage;
  if (posix_memalign(&storage, is_large ? large_page : alignment, size + 2 * guard) != 0)
    return note(cudaErrorMemoryAllocation);
  if (is_large)
    (void)madvise(storage, size + 2 * guard, MADV_HUGEPAGE);
  *to = static_cast<char *>(storage) + guard;
  allocations().note({reinterpret_cast<std::uintptr_t>(*to), size, guard, storage});
  tessera::verify::note_allocation(*to, size);
  return cudaSuccess;
}

cudaError_t release(void *p) {
  tessera::verify::forget_allocation(p);
  const auto known = allocations().forget(p);
  std::free(known ? known->storage : p);
  return cudaSuccess;
}

bool is_direction(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

cudaError_t copy(void *to, const void *from, std::size_t count, cudaMemcpyKind kind) {
  if (!is_direction(kind))
    return note(cudaErrorInvalidMemcpyDirection);
  if (count == 0)
    return cudaSuccess;
  if (!to || !from)
    return note(cudaErrorInvalidValue);
  std::memmove(to, from, count);
  return cudaSuccess;
}

cudaError_t fill(void *p, int value, std::size_t count) {
  if (count == 0)
    return cudaSuccess;
  if (!p)
    return note(cudaErrorInvalidValue);
  std::memset(p, value, count);
  return cudaSuccess;
}

char *shifted(const void *p, std::size_t bytes) {
  return const_cast<char *>(static_cast<const char *>(p)) + bytes;
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, size_t size) { return allocate(p, size); }
cudaError_t cudaMallocHost(void **p, size_t size) { return allocate(p, size); }
cudaError_t cudaHostAlloc(void **p, size_t size, unsigned) { return allocate(p, size); }
cudaError_t cudaMallocManaged(void **p, size_t size, unsigned) { return allocate(p, size); }
cudaError_t cudaMallocAsync(void **p, size_t size, cudaStream_t) { return allocate(p, size); }

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  if (!pitch)
    return note(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  return allocate(p, *pitch * height);
}

cudaError_t cudaFree(void *p) { return release(p); }
cudaError_t cudaFreeHost(void *p) { return release(p); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return release(p); }

cudaError_t cudaHostRegister(void *p, size_t size, unsigned) {
  if (!p || size == 0)
    return note(cudaErrorInvalidValue);
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (const auto known = allocations().nearest(address); !known || !known->has(address))
    allocations().note({address, size, 0, nullptr});
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *p) {
  (void)allocations().forget(p);
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind) {
  return copy(to, from, count, kind);
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return run_in(stream, [=] { return copy(to, from, count, kind); });
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch)
    return note(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; row++)
    if (cudaError_t e =
            copy(shifted(to, row * to_pitch), shifted(from, row * from_pitch), width, kind))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return run_in(stream,
                [=] { return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); });
}

cudaError_t cudaMemset(void *p, int value, size_t count) { return fill(p, value, count); }
cudaError_t cudaMemsetAsync(void *p, int value, size_t count, cudaStream_t stream) {
  return run_in(stream, [=] { return fill(p, value, count); });
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
  for (size_t row = 0; row < height; row++)
    if (cudaError_t e = fill(shifted(p, row * pitch), value, width))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return run_in(stream, [=] { return cudaMemset2D(p, pitch, value, width, height); });
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return copy(shifted(symbol, offset), from, count, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_in(stream, [=] { return copy(shifted(symbol, offset), from, count, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy(to, shifted(symbol, offset), count, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return run_in(stream, [=] { return copy(to, shifted(symbol, offset), count, kind); });
}
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  *address = const_cast<void *>(symbol);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  struct sysinfo s;
  if (sysinfo(&s))
    return note(cudaErrorUnknown);
  *available = size_t(s.freeram) * s.mem_unit;
  *total = size_t(s.totalram) * s.mem_unit;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p) {
  *attributes = {};
  attributes->type = cudaMemoryTypeManaged;
  attributes->devicePointer = attributes->hostPointer = const_cast<void *>(p);
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}

} // extern "C"
