// What the samples about long arrays share: an array cut into tiles, the order and scope of their
// atomics, how many blocks fill a GPU, words set to zero, and a comparison without tolerance.
#pragma once
#include "sample.h"

#include <cuda_tile.h>

namespace sample {

namespace ct = cuda::tiles;
using relaxed = ct::memory_order_relaxed_t;
using on_device = ct::thread_scope_device_t;
using in_block = ct::thread_scope_block_t;

/// 0, 1, 2, ... in a tile of N.
template <int N, class T = int> __tile__ auto places() {
  return ct::iota<ct::tile<T, ct::shape<N>>>();
}

/// The n elements at `data`, which cudaMalloc has aligned, in tiles of N.
template <int N, class T> __tile__ auto in_tiles(T *data, unsigned n) {
  auto span = ct::tensor_span{ct::assume_aligned<16>(data), ct::extents{n}};
  return ct::partition_view{span, ct::shape<N>{}};
}

/// How many tiles of N hold n elements.
inline unsigned tiles_of(unsigned long long n, unsigned long long tile) {
  return static_cast<unsigned>((n + tile - 1) / tile);
}

/// As many blocks as the GPU runs at a time, `each` on a multiprocessor, but no more than `most`.
inline unsigned resident_blocks(unsigned most, unsigned each = 8) {
  int device = 0, processors = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
  return std::clamp(each * static_cast<unsigned>(processors), 1u, most);
}

/// Sets `count` elements to zero, in front of the launches that follow.
template <class T> void clear(T *data, std::size_t count) {
  require(cudaMemsetAsync(data, 0, count * sizeof(T)), "cudaMemsetAsync");
}

/// Ends the program with exit status 1 unless `got` is `wanted`, element by element.
template <class T>
void expect_equal(const char *what, const std::vector<T> &got, const std::vector<T> &wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(got[i] == wanted[i])) {
      std::fprintf(stderr, "error: %s %zu is %.9g, should be %.9g\n", what, i, double(got[i]),
                   double(wanted[i]));
      std::exit(1);
    }
}

/// `count` integers from 0 to bound - 1, the same ones in every run.
inline std::vector<int> random_integers(std::size_t count, unsigned bound, unsigned seed) {
  random_numbers random(seed);
  std::vector<int> result(count);
  for (int &value : result)
    value = static_cast<int>(random.below(bound));
  return result;
}

} // namespace sample
