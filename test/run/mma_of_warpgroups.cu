// Products that wgmma takes (sm_90a): each kind of element, either order where the unit has it,
// rows of 32, 64, 128 and more bytes, one warpgroup and two; sums that are carried, used twice,
// under branches and in loops that do not run; factors that are computed, used twice, squares.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T, int Rows, int Columns, bool Transposed> __tile__ auto load(const T *p) {
  if constexpr (Transposed)
    return ct::transpose(ct::partition_view{ct::tensor_span{p, ct::shape<Columns, Rows>{}},
                                            ct::shape<Columns, Rows>{}}
                             .load(0, 0));
  else
    return ct::partition_view{ct::tensor_span{p, ct::shape<Rows, Columns>{}},
                              ct::shape<Rows, Columns>{}}
        .load(0, 0);
}

template <class T, int M, int N> __tile__ auto out(T *p) {
  return ct::partition_view{ct::tensor_span{p, ct::shape<M, N>{}}, ct::shape<M, N>{}};
}

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
__tile_global__ void multiply(const T *a, const T *b, Acc *c) {
  auto sum = ct::full<ct::tile<Acc, ct::shape<M, N>>>(Acc(3));
  out<Acc, M, N>(c).store(ct::mma(load<T, M, K, TransA>(a), load<T, K, N, TransB>(b), sum), 0, 0);
}

template <class T> double element(std::size_t i) {
  return std::is_integral_v<T> ? double(int(i * 11 % 15) - (std::is_signed_v<T> ? 7 : 0))
                               : double(int(i * 11 % 15) - 7) / 4;
}

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
void check(const char *name) {
  run::array<T> a(M * K, element<T>), b(K * N, [](auto i) { return element<T>(i + 5); });
  run::array<Acc> c(M * N);
  multiply<T, Acc, M, N, K, TransA, TransB><<<1, 1>>>(a.device, b.device, c.device);
  run::expect(name, c, [&](auto i) {
    double wanted = 3;
    for (int k = 0; k < K; ++k)
      wanted += element<T>(TransA ? k * M + i / N : i / N * K + k) *
                element<T>((TransB ? i % N * K + k : k * N + i % N) + 5);
    return wanted;
  });
}

// The sum goes on from iteration to iteration, is read on the way, and multiplied under a branch.
__tile_global__ void carried(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, float *seen,
                             int steps) {
  auto a_tiles =
      ct::partition_view{ct::tensor_span{a, ct::extents{64, 64 * steps}}, ct::shape<64, 64>{}};
  auto b_tiles =
      ct::partition_view{ct::tensor_span{b, ct::extents{64 * steps, 64}}, ct::shape<64, 64>{}};
  auto sum = ct::full<ct::tile<float, ct::shape<64, 64>>>(1.0f);
  auto total = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < steps; ++i) {
    auto x = a_tiles.load_masked(0, i);
    auto y = b_tiles.load_masked(i, 0);
    sum = ct::mma(x, y, sum);
    total = total + sum;
    if (i % 2 == 1)
      sum = ct::mma(x, ct::transpose(y), sum);
  }
  out<float, 64, 64>(c).store(sum, 0, 0);
  out<float, 64, 64>(seen).store(total, 0, 0);
}

// A run-time number of steps of a ring; what is stored is turned round in shared memory.
template <int M, int N, class Out>
__tile_global__ void walk(const __half *a, const __half *b, Out *c, int k) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{M, k}}, ct::shape<M, 32>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, N}}, ct::shape<32, N>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto i : ct::irange(0, (k + 31) / 32))
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  out<Out, M, N>(c).store(ct::element_cast<Out>(sum), 0, 0);
}

// A square of a computed tile, then a product of the result with itself the other way round.
__tile_global__ void chain(const __half *a, float *c) {
  auto x = load<__half, 64, 64, false>(a) + load<__half, 64, 64, true>(a);
  auto zero = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  auto square = ct::mma(x, x, zero);
  auto y = ct::element_cast<__half>(square * 0.125f);
  out<float, 64, 64>(c).store(ct::mma(ct::transpose(y), y, square) + ct::mma(y, x, square), 0, 0);
}

