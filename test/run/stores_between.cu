// Stores between a loop's reads and its multiplies: reads of other memory pass them, of the same
// memory they wait. Two pointers may be to one tensor where nothing says that they are not.
#include "products.h"

#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int T = 64; // of a tile, and of a chunk

template <class P> __tile__ auto view(P *base, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{base, ct::extents{rows, columns}}, ct::shape<T, T>{}};
}

using sum_of_tile = ct::tile<float, ct::shape<T, T>>;

// A product that notes every iteration, once for all blocks: merged blocks note it, too, and so do
// persistent ones, whose producer warp copies ahead meanwhile.
template <int M> __tile_global__ void noted(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                            float *__restrict__ c, int m, int n, int k,
                                            int *__restrict__ note) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, T>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<T, M>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, M>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, M>>>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (int i = 0; i < (k + T - 1) / T; ++i) {
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
    note[i] = 3 * i + 1;
  }
  cs.store_masked(sum, y, x);
}

// A box of a row of blocks, which all store the same.
__tile_global__ void of_row(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                            float *__restrict__ c, int m, int n, int k, float *__restrict__ rows) {
  auto as = view(a, m, k), bs = view(b, k, n);
  auto sum = ct::zeros<sum_of_tile>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (int i = 0; i < (k + T - 1) / T; ++i)
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
  view(rows, m, T).store_masked(ct::full<sum_of_tile>(float(y)), y, 0);
  view(c, m, n).store_masked(sum, y, x);
}

// The same with a count for each block, which no block does for another.
__tile_global__ void counted(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k, int *__restrict__ count) {
  auto as = view(a, m, k), bs = view(b, k, n);
  auto sum = ct::zeros<sum_of_tile>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (int i = 0; i < (k + T - 1) / T; ++i) {
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
    ct::atomic_add(count + i, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  }
  view(c, m, n).store_masked(sum, y, x);
}

// Chunk after chunk of x is multiplied by w and stored through y, which may be x, or x a chunk
// later: what was stored is read then.
__tile_global__ void chunks(const bf16 *x, const bf16 *w, bf16 *y, int n) {
  auto xs = view(x, n, T);
  auto ys = view(y, n, T);
  auto weights = view(w, T, T).load_masked(0, 0);
  for (int i = 0; i < n / T; ++i) {
    auto product = ct::mma(xs.load_masked(i, 0), weights, ct::zeros<sum_of_tile>());
    ys.store_masked(ct::element_cast<bf16>(product), i, 0);
  }
}

// In place: no chunk is read again.
__tile_global__ void replaced(bf16 *x, const bf16 *__restrict__ w, int n) {
  auto xs = ct::partition_view{ct::tensor_span{x, ct::extents{n, ct::integral_constant<T>{}}},
                               ct::shape<T, T>{}};
  auto weights = view(w, T, T).load_masked(0, 0);
  for (int i = 0; i < n / T; ++i) {
    auto product = ct::mma(xs.load_masked(i, 0), weights, ct::zeros<sum_of_tile>());
    xs.store_masked(ct::element_cast<bf16>(product), i, 0);
  }
}

// In place by a stride of half a chunk: the rows of one chunk are in part those of the next.
__tile_global__ void overlapping(bf16 *x, const bf16 *__restrict__ w, int n, int stride) {
  ct::layout_strided_mapping mapping{ct::extents{T, n},
                                     ct::strides{stride, ct::integral_constant<1>{}}};
  auto xs = ct::partition_view{ct::tensor_span{x, mapping}, ct::shape<T, T>{}};
  auto weights = view(w, T, T).load_masked(0, 0);
  for (int i = 0; i < n / T; ++i) {
    auto product = ct::mma(xs.load_masked(0, i), weights, ct::zeros<sum_of_tile>());
    xs.store_masked(ct::element_cast<bf16>(product), 0, i);
  }
}

// Linear attention: chunks of an output are stored while those of the inputs are read.
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ out, int n) {
  auto qs = view(q, n, T), ks = view(k, n, T), vs = view(v, n, T);
  auto outs = view(out, n, T);
  auto state = ct::zeros<sum_of_tile>();
  for (int i = 0; i < n / T; ++i) {
    auto value = vs.load_masked(i, 0);
    auto key = ks.load_masked(i, 0);
    outs.store_masked(
        ct::element_cast<bf16>(
            ct::mma(qs.load_masked(i, 0), ct::element_cast<bf16>(state), ct::zeros<sum_of_tile>())),
        i, 0);
    state = ct::mma(ct::transpose(key), value, state);
  }
}

constexpr int chunk_count = 9, chunk_elements = T * T;

// 1 on the diagonal and one beside it: each column becomes the sum of two.
double weight(std::size_t i) { return i / T == i % T || i / T == i % T + 1; }

