// options: --extensions
// Reductions and scans by functions of the program, of one tile or of several at once, along every
// dimension of tiles of rank 1 to 3: within a thread, over lanes and over warps. What is combined
// keeps its order.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class Shape> using integers = ct::tile<int, Shape>;

// Along a dimension of n elements, `inner` elements apart.
struct lines {
  int n, inner;
  int first(int i) const { return i - i / inner % n * inner; }
};

// ---- a + b + k * a * b: one tile, with a captured scalar ---------------------------------------
template <int Dim, int Count, class Shape, class T>
__tile_global__ void with_capture(const T *x, T *total, T *forward, T *backward, T k) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<Count>>>(), Shape{});
  auto value = ct::load(x + i);
  auto combine = [k](T a, T b) { return T(a + b + k * a * b); };
  auto axis = ct::integral_constant<Dim>{};
  ct::store(total + i, ct::broadcast(ct::reduce(value, axis, T(0), combine), Shape{}));
  ct::store(forward + i, ct::scan(value, axis, T(0), combine));
  ct::store(backward + i, ct::scan(value, axis, combine, ct::scan_backward_t{}));
}

template <int Dim, int count, class T, class Shape>
void check_capture(const char *name, Shape, lines along) {
  const T k = 3;
  run::array<T> x(count, [](auto i) { return i * 7 % 5; });
  run::array<T> total(count), forward(count), backward(count);
  with_capture<Dim, count, Shape>
      <<<1, 1>>>(x.device, total.device, forward.device, backward.device, k);
  auto combine = [k](T a, T b) { return T(a + b + k * a * b); };
  std::vector<T> sums(count), backs(count);
  for (int i = 0; i < count; ++i)
    sums[i] = i == along.first(i) ? x.host[i] : combine(sums[i - along.inner], x.host[i]);
  for (int i = count - 1; i >= 0; --i)
    backs[i] = i / along.inner % along.n == along.n - 1
                   ? x.host[i]
                   : combine(backs[i + along.inner], x.host[i]);
  std::printf("%s\n", name);
  run::expect("total", total, [&](auto i) { return backs[along.first(int(i))]; });
  run::expect("forward", forward, [&](auto i) { return sums[i]; });
  run::expect("backward", backward, [&](auto i) { return backs[i]; });
}

// ---- x -> a x + b, one after the other: two tiles, and the order matters -----------------------
template <int Dim, int Count, class Shape>
__tile_global__ void compose(const unsigned *p, const unsigned *q, unsigned *total,
                             unsigned *forward, unsigned *backward) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<Count>>>(), Shape{});
  auto maps = ct::pack{ct::load(p + i), ct::load(q + i)};
  auto then = [](unsigned a, unsigned b, unsigned c, unsigned d) {
    return ct::pack{c * a, c * b + d};
  };
  auto axis = ct::integral_constant<Dim>{};
  auto [a, b] = ct::reduce(maps, axis, ct::pack{1u, 0u}, then);
  ct::store(total + i, ct::broadcast(a ^ b, Shape{}));
  auto [c, d] = ct::scan(maps, axis, ct::pack{1u, 0u}, then);
  ct::store(forward + i, c ^ d);
  auto [e, f] = ct::scan(maps, axis, then, ct::scan_backward_t{});
  ct::store(backward + i, e ^ f);
}

