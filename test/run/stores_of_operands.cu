// Loops that store to what their multiplies read: what an iteration stored a later one reads, in
// whatever order, through whichever pointer, and scalars are read back.
#include "run.h"

#include <algorithm>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

using bf16 = __nv_bfloat16;

constexpr int T = 64; // of a chunk
using sum_t = ct::tile<float, ct::shape<T, T>>;
template <class P> __tile__ auto view(P *b, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{b, ct::extents{rows, columns}}, ct::shape<T, T>{}};
}
template <class P> __tile__ auto dense(P *b, int rows) {
  return ct::partition_view{ct::tensor_span{b, ct::extents{rows, ct::integral_constant<T>{}}},
                            ct::shape<T, T>{}};
}
// Chunk i + 1 is stored, then chunk i read.
__tile_global__ void lookahead(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out,
                               int n) {
  auto xs = dense(x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  for (int i = 0; i + 1 < n / T; ++i) {
    xs.store_masked(ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(float(i + 2))), i + 1, 0);
    sum = ct::mma(xs.load_masked(i, 0), ws, sum);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// Stored two chunks ahead of what is read, under a condition.
__tile_global__ void sometimes(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out, int n,
                               int k) {
  auto xs = dense(x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  for (int i = 0; i < n / T; ++i) {
    sum = ct::mma(xs.load_masked(i, 0), ws, sum);
    if (i % 2 == k)
      xs.store_masked(ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(float(i + 2))), i + 2, 0);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// A pointer that moves, and is to the tensor itself after some iterations.
__tile_global__ void moving(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out, int n,
                            bf16 *y) {
  auto xs = dense((const bf16 *)x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  bf16 *p = y;
  for (int i = 0; i < n / T; ++i) {
    sum = ct::mma(xs.load_masked(i, 0), ws, sum);
    p[0] = bf16(float(i + 1));
    p = i == 2 ? x + 5 * T * T : p + T * T;
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// Scalars, read back and stored again: the factors are copied ahead all the same.
__tile_global__ void scalars(const bf16 *__restrict__ x, const bf16 *__restrict__ w,
                             float *__restrict__ out, int n, int *__restrict__ d) {
  auto xs = dense(x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  for (int i = 0; i < n / T; ++i) {
    sum = ct::mma(xs.load_masked(i, 0), ws, sum);
    d[0] = i;
    d[1] = d[0] + d[1];
    d[0] = d[1];
    d[i % 3] = 2 * d[0];
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// Read an iteration ahead, and stored through another pointer to the same.
__tile_global__ void early(bf16 *x, const bf16 *w, float *__restrict__ out, int n, bf16 *y) {
  auto xs = dense((const bf16 *)x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  auto next = xs.load_masked(0, 0);
  for (int i = 0; i < n / T; ++i) {
    auto now = next;
    next = xs.load_masked(i + 1, 0);
    sum = ct::mma(now, ws, sum);
    dense(y, n).store_masked(now + now, i + 1, 0);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// What nothing but a box's place keeps from being read ahead: a chunk that is stored a turn before
// it is read, of a loop that goes down, in the turn that reads it, at a distance that is known when
// the kernel runs, by a view with other rows, by another pointer.
enum class stored { next_below, before, further, in_pairs, by_name };
template <stored What> __tile_global__ void
near_by(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out, int n, bf16 *y, int further) {
  auto xs = dense(x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  for (int i = 0; i < n / T; ++i) {
    auto made = ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(float(i + 2)));
    const int c = What == stored::next_below ? n / T - 1 - i : i;
    if constexpr (What == stored::before)
      xs.store_masked(made, i, 0);
    sum = ct::mma(xs.load_masked(c, 0), ws, sum);
    if constexpr (What == stored::next_below)
      xs.store_masked(made, c - 1, 0);
    if constexpr (What == stored::further)
      xs.store_masked(made, i + further, 0);
    if constexpr (What == stored::in_pairs)
      ct::partition_view{ct::tensor_span{x, ct::extents{n / 2, ct::integral_constant<2 * T>{}}},
                         ct::shape<T, T>{}}
          .store_masked(made, i, 0);
    if constexpr (What == stored::by_name)
      dense(y, n).store_masked(made, i + 1, 0);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// Rows that lie half over one another: the chunk that is read has a part of the next one.
__tile_global__ void folded(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out, int n) {
  ct::layout_strided_mapping mapping{
      ct::extents{n, ct::integral_constant<T>{}},
      ct::extents{ct::integral_constant<T / 2>{}, ct::integral_constant<1>{}}};
  auto xs = ct::partition_view{ct::tensor_span{x, mapping}, ct::shape<T, T>{}};
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  for (int i = 0; i < n / T; ++i) {
    sum = ct::mma(xs.load_masked(i, 0), ws, sum);
    xs.store_masked(ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(float(i + 2))), i, 0);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
// Read an iteration ahead: the first before a store to it, or all but the first.
template <bool All>
__tile_global__ void between(bf16 *x, const bf16 *__restrict__ w, float *__restrict__ out, int n) {
  auto xs = dense(x, n);
  auto ws = view(w, T, T).load_masked(0, 0);
  auto sum = ct::zeros<sum_t>();
  auto next = xs.load_masked(0, 0);
  if constexpr (!All)
    xs.store_masked(ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(7.0f)), 0, 0);
  for (int i = 0; i < n / T; ++i) {
    sum = ct::mma(next, ws, sum);
    next = xs.load_masked(i + 1, 0);
    if constexpr (All)
      xs.store_masked(ct::full<ct::tile<bf16, ct::shape<T, T>>>(bf16(float(i + 2))), i + 1, 0);
  }
  view(out, T, T).store_masked(sum, 0, 0);
}
/// What the chunks, the sum of those that were read, and the scalars are to be.
struct model {
  static constexpr int chunks = 8, n = chunks * T, size = T * T;
  std::vector<double> memory = std::vector<double>((chunks + 4) * size),
                      sum = std::vector<double>(size);
  std::vector<int> d = std::vector<int>(8);

  static double start(std::size_t i) { return double(i % 3); }
  model() {
    for (std::size_t i = 0; i < memory.size(); ++i)
      memory[i] = start(i);
  }
  std::vector<double> chunk(int c) const {
    auto from = memory.begin() + c * size;
    return c < chunks ? std::vector<double>(from, from + size) : std::vector<double>(size);
  }
  void add(const std::vector<double> &x) {
    for (int i = 0; i < size; ++i)
      sum[i] += x[i];
  }
  void store(int c, const std::vector<double> &x) {
    if (c < chunks)
      std::copy(x.begin(), x.end(), memory.begin() + c * size);
  }
  static std::vector<double> all(double x) { return std::vector<double>(size, x); }
};

template <class Launch, class Turn> void check(const char *name, Launch launch, Turn turn) {
  model m;
  run::array<bf16> x(m.memory.size(), model::start),
      w(model::size, [](std::size_t i) { return double(i / T == i % T); });
  run::array<float> out(model::size);
  run::array<int> d(m.d.size());
  launch((bf16 *)x, (bf16 *)w, (float *)out, (int *)d);
  for (int i = 0; i < model::chunks; ++i)
    turn(m, i);
  run::expect(name, out, [&](std::size_t i) { return m.sum[i]; });
  run::expect(name, d, [&](std::size_t i) { return m.d[i]; });
}

int main() {
  constexpr int n = model::n, size = model::size;
  check(
      "look ahead", [](bf16 *x, bf16 *w, float *out, int *) { lookahead<<<1, 1>>>(x, w, out, n); },
      [](model &m, int i) {
        if (i + 1 == model::chunks)
          return;
        m.store(i + 1, model::all(i + 2));
        m.add(m.chunk(i));
      });
  for (int k : {0, 1})
    check(
        "sometimes",
        [k](bf16 *x, bf16 *w, float *out, int *) { sometimes<<<1, 1>>>(x, w, out, n, k); },
        [k](model &m, int i) {
          m.add(m.chunk(i));
          if (i % 2 == k)
            m.store(i + 2, model::all(i + 2));
        });
  check(
      "moving",
      [](bf16 *x, bf16 *w, float *out, int *) { moving<<<1, 1>>>(x, w, out, n, x + 9 * size); },
      [p = 9 * size](model &m, int i) mutable {
        m.add(m.chunk(i));
        m.memory[p] = i + 1;
        p = i == 2 ? 5 * size : p + size;
      });
  check(
      "scalars", [](bf16 *x, bf16 *w, float *out, int *d) { scalars<<<1, 1>>>(x, w, out, n, d); },
      [](model &m, int i) {
        m.add(m.chunk(i));
        m.d[0] = i;
        m.d[1] += m.d[0];
        m.d[0] = m.d[1];
        m.d[i % 3] = 2 * m.d[0];
      });
  check(
      "early", [](bf16 *x, bf16 *w, float *out, int *) { early<<<1, 1>>>(x, w, out, n, x); },
      [now = model().chunk(0)](model &m, int i) mutable {
        auto next = m.chunk(i + 1), twice = now;
        m.add(now);
        for (double &v : twice)
          v *= 2;
        m.store(i + 1, twice);
        now = next;
      });
  check(
      "next below",
      [](bf16 *x, bf16 *w, float *out, int *) {
        near_by<stored::next_below><<<1, 1>>>(x, w, out, n, x, 0);
      },
      [](model &m, int i) {
        const int c = model::chunks - 1 - i;
        m.add(m.chunk(c));
        if (c)
          m.store(c - 1, model::all(i + 2));
      });
  check(
      "before",
      [](bf16 *x, bf16 *w, float *out, int *) {
        near_by<stored::before><<<1, 1>>>(x, w, out, n, x, 0);
      },
      [](model &m, int i) { m.add(model::all(i + 2)); });
  check(
      "further",
      [](bf16 *x, bf16 *w, float *out, int *) {
        near_by<stored::further><<<1, 1>>>(x, w, out, n, x, 1);
      },
      [](model &m, int i) {
        m.add(m.chunk(i));
        m.store(i + 1, model::all(i + 2));
      });
  check(
      "in pairs",
      [](bf16 *x, bf16 *w, float *out, int *) {
        near_by<stored::in_pairs><<<1, 1>>>(x, w, out, n, x, 0);
      },
      [](model &m, int i) {
        m.add(m.chunk(i));
        for (int e = 0; e < size && i < model::chunks / 2; ++e)
          m.memory[(i * T + e / T) * 2 * T + e % T] = i + 2;
      });
  check(
      "by another name",
      [](bf16 *x, bf16 *w, float *out, int *) {
        near_by<stored::by_name><<<1, 1>>>(x, w, out, n, x, 0);
      },
      [](model &m, int i) {
        m.add(m.chunk(i));
        m.store(i + 1, model::all(i + 2));
      });
  check(
      "folded", [](bf16 *x, bf16 *w, float *out, int *) { folded<<<1, 1>>>(x, w, out, n); },
      [](model &m, int i) {
        auto at = [&](int e) -> double & { return m.memory[(i * T + e / T) * (T / 2) + e % T]; };
        std::vector<double> read(size);
        for (int e = 0; e < size; ++e)
          read[e] = at(e);
        m.add(read);
        for (int e = 0; e < size; ++e)
          at(e) = i + 2;
      });
  check(
      "between",
      [](bf16 *x, bf16 *w, float *out, int *) { between<false><<<1, 1>>>(x, w, out, n); },
      [](model &m, int i) { m.add(m.chunk(i)); });
  check(
      "between all",
      [](bf16 *x, bf16 *w, float *out, int *) { between<true><<<1, 1>>>(x, w, out, n); },
      [](model &m, int i) { m.add(m.chunk(i)); });
  return run::finish();
}
