// Products of loops that take much of K at a time: in parts along K that take their turns in a ring
// of copies, waited for or in flight; extents that end within a part, before one, before all.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> double element(std::size_t i) {
  return std::is_integral_v<T> ? double(int(i * 11 % 15) - 7) : double(int(i * 11 % 15) - 7) / 4;
}

template <class T, class Acc, int M, int N, int K, bool TransB>
__tile_global__ void multiply(const T *a, const T *b, Acc *c, int k, int first, int steps) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{M, k}}, ct::shape<M, K>{}};
  auto sum = ct::full<ct::tile<Acc, ct::shape<M, N>>>(Acc(3));
  if constexpr (TransB) {
    auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{N, k}}, ct::shape<N, K>{}};
    for (auto i : ct::irange(first, steps))
      sum = ct::mma(a_tiles.load_masked(0, i), ct::transpose(b_tiles.load_masked(0, i)), sum);
  } else {
    auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, N}}, ct::shape<K, N>{}};
    for (auto i : ct::irange(first, steps))
      sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  }
  ct::partition_view{ct::tensor_span{c, ct::shape<M, N>{}}, ct::shape<M, N>{}}.store(sum, 0, 0);
}

// Of iterations first to steps; of all up to the end of K by default.
template <class T, class Acc, int M, int N, int K, bool TransB>
void check(const char *name, int k, int first = 0, int steps = -1) {
  if (steps < 0)
    steps = (k + K - 1) / K;
  run::array<T> a(M * k + 1, element<T>), b(k * N + 1, [](auto i) { return element<T>(i + 5); });
  run::array<Acc> c(M * N);
  multiply<T, Acc, M, N, K, TransB><<<1, 1>>>(a.device, b.device, c.device, k, first, steps);
  run::expect(name, c, [&](auto i) {
    double wanted = 3;
    for (int j = first * K; j < k && j < steps * K; ++j)
      wanted +=
          element<T>(i / N * k + j) * element<T>((TransB ? i % N * k + j : j * N + i % N) + 5);
    return wanted;
  });
}

// Boxes that overlap, from one that starts below 0 and is outside as a whole.
__tile_global__ void overlap(const __half *a, const __half *b, float *c, int k, int first) {
  constexpr int m = 128, n = 128, depth = 128;
  auto a_tiles =
      ct::strided_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<m, depth>{},
                       ct::strides{ct::integral_constant<m>{}, ct::integral_constant<depth / 2>{}}};
  auto b_tiles =
      ct::strided_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<depth, n>{},
                       ct::strides{ct::integral_constant<depth / 2>{}, ct::integral_constant<n>{}}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<m, n>>>();
  for (auto i : ct::irange(first, (k + depth / 2 - 1) / (depth / 2)))
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  ct::partition_view{ct::tensor_span{c, ct::shape<m, n>{}}, ct::shape<m, n>{}}.store(sum, 0, 0);
}

void check_overlap(int k) {
  constexpr int m = 128, n = 128, depth = 128;
  run::array<__half> a(m * k + 1, element<float>),
      b(k * n + 1, [](auto i) { return element<float>(i + 5); });
  run::array<float> c(m * n);
  overlap<<<1, 1>>>(a.device, b.device, c.device, k, -1);
  run::expect("boxes that overlap", c, [&](auto i) {
    double sum = 0;
    for (int start = 0; start < k; start += depth / 2)
      for (int j = start; j < k && j < start + depth; ++j)
        sum += element<float>(i / n * k + j) * element<float>(j * n + i % n + 5);
    return sum;
  });
}

// Two products of one sum an iteration, with factors of the same size: they take turns as well. A
// third factor, of another size, and a value that is carried beside the sum, do not.
template <int Kind> __tile_global__ void turns(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                                               float *c, float *last, int k) {
  constexpr int m = 128, n = 128, depth = 64;
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<m, depth>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<depth, n>{}};
  auto half_tiles =
      ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<depth / 2, n>{}};
  auto a_halves =
      ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<m, depth / 2>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<m, n>>>();
  auto seen = sum;
  for (auto i : ct::irange(0, (k + depth - 1) / depth)) {
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
    if constexpr (Kind == 2)
      seen = sum;
    if constexpr (Kind == 1)
      sum = ct::mma(a_halves.load_masked(0, i), half_tiles.load_masked(i, 0), sum);
    else
      sum = ct::mma(a_tiles.load_masked(0, i + 1), b_tiles.load_masked(i, 0), sum);
  }
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::shape<m, n>{}}, ct::shape<m, n>{}};
  auto last_tiles = ct::partition_view{ct::tensor_span{last, ct::shape<m, n>{}}, ct::shape<m, n>{}};
  c_tiles.store(sum, 0, 0);
  last_tiles.store(seen, 0, 0);
}

template <int Kind> void check_turns(const char *name, int k) {
  using bf16 = __nv_bfloat16;
  constexpr int n = 128, depth = 64;
  run::array<bf16> a(n * k + 1, element<float>),
      b(k * n + 1, [](auto i) { return element<float>(i + 5); });
  run::array<float> c(n * n), last(n * n);
  turns<Kind><<<1, 1>>>(a.device, b.device, c.device, last.device, k);
  auto product = [&](std::size_t i, int from_a, int from_b, int count) {
    double sum = 0;
    for (int j = 0; j < count && from_a + j < k && from_b + j < k; ++j)
      sum += element<float>(i / n * k + from_a + j) * element<float>((from_b + j) * n + i % n + 5);
    return sum;
  };
  auto wanted = [&](std::size_t i, bool isLast) {
    double sum = 0, seen = 0;
    for (int step = 0; step * depth < k; ++step) {
      sum += product(i, step * depth, step * depth, depth);
      if (Kind == 2)
        seen = sum;
      sum += Kind == 1 ? product(i, step * depth / 2, step * depth / 2, depth / 2)
                       : product(i, (step + 1) * depth, step * depth, depth);
    }
    return isLast ? seen : sum;
  };
  run::expect(name, c, [&](auto i) { return wanted(i, false); });
  run::expect("seen on the way", last, [&](auto i) { return wanted(i, true); });
}

int main() {
  using bf16 = __nv_bfloat16;
  check<bf16, float, 128, 128, 128, false>("two parts", 2 * 128 + 70);
  check<bf16, float, 128, 128, 128, true>("two parts, ends within the first", 128 + 3);
  check<bf16, float, 128, 128, 128, true>("two parts, one iteration", 64);
  check<bf16, float, 128, 128, 128, false>("no iteration", 128, 2, 2);
  check<bf16, float, 128, 128, 128, false>("iterations in the middle", 640, 1, 3);
  check<__half, float, 128, 256, 128, false>("in flight", 3 * 128 - 40);
  check<__half, float, 128, 256, 128, true>("in flight, one iteration", 100);
  check<__half, float, 128, 256, 128, true>("in flight, no iteration", 100, 1, 1);
  check<__half, float, 64, 128, 256, true>("four parts", 256 + 130);
  check<__half, float, 64, 64, 64, true>("four stages of two blocks", 5 * 64 - 9);
#ifdef ALL_CASES
  check<__half, float, 64, 256, 64, false>("two stages of two blocks", 3 * 64 + 8);
#endif
  check<signed char, int, 128, 128, 512, true>("bytes", 512 + 200);
  check_overlap(200);
  check_turns<0>("turns", 200);
  check_turns<1>("factors of two sizes", 200);
  check_turns<2>("a sum that is seen", 150);
  return run::finish();
}
