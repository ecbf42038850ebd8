// long double in memory: where the host's members lie, and what tile code writes itself.
#include "run.h"
#include <cuda_tile.h>
#include <limits>

struct record {
  char before;
  long double value;
  int behind;
};
#ifndef __CUDA_ARCH__ // for a GPU it has 8 bytes to Clang, which no text relies on
static_assert(sizeof(record) == 48);
#endif

__tile__ long double kept[2];

__tile_global__ void sizes(int *o) {
  o[0] = sizeof(long double);
  o[1] = alignof(long double);
  o[2] = sizeof(record);
  o[3] = __builtin_offsetof(record, behind);
  o[4] = std::numeric_limits<long double>::digits;
}

__tile_global__ void behind(record *records, int *o, int n) {
  for (int i = 0; i < n; ++i) {
    o[i] = records[i].behind + records[i].before;
    records[i].value = o[i] / 3.0L;
  }
}
__tile_global__ void values(const record *records, double *o, int n) {
  for (int i = 0; i < n; ++i)
    o[i] = records[i].value;
}

__tile_global__ void reversed(long double *memory, double *o, int n) {
  long double own[4] = {0, 1.0L / 3, 2, 3}, chosen[8];
  for (int i = 0; i < 8; ++i)
    chosen[(3 * i) % 8] = i * 0.1;
  for (int i = 0; i < n; ++i)
    memory[i] = i + own[i % 4];
  record some[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  some[n % 3].value += 0.5L;
  for (int i = 0; i < n; ++i)
    o[i] = memory[n - 1 - i] + chosen[i] + some[i % 3].value * some[i % 2].behind;
}

__tile_global__ void keep(double x) { kept[1] = x; }
__tile_global__ void kept_again(double *o) { o[0] = kept[1] + kept[0]; }

int main() {
  run::array<int> sizes_of(5), numbers(7);
  sizes<<<1, 1>>>(sizes_of);
  run::expect("sizes", sizes_of, [](auto i) { return (int[]){16, 16, 48, 32, 64}[i]; }, 0.0);

  record *records;
  run::require(cudaMallocManaged(&records, 7 * sizeof(record)));
  for (int i = 0; i < 7; ++i)
    records[i] = {char(i), 1, 10 * i};
  behind<<<1, 1>>>(records, numbers, 7);
  run::expect("behind", numbers, [](auto i) { return 11 * i; }, 0.0);
  run::array<double> out(7);
  values<<<1, 1>>>(records, out, 7);
  run::expect("values", out, [](auto i) { return 11 * i / 3.0; }, 0.0);

  long double *memory;
  run::require(cudaMalloc(&memory, 7 * sizeof *memory));
  reversed<<<1, 1>>>(memory, out, 7);
  run::expect("reversed", out, [](auto i) {
    const double own[] = {0, 1 / 3.0, 2, 3};
    const double values[] = {2, 5.5, 8};
    const int at[] = {0, 3, 6, 1, 4, 7, 2, 5}, j = 6 - int(i);
    return j + own[j % 4] + at[i] * 0.1 + values[i % 3] * (i % 2 ? 6 : 3);
  });

  run::array<double> one(1);
  keep<<<1, 1>>>(1.25);
  kept_again<<<1, 1>>>(one);
  run::expect("kept", one, [](auto) { return 1.25; }, 0.0);
  return run::finish();
}
