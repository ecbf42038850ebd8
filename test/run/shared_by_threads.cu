// What some threads have and others need: old values that atomics gave a few elements, tiles that
// another layout has in other threads, sums of bytes without a sign, and of small floats, which are
// rounded once for all warps.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int few = 8, wide = 64, rows = 4, columns = 512;

// Fewer elements than threads: all threads of a row need the old value of its counter.
__tile_global__ void old_values(int *__restrict__ counters, int *__restrict__ out) {
  auto row = ct::iota<ct::tile<int, ct::shape<few, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, wide>>>();
  auto old = ct::atomic_add(counters + row, row + 1, ct::memory_order_relaxed_t{});
  ct::store(out + (row * wide + column), old * 100 + column);
}

// What all threads compute of the old values.
__tile_global__ void sum_of_old(int *__restrict__ counters, int *__restrict__ out) {
  auto row = ct::iota<ct::tile<int, ct::shape<few>>>();
  auto old = ct::atomic_add(counters + row, row + 1, ct::memory_order_relaxed_t{});
  auto all = ct::iota<ct::tile<int, ct::shape<few * wide>>>();
  ct::store(out + all, all + ct::sum<0>(old));
}

// A sum along the rows comes out in another layout than one along the columns.
__tile_global__ void both_ways(const float *__restrict__ x, float *__restrict__ out) {
  auto row = ct::iota<ct::tile<int, ct::shape<wide, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, wide>>>();
  auto all = ct::load(x + (row * wide + column));
  ct::store(out + (row * wide + column),
            ct::transpose(ct::sum<1>(all)) + 100.0f * ct::transpose(ct::sum<0>(all)));
}

// Bytes above 127, which become floats before a sum takes them.
__tile_global__ void bytes(const unsigned char *__restrict__ x, float *__restrict__ out) {
  auto row = ct::iota<ct::tile<int, ct::shape<wide, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, wide>>>();
  auto all = ct::element_cast<float>(ct::load(x + (row * wide + column)));
  ct::store(out + (row * wide + column), all + ct::sum<1>(all * all));
}

template <class T> __tile_global__ void sums(const T *__restrict__ x, T *__restrict__ out) {
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, columns>>>();
  ct::store(out + row, ct::sum<1>(ct::load(x + (row * columns + column))));
}

// Sums of halves of a row, and of quarters, need more digits than a small float has.
template <class T> void check_sums(const char *name, double large) {
  auto element = [&](std::size_t i) {
    return i % 64 ? double(i % 3 == 0) : large + 2 * (i / 64 % 3);
  };
  run::array<T> x(rows * columns, element), out(rows);
  sums<<<1, 1>>>((const T *)x, (T *)out);
  run::expect(
      name, out,
      [&](std::size_t i) {
        double sum = 0;
        for (int j = 0; j < columns; ++j)
          sum += x[i * columns + j];
        return run::number(T(float(sum)));
      },
      0);
}

int main() {
  run::array<int> counters(few, [](std::size_t i) { return i * i; }), old(few * wide);
  old_values<<<1, 1>>>(counters, old);
  run::expect("old values", old, [](std::size_t i) {
    const std::size_t row = i / wide;
    return row * row * 100 + i % wide;
  });
  run::expect("counters", counters, [](std::size_t i) { return i * i + i + 1; });
  sum_of_old<<<1, 1>>>(counters, old);
  run::expect("their sum", old, [](std::size_t i) { return 140 + 28 + 8 + i; });

  auto element = [](std::size_t i) { return double(i * i % 29) - 14; };
  run::array<float> x(wide * wide, element), out(wide * wide);
  both_ways<<<1, 1>>>((const float *)x, (float *)out);
  run::expect("both ways", out, [&](std::size_t i) {
    const std::size_t row = i / wide, column = i % wide;
    double along = 0, down = 0;
    for (int j = 0; j < wide; ++j) {
      along += x[column * wide + j];
      down += x[j * wide + row];
    }
    return along + 100 * down;
  });
  run::array<unsigned char> unsigned_bytes(wide * wide, [](std::size_t i) { return i * 7 % 256; });
  bytes<<<1, 1>>>((const unsigned char *)unsigned_bytes, (float *)out);
  run::expect("bytes", out, [&](std::size_t i) {
    double sum = unsigned_bytes[i];
    for (std::size_t j = i / wide * wide; j < (i / wide + 1) * wide; ++j)
      sum += unsigned_bytes[j] * unsigned_bytes[j];
    return sum;
  });
  check_sums<__half>("half", 2048);
  check_sums<__nv_bfloat16>("bf16", 256);
  return run::finish();
}
