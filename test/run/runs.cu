// [memory] Tiles of pointers that lie side by side, as far as the compiler knows: bases of any
// alignment, indices that wrap round or turn back within a group, masks that cut groups, pointers
// that move, columns, elements of one byte, scattered ones beside them.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

#define TILE(T, ...) ct::tile<T, ct::shape<__VA_ARGS__>>

constexpr int n = 1024;
using indices = TILE(int, 256);

/// y[i + at] = x[i + from] + 1, with a mask where there are fewer than 256.
template <class T> __tile_global__ void shift(const T *x, T *y, int from, int at, int count) {
  auto i = ct::iota<indices>();
  if (count == 256)
    ct::store(y + (i + at), ct::load(x + (i + from)) + ct::element_cast<T>(ct::full<indices>(1)));
  else
    ct::store_masked(y + at + i,
                     ct::load_masked(x + from + i, i < count, T(0)) +
                         ct::element_cast<T>(ct::full<indices>(1)),
                     i < count);
}

/// Indices of 8 bits that wrap round in the middle of a group; x and y point to index 0.
template <class Index> __tile_global__ void wrap(const float *x, float *y, Index start) {
  auto i = ct::iota<TILE(Index, 128)>() + start;
  static_assert(std::is_same_v<decltype(i), TILE(Index, 128)>);
  ct::store(y + i, ct::load(x + i) * 2.0f);
}

/// Fewer numbers than elements.
__tile_global__ void narrow(const float *x, float *y) {
  auto i = ct::element_cast<unsigned char>(ct::iota<TILE(int, 512)>());
  ct::store(y + ct::iota<TILE(int, 512)>(), ct::load(x + i));
}

/// Remainders turn back at multiples of `modulus`, and for negative ones elsewhere.
__tile_global__ void turn(const float *x, float *y, int start, int modulus) {
  auto i = ct::iota<indices>();
  auto some = ct::load(x + 64 + (i + start) % 64);
  auto more = ct::load(x + 64 + (i + start) % modulus) + ct::load(x + 64 + (i + start) % 24);
  auto whole = ct::load(x + ct::element_cast<int>(ct::element_cast<unsigned>(i + start) % 64u));
  ct::store(y + i, some + more + whole);
}

/// Sums of rows by pointers that move along them, a step at a time.
__tile_global__ void moving(const float *x, float *y, int row, int step) {
  auto p = x + (ct::iota<TILE(int, 16, 1)>() * row + ct::iota<TILE(int, 1, 16)>());
  auto sum = ct::zeros<TILE(float, 16, 16)>();
  for (int at = 0; at < row; at += step) {
    sum = sum + ct::load_masked(
                    p, ct::iota<TILE(int, 1, 16)>() < row - at && ct::full<TILE(bool, 16, 1)>(true),
                    0.0f);
    p = p + step;
  }
  ct::store(y + (ct::iota<TILE(int, 16, 1)>() * 16 + ct::iota<TILE(int, 1, 16)>()), sum);
}

/// Columns of x become rows of y, by pointers that were transposed, by ones that were cut in rows.
__tile_global__ void columns(const float *x, float *y, float *z) {
  auto at = ct::iota<TILE(int, 16, 1)>() * 64 + ct::iota<TILE(int, 1, 64)>();
  ct::store(y + (ct::iota<TILE(int, 64, 1)>() * 16 + ct::iota<TILE(int, 1, 16)>()),
            ct::load(ct::transpose(x + at)));
  ct::store(z + ct::reshape(ct::iota<TILE(int, 1024)>(), ct::shape<8, 8, 16>{}),
            ct::load(ct::reshape(x + at, ct::shape<8, 8, 16>{})));
}

/// Every second element is its neighbour's: pairs swapped, and pairs that are one element twice.
__tile_global__ void pairs(const float *x, float *y, float *z, bool swapped) {
  auto i = ct::iota<indices>();
  auto other = swapped ? (i ^ 1) : i;
  ct::store(y + i, ct::load(x + other));
  ct::store(z + i, ct::load(x + i / 2 * 2) + ct::load(x + (i & ~3)));
}

/// Masks that cut groups where no multiple is, on both sides.
template <class T> __tile_global__ void between(const T *x, T *y, int first, int last) {
  x = ct::assume_aligned<16>(x);
  y = ct::assume_aligned<16>(y);
  auto i = ct::iota<indices>();
  auto inside = i >= first && i < last;
  ct::store_masked(y + i, ct::load_masked(x + i, inside, T(7)), inside);
}

double value(std::size_t i) { return double(i % 100); }

