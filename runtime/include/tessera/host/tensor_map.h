// Tensor maps of row-major matrices, for bulk copies of their boxes (arch/bulk.cuh).
#pragma once

#include "../tensor_map.h"

#include <cuda_runtime_api.h>

#include <type_traits>

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/proxy.h>
#else
#include <cuda.h>
#endif

namespace tessera::host {

// Boxes of `box_rows` rows and 128 bytes of a matrix, whose rows begin `row` elements apart: base
// and rows are aligned to 16 bytes. In shared memory a box is a panel (ops/warpgroup_mma.cuh).
// Elements of 1, 2, 4 or 8 bytes are copied as they are. Gives what the driver says of it.
template <class T> cudaError_t make_tensor_map(tensor_map &map, T *base, long long rows,
                                               long long columns, long long row, int box_rows) {
  constexpr int box_columns = 128 / static_cast<int>(sizeof(T));
#if defined(TESSERA_EMULATE)
  const unsigned extents[] = {static_cast<unsigned>(columns), static_cast<unsigned>(rows)};
  const unsigned long long strides[] = {sizeof(T),
                                        static_cast<unsigned long long>(row) * sizeof(T)};
  const int box[] = {box_columns, box_rows};
  emulate::make_map(map, 2, sizeof(T), base, extents, strides, box);
  return cudaSuccess;
#else
  static_assert(sizeof(CUtensorMap) == sizeof(tensor_map), "the driver's map");
  void *found = nullptr;
  cudaDriverEntryPointQueryResult state;
  constexpr unsigned first_version_with_maps = 12000;
  const cudaError_t failed = cudaGetDriverEntryPointByVersion(
      "cuTensorMapEncodeTiled", &found, first_version_with_maps, cudaEnableDefault, &state);
  if (failed != cudaSuccess)
    return failed;
  if (!found)
    return cudaErrorCallRequiresNewerDriver;
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t strides[] = {static_cast<cuuint64_t>(row) * sizeof(T)};
  const cuuint32_t box[] = {box_columns, static_cast<cuuint32_t>(box_rows)}, steps[] = {1, 1};
  auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  constexpr CUtensorMapDataType element = sizeof(T) == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                          : sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                          : sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                                           : CU_TENSOR_MAP_DATA_TYPE_UINT64;
  return encode(reinterpret_cast<CUtensorMap *>(&map), element, 2,
                const_cast<std::remove_const_t<T> *>(base), extents, strides, box, steps,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
             ? cudaSuccess
             : cudaErrorInvalidValue;
#endif
}

} // namespace tessera::host
