// Chains of multiplies whose tiles are so large that shared memory has room for one stage of each
// operand: each is copied for the next iteration when this iteration has read it. Of no, one and
// several iterations, with odd lengths; with a second result from the same chain; with an operand
// that both multiplies read; and in a loop around that copies nothing.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int N, int D> __tile__ auto rows_of(const T *x, unsigned rows) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{rows, ct::integral_constant<D>{}}},
      ct::shape<N, D>{}};
}

// relu(q k^T) v
template <class T, int M, int N, int D, class Query, class Rows>
__tile__ auto chained(Query query, Rows ks, Rows vs, unsigned keys) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (int i = 0; i < (int(keys) + N - 1) / N; ++i) {
    auto scores = ct::mma(query, ct::transpose(ks.load_masked(i, 0)),
                          ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto p = ct::max(scores, 0.0f);
    sum = ct::mma(ct::element_cast<T>(p), vs.load_masked(i, 0), sum);
  }
  return sum;
}

// The same, in work tile after work tile of a block's rows.
template <class T, int M, int N, int D, int Tiles>
__tile_global__ void chain(const T *__restrict__ q, const T *__restrict__ k,
                           const T *__restrict__ v, float *__restrict__ out, unsigned rows,
                           unsigned keys) {
  auto qs = rows_of<T, M, D>(q, rows);
  auto ks = rows_of<T, N, D>(k, keys), vs = rows_of<T, N, D>(v, keys);
  auto outs = ct::partition_view{
      ct::tensor_span{out, ct::extents{rows, ct::integral_constant<D>{}}}, ct::shape<M, D>{}};
  for (int tile = 0; tile < Tiles; ++tile) {
    const int block = ct::bid().x * Tiles + tile;
    outs.store_masked(chained<T, M, N, D>(qs.load_masked(block, 0), ks, vs, keys), block, 0);
  }
}

// The same with rows of a run-time stride, at any address.
template <class T, int M, int N, int D>
__tile_global__ void strided(const T *__restrict__ q, const T *__restrict__ k,
                             const T *__restrict__ v, float *__restrict__ out, unsigned rows,
                             unsigned keys, unsigned stride) {
  auto of = [&](const T *x) {
    auto mapping = ct::layout_strided_mapping{ct::extents{keys, ct::integral_constant<D>{}},
                                              ct::strides{stride, ct::integral_constant<1>{}}};
    return ct::partition_view{ct::tensor_span{x, mapping}, ct::shape<N, D>{}};
  };
  auto qs = rows_of<T, M, D>(q, rows);
  auto ks = of(k), vs = of(v);
  auto outs = ct::partition_view{
      ct::tensor_span{out, ct::extents{rows, ct::integral_constant<D>{}}}, ct::shape<M, D>{}};
  const int block = ct::bid().x;
  outs.store_masked(chained<T, M, N, D>(qs.load_masked(block, 0), ks, vs, keys), block, 0);
}

// relu(q k^T) v and relu(q k^T) w.
template <class T, int M, int N, int D>
__tile_global__ void two_results(const T *__restrict__ q, const T *__restrict__ k,
                                 const T *__restrict__ v, const T *__restrict__ w,
                                 float *__restrict__ out, float *__restrict__ other, unsigned rows,
                                 unsigned keys) {
  auto qs = rows_of<T, M, D>(q, rows);
  auto ks = rows_of<T, N, D>(k, keys), vs = rows_of<T, N, D>(v, keys),
       ws = rows_of<T, N, D>(w, keys);
  auto shape = ct::extents{rows, ct::integral_constant<D>{}};
  auto outs = ct::partition_view{ct::tensor_span{out, shape}, ct::shape<M, D>{}},
       others = ct::partition_view{ct::tensor_span{other, shape}, ct::shape<M, D>{}};
  const int block = ct::bid().x;
  auto query = qs.load_masked(block, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>(), of_w = sum;
  for (int i = 0; i < (int(keys) + N - 1) / N; ++i) {
    auto scores = ct::mma(query, ct::transpose(ks.load_masked(i, 0)),
                          ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto p = ct::element_cast<T>(ct::max(scores, 0.0f));
    sum = ct::mma(p, vs.load_masked(i, 0), sum);
    of_w = ct::mma(p, ws.load_masked(i, 0), of_w);
  }
  outs.store_masked(sum, block, 0);
  others.store_masked(of_w, block, 0);
}

// relu(q k^T + b^T) k: both multiplies read the keys; b has an operand of its own.
template <class T, int M, int N, int D>
__tile_global__ void keys_twice(const T *__restrict__ q, const T *__restrict__ k,
                                const T *__restrict__ v, float *__restrict__ out, unsigned rows,
                                unsigned keys) {
  auto qs = rows_of<T, M, D>(q, rows);
  auto ks = rows_of<T, N, D>(k, keys), vs = rows_of<T, N, D>(v, keys);
  auto outs = ct::partition_view{
      ct::tensor_span{out, ct::extents{rows, ct::integral_constant<D>{}}}, ct::shape<M, D>{}};
  const int block = ct::bid().x;
  auto query = qs.load_masked(block, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (int i = 0; i < (int(keys) + N - 1) / N; ++i) {
    auto key = ks.load_masked(i, 0);
    auto scores = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto p = ct::element_cast<T>(ct::max(scores, 0.0f));
    sum = ct::mma(p, key, sum);
    sum = ct::mma(p, vs.load_masked(i, 0), sum);
  }
  outs.store_masked(sum, block, 0);
}

template <class T, int D> struct operands {
  run::array<T> q, k, v, w;
  unsigned rows, keys;

  operands(unsigned rows, unsigned keys)
      : q(std::size_t(rows) * D, [](auto i) { return run::small(i); }),
        k(std::size_t(keys) * D + 8, [](auto i) { return run::small(i + 3); }),
        v(std::size_t(keys) * D + 8, [](auto i) { return run::small(i + 11); }),
        w(std::size_t(keys) * D + 8, [](auto i) { return run::small(i + 5); }), rows(rows),
        keys(keys) {}

  // relu(q k^T), rounded to T as the kernels do.
  std::vector<double> probabilities() {
    std::vector<double> p(std::size_t(rows) * keys);
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < keys; ++j) {
        double sum = 0;
        for (int d = 0; d < D; ++d)
          sum += double(q[i * D + d]) * double(k[j * D + d]);
        p[i * keys + j] = double(T(float(std::max(sum, 0.0))));
      }
    return p;
  }
  std::vector<double> times(const std::vector<double> &p, run::array<T> &x) {
    std::vector<double> out(std::size_t(rows) * D);
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < keys; ++j)
        for (int d = 0; d < D; ++d)
          out[i * D + d] += p[i * keys + j] * double(x[j * D + d]);
    return out;
  }
};

template <class T, int M, int N, int D, int Tiles = 1>
void test_chain(const char *name, unsigned rows, unsigned keys) {
  operands<T, D> x(rows, keys);
  run::array<float> out(std::size_t(rows) * D);
  chain<T, M, N, D, Tiles>
      <<<(rows + M * Tiles - 1) / (M * Tiles), 1>>>(x.q, x.k, x.v, out, rows, keys);
  auto wanted = x.times(x.probabilities(), x.v);
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<T>);
}