template <int Dim, int count, class Shape> void check_maps(const char *name, Shape, lines along) {
  run::array<unsigned> p(count, [](auto i) { return 2 * (i * 5 % 11) + 1; });
  run::array<unsigned> q(count, [](auto i) { return i * 3 % 17; });
  run::array<unsigned> total(count), forward(count), backward(count);
  compose<Dim, count, Shape>
      <<<1, 1>>>(p.device, q.device, total.device, forward.device, backward.device);
  struct map {
    unsigned a, b;
  };
  auto then = [](map f, map g) { return map{g.a * f.a, g.a * f.b + g.b}; };
  std::vector<map> sums(count), backs(count);
  for (int i = 0; i < count; ++i) {
    const map own{p.host[i], q.host[i]};
    sums[i] = i == along.first(i) ? own : then(sums[i - along.inner], own);
  }
  for (int i = count - 1; i >= 0; --i) {
    const map own{p.host[i], q.host[i]};
    backs[i] = i / along.inner % along.n == along.n - 1 ? own : then(backs[i + along.inner], own);
  }
  auto last = [&](int i) { return along.first(i) + (along.n - 1) * along.inner; };
  std::printf("%s\n", name);
  run::expect("maps", total, [&](auto i) { return sums[last(int(i))].a ^ sums[last(int(i))].b; });
  run::expect("forward", forward, [&](auto i) { return sums[i].a ^ sums[i].b; });
  run::expect("backward", backward, [&](auto i) { return backs[i].a ^ backs[i].b; });
}

// ---- the largest element and its first place ---------------------------------------------------
template <int Dim, int Count, class Shape, class T>
__tile_global__ void largest(const T *x, T *most, int *place) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<Count>>>(), Shape{});
  auto [value, where] =
      ct::reduce(ct::pack{ct::load(x + i), i}, ct::integral_constant<Dim>{},
                 [](T a, int i, T b, int j) { return b > a ? ct::pack{b, j} : ct::pack{a, i}; });
  ct::store(most + i, ct::broadcast(value, Shape{}));
  ct::store(place + i, ct::broadcast(where, Shape{}));
}

template <int Dim, int count, class T, class Shape>
void check_largest(const char *name, Shape, lines along) {
  run::array<T> x(count, [](auto i) { return i * 29 % 13 - 6; });
  run::array<T> most(count);
  run::array<int> place(count);
  largest<Dim, count, Shape><<<1, 1>>>(x.device, most.device, place.device);
  std::vector<int> best(count);
  for (int i = 0; i < count; ++i) {
    best[i] = along.first(i);
    for (int k = 0; k < along.n; ++k)
      if (int j = along.first(i) + k * along.inner; x[j] > x[best[i]])
        best[i] = j;
  }
  std::printf("%s\n", name);
  run::expect("most", most, [&](auto i) { return x[best[i]]; });
  run::expect("place", place, [&](auto i) { return best[i]; });
}

// ---- count, mean and sum of squared deviations, of three types ---------------------------------
__tile_global__ void moments(const float *x, int *count, float *mean, double *squares) {
  using rows = ct::shape<16, 128>;
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<2048>>>(), rows{});
  auto value = ct::load(x + i);
  auto ones = ct::full<integers<rows>>(1);
  auto none = ct::zeros<ct::tile<double, rows>>();
  auto [n, m, s] =
      ct::reduce(ct::pack{ones, value, none}, ct::integral_constant<1>{},
                 [](int n, float m, double s, int k, float l, double t) {
                   const float delta = l - m;
                   const float part = float(k) / float(n + k);
                   return ct::pack{n + k, m + delta * part,
                                   s + t + double(delta) * double(delta) * n * double(part)};
                 });
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<16>>>(), ct::shape<16, 1>{});
  ct::store(count + row, n);
  ct::store(mean + row, m);
  ct::store(squares + row, s);
}

void check_moments() {
  run::array<float> x(2048, [](auto i) { return float(i * 37 % 101) / 4; });
  run::array<int> count(16);
  run::array<float> mean(16);
  run::array<double> squares(16);
  moments<<<1, 1>>>(x.device, count.device, mean.device, squares.device);
  std::vector<double> means(16), deviations(16);
  for (int r = 0; r < 16; ++r) {
    for (int k = 0; k < 128; ++k)
      means[r] += x[r * 128 + k] / 128;
    for (int k = 0; k < 128; ++k)
      deviations[r] += (x[r * 128 + k] - means[r]) * (x[r * 128 + k] - means[r]);
  }
  run::expect("count", count, [](auto) { return 128; });
  run::expect("mean", mean, [&](auto i) { return means[i]; });
  run::expect("squares", squares, [&](auto i) { return deviations[i]; }, 1e-5);
}

