// Products of bf16 at every tile of 64, 128 and 256 rows and columns, beside the library's: B as it
// is or transposed, extents that the compiler knows or not, a block for each tile or blocks that
// take tile after tile. TILE_K is the depth of the tiles: 32, 64 or 128; PLAIN_ALONE leaves the
// first of these kinds, blocks for tiles of extents that are not known. Text for sm_80 runs on
// later GPUs, too: `tessera --arch=sm_80`, `nvcc -gencode arch=compute_80,code=sm_90`.
//
//   tessera test/gpu/tile_sweep.cu -DTILE_K=32 -o sweep.simt.cu
//   nvcc -O3 -std=c++20 -DTILE_K=32 -gencode arch=compute_90a,code=sm_90a -Iruntime/include \
//     -Itest/gpu sweep.simt.cu -lcublasLt -lcublas -o sweep
//   sweep [SIZE]      4096 unless given; known extents are those of 4096
#include "cublas_products.h"

#include <algorithm>
#include <chrono>
#include <cuda_tile.h>
#include <string>
#include <thread>

namespace ct = cuda::tiles;
using product::bf16;

#ifndef TILE_K
#define TILE_K 64
#endif
constexpr int known_size = 4096;

template <bool Known> __tile__ auto extents_of(int rows, int columns) {
  if constexpr (Known)
    return ct::extents<int, known_size, known_size>{};
  else
    return ct::extents{rows, columns};
}

template <int M, int N, int K, bool Transposed, bool Known>
__tile__ void tile_of_product(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              bf16 *__restrict__ c, int m, int n, int k, int row, int column) {
  auto as = ct::partition_view{ct::tensor_span{a, extents_of<Known>(m, k)}, ct::shape<M, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, extents_of<Known>(m, n)}, ct::shape<M, N>{}};
  const int count = Known ? known_size / K : ct::ceildiv(k, K);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  if constexpr (Transposed) {
    auto bs = ct::partition_view{ct::tensor_span{b, extents_of<Known>(n, k)}, ct::shape<N, K>{}};
    for (int i = 0; i < count; ++i)
      sum = ct::mma(as.load_masked(row, i), ct::transpose(bs.load_masked(column, i)), sum);
  } else {
    auto bs = ct::partition_view{ct::tensor_span{b, extents_of<Known>(k, n)}, ct::shape<K, N>{}};
    for (int i = 0; i < count; ++i)
      sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  }
  cs.store_masked(ct::element_cast<bf16>(sum), row, column);
}

template <int M, int N, int K, bool Transposed, bool Known>
__tile_global__ void plain(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           bf16 *__restrict__ c, int m, int n, int k) {
  tile_of_product<M, N, K, Transposed, Known>(a, b, c, m, n, k, ct::bid().y, ct::bid().x);
}

// In bands of eight rows of tiles; the last band has those that are left.
template <int M, int N, int K, bool Transposed, bool Known>
__tile_global__ void persistent(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                bf16 *__restrict__ c, int m, int n, int k) {
  const int rows = ct::ceildiv(m, M), columns = ct::ceildiv(n, N);
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int first = tile / (8 * columns) * 8, left = rows - first, band = left < 8 ? left : 8;
    const int place = tile % (8 * columns);
    tile_of_product<M, N, K, Transposed, Known>(a, b, c, m, n, k, first + place % band,
                                                place / band);
  }
}

__global__ void count_wrong(const bf16 *c, const float *expected, size_t count, int k,
                            unsigned *wrong) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) {
    const float e = expected[i], distance = fabsf(__bfloat162float(c[i]) - e);
    if (!(distance <= 0.01f * fabsf(e) + 1e-4f * k))
      atomicAdd(wrong, 1u);
  }
}

struct operands {
  int size;
  product::array<bf16> a, b, c;
  product::array<float> expected;
  bool right = true;

