// Products of loops that take little of K at a time, which take several turns at once: any number
// of turns, from any place on, known or not, to the end of K or less far; one sum or two, factors
// either way round, in batches, computed; beside numbers that are carried; and loops that must be
// left as they are.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class Acc, int M, int N> using product = ct::tile<Acc, ct::shape<M, N>>;

template <class T> double element(std::size_t i) {
  return std::is_integral_v<T> ? double(int(i * 11 % 15) - 7) : double(int(i * 11 % 15) - 7) / 4;
}

template <int Rows, int Columns, class T> __tile__ auto tiles_of(T *p, int height, int width) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

// Box (row, column) of x (height, width), or of its transpose in memory.
template <int Rows, int Columns, bool Turned, class T>
__tile__ auto read(const T *x, int height, int width, int row, int column) {
  if constexpr (Turned)
    return ct::transpose(tiles_of<Columns, Rows>(x, width, height).load_masked(column, row));
  else
    return tiles_of<Rows, Columns>(x, height, width).load_masked(row, column);
}

// To the end of K.
template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
__tile_global__ void whole(const T *a, const T *b, Acc *c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<product<Acc, M, N>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(read<M, K, TransA>(a, m, k, row, i), read<K, N, TransB>(b, k, n, i, column), sum);
  tiles_of<M, N>(c, m, n).store_masked(sum, row, column);
}

// Some of the turns; Known: as many as the compiler knows.
template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB, int Known>
__tile_global__ void some(const T *a, const T *b, Acc *c, int m, int n, int k, int first,
                          int last) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::full<product<Acc, M, N>>(Acc(3));
  if (Known >= 0)
    first = 0, last = Known;
  for (int i = first; i < last; ++i)
    sum = ct::mma(read<M, K, TransA>(a, m, k, row, i), read<K, N, TransB>(b, k, n, i, column), sum);
  tiles_of<M, N>(c, m, n).store_masked(sum, row, column);
}

template <class T> struct operands {
  int m, n, k;
  run::array<T> a, b;
  operands(int m, int n, int k)
      : m(m), n(n), k(k), a(m * k + 1, element<T>),
        b(k * n + 1, [](auto i) { return element<T>(i + 5); }) {}

  double product(std::size_t i, int from, int to, bool transA, bool transB) const {
    const int row = int(i) / n, column = int(i) % n;
    double sum = 0;
    for (int j = std::max(from, 0); j < k && j < to; ++j)
      sum += a[transA ? j * m + row : row * k + j] * b[transB ? column * k + j : j * n + column];
    return sum;
  }
};

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
void check_whole(const char *name, int m, int n, int k) {
  operands<T> o(m, n, k);
  run::array<Acc> c(m * n);
  whole<T, Acc, M, N, K, TransA, TransB>
      <<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(o.a.device, o.b.device, c.device, m, n, k);
  run::expect(name, c, [&](auto i) { return o.product(i, 0, k, TransA, TransB); });
}

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB, int Known = -1>
void check_some(const char *name, int k, int first, int last) {
  operands<T> o(M, N, k);
  run::array<Acc> c(M * N);
  some<T, Acc, M, N, K, TransA, TransB, Known>
      <<<1, 1>>>(o.a.device, o.b.device, c.device, M, N, k, first, last);
  run::expect(name, c, [&](auto i) {
    // A box that starts below 0 is outside as a whole.
    return 3 + o.product(i, first * K, last * K, TransA, TransB);
  });
}