// Rows of the keys begin `shift` elements after aligned addresses, and are `stride` apart.
template <class T, int M, int N, int D>
void test_strided(const char *name, unsigned rows, unsigned keys, int shift, int stride) {
  operands<T, D> x(rows, keys);
  auto spread = [&](run::array<T> &from) {
    return run::array<T>(std::size_t(keys) * stride + 64, [&](auto i) {
      const long at = long(i) - shift, row = at / stride, column = at % stride;
      return at >= 0 && row < keys && column < D ? from[std::size_t(row * D + column)] : 100.0;
    });
  };
  run::array<T> k = spread(x.k), v = spread(x.v);
  run::array<float> out(std::size_t(rows) * D);
  const T *first_k = k, *first_v = v;
  strided<T, M, N, D>
      <<<(rows + M - 1) / M, 1>>>(x.q, first_k + shift, first_v + shift, out, rows, keys, stride);
  auto wanted = x.times(x.probabilities(), x.v);
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<T>);
}

template <class T, int M, int N, int D>
void test_two_results(const char *name, unsigned rows, unsigned keys) {
  operands<T, D> x(rows, keys);
  run::array<float> out(std::size_t(rows) * D), other(std::size_t(rows) * D);
  two_results<T, M, N, D><<<(rows + M - 1) / M, 1>>>(x.q, x.k, x.v, x.w, out, other, rows, keys);
  auto p = x.probabilities();
  auto wanted = x.times(p, x.v), of_w = x.times(p, x.w);
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<T>);
  run::expect(name, other, [&](auto i) { return of_w[i]; }, run::tolerance<T>);
}

template <class T, int M, int N, int D>
void test_keys_twice(const char *name, unsigned rows, unsigned keys) {
  operands<T, D> x(rows, keys);
  run::array<float> out(std::size_t(rows) * D);
  keys_twice<T, M, N, D><<<(rows + M - 1) / M, 1>>>(x.q, x.k, x.v, out, rows, keys);
  auto p = x.probabilities();
  auto wanted = x.times(p, x.v), of_keys = x.times(p, x.k);
  run::expect(name, out, [&](auto i) { return wanted[i] + of_keys[i]; }, run::tolerance<T>);
}

int main() {
  using bf16 = __nv_bfloat16;
  test_chain<__half, 64, 256, 128>("several iterations, odd", 64, 700);
  test_chain<__half, 64, 256, 128>("one iteration", 40, 256);
  test_chain<__half, 64, 256, 128>("no iteration", 64, 0);
  test_chain<bf16, 64, 256, 128, 2>("work tile after work tile", 256, 300);
  test_chain<float, 64, 128, 128>("floats", 64, 200);
  test_chain<bf16, 64, 128, 128>("two blocks, several iterations", 130, 400);
  test_strided<bf16, 64, 128, 128>("two blocks, aligned rows", 64, 300, 0, 136);
  test_strided<bf16, 64, 128, 128>("two blocks, rows at odd addresses", 64, 300, 3, 131);
  test_strided<__half, 64, 256, 128>("rows at odd addresses", 64, 300, 1, 129);
  test_two_results<__half, 64, 128, 128>("two results", 70, 300);
  test_two_results<__half, 64, 256, 64>("two results, wide", 64, 530);
  test_keys_twice<__half, 64, 256, 128>("keys twice", 64, 520);
  return run::finish();
}