  operands(int size, bool transposed)
      : size(size), a(random(size, 1)), b(random(size, 2)), c(size_t(size) * size),
        expected(size_t(size) * size) {
    product::reference<bf16>
        <<<dim3((size + 255) / 256, size), 256>>>(a, b, expected, size, size, transposed);
  }
  static std::vector<bf16> random(int size, unsigned seed) {
    std::vector<bf16> values(size_t(size) * size);
    for (bf16 &x : values)
      x = product::element<bf16>((seed = seed * 1664525u + 1013904223u) >> 24);
    return values;
  }
  template <class F> void time(const char *what, int m, int n, F launch) {
    product::check(cudaMemset(c, 255, size_t(size) * size * sizeof(bf16)));
    const product::array<unsigned> wrong(std::vector<unsigned>{0});
    launch();
    count_wrong<<<(size_t(size) * size + 255) / 256, 256>>>(c, expected, size_t(size) * size, size,
                                                            wrong);
    cudaEvent_t begin, end;
    product::check(cudaEventCreate(&begin));
    product::check(cudaEventCreate(&end));
    // The card's power is what limits most of them: each begins with a card that has rested.
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    std::vector<float> times;
    for (int i = 0; i < 5; ++i) {
      constexpr int rounds = 8;
      product::check(cudaEventRecord(begin));
      for (int j = 0; j < rounds; ++j)
        launch();
      product::check(cudaEventRecord(end));
      product::check(cudaEventSynchronize(end));
      float ms = 0;
      product::check(cudaEventElapsedTime(&ms, begin, end));
      times.push_back(ms / rounds);
    }
    std::sort(times.begin(), times.end());
    const bool is_right = wrong.values()[0] == 0;
    right = right && is_right;
    std::printf("%-28s %3dx%3dx%3d %7.1f TFLOP/s %s\n", what, m, n, TILE_K,
                2.0 * size * size * size / (times[2] * 1e9), is_right ? "right" : "WRONG");
    std::fflush(stdout);
  }
};

template <int M, int N, bool Transposed, bool Known> void both(operands &o, int processors) {
  const std::string of = std::string(Transposed ? "NT " : "NN ") + (Known ? "known " : "run-time ");
  const int rows = (o.size + M - 1) / M, columns = (o.size + N - 1) / N;
  o.time((of + "plain").c_str(), M, N, [&] {
    plain<M, N, TILE_K, Transposed, Known>
        <<<dim3(columns, rows), 1>>>(o.a, o.b, o.c, o.size, o.size, o.size);
  });
#ifndef PLAIN_ALONE
  const int blocks = std::min(rows * columns, processors * (M * N > 128 * 128 ? 1 : 2));
  o.time((of + "persistent").c_str(), M, N, [&] {
    persistent<M, N, TILE_K, Transposed, Known>
        <<<blocks, 1>>>(o.a, o.b, o.c, o.size, o.size, o.size);
  });
#endif
}

template <bool Transposed, bool Known> void tiles(operands &o, int processors) {
  both<64, 64, Transposed, Known>(o, processors);
  both<64, 128, Transposed, Known>(o, processors);
  both<64, 256, Transposed, Known>(o, processors);
  both<128, 64, Transposed, Known>(o, processors);
  both<128, 128, Transposed, Known>(o, processors);
  both<128, 256, Transposed, Known>(o, processors);
  both<256, 64, Transposed, Known>(o, processors);
  both<256, 128, Transposed, Known>(o, processors);
  both<256, 256, Transposed, Known>(o, processors);
}

template <bool Transposed> bool sweep(int size, int processors) {
  bool right =
      cublas::run<bf16, bf16>(Transposed ? "cuBLAS NT" : "cuBLAS NN", size, size, size, Transposed);
  operands o(size, Transposed);
  tiles<Transposed, false>(o, processors);
#ifndef PLAIN_ALONE
  if (size == known_size)
    tiles<Transposed, true>(o, processors);
#endif
  return right && o.right;
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : known_size;
  int processors = 0;
  product::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  const bool nn = sweep<false>(size, processors), nt = sweep<true>(size, processors);
  return nn && nt ? 0 : 1;
}
