// RUN: %clang_tile -fsyntax-only %s
// The arithmetic conversion decides by type only: the common type, or the element type of the tile
// where the other operand is a scalar.
#include "same.h"

template <class L, class R> using arithmetic = ct::arithmetic_tile_conversion_t<L, R>;
template <class L, class R>
concept mix = ct::arithmetic_tile_convertible<L, R>;

// Scalars: no promotion, the higher rank wins, the unsigned one where it is not the lower.
static_assert(same<arithmetic<signed char, signed char>, signed char>);
static_assert(same<arithmetic<short, int>, int>);
static_assert(same<arithmetic<unsigned, long long>, long long>);
static_assert(same<arithmetic<long, long long>, long long>);
static_assert(same<arithmetic<char, signed char>, signed char>);
static_assert(same<arithmetic<bool, bool>, bool>);
static_assert(same<arithmetic<int, float>, float> && same<arithmetic<__half, float>, float>);
static_assert(!mix<int, unsigned> && !mix<__half, __nv_bfloat16>);
static_assert(!mix<short, char16_t>); // unsigned short, which narrows the short

// A tile decides over a scalar; a tile of rank 0 is a tile.
static_assert(same<arithmetic<tile<float, 8>, int>, tile<float, 8>>);
static_assert(same<arithmetic<char, tile<int, 8>>, tile<int, 8>>);
static_assert(same<arithmetic<tile<int, 8>, tile<double>>, tile<double, 8>>);
static_assert(!mix<tile<float, 8>, double> && !mix<tile<int, 8>, float> &&
              !mix<tile<__half, 8>, float>);
static_assert(!mix<tile<unsigned, 8>, int> && !mix<tile<bool, 8>, int> &&
              !mix<tile<int, 8>, long long>);

// Tiles broadcast against each other, aligned to the right.
static_assert(same<arithmetic<tile<int, 8, 1>, tile<int, 4>>, tile<int, 8, 4>>);
static_assert(same<arithmetic<tile<short, 8, 1>, tile<int, 1, 4>>, tile<int, 8, 4>>);
static_assert(!mix<tile<int, 8, 2>, tile<int, 4, 2>>);

// Restricted floating point, pointers and constant wrappers are no operands.
static_assert(!mix<tile<__nv_fp8_e4m3, 8>, tile<__nv_fp8_e4m3, 8>> &&
              !mix<tile<__nv_tf32, 8>, float>);
static_assert(!mix<tile<int, 8>, int *> && !mix<tile<int, 8>, ct::integral_constant<1>>);

// Comparisons use the common type whatever is a tile.
static_assert(same<ct::arithmetic_tile_comparison_t<tile<unsigned char, 8>, int>, tile<int, 8>>);
static_assert(same<ct::arithmetic_tile_comparison_t<tile<int, 8>, double>, tile<double, 8>>);
static_assert(!ct::arithmetic_tile_comparable<tile<int, 8>, unsigned>);

// Only unary plus promotes.
static_assert(same<ct::arithmetic_tile_promotion_t<tile<short, 8>>, tile<int, 8>>);
static_assert(same<ct::arithmetic_tile_promotion_t<bool>, int> &&
              same<ct::arithmetic_tile_promotion_t<tile<__half, 8>>, tile<__half, 8>>);

// Outside arithmetic, int to float narrows.
static_assert(ct::tile_convertible_to<tile<int, 8>, tile<float, 8>> &&
              !ct::non_narrowing_tile_convertible_to<tile<int, 8>, tile<float, 8>>);
static_assert(ct::non_narrowing_tile_convertible_to<tile<__nv_fp8_e4m3, 8>, tile<__half, 8>>);
static_assert(!ct::tile_convertible_to<tile<int, 1>, tile<int>> &&
              ct::tile_convertible_to<int, tile<int>>);
static_assert(ct::non_narrowing_tile_convertible_to<tile<int *, 8>, tile<const int *, 8>>);
static_assert(ct::non_narrowing_tile_convertible_to<tile<int *, 8>, tile<void *, 8>>);
static_assert(!ct::tile_convertible_to<tile<const int *, 8>, tile<int *, 8>>);

static_assert(ct::broadcastable_to<int, ct::shape<8>> &&
              ct::broadcastable_to<tile<int, 1, 4>, ct::shape<2, 8, 4>>);
static_assert(!ct::broadcastable_to<tile<int, 2>, ct::shape<4>> &&
              !ct::broadcastable_to<tile<int, 1, 4>, ct::shape<4>>);