template <class T> void check_shift(const char *what) {
  run::array<T> x(n, value);
  for (int from : {0, 1, 3, 8, 16})
    for (int at : {0, 2, 5, 16})
      for (int count : {256, 255, 17, 1}) {
        run::array<T> y(n);
        shift<T><<<1, 1>>>(x, y, from, at, count);
        run::expect(what, y, [&](int i) {
          return i >= at && i < at + count ? value(i - at + from) + 1 : 0;
        });
      }
}

template <class Index> void check_wrap(const char *what) {
  run::array<float> x(n, value);
  for (int start : {0, 3, 100, 126, 200, 253}) {
    run::array<float> y(n);
    wrap<Index><<<1, 1>>>(x.device + 512, y.device + 512, Index(start));
    run::expect(what, y, [&](int i) {
      for (int j = 0; j < 128; ++j)
        if (512 + int(Index(start + j)) == i)
          return 2 * value(i);
      return 0.0;
    });
  }
}

template <class T> void check_between(const char *what) {
  run::array<T> x(n, value);
  for (int first : {0, 1, 4, 30})
    for (int last : {256, 255, 100, 33, 8}) {
      run::array<T> y(n);
      between<T><<<1, 1>>>(x, y, first, last);
      run::expect(what, y, [&](int i) { return i >= first && i < last ? value(i) : 0; });
    }
}

// Two remainders, and two numbers of eight bits, that turn back at places of their own: the ends of
// a group of four are as far apart as if nothing had.
__tile_global__ void undone(const float *x, float *y, float *z, int s, int t) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  ct::store(y + i, ct::load(x + (i + (i + s) % 8 - (i + t) % 8 + 63)));
  auto first = ct::element_cast<int>(ct::element_cast<unsigned char>(2 * i + s + 247));
  auto second = ct::element_cast<int>(ct::element_cast<unsigned char>(i + t + 248));
  ct::store(z + i, ct::load(x + (first - second + 256)));
}

// From an aligned place on by steps that keep no alignment.
__tile_global__ void walked(const float *x, float *y, int count) {
  x = ct::assume_aligned<16>(x);
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto from = x + i;
  auto sum = ct::zeros<ct::tile<float, ct::shape<64>>>();
  for (int turn = 0; turn < count; ++turn) {
    sum = sum + ct::load(from);
    from = from + 5;
  }
  ct::store(y + i, sum);
}

int main() {
  {
    run::array<float> all(1024, value), y(128), z(128), w(64);
    undone<<<1, 1>>>(all, y, z, 7, 6);
    run::expect("turned back twice", y,
                [](int i) { return value(i + (i + 7) % 8 - (i + 6) % 8 + 63); });
    run::expect("wrapped twice", z,
                [](int i) { return value((2 * i + 254) % 256 - (i + 254) % 256 + 256); });
    walked<<<1, 1>>>(all, w, 4);
    run::expect("walked", w,
                [](int i) { return value(i) + value(i + 5) + value(i + 10) + value(i + 15); });
  }
  check_shift<float>("floats");
  check_shift<double>("doubles");
  check_shift<short>("shorts");
  check_shift<unsigned char>("bytes");
  check_wrap<signed char>("signed wrap");
  check_wrap<unsigned char>("unsigned wrap");
  check_between<float>("floats between");
  check_between<__half>("halves between");
  check_between<unsigned char>("bytes between");

  run::array<float> x(n, value), y(256), z(n);
  for (int start : {0, -5, -64, 61})
    for (int modulus : {64, 24, 7}) {
      turn<<<1, 1>>>(x, y, start, modulus);
      run::expect("turned", y, [&](int i) {
        return value((i + start) % 64 + 64) + value((i + start) % modulus + 64) +
               value((i + start) % 24 + 64) + value(unsigned(i + start) % 64u);
      });
    }
  for (int row : {16, 33, 64})
    for (int step : {16, 5}) {
      moving<<<1, 1>>>(x, y, row == 64 ? 62 : row, step);
      const int length = row == 64 ? 62 : row;
      run::expect("moving", y, [&](int i) {
        double sum = 0;
        for (int at = 0; at < length; at += step)
          if (i % 16 < length - at)
            sum += value(i / 16 * length + at + i % 16);
        return sum;
      });
    }
  run::array<float> wide(512);
  narrow<<<1, 1>>>(x, wide);
  run::expect("narrow", wide, [](int i) { return value(i % 256); });
  run::array<float> turned(n);
  columns<<<1, 1>>>(x, turned, z);
  run::expect("columns", turned, [](int i) { return value(i % 16 * 64 + i / 16); });
  run::expect("rows", z, value);
  for (bool swapped : {false, true}) {
    run::array<float> twice(256);
    pairs<<<1, 1>>>(x, y, twice, swapped);
    run::expect("pairs", y, [&](int i) { return value(swapped ? i ^ 1 : i); });
    run::expect("twice", twice, [](int i) { return value(i / 2 * 2) + value(i & ~3); });
  }
  return run::finish();
}
