// [mma] What an accumulator of 128x256 meets behind its loop is read in parts of columns: a
// residual of another tensor, one that is replaced in place, an operand of columns beside it, at
// ragged ends and through views that allow no vectors. So it is where blocks of smaller tiles are
// taken together, which leave what blocks would have that are not there. Read as a whole: a
// residual that lies elsewhere in the tensor that is stored, one that is the bytes of that tensor,
// one whose tile another store replaces first, and where two stores overlap. Results that leave in
// parts by panels that they share: of two tensors, one of which no bulk copy can store, and halves
// that the program takes.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using namespace ct::literals;
constexpr int M = 128, N = 256, K = 64;

template <int R = M, int C = N, class T> __tile__ auto boxes(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

template <int M = ::M, int N = ::N>
__tile__ auto product(const bf16 *a, const bf16 *b, int row, int column, int m, int n, int k) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(boxes<M, K>(a, m, k).load_masked(row, i),
                  boxes<K, N>(b, k, n).load_masked(i, column), sum);
  return sum;
}

// c = a * b * scale of the column + r
__tile_global__ void residual(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              const float *__restrict__ r, const float *__restrict__ scale,
                              float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product(a, b, row, column, m, n, k);
  auto by = boxes<1, N>(scale, 1, n).load_masked(0, column);
  boxes(c, m, n).store_masked(sum * by + boxes(r, m, n).load_masked(row, column), row, column);
}

// The same, by bulk copies.
template <int M, int N> __tile_global__ void aligned(const bf16 *__restrict__ a,
                                                     const bf16 *__restrict__ b,
                                                     const float *__restrict__ r,
                                                     float *__restrict__ c, int m, int n, int k) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b), c = ct::assume_aligned<16>(c);
  n = ct::assume_divisible<8>(n), k = ct::assume_divisible<8>(k);
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product<M, N>(a, b, row, column, m, n, k);
  boxes<M, N>(c, m, n).store_masked(sum + boxes<M, N>(r, m, n).load_masked(row, column), row,
                                    column);
}

// c += a * b
__tile_global__ void in_place(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product(a, b, row, column, m, n, k);
  auto cs = boxes(c, m, n);
  cs.store_masked(sum + cs.load_masked(row, column), row, column);
}

// One block: columns 128 on of c += those before, whose second half the first part would replace.
__tile_global__ void shifted(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *c,
                             int m, int n, int k) {
  auto sum = product(a, b, 0, 0, m, n, k);
  auto r = boxes(c, m, n + 128).load_masked(0, 0);
  auto mapping = ct::layout_strided_mapping{ct::extents{m, n}, ct::strides{n + 128, 1_ic}};
  auto cs = ct::partition_view{ct::tensor_span{c + 128, mapping}, ct::shape<M, N>{}};
  cs.store_masked(sum + r, 0, 0);
}

// The residual was stored by the same block, behind the loop.
__tile_global__ void replaced(const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *r,
                              float *c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product(a, b, row, column, m, n, k);
  boxes(r, m, n).store_masked(sum, row, column);
  boxes(c, m, n).store_masked(sum + boxes(r, m, n).load_masked(row, column), row, column);
}

// One block: what the second store writes is left of the first one, 64 columns further on.
__tile_global__ void overlapping(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                 const float *__restrict__ r, float *c, int m, int n, int k) {
  auto sum = product(a, b, 0, 0, m, n, k);
  auto at = [&](int column) {
    auto mapping = ct::layout_strided_mapping{ct::extents{m, n}, ct::strides{n + 64, 1_ic}};
    return ct::partition_view{ct::tensor_span{c + column, mapping}, ct::shape<M, N>{}};
  };
  at(0).store_masked(sum, 0, 0);
  at(64).store_masked(sum + boxes(r, m, n).load_masked(0, 0), 0, 0);
}

// One block: bytes of what is replaced lie elsewhere than its elements.
__tile_global__ void bytes(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           const float *__restrict__ r, float *c, int m, int n, int k) {
  auto sum = product(a, b, 0, 0, m, n, k);
  auto own = boxes(reinterpret_cast<unsigned char *>(c), m, n).load_masked(0, 0);
  auto residual = boxes(r, m, n).load_masked(0, 0);
  boxes(c, m, n).store_masked(sum + residual + ct::element_cast<float>(own), 0, 0);
}

template <int M, int N>
__tile_global__ void twice(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, float *__restrict__ d, int m, int n, int k) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b);
  n = ct::assume_divisible<8>(n), k = ct::assume_divisible<8>(k);
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product<M, N>(a, b, row, column, m, n, k);
  boxes<M, N>(c, m, n).store_masked(sum, row, column);
  boxes<M, N>(d, m, n).store_masked(sum * 2.0f, row, column);
}

__tile_global__ void halves(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, float *__restrict__ d, int m, int n, int k) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b);
  n = ct::assume_divisible<8>(n), k = ct::assume_divisible<8>(k);
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = product(a, b, row, column, m, n, k);
  auto left = ct::extract(sum, ct::shape<M, N / 2>{}, 0, 0);
  auto right = ct::extract(sum, ct::shape<M, N / 2>{}, 0, 1);
  boxes<M, N / 2>(c, m, n).store_masked(left, row, 2 * column);
  boxes<M, N / 2>(d, m, n).store_masked(right * 2.0f, row, 2 * column + 1);
}

