// Tiles: which types are like them, what their shape may be, in which order their elements lie, and
// what an elementwise operation computes.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;

// [tile:tiles] A type of the elements and of the shape.
static_assert(std::is_same_v<tile<int, 4, 8>, ct::tile<int, ct::extents<uint32_t, 4, 8>>>);
// [tile:tile_like_types] Scalars and tiles, cv-qualified or not.
template <class... T> constexpr bool like = (ct::tile_like<T> && ...);
static_assert(
    like<double, const int, tile<double>, tile<float, 4, 8>, const volatile tile<float, 1, 1>>);
static_assert(!like<int &> && !like<ct::shape<4>> && !like<int[4]> && !like<void>);
// [tile:tile_element_type] Without cv.
static_assert(std::is_same_v<ct::tile_element_t<tile<double, 4>>, double>);
static_assert(std::is_same_v<ct::tile_element_t<const volatile int>, int>);
// [tile:tile_compatible_shape] A ct::extents of uint32_t, of powers of two, not too large.
template <class... S> constexpr bool compatible = (ct::tile_shape<S> && ...);
static_assert(compatible<ct::shape<>, ct::shape<1>, ct::shape<4, 8>, ct::shape<1u << 24>>);
static_assert(!compatible<ct::shape<4, 7>> && !compatible<ct::shape<0>>);
static_assert(!compatible<ct::extents<int16_t, 4, 8>> && !compatible<ct::shape<1u << 25>>);
static_assert(!compatible<ct::shape<1u << 13, 1u << 12>> && !compatible<int>);
template <class E, class S>
concept makes_tile = requires { typename ct::tile<E, S>; };
static_assert(makes_tile<int, ct::shape<4, 8>> && !makes_tile<int, ct::shape<4, 7>>);
static_assert(!makes_tile<int, ct::extents<int16_t, 4, 8>> && !makes_tile<int, ct::shape<0>>);
// [tile:tile_shape] That of a scalar has rank 0.
static_assert(std::is_same_v<ct::tile_shape_t<tile<int, 4, 8>>, ct::shape<4, 8>>);
static_assert(std::is_same_v<ct::tile_shape_t<int>, ct::shape<>>);
// [tile:tile_rank] [tile:tile_size] [tile:tile_index_space] Those of the shape.
static_assert(ct::tile_shape_t<tile<int, 4, 8>>::rank() == 2 && ct::tile_shape_t<int>::rank() == 0);
static_assert(sizeof(tile<int, 4, 8>) == 4 * 8 * sizeof(int) && sizeof(tile<int>) == sizeof(int));
// [tile:categories_of_tiles] By the category of the element.
static_assert(ct::integral_tile<int> && ct::integral_tile<tile<int, 4>>);
static_assert(ct::pointer_tile<double *> && ct::pointer_tile<tile<double *, 8>>);
static_assert(ct::basic_floating_point_tile<tile<__half, 2>> && !ct::integral_tile<tile<int *, 2>>);
static_assert(ct::restricted_floating_point_tile<tile<__nv_fp8_e4m3, 2>>);
static_assert(ct::floating_point_tile<tile<__nv_fp8_e4m3, 2>>);
static_assert(ct::arithmetic_tile<tile<bool, 2>> && !ct::arithmetic_tile<tile<__nv_fp8_e4m3, 2>>);
static_assert(ct::numeric_tile<tile<__nv_fp8_e4m3, 2>> && !ct::numeric_tile<tile<int *, 2>>);
// [tile:singleton_tile] One element; it is a condition, a scalar is not of its type.
static_assert(!std::is_same_v<tile<double>, double> && std::is_constructible_v<bool, tile<double>>);
static_assert(std::is_constructible_v<double, tile<double, 1, 1>>);
static_assert(!std::is_constructible_v<bool, tile<double, 2>>);

// [tile:row_major_arrangement] Element (i, j, k) of a 4 x 2 x 2 tile is number 4 i + 2 j + k.
__tile_global__ void row_major(int *out) {
  auto t = ct::iota<tile<int, 4, 2, 2>>();
  auto i = ct::reshape(ct::iota<tile<int, 4>>(), ct::shape<4, 1, 1>{});
  auto j = ct::reshape(ct::iota<tile<int, 2>>(), ct::shape<2, 1>{});
  auto k = ct::iota<tile<int, 2>>();
  ct::store(out + ct::iota<tile<int, 4, 2, 2>>(), t - (4 * i + 2 * j + k));
  ct::store(out + 16 + 4 * i + 2 * j + k, t);
  ct::store(out + 32 + ct::iota<tile<int, 16>>(), ct::reshape(t, ct::shape<16>{}));
  // A box of the tile is where its indices say.
  ct::store(out + 48 + ct::iota<tile<int, 1, 1, 2>>(),
            ct::extract(t, ct::shape<1, 1, 2>{}, 2, 1, 0));
}
__tile_global__ void singletons(int *out, int n) {
  auto rank_zero = ct::full<tile<int>>(n);
  auto two = ct::full<tile<int, 1, 1>>(n + 1);
  out[0] = rank_zero ? int(rank_zero) : -1;
  out[1] = two - two ? -1 : int(two);
  // Scalars and tiles of rank 0 are treated alike.
  out[2] = int(ct::max(rank_zero, n + 2)) + ct::max(n, n + 2);
}
// [tile:elementwise_operation] r(I) = op(a(I), b(I), c(I)).
__tile_global__ void elementwise(const float *in, float *out) {
  auto at = ct::iota<tile<int, 4, 8>>();
  auto a = ct::load(in + at), b = ct::load(in + 32 + at), c = ct::load(in + 64 + at);
  ct::store(out + at, ct::fma(a, b, c));
}

int main() {
  run::array<int> order(50), few(3);
  row_major<<<1, 1>>>(order);
  run::expect("row major", order, [](int i) { return i < 16 ? 0 : i < 48 ? i % 16 : 10 + i - 48; });
  singletons<<<1, 1>>>(few, 5);
  run::expect("singletons", few, [](int i) { return i == 0 ? 5 : i == 1 ? 6 : 14; });
  run::array<float> in(96, run::small), out(32);
  elementwise<<<1, 1>>>(in, out);
  run::expect("elementwise", out,
              [](int i) { return run::small(i) * run::small(32 + i) + run::small(64 + i); });
  return run::finish();
}
