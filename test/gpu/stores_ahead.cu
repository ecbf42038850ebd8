// Loops that store in every iteration beside the same loops that do not: the stores are to other
// memory, so both copy ahead alike and take the same time.
//
//   tessera test/gpu/stores_ahead.cu -o stores_ahead.simt.cu
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I runtime/include -I test/gpu \
//     stores_ahead.simt.cu -o stores_ahead
//   stores_ahead [SIZE]      of the products; 4096 unless given
#include "product.h"

#include <cuda_tile.h>
#include <string>

namespace ct = cuda::tiles;
using product::bf16, product::check;

template <int Rows, int Columns, class T> __tile__ auto view(T *base, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{base, ct::extents{rows, columns}},
                            ct::shape<Rows, Columns>{}};
}

enum class Stores { None, Scalar, Atomic };

template <int M, int N, int K, Stores S>
__tile_global__ void multiply(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              bf16 *__restrict__ c, int *__restrict__ d, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = view<M, K>(a, m, k);
  auto bs = view<K, N>(b, k, n);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (S == Stores::Scalar)
      d[i] = 1;
    else if constexpr (S == Stores::Atomic)
      ct::atomic_add(d + i, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  }
  view<M, N>(c, m, n).store_masked(ct::element_cast<bf16>(sum), row, column);
}

// Chunks of 64 of a sequence, a block for each head of 64 elements. The output of each chunk is
// stored while the inputs of later ones are copied; or their sum, once.
template <bool StoresChunks>
__tile_global__ void attend(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                            const bf16 *__restrict__ v, bf16 *__restrict__ out, int length) {
  constexpr int T = 64;
  const int rows = ct::num_blocks().x * length, first = ct::bid().x * (length / T);
  auto qs = view<T, T>(q, rows, T), ks = view<T, T>(k, rows, T), vs = view<T, T>(v, rows, T);
  auto outs = view<T, T>(out, rows, T);
  auto state = ct::zeros<ct::tile<float, ct::shape<T, T>>>(), all = state;
  for (int i = 0; i < length / T; ++i) {
    auto query = qs.load_masked(first + i, 0), key = ks.load_masked(first + i, 0),
         value = vs.load_masked(first + i, 0);
    auto score =
        ct::element_cast<bf16>(ct::mma(query, ct::transpose(key), ct::zeros<decltype(state)>()));
    auto chunk = ct::mma(
        score, value, ct::mma(query, ct::element_cast<bf16>(state), ct::zeros<decltype(state)>()));
    if constexpr (StoresChunks)
      outs.store_masked(ct::element_cast<bf16>(chunk), first + i, 0);
    else
      all = all + chunk;
    state = ct::mma(ct::transpose(key), value, state);
  }
  if constexpr (!StoresChunks)
    outs.store_masked(ct::element_cast<bf16>(all), first, 0);
}

template <int M, int N, int K, Stores S> bool run(const char *name, int n, int *d) {
  return product::run<bf16, bf16>(name, n, n, n, false, [&](const bf16 *a, const bf16 *b, bf16 *c) {
    multiply<M, N, K, S><<<dim3((n + N - 1) / N, (n + M - 1) / M), 1>>>(a, b, c, d, n, n, n);
  });
}

template <int M, int N, int K> bool tiles(const std::string &name, int n, int *d) {
  bool right = run<M, N, K, Stores::None>((name + ", none").c_str(), n, d);
  right &= run<M, N, K, Stores::Scalar>((name + ", stores").c_str(), n, d);
  return right & run<M, N, K, Stores::Atomic>((name + ", counts").c_str(), n, d);
}

template <bool StoresChunks> void time_attention(const char *name) {
  constexpr int heads = 256, length = 8192, rounds = 20;
  const std::vector<bf16> values(size_t(heads) * length * 64, bf16(0.01f));
  const product::array<bf16> q(values), k(values), v(values), out(values.size());
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  attend<StoresChunks><<<heads, 1>>>(q, k, v, out, length);
  check(cudaEventRecord(begin));
  for (int i = 0; i < rounds; ++i)
    attend<StoresChunks><<<heads, 1>>>(q, k, v, out, length);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end));
  std::printf("%-32s %.1f us\n", name, 1e3 * ms / rounds);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const product::array<int> d(size_t(1) << 16);
  bool right = tiles<128, 128, 64>("128x128", n, d);
  right &= tiles<128, 256, 64>("128x256", n, d);
  right &= tiles<64, 64, 64>("64x64", n, d);
  time_attention<false>("linear attention, one store");
  time_attention<true>("linear attention, chunks stored");
  return right ? 0 : 1;
}
