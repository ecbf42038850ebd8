// Global memory: naturally aligned accesses of 1 to 16 bytes. `_if` forms are predicated, without a
// branch.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "../types.cuh"

namespace tessera::arch {

template <int Bytes> TESSERA_DEVICE words<Bytes> load_global(const void *address) {
  words<Bytes> v;
  if constexpr (Bytes == 1)
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(v.w[0]) : "l"(address) : "memory");
  else if constexpr (Bytes == 2)
    asm volatile("ld.global.u16 %0, [%1];" : "=r"(v.w[0]) : "l"(address) : "memory");
  else if constexpr (Bytes == 4)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v.w[0]) : "l"(address) : "memory");
  else if constexpr (Bytes == 8)
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(v.w[0]), "=r"(v.w[1])
                 : "l"(address)
                 : "memory");
  else
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                 : "l"(address)
                 : "memory");
  return v;
}

template <int Bytes> TESSERA_DEVICE words<Bytes> load_global_if(const void *address, bool inside,
                                                                words<Bytes> otherwise) {
  words<Bytes> v = otherwise;
  const int p = inside;
  if constexpr (Bytes == 1)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u8 %0, [%1]; }"
                 : "+r"(v.w[0])
                 : "l"(address), "r"(p)
                 : "memory");
  else if constexpr (Bytes == 2)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u16 %0, [%1]; }"
                 : "+r"(v.w[0])
                 : "l"(address), "r"(p)
                 : "memory");
  else if constexpr (Bytes == 4)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u32 %0, [%1]; }"
                 : "+r"(v.w[0])
                 : "l"(address), "r"(p)
                 : "memory");
  else if constexpr (Bytes == 8)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p ld.global.v2.u32 {%0, %1}, [%2]; }"
                 : "+r"(v.w[0]), "+r"(v.w[1])
                 : "l"(address), "r"(p)
                 : "memory");
  else
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %5, 0; @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "+r"(v.w[0]), "+r"(v.w[1]), "+r"(v.w[2]), "+r"(v.w[3])
        : "l"(address), "r"(p)
        : "memory");
  return v;
}

// A chunk of elements that starts `before` bytes after an aligned group, as the groups that contain
// it. Unless `inside`, nothing is read, and it is `otherwise`. Other threads may be writing
// neighbours of the chunk, in its groups, which the caller shifts out: a write of some bytes never
// changes those beside them.
template <int Bytes, int Element> TESSERA_DEVICE split_chunk<Bytes>
load_split(const void *address, unsigned before, int count, words<Bytes> otherwise) {
  const bool inside = count > 0;
  const char *group = static_cast<const char *>(address) - before;
  return {load_global_if<Bytes>(group, inside, otherwise),
          load_global_if<Bytes>(group + Bytes, inside & (before != 0), words<Bytes>{}),
          inside ? before : 0};
}

// An aligned group, of which the caller takes the elements [first, end); others are anything. None:
// it is `otherwise`. Other threads may be writing elements that it does not take.
template <int Bytes, int Element> TESSERA_DEVICE words<Bytes>
load_part(const void *group, int first, int end, words<Bytes> otherwise) {
  return load_global_if<Bytes>(group, first < end, otherwise);
}

// A scalar: the compiler may merge and move such loads.
template <class T> TESSERA_DEVICE std::remove_cv_t<T> load_scalar(T *address) {
  return *reinterpret_cast<raw<T> *>(address);
}

// Called at the start of each store of a tile: it shows the emulator which writes belong to one
// store.
TESSERA_DEVICE void next_store() {}

template <int Bytes> TESSERA_DEVICE void store_global(void *address, words<Bytes> v) {
  if constexpr (Bytes == 1)
    asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 2)
    asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 4)
    asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(v.w[0]) : "memory");
  else if constexpr (Bytes == 8)
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(address), "r"(v.w[0]), "r"(v.w[1])
                 : "memory");
  else
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(v.w[0]),
                 "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3])
                 : "memory");
}

template <int Bytes>
TESSERA_DEVICE void store_global_if(void *address, words<Bytes> v, bool inside) {
  const int p = inside;
  if constexpr (Bytes == 1)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.u8 [%0], %1; }" ::"l"(address),
                 "r"(v.w[0]), "r"(p)
                 : "memory");
  else if constexpr (Bytes == 2)
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.u16 [%0], %1; }" ::"l"(address),
        "r"(v.w[0]), "r"(p)
        : "memory");
  else if constexpr (Bytes == 4)
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.u32 [%0], %1; }" ::"l"(address),
        "r"(v.w[0]), "r"(p)
        : "memory");
  else if constexpr (Bytes == 8)
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %3, 0; @p st.global.v2.u32 [%0], {%1, %2}; }" ::"l"(
            address),
        "r"(v.w[0]), "r"(v.w[1]), "r"(p)
        : "memory");
  else
    asm volatile(
        "{ .reg .pred p; setp.ne.s32 p, %5, 0; @p st.global.v4.u32 [%0], {%1, %2, %3, %4}; }" ::"l"(
            address),
        "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3]), "r"(p)
        : "memory");
}

// Memory of the device's heap, for one thread. Blocks for which the heap has no room wait until
// others free theirs; a heap without room for one block is an error after some seconds.
TESSERA_DEVICE void *allocate(std::size_t bytes) {
  constexpr int pause = 1000, most = 1 << 22; // nanoseconds, pauses
  for (int pauses = 0; pauses < most; ++pauses) {
    if (void *memory = ::malloc(bytes))
      return memory;
    __nanosleep(pause);
  }
  printf("the device's heap has no %llu bytes for the local variables of a block; see "
         "cudaLimitMallocHeapSize\n",
         static_cast<unsigned long long>(bytes));
  __trap();
  return nullptr;
}
TESSERA_DEVICE void deallocate(void *memory) { ::free(memory); }

} // namespace tessera::arch
