// Shared memory. An address is a base pointer into the block's shared memory plus a byte offset:
// the offset uses 32-bit arithmetic on the GPU.
#pragma once

#include "../types.cuh"

namespace tessera::arch {

// The block's shared memory, aligned to the 1024 bytes that wgmma operands need.
#ifdef TESSERA_ONE_THREAD
// Assembling the image sets the size of a kernel's section to what its plan needs, since compilers
// do not declare more than 48 KB: compilers must not rely on the size here.
TESSERA_DEVICE unsigned char *shared_memory() {
  __shared__ __align__(1024) unsigned char tessera_static_shared[TESSERA_IMAGE_SHARED];
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(tessera_static_shared));
  asm("" : "+r"(address));
  return static_cast<unsigned char *>(__cvta_shared_to_generic(address));
}
#else
TESSERA_DEVICE unsigned char *shared_memory() {
  extern __shared__ __align__(1024) unsigned char tessera_dynamic_shared[];
  return tessera_dynamic_shared;
}
#endif

// The dynamic shared memory of the launch, in bytes.
TESSERA_DEVICE int dynamic_shared_bytes() {
  int bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

TESSERA_DEVICE unsigned shared_address(const void *base, int offset) {
  return static_cast<unsigned>(__cvta_generic_to_shared(base)) + static_cast<unsigned>(offset);
}

// The offset of an address from the start of the block's shared memory, computed in the shared
// address space: generic pointers would be computed in every iteration of a loop.
TESSERA_DEVICE int shared_offset(const void *pointer) {
  return static_cast<int>(shared_address(pointer, 0) - shared_address(shared_memory(), 0));
}

template <int Bytes> TESSERA_DEVICE words<Bytes> load_shared(const void *base, int offset) {
  words<Bytes> v;
  const unsigned address = shared_address(base, offset);
  if constexpr (Bytes == 1)
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v.w[0]) : "r"(address) : "memory");
  else if constexpr (Bytes == 2)
    asm volatile("ld.shared.u16 %0, [%1];" : "=r"(v.w[0]) : "r"(address) : "memory");
  else if constexpr (Bytes == 4)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v.w[0]) : "r"(address) : "memory");
  else if constexpr (Bytes == 8)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(v.w[0]), "=r"(v.w[1])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                 : "r"(address)
                 : "memory");
  return v;
}

template <int Bytes> TESSERA_DEVICE void store_shared(void *base, int offset, words<Bytes> v) {
  const unsigned address = shared_address(base, offset);
  if constexpr (Bytes == 1)
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 2)
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 4)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 8)
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(v.w[0]), "r"(v.w[1])
                 : "memory");
  else
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(v.w[0]),
                 "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3])
                 : "memory");
}

} // namespace tessera::arch
