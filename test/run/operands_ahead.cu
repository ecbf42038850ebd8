// Loops that read the first factor of their multiply a turn ahead, two turns of text each: no turn,
// one, two and more, starts and steps, counters of other types, two loops on one sum, a loop in a
// loop, what a loop carries besides. And computed factors of blocks of one warp, which has no other
// for a second map's copies.
#include "run.h"

#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int M = 256, N = 128, K = 32;
enum class form { ints, unsigneds, longs, downwards, twice, whiles, carries, nested };

template <int R, int C, class T> __tile__ auto view(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

template <form Form> __tile_global__ void loops(const float *__restrict__ a,
                                                const float *__restrict__ b, float *__restrict__ c,
                                                int m, int n, int k, int from, int to, int step) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto as = view<M, K>(a, m, k);
  auto bs = view<K, N>(b, k, n);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  auto add = [&](int i) {
    sum = ct::mma(ct::element_cast<__nv_tf32>(as.load_masked(row, i)),
                  ct::element_cast<__nv_tf32>(bs.load_masked(i, column)), sum);
  };
  if constexpr (Form == form::ints) {
    for (int i = from; i < to; i += step)
      add(i);
  } else if constexpr (Form == form::unsigneds) {
    for (unsigned i = unsigned(from); i < unsigned(to); i += unsigned(step))
      add(int(i));
  } else if constexpr (Form == form::longs) {
    for (long long i = from; i < to; i += step)
      add(int(i));
  } else if constexpr (Form == form::downwards) {
    for (int i = to - 1; i >= from; i -= step)
      add(i);
  } else if constexpr (Form == form::twice) {
    for (int i = from; i < to; ++i)
      add(i);
    for (int i = from; i < to; i += step)
      add(i);
  } else if constexpr (Form == form::whiles) {
    int i = from;
    while (i < to) {
      add(i);
      i += step;
    }
  } else if constexpr (Form == form::carries) {
    float weight = 0;
    for (int i = from; i < to; i += step) {
      add(i);
      weight = weight * 0.5f + float(i);
    }
    sum = sum + weight;
  } else {
    for (int round = 0; round < 2; ++round)
      for (int i = from + round; i < to; i += step)
        add(i);
  }
  view<M, N>(c, m, n).store_masked(sum, row, column);
}

template <int R, int C, int D>
__tile_global__ void few_warps(const float *__restrict__ a, const signed char *__restrict__ b,
                               float *__restrict__ c, int m, int n, int k) {
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<R, C>>>();
  for (int i = 0; i < ct::ceildiv(k, D); ++i) {
    auto weights = ct::element_cast<float>(view<D, C>(b, k, n).load_masked(i, column));
    sum = ct::mma(ct::element_cast<__nv_tf32>(view<R, D>(a, m, k).load_masked(row, i)),
                  ct::element_cast<__nv_tf32>(weights), sum);
  }
  view<R, C>(c, m, n).store_masked(sum, row, column);
}

// Of seven values that tf32 holds, in no order.
double element(std::size_t i) { return double(int(unsigned(i * 2654435761u) >> 16) % 7 - 3) / 4; }

template <form Form>
void check(const char *name, int from, int to, int step, int k = 200, int n = 36) {
  const int m = 40;
  run::array<float> a(m * k, element), b(k * n, element), c(m * n);
  loops<Form><<<1, 1>>>(a, b, c, m, n, k, from, to, step);
  run::expect(name, c, [&](std::size_t i) {
    double sum = 0;
    auto add = [&](int turn) {
      for (int l = turn * K; l < turn * K + K && l < k; ++l)
        sum += a[i / n * k + l] * b[std::size_t(l) * n + i % n];
    };
    float weight = 0;
    if (Form == form::downwards)
      for (int t = to - 1; t >= from; t -= step)
        add(t);
    else
      for (int t = from; t < to; t += step) {
        add(t);
        weight = weight * 0.5f + float(t);
      }
    if (Form == form::twice)
      for (int t = from; t < to; ++t)
        add(t);
    if (Form == form::nested)
      for (int t = from + 1; t < to; t += step)
        add(t);
    return sum + (Form == form::carries ? weight : 0);
  });
}

template <int R, int C, int D> void check_few_warps(const char *name) {
  const int m = 36, n = 48, k = 96;
  run::array<float> a(m * k, element);
  run::array<signed char> b(k * n, [](std::size_t i) { return 4 * element(i); });
  run::array<float> c(m * n);
  few_warps<R, C, D><<<dim3((n + C - 1) / C, (m + R - 1) / R), 1>>>(a, b, c, m, n, k);
  run::expect(name, c, [&](std::size_t i) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[i / n * k + l] * b[std::size_t(l) * n + i % n];
    return sum;
  });
}

int main() {
  check<form::ints>("no turn", 0, 0, 1);
  check<form::ints>("one turn", 1, 2, 1);
  check<form::ints>("two turns", 1, 5, 3);
  check<form::ints>("three turns", 0, 6, 2);
  check<form::ints>("odd rows", 0, 7, 1, 199, 35);
#ifdef ALL_CASES
  check<form::unsigneds>("unsigned", 1, 6, 2);
  check<form::unsigneds>("unsigned, no turn", 0, 0, 2);
  check<form::whiles>("while", 1, 7, 2);
  check_few_warps<16, 32, 32>("one warp, long rows");
#endif
  check<form::longs>("long", 2, 7, 1);
  check<form::downwards>("downwards", 0, 7, 2);
  check<form::twice>("two loops", 0, 7, 3);
  check<form::twice>("two loops, no turn", 0, 0, 2);
  check<form::carries>("a number besides", 0, 7, 2);
  check<form::nested>("a loop in a loop", 0, 5, 2);
  check_few_warps<16, 8, 8>("one warp");
  check_few_warps<32, 32, 64>("two warps");
  return run::finish();
}
