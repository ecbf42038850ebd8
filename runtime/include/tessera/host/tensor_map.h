// Tensor maps of arrays, for bulk copies of their boxes (arch/bulk.cuh).
#pragma once

#include "../tensor_map.h"

#include <cuda_runtime_api.h>

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/proxy.h>
#else
#include <cuda.h>
#endif

namespace tessera::host {

// RowBytes: of a box's rows, 128, 64 or 32, whose chunks are swizzled like those of panels.
// Elements have 1, 2, 4 or 8 bytes. Returns the driver's error.
template <int ElementBytes, int RowBytes, int Rank>
cudaError_t make_tensor_map(tensor_map &map, const boxed_array<Rank> &from) {
  static_assert(RowBytes == 128 || RowBytes == 64 || RowBytes == 32, "what a unit exchanges");
#if defined(TESSERA_EMULATE)
  if (!emulate::has_maps())
    return cudaErrorCallRequiresNewerDriver;
  emulate::make_map(map, Rank, ElementBytes, from.base, from.extent, from.stride, from.box,
                    from.rounds_to_tf32);
  return cudaSuccess;
#else
  static_assert(sizeof(CUtensorMap) == sizeof(tensor_map), "the driver's map");
  using encoder = decltype(&cuTensorMapEncodeTiled);
  static encoder known = nullptr;
  encoder encode = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!encode) {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult state;
#if CUDART_VERSION >= 12050
    constexpr unsigned first_version_with_tensor_maps = 12000;
    const cudaError_t failed =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found,
                                         first_version_with_tensor_maps, cudaEnableDefault, &state);
#else
    const cudaError_t failed =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &state);
#endif
    if (failed != cudaSuccess)
      return failed;
    if (!found)
      return cudaErrorCallRequiresNewerDriver;
    encode = reinterpret_cast<encoder>(found);
    __atomic_store_n(&known, encode, __ATOMIC_RELAXED);
  }
  cuuint64_t extents[Rank], strides[Rank];
  cuuint32_t box[Rank], steps[Rank];
  for (int d = 0; d < Rank; ++d) {
    extents[d] = from.extent[d];
    box[d] = static_cast<cuuint32_t>(from.box[d]);
    steps[d] = 1;
    if (d > 0)
      strides[d - 1] = from.stride[d];
  }
  constexpr CUtensorMapDataType as_they_are = ElementBytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                              : ElementBytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                              : ElementBytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                                                  : CU_TENSOR_MAP_DATA_TYPE_UINT64;
  const CUtensorMapDataType element =
      from.rounds_to_tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : as_they_are;
  constexpr CUtensorMapSwizzle exchange = RowBytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                          : RowBytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                           : CU_TENSOR_MAP_SWIZZLE_32B;
  return encode(reinterpret_cast<CUtensorMap *>(&map), element, Rank, const_cast<void *>(from.base),
                extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, exchange,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
             ? cudaSuccess
             : cudaErrorInvalidValue;
#endif
}

// Boxes of `box_rows` rows and 128 bytes of a matrix whose rows start `row` elements apart; base
// and rows are aligned to 16 bytes. In shared memory a box is a panel (ops/warpgroup_mma.cuh).
template <class T> cudaError_t make_tensor_map(tensor_map &map, T *base, long long rows,
                                               long long columns, long long row, int box_rows) {
  constexpr int box_columns = 128 / static_cast<int>(sizeof(T));
  return make_tensor_map<sizeof(T), 128, 2>(
      map, {base,
            {static_cast<unsigned>(columns), static_cast<unsigned>(rows)},
            {sizeof(T), static_cast<unsigned long long>(row) * sizeof(T)},
            {box_columns, box_rows},
            /*rounds_to_tf32=*/false});
}

} // namespace tessera::host