/// The chunks one after the other, as the kernels do it: chunk i is at `from + i * step`.
void on_host(std::vector<double> &memory, std::size_t from, std::size_t to, std::size_t step,
             int chunks, std::size_t stride) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    std::vector<double> product(chunk_elements);
    for (std::size_t i = 0; i < product.size(); ++i) {
      const std::size_t at = from + chunk * step + i / T * stride + i % T;
      product[i] = memory[at] + (i % T + 1 < T ? memory[at + 1] : 0);
    }
    for (std::size_t i = 0; i < product.size(); ++i)
      memory[to + chunk * step + i / T * stride + i % T] =
          double(__bfloat162float(__float2bfloat16(float(product[i]))));
  }
}

template <class Launch> void check_chunks(const char *name, Launch launch, std::size_t to,
                                          int chunks, std::size_t step, std::size_t stride) {
  run::array<bf16> x((chunk_count + 2) * chunk_elements, [](std::size_t i) { return i % 3; }),
      w(chunk_elements, weight);
  std::vector<double> wanted(x.size);
  for (std::size_t i = 0; i < x.size; ++i)
    wanted[i] = double(i % 3);
  on_host(wanted, 0, to, step, chunks, stride);
  launch((bf16 *)x, (bf16 *)w);
  run::expect(name, x, [&](std::size_t i) { return wanted[i]; });
}

void check_chunks() {
  constexpr int n = chunk_count * T;
  auto through = [](std::size_t to) {
    return [to](bf16 *x, bf16 *w) { chunks<<<1, 1>>>(x, w, x + to, n); };
  };
  check_chunks("chunks of one tensor", through(0), 0, chunk_count, chunk_elements, T);
  check_chunks("chunks a row later", through(T), T, chunk_count, chunk_elements, T);
  check_chunks("chunks a chunk later", through(chunk_elements), chunk_elements, chunk_count,
               chunk_elements, T);
  check_chunks(
      "chunks replaced", [](bf16 *x, bf16 *w) { replaced<<<1, 1>>>(x, w, n); }, 0, chunk_count,
      chunk_elements, T);
  check_chunks(
      "rows that overlap", [](bf16 *x, bf16 *w) { overlapping<<<1, 1>>>(x, w, 4 * T, T); }, 0, 4, T,
      T);
}

void check_products() {
  const sizes s{5 * T, 7 * T, 6 * T};
  const dim3 grid(7, 5);
  run::array<int> note(8, [](std::size_t) { return -1; }), count(8);
  run::array<float> rows(s.m * T);
  auto product = [](const operands &o, int batch, int row, int column, double before) {
    return batch ? before : o.product(0, row, column);
  };
  check("noted", noted<T>, grid, s, product, (int *)note);
  run::expect("notes", note, [](std::size_t i) { return i < 6 ? 3.0 * double(i) + 1 : -1; });
  check("of a row", of_row, grid, s, product, (float *)rows);
  run::expect("rows of blocks", rows, [](std::size_t i) { return double(i / T / T); });
  check("counted", counted, grid, s, product, (int *)count);
  check("noted by few", noted<2 * T>, dim3(5, 4), {7 * T, 9 * T, 3 * T}, product, (int *)note + 2);
  run::expect("their notes", note, [](std::size_t i) {
    return i == 0 ? 1 : i == 1 ? 4 : i < 5 ? 3.0 * double(i) - 5 : i == 5 ? 16 : -1;
  });
  run::expect("counts", count, [](std::size_t i) { return i < 6 ? 35 : 0; });
}

void check_attention() {
  constexpr std::size_t n = chunk_count * T;
  auto small = [](std::size_t seed) {
    return [seed](std::size_t i) { return double((i * seed + i / T) % 3) - 1; };
  };
  run::array<bf16> q(n * T, small(5)), k(n * T, small(7)), v(n * T, small(11)), out(n * T);
  attention<<<1, 1>>>(q, k, v, out, int(n));
  std::vector<double> state(T * T), wanted(n * T);
  for (std::size_t chunk = 0; chunk < chunk_count; ++chunk) {
    for (std::size_t i = chunk * T; i < (chunk + 1) * T; ++i)
      for (std::size_t j = 0; j < T; ++j)
        for (std::size_t d = 0; d < T; ++d)
          wanted[i * T + j] +=
              q[i * T + d] * double(__bfloat162float(__float2bfloat16(float(state[d * T + j]))));
    for (std::size_t i = chunk * T; i < (chunk + 1) * T; ++i)
      for (std::size_t d = 0; d < T; ++d)
        for (std::size_t j = 0; j < T; ++j)
          state[d * T + j] += k[i * T + d] * v[i * T + j];
  }
  run::expect("attention", out, [&](std::size_t i) { return wanted[i]; });
}

int main() {
  check_products();
  check_chunks();
  check_attention();
  return run::finish();
}
