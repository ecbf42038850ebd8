// Functions and types that no other program here uses: insert, any_of, exchanges, layouts with
// run-time strides and padding, modes by their wrappers, assumptions.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;

__tile_global__ void shapes(const int *in, int *out, int row) {
  auto whole = ct::load(in + ct::iota<tile<int, 4, 8>>());
  auto part = ct::full<tile<int, 2, 4>>(row) + ct::iota<tile<int, 4>>();
  ct::store(out + ct::iota<tile<int, 4, 8>>(), ct::insert(whole, part, row, 1));
  auto any = ct::any_of<1>(whole > 25), all = ct::all_of(whole >= 0, 1_ic);
  ct::store(out + 32 + ct::iota<tile<int, 4, 1>>(),
            ct::element_cast<int>(any) + 2 * ct::element_cast<int>(all));
}

// A part at another place of the same tile in every turn.
__tile_global__ void inserted(const int *in, int *out, int turns) {
  auto whole = ct::load(in + ct::iota<tile<int, 4, 8>>());
  auto sum = ct::zeros<tile<int, 4, 8>>();
  for (int i = 0; i < turns; ++i)
    sum = sum + ct::insert(whole, ct::full<tile<int, 2, 4>>(100), i / 2, i % 2);
  ct::store(out + ct::iota<tile<int, 4, 8>>(), sum);
}

__tile_global__ void exchanges(int *p, int *out) {
  using relaxed = ct::memory_order_constant<ct::memory_order::relaxed>;
  using everywhere = ct::thread_scope_constant<ct::default_thread_scope()>;
  static_assert(std::is_same_v<everywhere, ct::thread_scope_system_t>);
  auto i = ct::iota<tile<int, 8>>();
  ct::store(out + i, ct::atomic_xchg(p + i, i * 10, relaxed(), everywhere()));
  // Where 30 is expected and found, 7 comes.
  ct::store(out + 8 + i,
            ct::atomic_compare_exchange(p + i, ct::full<tile<int, 8>>(30),
                                        ct::full<tile<int, 8>>(7), ct::memory_order_acq_rel_t()));
  ct::store(out + 16 + i, ct::load(p + i));
}

template <class M> __tile__ void copy(int *from, int *to, M mapping) {
  auto v = ct::partition_view{ct::tensor_span{from, mapping, ct::default_accessor<int>()},
                              ct::shape<2, 4>()};
  ct::store(to + ct::iota<tile<int, 2, 4>>(), v.load_masked(0, 0));
}
__tile_global__ void layouts(int *in, int *out, int pitch) {
  ct::extents e{2, 4};
  copy(in, out, ct::layout_right_mapping{e});
  copy(in, out + 8, ct::layout_left_mapping{e});
  copy(in, out + 16, ct::layout_strided_mapping{e, ct::strides{pitch, 2_ic}});
  using S = ct::strides<unsigned, ct::dynamic_stride, 1>;
  copy(in, out + 24, ct::layout_strided<S>::mapping<decltype(e)>{e, S(pitch + 1)});
  copy(in, out + 32, ct::layout_right_padded<8>::mapping<decltype(e)>{e, 8_ic});
}

__tile_global__ void modes(const float *in, float *out) {
  auto i = ct::iota<tile<int, 8>>();
  auto x = ct::load(in + i);
  using down = ct::rounding_mode_constant<ct::rounding_mode::round_toward_negative>;
  using keep = ct::subnormals_rounding_mode_constant<ct::default_subnormals_rounding_mode()>;
  using nan = ct::nan_propagation_mode_constant<ct::default_nan_propagation_mode()>;
  using forward = ct::scan_direction_constant<ct::scan_direction::forward>;
  static_assert(std::is_same_v<ct::scan_forward_t, forward>);
  ct::store(out + i, ct::div(x, 3, down(), keep()));
  ct::store(out + 8 + i, ct::max(x, 4, nan(), keep()));
  ct::store(out + 16 + i, ct::partial_sum(x, 0_ic, ct::scan_forward_t()));
  constexpr auto even = ct::default_rounding_mode();
  ct::store(out + 24 + i, ct::add<even>(x, x, {}));
}

__tile_global__ void assumptions(int *in, int *out, int n) {
  n = ct::assume_divisible<4>(n);
  n = ct::assume_bounded_below<0>(ct::assume_bounded_above(n, 64_ic));
  n = ct::assume_bounded<4, 32>(n);
  auto i = ct::assume_bounded<0, 7>(ct::iota<tile<int, 8>>());
  auto p = ct::assume_aligned_strided(in + i, 16_ic, 4_ic, 0_ic);
  auto j = ct::assume_divisible_strided(i, 4_ic, 4_ic, 0_ic);
  auto same = ct::assume_blocked<ct::shape<4>>(i / 4);
  ct::store(out + i, ct::load(p) + j + same + n);
}

int main() {
  run::array<int> in(64, [](auto i) { return i; }), out(64);
  shapes<<<1, 1>>>(in, out, 1);
  run::expect("shapes", out, [](int i) {
    int row = i / 8, column = i % 8;
    if (i >= 36)
      return 0;
    if (i >= 32)
      return 2 + (i == 35);
    return row >= 2 && column >= 4 ? 1 + column - 4 : i;
  });
  run::array<int> sums(32);
  inserted<<<1, 1>>>(in, sums, 4);
  run::expect("inserted", sums, [](int i) { return 3 * i + 100; });
  run::array<int> p(8, [](auto i) { return 100 + i; }), old(24);
  exchanges<<<1, 1>>>(p, old);
  run::expect("exchanges", old, [](int i) {
    return i < 8 ? 100 + i : i < 16 ? 10 * (i - 8) : i == 19 ? 7 : 10 * (i - 16);
  });
  run::array<int> copied(40);
  layouts<<<1, 1>>>(in, copied, 16);
  run::expect("layouts", copied, [](int i) {
    int row = i / 4 % 2, column = i % 4;
    const int places[] = {4 * row + column, row + 2 * column, 16 * row + 2 * column,
                          17 * row + column, 8 * row + column};
    return places[i / 8];
  });
  run::array<float> x(8, [](auto i) { return i + 1; }), y(32);
  modes<<<1, 1>>>(x, y);
  run::expect("modes", y, [](int i) {
    int k = i % 8 + 1;
    return i < 8 ? k / 3.0 : i < 16 ? std::fmax(k, 4) : i < 24 ? k * (k + 1) / 2 : 2 * k;
  });
  run::array<int> z(8);
  assumptions<<<1, 1>>>(in, z, 16);
  run::expect("assumptions", z, [](int i) { return 2 * i + i / 4 + 16; });
  return run::finish();
}