// Two sums share a factor; blocks take tile after tile; the loop counts down what is left.
template <int M, int N, int K>
__tile_global__ void gated(const __nv_bfloat16 *x, const __nv_bfloat16 *v, const __nv_bfloat16 *w,
                           float *c, int *turns, int m, int n, int k) {
  const int rows = ct::ceildiv(m, M), columns = ct::ceildiv(n, N);
  for (int tile = ct::bid().x; tile < rows * columns; tile += ct::num_blocks().x) {
    const int row = tile / columns, column = tile % columns;
    auto gate = ct::zeros<product<float, M, N>>(), linear = gate;
    int left = k, i = 0;
    while (left > 0) {
      auto factor = read<M, K, false>(x, m, k, row, i);
      gate = ct::mma(factor, read<K, N, false>(v, k, n, i, column), gate);
      linear = ct::mma(factor, read<K, N, true>(w, k, n, i, column), linear);
      left -= K;
      ++i;
    }
    tiles_of<M, N>(c, m, n).store_masked(gate + linear * 2.0f, row, column);
    ct::store(turns + tile, i);
  }
}

void check_gated(int m, int n, int k, int blocks) {
  using bf16 = __nv_bfloat16;
  constexpr int M = 64, N = 64, K = 16;
  operands<bf16> o(m, n, k);
  run::array<bf16> w(k * n, [](auto i) { return element<bf16>(i + 2); });
  const int tiles = ((m + M - 1) / M) * ((n + N - 1) / N);
  run::array<float> c(m * n);
  run::array<int> turns(tiles);
  gated<M, N, K><<<blocks, 1>>>(o.a.device, o.b.device, w.device, c.device, turns.device, m, n, k);
  run::expect("two sums", c, [&](auto i) {
    double sum = o.product(i, 0, k, false, false);
    for (int j = 0; j < k; ++j)
      sum += 2 * o.a[i / n * k + j] * w[i % n * k + j];
    return sum;
  });
  run::expect("turns", turns, [&](auto) { return (k + K - 1) / K; });
}

// Boxes of K elements, Step apart, from an element on: one that starts below 0 is outside as a
// whole. Step may not be K.
template <int Step, class T, int M, int N, int K>
__tile_global__ void stepping(const T *a, const T *b, float *c, int k, int first, int turns) {
  using ct::integral_constant;
  auto as = ct::strided_view{ct::tensor_span{a, ct::extents{M, k}}, ct::shape<M, K>{},
                             ct::strides{integral_constant<M>{}, integral_constant<1>{}}};
  auto bs = ct::strided_view{ct::tensor_span{b, ct::extents{k, N}}, ct::shape<K, N>{},
                             ct::strides{integral_constant<1>{}, integral_constant<N>{}}};
  auto sum = ct::zeros<product<float, M, N>>();
  for (int i = 0; i < turns; ++i)
    sum = ct::mma(as.load_masked(0, first + i * Step), bs.load_masked(first + i * Step, 0), sum);
  tiles_of<M, N>(c, M, N).store(sum, 0, 0);
}

template <int Step> void check_stepping(const char *name, int k, int first, int turns) {
  using T = __half;
  constexpr int M = 64, N = 128, K = 32;
  operands<T> o(M, N, k);
  run::array<float> c(M * N);
  stepping<Step, T, M, N, K><<<1, 1>>>(o.a.device, o.b.device, c.device, k, first, turns);
  run::expect(name, c, [&](auto i) {
    double sum = 0;
    for (int turn = 0; turn < turns; ++turn)
      if (const int start = first + turn * Step; start >= 0)
        sum += o.product(i, start, start + K, false, false);
    return sum;
  });
}

// A factor that is computed: what its zeros become is added up no further than the program does.
template <bool KeepsZeros, int M, int N, int K>
__tile_global__ void computed(const __half *a, const signed char *b, const __half *bias, float *c,
                              int m, int n, int k, __half scale) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto biases = tiles_of<1, N>(bias, 1, n).load_masked(0, column);
  auto sum = ct::zeros<product<float, M, N>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto factor = ct::element_cast<__half>(read<K, N, false>(b, k, n, i, column));
    auto first = read<M, K, false>(a, m, k, row, i);
    if constexpr (!KeepsZeros) {
      factor = factor * scale + biases;
      first = first + __half(1.0f);
    }
    sum = ct::mma(first, factor, sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, row, column);
}