struct Problem {
  int m, n, k;
  run::array<bf16> a{std::size_t(m) * k, run::small};
  run::array<bf16> b{std::size_t(k) * n, [](std::size_t i) { return run::small(3 * i + 1); }};
  dim3 grid{unsigned(n + N - 1) / N, unsigned(m + M - 1) / M, 1};

  double sum(std::size_t i) const {
    double result = 0;
    for (int j = 0; j < k; ++j)
      result += a[i / n * k + j] * b[j * n + i % n];
    return result;
  }
};

void check(int m, int n, int k) {
  Problem p{m, n, k};
  const std::size_t all = std::size_t(m) * n;
  run::array<float> r(all, run::small), scale(n, run::small), c(all), d(all, run::small), e(all);
  run::array<float> before(all, run::small), f(all);
  residual<<<p.grid, 1>>>(p.a, p.b, r, scale, c, m, n, k);
  run::expect("residual", c,
              [&](std::size_t i) { return p.sum(i) * scale.host[i % n] + r.host[i]; });
  in_place<<<p.grid, 1>>>(p.a, p.b, d, m, n, k);
  run::expect("in_place", d, [&](std::size_t i) { return p.sum(i) + before.host[i]; });
  replaced<<<p.grid, 1>>>(p.a, p.b, e, f, m, n, k);
  run::expect("replaced", f, [&](std::size_t i) { return 2 * p.sum(i); });
}

template <int M, int N> void check_aligned(dim3 grid) {
  Problem p{300, 264, 72};
  const std::size_t all = std::size_t(p.m) * p.n;
  run::array<float> r(all, run::small), c(all, run::small), before(all, run::small);
  aligned<M, N><<<grid, 1>>>(p.a, p.b, r, c, p.m, p.n, p.k);
  run::expect("aligned", c, [&](std::size_t i) {
    const bool is_there = i / p.n < grid.y * M && i % p.n < grid.x * N;
    return is_there ? p.sum(i) + r.host[i] : double(before.host[i]);
  });
}

// The first `behind` elements are another's: the tensor begins behind them.
template <int M, int N> void check_twice(dim3 grid, int behind, int behind_of_second) {
  Problem p{300, 264, 200};
  const std::size_t all = std::size_t(p.m) * p.n;
  run::array<float> c(all + 1), d(all + 1);
  twice<M, N>
      <<<grid, 1>>>(p.a, p.b, (float *)c + behind, (float *)d + behind_of_second, p.m, p.n, p.k);
  auto element = [&](std::size_t i) { return i < all ? p.sum(i) : 0.0; };
  run::expect("first", c, [&](std::size_t i) { return element(i - behind); });
  run::expect("second", d, [&](std::size_t i) { return 2 * element(i - behind_of_second); });
}

void check_halves() {
  Problem p{300, 264, 72};
  const std::size_t all = std::size_t(p.m) * p.n;
  run::array<float> c(all), d(all);
  halves<<<dim3(2, 3), 1>>>(p.a, p.b, c, d, p.m, p.n, p.k);
  auto is_right = [&](std::size_t i) { return i % p.n / (N / 2) % 2 != 0; };
  run::expect("left", c, [&](std::size_t i) { return is_right(i) ? 0.0 : p.sum(i); });
  run::expect("right", d, [&](std::size_t i) { return is_right(i) ? 2 * p.sum(i) : 0.0; });
}

int main() {
  check(150, 300, 100);
  check(129, 257, 63); // no rows of 16 bytes
  check(20, 30, 0);

  check_aligned<128, 256>({2, 3});
  check_aligned<128, 256>({1, 2});
  check_aligned<128, 128>({3, 3});
  check_aligned<128, 128>({2, 2});
#ifdef ALL_CASES
  check_aligned<64, 128>({3, 5});
  check_aligned<64, 128>({2, 3});
  check_twice<128, 128>({3, 3}, 0, 1);
#endif

  check_twice<128, 256>({2, 3}, 0, 1);
  check_twice<128, 256>({2, 3}, 1, 0);
  check_halves();

  Problem p{M, N, K};
  constexpr int wide = N + 128;
  run::array<float> c(M * wide, run::small), before(M * wide, run::small);
  shifted<<<1, 1>>>(p.a, p.b, c, M, N, K);
  run::expect("shifted", c, [&](std::size_t i) {
    const std::size_t row = i / wide, column = i % wide;
    return column < 128 ? double(before.host[i])
                        : p.sum(row * N + column - 128) + before.host[i - 128];
  });

  constexpr int wider = N + 64;
  run::array<float> d(M * wider), r(M * N, run::small);
  overlapping<<<1, 1>>>(p.a, p.b, r, d, M, N, K);
  run::expect("overlapping", d, [&](std::size_t i) {
    const std::size_t row = i / wider, column = i % wider, second = row * N + column - 64;
    return column < 64 ? p.sum(row * N + column) : p.sum(second) + r.host[second];
  });

  run::array<float> e(M * N, run::small), as_bytes(M * N, run::small);
  bytes<<<1, 1>>>(p.a, p.b, r, e, M, N, K);
  const auto *first = reinterpret_cast<const unsigned char *>(as_bytes.host.get());
  run::expect("bytes", e, [&](std::size_t i) { return p.sum(i) + r.host[i] + double(first[i]); });
  return run::finish();
}
