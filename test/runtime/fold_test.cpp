// Reductions and scans by a function agree with a loop over the dimension that starts from its
// first element, or from its last.
#include "laws.h"

namespace tessera {
namespace {

// x -> a x + b; the function on the left comes first.
struct map {
  unsigned a, b;
};
map then(map f, map g) { return {g.a * f.a, g.a * f.b + g.b}; }
map at(int i) { return {2u * unsigned(pattern(i)) + 1, unsigned(i) % 7}; }

const auto combine = [](unsigned a, unsigned b, unsigned c,
                        unsigned d) -> pack<unsigned, unsigned> { return {a * c, a * d + b}; };

template <class L> auto factors() {
  return make<L>([](int i) { return at(i).a; });
}
template <class L> auto terms() {
  return make<L>([](int i) { return at(i).b; });
}

// Elements from, from + step, ...: n of them.
map fold(int from, int step, int n) {
  map f = at(from);
  for (int k = 1; k < n; ++k)
    f = then(f, at(from + k * step));
  return f;
}

template <class A, class B, class F> void expect_maps(const A &a, const B &b, F f) {
  expect_elements(a, [&](int e) { return f(e).a; });
  expect_elements(b, [&](int e) { return f(e).b; });
}

// The bits of a row are those of a lane, a register, a lane, a register and a lane.
using rows = layout<shape<8, 32>, registers<2, 8, 64>, lanes<1, 4, 16, 32, 128>, warps<>>;
using row_results = layout<shape<8, 1>, registers<2>, lanes<0, 0, 0, 1, 4>, warps<>>;

TEST(fold, reduces_in_order) {
  in_block_of<rows>([] {
    const auto [a, b] =
        reduce_in_order<1, false, row_results>(combine, factors<rows>(), terms<rows>());
    expect_maps(a, b, [](int row) { return fold(row * 32, 1, 32); });
    const auto [c, d] =
        reduce_in_order<1, true, row_results>(combine, factors<rows>(), terms<rows>());
    expect_maps(c, d, [](int row) { return fold(row * 32 + 31, -1, 32); });
  });
}

TEST(fold, reduces_in_any_order) {
  in_block_of<rows>([] {
    const auto x = make<rows>(pattern);
    const auto both = [](int e, double f, int a, double b) -> pack<int, double> {
      return {e + a, f > b ? f : b};
    };
    const auto [sum, most] = reduce<1, row_results>(both, x, cast<double>(x));
    expect_elements(sum, [](int row) {
      int s = 0;
      for (int j = 0; j < 32; ++j)
        s += pattern(row * 32 + j);
      return s;
    });
    expect_elements(most, [](int row) {
      int s = pattern(row * 32);
      for (int j = 0; j < 32; ++j)
        s = std::max(s, pattern(row * 32 + j));
      return s;
    });
  });
}

TEST(fold, scans_a_warp) {
  in_block_of<rows>([] {
    const auto [a, b] = scan<1, false>(combine, factors<rows>(), terms<rows>());
    expect_maps(a, b, [](int e) { return fold(e / 32 * 32, 1, e % 32 + 1); });
    const auto [c, d] = scan<1, true>(combine, factors<rows>(), terms<rows>());
    expect_maps(c, d, [](int e) { return fold(e / 32 * 32 + 31, -1, 32 - e % 32); });
    const auto [f, g] = scan<0, false>(combine, factors<rows>(), terms<rows>());
    expect_maps(f, g, [](int e) { return fold(e % 32, 32, e / 32 + 1); });
  });
}

// One tile, of bytes and of truth values.
TEST(fold, of_one_tile) {
  in_block_of<rows>([] {
    const auto x = cast<signed char>(make<rows>(pattern));
    const auto last = [](signed char e, signed char a) -> signed char { return e != 0 ? e : a; };
    expect_elements(scan<1, false>(last, x), [](int e) {
      int i = e;
      while (pattern(i) == 0 && i % 32)
        --i;
      return pattern(i);
    });
    const auto odd = make<rows>([](int i) { return i % 3 == 0; });
    const auto same = [](bool e, bool a) -> bool { return e == a; };
    expect_elements(reduce<1, row_results>(same, odd), [](int row) {
      bool s = row * 32 % 3 == 0;
      for (int j = 1; j < 32; ++j)
        s = s == ((row * 32 + j) % 3 == 0);
      return s;
    });
  });
}

// Warps in any order: the first bit of the warp number moves by the larger half.
TEST(fold, over_warps) {
  using lines =
      layout<shape<2, 512>, registers<1, 512>, lanes<2, 4, 8, 16, 32>, warps<256, 64, 128>>;
  using partials = layout<shape<2, 8>, registers<8>, lanes<0, 0, 0, 0, 0>, warps<4, 1, 2>>;
  using gathered = layout<shape<2, 8>, registers<8, 4, 1, 2>, lanes<0, 0, 0, 0, 0>, warps<0, 0, 0>>;
  using results = layout<shape<2, 1>, registers<1>, lanes<0, 0, 0, 0, 0>, warps<0, 0, 0>>;
  in_block_of<lines>([] {
    const auto a = factors<lines>(), b = terms<lines>();
    const shared_tile<unsigned, shape<2, 8>> first{reinterpret_cast<unsigned *>(shared_memory())};
    const shared_tile<unsigned, shape<2, 8>> second{reinterpret_cast<unsigned *>(shared_memory()) +
                                                    16};
    const auto gather = [&](const auto &p, const auto &q) {
      barrier();
      store_shared(first, p);
      store_shared(second, q);
      barrier();
      return pack{load_shared<gathered>(first), load_shared<gathered>(second)};
    };
    const auto [p, q] = reduce_in_order<1, false, partials>(combine, a, b);
    const auto totals = gather(p, q);
    const auto [c, d] = reduce_in_order<1, false, results>(combine, get<0>(totals), get<1>(totals));
    expect_maps(c, d, [](int line) { return fold(line * 512, 1, 512); });
    const auto [e, f] = scan<1, false>(combine, a, b);
    const auto [g, h] = scan_carry<1, false>(combine, pack{e, f}, totals);
    expect_maps(g, h, [](int i) { return fold(i / 512 * 512, 1, i % 512 + 1); });
    const auto [r, s] = reduce_in_order<1, true, partials>(combine, a, b);
    const auto [t, u] = scan<1, true>(combine, a, b);
    const auto [v, w] = scan_carry<1, true>(combine, pack{t, u}, gather(r, s));
    expect_maps(v, w, [](int i) { return fold(i / 512 * 512 + 511, -1, 512 - i % 512); });
  });
}

} // namespace
} // namespace tessera