// ---- products of 2x2 matrices, equality of truth values, branches ------------------------------
__tile_global__ void others(const unsigned *x, unsigned *matrix, bool *same, unsigned *first) {
  using line = ct::shape<256>;
  auto i = ct::iota<integers<line>>();
  auto value = ct::load(x + i);
  auto [a, b, c, d] =
      ct::scan(ct::pack{value, value + 1u, value - 1u, value ^ 3u}, ct::integral_constant<0>{},
               [](unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                  unsigned g, unsigned h) {
                 return ct::pack{a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h};
               });
  ct::store(matrix + i, a ^ b ^ c ^ d);
  ct::store(same + i, ct::scan(value > 2u, ct::integral_constant<0>{},
                               [](bool a, bool b) { return a == b; }));
  // The last number that is not zero.
  ct::store(first + i, ct::scan(value, ct::integral_constant<0>{}, [](unsigned a, unsigned b) {
              if (b != 0)
                return b;
              return a;
            }));
}

void check_others() {
  run::array<unsigned> x(256, [](auto i) { return i * 7 % 5; });
  run::array<unsigned> matrix(256), first(256);
  run::array<bool> same(256);
  others<<<1, 1>>>(x.device, matrix.device, same.device, first.device);
  std::vector<unsigned> products(256);
  std::vector<unsigned> equal(256), last(256);
  unsigned a = 1, b = 0, c = 0, d = 1;
  for (int i = 0; i < 256; ++i) {
    const unsigned e = x.host[i], f = e + 1, g = e - 1, h = e ^ 3, p = a * e + b * g,
                   q = a * f + b * h, r = c * e + d * g, s = c * f + d * h;
    a = p, b = q, c = r, d = s;
    products[i] = a ^ b ^ c ^ d;
    equal[i] = i == 0 ? x.host[i] > 2 : equal[i - 1] == (x.host[i] > 2);
    last[i] = x.host[i] != 0 || i == 0 ? x.host[i] : last[i - 1];
  }
  run::expect("matrices", matrix, [&](auto i) { return products[i]; });
  run::expect("same", same, [&](auto i) { return equal[i]; });
  run::expect("last", first, [&](auto i) { return last[i]; });
}

// ---- operations that reductions know, and functions of the library ----------------------------
template <int Dim, int Count, class Shape, class T>
__tile_global__ void known(const T *x, int *first, T *most, T *running) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<Count>>>(), Shape{});
  auto value = ct::load(x + i);
  auto axis = ct::integral_constant<Dim>{};
  auto larger = [](T a, int i, T b, int j) {
    return b > a || (b == a && j < i) ? ct::pack{b, j} : ct::pack{a, i};
  };
  ct::store(first + i, ct::broadcast(ct::reduce(ct::pack{value, i}, axis, larger).second, Shape{}));
  auto max = [](T a, T b) { return ct::max(a, b); };
  ct::store(most + i, ct::broadcast(ct::reduce(value, axis, max), Shape{}));
  ct::store(running + i, ct::scan(value, axis, max));
}

template <int Dim, int count, class T, class Shape>
void check_known(const char *name, Shape, lines along) {
  run::array<T> x(count, [](auto i) { return i * 23 % 19 - (std::is_signed_v<T> ? 9 : 0); });
  run::array<int> first(count);
  run::array<T> most(count), running(count);
  known<Dim, count, Shape><<<1, 1>>>(x.device, first.device, most.device, running.device);
  std::vector<int> best(count);
  for (int i = 0; i < count; ++i)
    best[i] = i == along.first(i) || x[i] > x[best[i - along.inner]] ? i : best[i - along.inner];
  auto last = [&](int i) { return along.first(i) + (along.n - 1) * along.inner; };
  std::printf("%s\n", name);
  run::expect("first", first, [&](auto i) { return best[last(int(i))]; });
  run::expect("most", most, [&](auto i) { return x[best[last(int(i))]]; });
  run::expect("running", running, [&](auto i) { return x[best[i]]; });
}

