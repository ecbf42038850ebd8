// RUN: %clang_tile -fsyntax-only %s
// A tile is a plain object: its size is that of its elements, it is copied as bytes, and converts
// as the language says.
#include "same.h"

static_assert(sizeof(tile<float, 16, 8>) == 16 * 8 * 4 && alignof(tile<float, 16, 8>) == 4);
static_assert(sizeof(tile<bool, 4>) == 4 && sizeof(tile<__half, 4>) == 8 &&
              sizeof(tile<int *, 2>) == 16);
static_assert(__is_trivially_copyable(tile<float, 16>) && __is_final(tile<float, 16>) &&
              !__is_aggregate(tile<float, 16>));
static_assert(same<tile<float, 2>::element_type, float> &&
              same<tile<float, 2>::shape_type, ct::shape<2>>);

template <class S>
concept has_tiles = requires { typename ct::tile<float, S>; };
static_assert(has_tiles<ct::shape<>> && has_tiles<ct::shape<1, 2, 4>> &&
              has_tiles<ct::shape<4096, 4096>>);
static_assert(!has_tiles<ct::shape<3>> && !has_tiles<ct::shape<0>> &&
              !has_tiles<ct::shape<4096, 8192>>);
static_assert(!has_tiles<ct::extents<int, 4>> && !has_tiles<ct::shape<ct::dynamic_extent>>);

enum colour { red };
template <class E>
concept elements = requires { typename ct::tile<E, ct::shape<4>>; };
static_assert(elements<char8_t> && elements<double> && elements<__nv_fp8_e5m2> &&
              elements<__nv_fp4_e2m1> && elements<const void *>);
static_assert(!elements<colour> && !elements<int **> && !elements<__int128> &&
              !elements<long double>);

// Converting construction is implicit exactly where nothing narrows.
template <class T, class U>
concept implicit = __is_convertible(T, U);
template <class T, class U>
concept by_cast = __is_constructible(U, T);
static_assert(implicit<tile<short, 8>, tile<int, 8>> &&
              implicit<tile<long, 8>, tile<long long, 8>> &&
              implicit<tile<__half, 8>, tile<double, 8>>);
static_assert(!implicit<tile<int, 8>, tile<float, 8>> && by_cast<tile<int, 8>, tile<float, 8>>);
static_assert(!implicit<tile<float, 8>, tile<__half, 8>> &&
              by_cast<tile<float, 8>, tile<__half, 8>>);
static_assert(implicit<float, tile<float>> && !implicit<int, tile<float>> &&
              by_cast<int, tile<float>> && !by_cast<float, tile<float, 1>>);
static_assert(!by_cast<tile<int, 8>, tile<int, 4>>);

// One element converts to every scalar, explicitly.
static_assert(by_cast<tile<float, 1, 1>, int> && !implicit<tile<float, 1, 1>, float> &&
              !implicit<tile<int>, int> && !by_cast<tile<int, 2>, int>);
static_assert(by_cast<tile<float>, bool> && !implicit<tile<float>, bool>);

static_assert(same<decltype(ct::tile(1.5f)), tile<float>>);

struct complex_tile {
  tile<float, 8> real, imaginary;
};
static_assert(sizeof(complex_tile) == 64 && __is_trivially_copyable(complex_tile));