template <bool KeepsZeros> void check_computed(const char *name, int m, int n, int k) {
  constexpr int M = 64, N = 64, K = 16;
  run::array<__half> a(m * k, element<__half>),
      bias(n, [](auto i) { return element<__half>(i + 1); });
  run::array<signed char> b(k * n, element<signed char>);
  run::array<float> c(m * n);
  computed<KeepsZeros, M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(
      a.device, b.device, bias.device, c.device, m, n, k, __half(0.5f));
  run::expect(name, c, [&](auto i) {
    double sum = 0;
    for (int j = 0; j < (k + K - 1) / K * K; ++j) {
      const double x = j < k ? a[i / n * k + j] : 0, y = j < k ? b[j * n + i % n] : 0;
      sum += KeepsZeros ? x * y : (x + 1) * (y * 0.5 + bias[i % n]);
    }
    return sum;
  });
}

template <int M, int N, int K> __tile_global__ void
batched(const __half *a, const __half *b, float *c, int m, int n, int k, int count, int turns) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{count, m, k}}, ct::shape<1, M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{count, k, n}}, ct::shape<1, K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{count, m, n}}, ct::shape<1, M, N>{}};
  const auto [column, row, index] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, M, N>>>();
  for (int i = 0; i < turns; ++i)
    sum = ct::mma(as.load_masked(index, row, i), bs.load_masked(index, i, column), sum);
  cs.store_masked(sum, index, row, column);
}

void check_batched(int m, int n, int k, int count, int turns) {
  constexpr int M = 64, N = 64, K = 32;
  run::array<__half> a(count * m * k, element<__half>),
      b(count * k * n, [](auto i) { return element<__half>(i + 5); });
  run::array<float> c(count * m * n);
  batched<M, N, K><<<dim3((n + N - 1) / N, (m + M - 1) / M, count), 1>>>(
      a.device, b.device, c.device, m, n, k, count, turns);
  run::expect("batches", c, [&](auto i) {
    const int index = int(i) / (m * n), row = int(i) / n % m, column = int(i) % n;
    double sum = 0;
    for (int j = 0; j < k && j < turns * K; ++j)
      sum += a[(index * m + row) * k + j] * b[(index * k + j) * n + column];
    return sum;
  });
}

// Left as it is: what is multiplied in one turn is seen, or stored, or read by another.
template <int Kind>
__tile_global__ void seen(const __half *a, const __half *b, float *c, float *others, int k) {
  constexpr int M = 64, N = 64, K = 32;
  auto sum = ct::zeros<product<float, M, N>>();
  auto last = sum;
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    auto factor = read<M, K, false>(a, M, k, 0, i);
    if constexpr (Kind == 0)
      last = sum;
    if constexpr (Kind == 1)
      tiles_of<M, K>(others, M, k).store_masked(ct::element_cast<float>(factor), 0, i);
    sum = ct::mma(factor, read<K, N, false>(b, k, N, i, 0), sum);
    if constexpr (Kind == 2)
      sum = sum + 1.0f;
  }
  tiles_of<M, N>(c, M, N).store(sum, 0, 0);
  if constexpr (Kind == 0)
    tiles_of<M, N>(others, M, N).store(last, 0, 0);
}

template <int Kind> void check_seen(const char *name, int k) {
  constexpr int M = 64, N = 64, K = 32;
  operands<__half> o(M, N, k);
  run::array<float> c(M * N), others(M * std::max(N, k));
  seen<Kind><<<1, 1>>>(o.a.device, o.b.device, c.device, others.device, k);
  const int turns = (k + K - 1) / K;
  run::expect(name, c,
              [&](auto i) { return o.product(i, 0, k, false, false) + (Kind == 2 ? turns : 0); });
  if (Kind == 0)
    run::expect("the sum before", others, [&](auto i) {
      return i < M * N ? o.product(i, 0, (turns - 1) * K, false, false) : 0;
    });
  if (Kind == 1)
    run::expect("what was read", others, [&](auto i) { return int(i) < M * k ? o.a[i] : 0; });
}