// ---- in loops and branches, with what they carry ----------------------------------------------
__tile_global__ void nested(const unsigned *x, unsigned *y, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto one = ct::iota<ct::tile<int, ct::shape<1>>>();
  unsigned scale = 1;
  auto last = ct::zeros<ct::tile<unsigned, ct::shape<1>>>();
  for (int k = 0; k < n; ++k) {
    auto part = ct::load(x + (i + 128 * k));
    auto combine = [&](unsigned a, unsigned b) { return a + b + scale * a * b; };
    if (k % 2 == 0)
      last = last ^ ct::reduce(part, ct::integral_constant<0>{}, combine);
    else
      part = ct::scan(part, ct::integral_constant<0>{}, combine);
    ct::store(y + (i + 128 * k), part);
    scale = scale * 3 + unsigned(k);
  }
  ct::store(y + (one + 128 * n), last);
}

void check_nested() {
  const int n = 4;
  run::array<unsigned> x(128 * n, [](auto i) { return i * 11 % 7; });
  run::array<unsigned> y(128 * n + 1);
  nested<<<1, 1>>>(x.device, y.device, n);
  std::vector<unsigned> wanted(128 * n + 1);
  unsigned scale = 1;
  for (int k = 0; k < n; ++k) {
    unsigned total = 0;
    for (int i = 128 * k; i < 128 * (k + 1); ++i) {
      total = i == 128 * k ? x.host[i] : total + x.host[i] + scale * total * x.host[i];
      wanted[i] = k % 2 == 0 ? x.host[i] : total;
    }
    if (k % 2 == 0)
      wanted[128 * n] ^= total;
    scale = scale * 3 + unsigned(k);
  }
  run::expect("nested", y, [&](auto i) { return wanted[i]; });
}

int main() {
  check_capture<0, 1, unsigned>("1", ct::shape<1>{}, {1, 1});
  check_capture<0, 16, unsigned>("16", ct::shape<16>{}, {16, 1});
  check_capture<0, 2048, unsigned>("2048", ct::shape<2048>{}, {2048, 1});
  check_capture<1, 2048, signed char>("64x32 along 1", ct::shape<64, 32>{}, {32, 1});
  check_capture<0, 2048, short>("512x4 along 0", ct::shape<512, 4>{}, {512, 4});
  check_capture<1, 2048, unsigned char>("2x256x4 along 1", ct::shape<2, 256, 4>{}, {256, 4});
  check_maps<0, 4096>("16x4x64 along 0", ct::shape<16, 4, 64>{}, {16, 256});
  check_maps<1, 1024>("4x64x4 along 1", ct::shape<4, 64, 4>{}, {64, 4});
  check_maps<2, 4096>("4x4x256 along 2", ct::shape<4, 4, 256>{}, {256, 1});
  check_maps<0, 8192>("8192", ct::shape<8192>{}, {8192, 1});
  check_maps<1, 512>("512x1 along 1", ct::shape<512, 1>{}, {1, 1});
  check_largest<0, 2048, float>("32x64 along 0", ct::shape<32, 64>{}, {32, 64});
  check_largest<1, 8192, double>("1x8192 along 1", ct::shape<1, 8192>{}, {8192, 1});
  check_largest<2, 2048, int>("256x2x4 along 2", ct::shape<256, 2, 4>{}, {4, 1});
  check_known<0, 1024, unsigned char>("16x64 along 0", ct::shape<16, 64>{}, {16, 64});
  check_known<1, 2048, float>("2x1024 along 1", ct::shape<2, 1024>{}, {1024, 1});
  check_known<1, 1024, __half>("4x64x4 along 1", ct::shape<4, 64, 4>{}, {64, 4});
  check_known<0, 512, double>("512 along 0", ct::shape<512>{}, {512, 1});
  check_moments();
  check_others();
  check_nested();
  return run::finish();
}
