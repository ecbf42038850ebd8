// Local arrays of a block under tiles of pointers, which lie in its shared memory: every kind of
// atomic on them, with and without old values and masks; vectors of elements and single ones;
// scalars; beside tiles that threads exchange. An array whose address is stored lies on the heap.
#include "run.h"
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using relaxed = ct::memory_order_relaxed_t;
using block = ct::thread_scope_block_t;
constexpr int N = 1024, bins = 32, blocks = 3;

template <int Count = N> __tile__ auto places() {
  return ct::iota<ct::tile<int, ct::shape<Count>>>();
}
template <class T, int Count = N> __tile__ auto filled(T x) {
  return ct::full<ct::tile<T, ct::shape<Count>>>(x);
}

// Counts of n numbers below `bins`, in steps, and what is left of them behind a scan.
__tile_global__ void counts(const int *x, int n, int *o) {
  int own[bins];
  auto bin = places<bins>();
  ct::store(own + bin, filled<int, bins>(0));
  for (int at = 0; at < n; at += N) {
    auto i = places() + at;
    ct::atomic_add_masked(own + ct::load_masked(x + i, i < n, 0), filled(1), i < n, relaxed{},
                          block{});
  }
  auto count = ct::load(own + bin);
  ct::store(o + bin, count);
  ct::store(o + bins + bin, ct::partial_sum<0>(count) - count);
}

// One kind after the other, on bins of one array.
__tile_global__ void kinds(const int *x, int *o) {
  int own[7][bins];
  auto value = ct::load(x + places());
  auto bin = places() & (bins - 1);
  auto at = [&](int kind) { return &own[kind][0] + bin; };
  for (int kind = 0; kind < 7; ++kind)
    ct::store(&own[kind][0] + places<bins>(), filled<int, bins>(kind == 2 ? -1 : 0));
  ct::atomic_sub(at(0), value, relaxed{}, block{});
  ct::atomic_max(at(1), value, relaxed{}, block{});
  ct::atomic_and(at(2), value | 1, relaxed{}, block{});
  ct::atomic_or(at(3), value, relaxed{}, block{});
  ct::atomic_xor(at(4), value, relaxed{}, block{});
  ct::atomic_min(at(5), value, relaxed{}, block{});
  ct::atomic_xchg_masked(at(6), value, places() < bins, relaxed{}, block{});
  for (int kind = 0; kind < 7; ++kind)
    ct::store(o + kind * bins + places<bins>(), ct::load(&own[kind][0] + places<bins>()));
}

// Old values are places in a list, and a scalar counts what is in it.
__tile_global__ void list(const int *x, int *o, int *length) {
  int count[1], chosen[N];
  count[0] = 0;
  ct::store(chosen + places(), filled(0));
  auto value = ct::load(x + places());
  auto is_chosen = value % 3 == 0;
  auto place =
      ct::atomic_add_masked(count + places() * 0, filled(1), is_chosen, relaxed{}, block{});
  ct::store_masked(chosen + place, value, is_chosen);
  length[0] = count[0];
  length[1] = ct::atomic_add(&count[0], 5, relaxed{}, block{});
  length[2] = count[0];
  o[0] = int(ct::sum<0>(ct::load(chosen + places())));
}

// 64-bit integers and floats.
__tile_global__ void wide(const int *x, long long *o, float *f) {
  long long sum[4];
  float total[4];
  auto four = places<4>();
  ct::store(sum + four, filled<long long, 4>(0));
  ct::store(total + four, filled<float, 4>(0));
  auto value = ct::load(x + places());
  ct::atomic_add(sum + (places() & 3), ct::element_cast<long long>(value) << 33ll, relaxed{},
                 block{});
  ct::atomic_add(total + (places() & 3), ct::element_cast<float>(value), relaxed{}, block{});
  ct::store(o + four, ct::load(sum + four));
  ct::store(f + four, ct::load(total + four));
}

// Rows are turned round by their places, several elements of a thread at a time and masked.
__tile_global__ void turned(const unsigned char *x, int n, unsigned char *o) {
  unsigned char own[N];
  const int first = int(ct::bid().x) * N;
  auto i = places();
  ct::store(own + i, ct::load_masked(x + (first + i), first + i < n, (unsigned char)7));
  auto back = ct::load_masked(own + (N - 1 - i), i % 5 != 0, (unsigned char)9);
  ct::store_masked(o + (first + i), back, first + i < n);
}

// The array's address is in memory.
__tile_global__ void kept(const int *x, int *o) {
  int own[N];
  int *address[2] = {own, own + 1};
  ct::store(own + places(), ct::load(x + places()));
  int sum = 0;
  for (int i = 0; i < N - 1; ++i)
    sum += *address[i & 1];
  ct::store(o + places(), ct::load(own + places()) + sum);
}

int main() {
  constexpr int n = 5 * N / 2 + 3;
  run::array<int> x(n, [](auto i) { return int(i * 7 % 31); });
  run::array<int> c(2 * bins);
  counts<<<1, 1>>>(x, n, c);
  std::vector<int> wanted(2 * bins);
  for (int i = 0; i < n; ++i)
    ++wanted[int(x[i])];
  for (int b = 1; b < bins; ++b)
    wanted[bins + b] = wanted[bins + b - 1] + wanted[b - 1];
  run::expect("counts", c, [&](auto i) { return wanted[i]; });

  run::array<int> k(7 * bins);
  kinds<<<1, 1>>>(x, k);
  run::expect("kinds", k, [&](auto i) {
    const int kind = i / bins, bin = i % bins;
    int result = kind == 2 ? -1 : 0;
    for (int j = bin; j < N; j += bins) {
      const int v = int(x[j]);
      result = kind == 0   ? result - v
               : kind == 1 ? std::max(result, v)
               : kind == 2 ? result & (v | 1)
               : kind == 3 ? result | v
               : kind == 4 ? result ^ v
               : kind == 5 ? std::min(result, v)
               : j == bin  ? v
                           : result;
    }
    return double(result);
  });

  run::array<int> o(N), length(3);
  list<<<1, 1>>>(x, o, length);
  int chosen = 0, sum = 0;
  for (int i = 0; i < N; ++i)
    if (int(x[i]) % 3 == 0)
      ++chosen, sum += int(x[i]);
  run::expect("length", length, [&](auto i) { return chosen + (i == 2 ? 5 : 0); });
  run::array<int> first(1);
  list<<<1, 1>>>(x, first, length);
  run::expect("list", first, [&](auto) { return sum; });

  run::array<long long> w(4);
  run::array<float> f(4);
  wide<<<1, 1>>>(x, w, f);
  auto quarter = [&](int i) {
    double result = 0;
    for (int j = i; j < N; j += 4)
      result += x[j];
    return result;
  };
  run::expect("long longs", w, [&](auto i) { return quarter(i) * 8589934592.0; });
  run::expect("floats", f, [&](auto i) { return quarter(i); });

  constexpr int bytes = blocks * N - 100;
  run::array<unsigned char> b(bytes, [](auto i) { return (unsigned char)(i * 5 % 251); }), r(bytes);
  turned<<<blocks, 1>>>(b, bytes, r);
  run::expect("turned", r, [&](auto i) {
    const int from = int(i) / N * N + N - 1 - int(i) % N;
    return int(i) % N % 5 == 0 ? 9.0 : from < bytes ? double(b[from]) : 7.0;
  });

  kept<<<1, 1>>>(x, o);
  double before = 0;
  for (int i = 0; i < N - 1; ++i)
    before += x[i & 1];
  run::expect("kept", o, [&](auto i) { return x[i] + before; });
  return run::finish();
}