int main() {
  using bf16 = __nv_bfloat16;
  using fp8 = __nv_fp8_e4m3;
  check_whole<bf16, float, 128, 128, 32, false, false>("to the end", 130, 136, 5 * 32 + 8);
#ifdef ALL_CASES
  check_whole<bf16, float, 128, 256, 32, false, true>("in flight", 128, 256, 7 * 32 - 3);
  check_whole<bf16, float, 256, 256, 32, false, false>("a sum in parts", 256, 256, 96);
#endif
  check_whole<bf16, float, 64, 64, 16, true, true>("four turns", 72, 64, 6 * 16);
  check_whole<__half, float, 64, 128, 32, true, false>("one turn", 64, 128, 20);
  check_whole<__half, float, 16, 64, 32, false, true>("few rows", 20, 64, 200);
#ifdef ALL_CASES
  check_whole<fp8, float, 64, 64, 32, false, true>("fp8", 64, 64, 9 * 32 - 16);
  check_whole<fp8, float, 64, 64, 64, false, false>("fp8, turned", 64, 64, 5 * 64);
#endif
  check_whole<signed char, int, 64, 64, 32, false, true>("bytes", 65, 64, 7 * 32 + 1);
  for (int count : {0, 1, 2, 3, 5}) {
    check_some<bf16, float, 64, 128, 32, false, false>("some turns", 4 * 32 + 9, 0, count);
#ifdef ALL_CASES
    check_some<bf16, float, 128, 128, 32, false, false>("some turns", 4 * 32 + 9, 0, count);
#endif
  }
  for (int count : {0, 1, 4, 6, 7})
    check_some<bf16, float, 64, 64, 16, false, true>("some of four", 100, 0, count);
  check_some<bf16, float, 128, 256, 32, false, true>("some in flight", 300, 0, 9);
  check_some<bf16, float, 64, 128, 32, false, false>("from a turn on", 300, 3, 8);
  check_some<bf16, float, 64, 128, 32, false, false>("from an even one", 300, 2, 7);
  check_some<bf16, float, 64, 128, 32, false, false>("from below 0", 300, -3, 4);
  check_some<bf16, float, 64, 128, 32, false, false>("all below 0", 300, -5, -2);
  check_some<bf16, float, 64, 128, 32, false, false>("beyond the end", 70, 1, 9);
  check_some<bf16, float, 64, 64, 32, false, false, 7>("seven", 7 * 32 - 1, 0, 7);
#ifdef ALL_CASES
  check_some<bf16, float, 64, 64, 32, false, false, 6>("six", 6 * 32, 0, 6);
#endif
  check_some<bf16, float, 64, 64, 16, false, true, 3>("three of four", 3 * 16, 0, 3);
  check_some<bf16, float, 64, 64, 16, false, true, 1>("one of four", 3 * 16, 0, 1);
  check_gated(130, 72, 7 * 16 + 8, 2);
  check_gated(64, 64, 16, 3);
  check_stepping<32>("steps of a box", 200, 16, 5);
  check_stepping<32>("from the middle of a box below 0", 200, -16, 6);
  check_stepping<32>("one turn from below 0", 200, -40, 1);
  check_stepping<16>("boxes that overlap", 200, 0, 9);
#ifdef ALL_CASES
  check_stepping<48>("gaps between boxes", 300, 0, 5);
#endif
  check_computed<true>("converted", 72, 64, 5 * 16 - 8);
  check_computed<false>("scaled", 72, 64, 5 * 16 - 8);
  check_batched(72, 64, 104, 3, 3);
  check_seen<0>("the sum is seen", 5 * 32);
  check_seen<1>("stored beside", 5 * 32);
  check_seen<2>("the sum grows beside", 5 * 32);
  return run::finish();
}