void check_carried(int steps) {
  run::array<__nv_bfloat16> a(64 * 64 * (steps + 1), element<float>);
  run::array<__nv_bfloat16> b(64 * 64 * (steps + 1), [](auto i) { return element<float>(i + 3); });
  run::array<float> c(64 * 64), seen(64 * 64);
  carried<<<1, 1>>>(a.device, b.device, c.device, seen.device, steps);
  auto sums = [&](std::size_t i, bool wantsTotal) {
    double sum = 1, total = 0;
    for (int s = 0; s < steps; ++s) {
      const std::size_t row = i / 64, column = i % 64;
      auto x = [&](std::size_t k) { return element<float>(row * 64 * steps + 64 * s + k); };
      auto y = [&](std::size_t k, std::size_t j) {
        return element<float>((64 * s + k) * 64 + j + 3);
      };
      for (std::size_t k = 0; k < 64; ++k)
        sum += x(k) * y(k, column);
      total += sum;
      for (std::size_t k = 0; s % 2 == 1 && k < 64; ++k)
        sum += x(k) * y(column, k);
    }
    return wantsTotal ? total : sum;
  };
  run::expect("carried sum", c, [&](auto i) { return sums(i, false); });
  run::expect("seen sums", seen, [&](auto i) { return sums(i, true); });
}

template <int M, int N, class Out> void check_walk(int k) {
  run::array<__half> a(M * k + 1, element<float>),
      b(k * N + 1, [](auto i) { return element<float>(i + 2); });
  run::array<Out> c(M * N);
  walk<M, N, Out><<<1, 1>>>(a.device, b.device, c.device, k);
  run::expect("walk", c, [&](auto i) {
    double wanted = 0;
    for (int j = 0; j < k; ++j)
      wanted += element<float>(i / N * k + j) * element<float>(j * N + i % N + 2);
    return wanted;
  });
}

void check_chain() {
  auto small = [](std::size_t i) { return double(int(i * 7 % 5) - 2) / 4; };
  run::array<__half> a(64 * 64, small);
  run::array<float> c(64 * 64);
  chain<<<1, 1>>>(a.device, c.device);
  std::vector<double> x(4096), square(4096), y(4096);
  for (std::size_t i = 0; i < 4096; ++i)
    x[i] = small(i) + small(i % 64 * 64 + i / 64);
  for (std::size_t i = 0; i < 4096; ++i)
    for (std::size_t k = 0; k < 64; ++k)
      square[i] += x[i / 64 * 64 + k] * x[k * 64 + i % 64];
  for (std::size_t i = 0; i < 4096; ++i)
    y[i] = double(float(__half(float(square[i] * 0.125))));
  run::expect("chain", c, [&](auto i) {
    double sum = 2 * square[i];
    for (std::size_t k = 0; k < 64; ++k)
      sum += y[k * 64 + i / 64] * y[k * 64 + i % 64] + y[i / 64 * 64 + k] * x[k * 64 + i % 64];
    return sum;
  });
}

int main() {
  using bf16 = __nv_bfloat16;
  check<bf16, float, 64, 64, 64, false, false>("bf16 NN");
  check<bf16, float, 64, 8, 16, false, true>("bf16 one instruction");
  check<bf16, float, 128, 128, 32, false, true>("bf16 NT rows of 64 bytes");
  check<bf16, float, 64, 256, 64, true, false>("bf16 TN two warpgroups along N");
  check<__half, float, 128, 64, 128, true, true>("half TT two panels");
  check<__half, float, 256, 128, 16, false, false>("half NN rows of 32 bytes");
  check<__nv_fp8_e4m3, float, 64, 32, 32, false, true>("e4m3 rows of 32 bytes");
  check<__nv_fp8_e4m3, float, 128, 128, 256, false, true>("e4m3 two panels");
  check<__nv_fp8_e5m2, float, 64, 64, 64, false, true>("e5m2");
  check<signed char, int, 128, 256, 128, false, true>("s8");
  check<unsigned char, int, 64, 16, 64, false, true>("u8");
  check<signed char, int, 64, 64, 64, false, false>("s8 across K");
  for (int steps : {0, 1, 2, 5})
    check_carried(steps);
  for (int k : {0, 8, 32, 104, 256}) {
    check_walk<64, 64, float>(k);
    check_walk<128, 256, float>(k);
    check_walk<128, 256, __half>(k);
  }
  check_chain();
  return run::finish();
}
