// Local variables whose bytes several threads access: elements of a tile object at run-time
// indices, bytes that are copied in and out of one, unions, views and tiles of pointers over a
// local array, pointers to a local variable or elsewhere, addresses that are kept in memory; long
// copies.
#include "run.h"

#include <cstring>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
constexpr int N = 64, blocks = 5;
using row = ct::tile<float, ct::shape<N>>;
using block = ct::tile<int, ct::shape<8, 16>>;
template <class T = int> __tile__ auto places() { return ct::iota<ct::tile<T, ct::shape<N>>>(); }

// One element of a tile at a run-time index, read and written, in a loop and under a condition.
__tile_global__ void elements(const float *x, int n, float *o) {
  const int b = ct::bid().x;
  row a = ct::load(x + places());
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float &e = reinterpret_cast<float *>(&a)[(i * 7 + b) % N];
    sum += e;
    if (i % 3 == 0)
      e = -sum;
    a = a + 1.0f;
  }
  ct::store(o + b * N + places(), a + sum);
}

// Row-major bytes of a tile become an array, and back.
__tile_global__ void copied(const int *x, int n, int *o) {
  const int b = ct::bid().x;
  block a = ct::load(x + ct::iota<block>());
  int all[8][16];
  memcpy(all, &a, sizeof all);
  for (int i = 0; i < 8; ++i)
    all[i][(i + n) & 15] += 100 * b;
  memcpy(&a, all, sizeof all);
  ct::store(o + b * 128 + ct::iota<block>(), ct::transpose(ct::reshape(a, ct::shape<16, 8>{})));
}

union both {
  row tile;
  float array[N];
  __tile__ both() {}
};
__tile_global__ void united(const float *x, int n, float *o) {
  const int b = ct::bid().x;
  both u[2];
  u[0].tile = ct::load(x + places());
  u[1].tile = u[0].tile * 2.0f;
  for (int i = 0; i < n; ++i)
    u[i & 1].array[(i + b) % N] = float(i);
  ct::store(o + b * N + places(), u[n & 1].tile - u[1 - (n & 1)].tile);
}

// A local array under tiles of pointers, and under a view.
__tile_global__ void pointed(const float *x, int n, float *o) {
  const int b = ct::bid().x;
  float a[N];
  for (int i = 0; i < N; ++i)
    a[i] = x[i] + float(b);
  auto p = a + places();
  for (int i = 0; i < n; ++i) {
    ct::store(p, ct::load(a + (N - 1 - places())) + 1.0f);
    a[i] += 10;
  }
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(a + places() % 8,
                                                                      ct::full<row>(2.0f));
  ct::store(o + b * N + places(), ct::load(p) + a[n]);
}
__tile_global__ void viewed(const int *x, int n, int *o) {
  const int b = ct::bid().x;
  int a[8][32] = {{n, x[0]}, {x[1], b}};
  auto view =
      ct::partition_view{ct::tensor_span{&a[0][0], ct::extents{ct::integral_constant<8>{},
                                                               ct::integral_constant<32>{}}},
                         ct::shape<4, 16>{}};
  for (int i = 0; i < 4; ++i)
    view.store(view.load(i / 2, i % 2) +
                   ct::transpose(
                       ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<16, 4>{})) *
                       i,
               i / 2, i % 2);
  int sum = 0;
  for (auto &line : a)
    for (int e : line)
      sum = sum * 3 + e;
  o[b] = sum;
}

// A pointer to a local variable or to memory of the program, also among tiles.
__tile_global__ void mixed(int w, int n, float *o, float *s) {
  const int b = ct::bid().x;
  float a[4] = {1, 2, 3, 4};
  float *p = (w + b) & 1 ? a : o + b * N;
  p[n & 3] = 7;
  row t[2] = {ct::full<row>(1.0f), ct::full<row>(2.0f)};
  row *q = n & 1 ? &t[w & 1] : reinterpret_cast<row *>(s + b * N);
  *q = *q + a[n & 3];
  ct::store(s + b * N + places(), t[0] + t[1] + *q);
}

// Addresses of local variables in memory, and in other local variables.
struct node {
  node *next;
  int value;
  ct::tile<int, ct::shape<4>> more;
};
__tile_global__ void linked(int **slots, int n, int *o) {
  const int b = ct::bid().x;
  int a[4] = {n, n + 1, n + 2, b};
  slots[b] = &a[n & 3];
  *slots[b] += 5;
  node nodes[3] = {};
  for (int i = 0; i < 3; ++i) {
    nodes[i].next = &nodes[(i * 2 + n) % 3];
    nodes[i].value = i + b;
    nodes[i].more = ct::full<ct::tile<int, ct::shape<4>>>(i * n);
  }
  node *at = nodes;
  int sum = 0;
  for (int i = 0; i < n; ++i, at = at->next)
    sum = sum * 4 + at->value;
  o[b] = sum + a[n & 3] + int(ct::reshape(ct::sum<0>(at->more), ct::shape<>{}));
}

// Structs with arrays of tiles, indexed at run time and copied; half a member.
struct inner {
  short tag;
  row tiles[3];
  bool flag;
};
struct outer {
  inner parts[2];
  row last;
};
__tile_global__ void nested(const float *x, int n, float *o) {
  const int b = ct::bid().x;
  if (n < 0)
    return;
  outer a{}, c[2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      a.parts[i].tiles[j] = ct::load(x + places()) + float(10 * i + j);
      a.parts[i].tag = short(i + b);
    }
  a.last = a.parts[n & 1].tiles[n & 1];
  c[n & 1] = a;
  c[1 - (n & 1)] = a;
  c[0].parts[n & 1] = c[1].parts[0];
  memcpy(&c[1].parts[n & 1].tag, &b, 1);
  ct::store(o + b * N + places(), c[0].parts[n & 1].tiles[n % 3] + c[n & 1].last +
                                      float(c[0].parts[n & 1].tag + 100 * c[1].parts[n & 1].tag));
}

// Tiles of other elements: their bytes are those of their elements.
template <class T, class Tile> __tile__ T element(const Tile &of, int i) {
  T x;
  memcpy(&x, reinterpret_cast<const char *>(&of) + i * sizeof(T), sizeof(T));
  return x;
}
template <class T, class Tile> __tile__ void set(Tile &of, int i, T x) {
  memcpy(reinterpret_cast<char *>(&of) + i * sizeof(T), &x, sizeof(T));
}
__tile_global__ void bytes(const int *x, int n, int *o) {
  const int b = ct::bid().x;
  auto numbers = ct::load(x + places());
  auto truths = numbers > n;
  auto halves = ct::element_cast<__half>(numbers);
  auto pointers = x + (places() * 3 + b) % N;
  int sum = element<bool>(truths, n + b);
  sum += 2 * *element<const int *>(pointers, n);
  sum += 100 * int(__half2float(element<__half>(halves, n * b)));
  set(truths, b, true);
  set(pointers, b, x);
  ct::store(o + b * N + places(), ct::select(truths, ct::load(pointers), sum + numbers * 0));
}

// Objects and lengths of any size.
struct large {
  int numbers[300];
};
__tile_global__ void lengths(large *p, const large *q, int n, int *o) {
  const int b = ct::bid().x;
  p[b] = *q;
  memset(&p[b].numbers[n], n, 4 * n);
  memcpy(&p[b].numbers[200], &p[b].numbers[10], 4 * n);
  large mine = p[b];
  mine.numbers[n] += b;
  memset(&mine.numbers[5], 0, 300);
  int sum = 0;
  for (int i = 0; i < 300; ++i)
    sum = sum * 3 + mine.numbers[i];
  o[b] = sum;
}

int main() {
  const int n = 6;
  run::array<float> x(N, [](auto i) { return int(i) - 20; }), o(blocks * N),
      s(blocks * N, [](auto i) { return int(i % 5); });
  run::array<int> y(128, [](auto i) { return int(i) - 30; }), k(blocks * 128), m(blocks),
      u(blocks * N);

  elements<<<blocks, 1>>>(x, n, o);
  std::vector<float> wanted(blocks * 128);
  for (int b = 0; b < blocks; ++b) {
    float a[N], sum = 0;
    for (int i = 0; i < N; ++i)
      a[i] = float(x[i]);
    for (int i = 0; i < n; ++i) {
      float &e = a[(i * 7 + b) % N];
      sum += e;
      if (i % 3 == 0)
        e = -sum;
      for (float &each : a)
        each += 1;
    }
    for (int i = 0; i < N; ++i)
      wanted[b * N + i] = a[i] + sum;
  }
  run::expect("elements", o, [&](auto i) { return wanted[i]; });

  copied<<<blocks, 1>>>(y, n, k);
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < 128; ++i) {
      int from = i / 16 + i % 16 * 8; // element (c, r) of 16 x 8
      wanted[b * 128 + i] = float(y[from] + (from % 16 == ((from / 16 + n) & 15) ? 100 * b : 0));
    }
  run::expect("copied", k, [&](auto i) { return wanted[i]; });

  united<<<blocks, 1>>>(x, n, o);
  for (int b = 0; b < blocks; ++b) {
    float both[2][N];
    for (int i = 0; i < N; ++i)
      both[0][i] = float(x[i]), both[1][i] = 2 * float(x[i]);
    for (int i = 0; i < n; ++i)
      both[i & 1][(i + b) % N] = float(i);
    for (int i = 0; i < N; ++i)
      wanted[b * N + i] = both[n & 1][i] - both[1 - (n & 1)][i];
  }
  run::expect("united", o, [&](auto i) { return wanted[i]; });

  pointed<<<blocks, 1>>>(x, n, o);
  for (int b = 0; b < blocks; ++b) {
    float a[N], c[N];
    for (int i = 0; i < N; ++i)
      a[i] = float(x[i]) + float(b);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < N; ++j)
        c[j] = a[N - 1 - j] + 1;
      std::memcpy(a, c, sizeof a);
      a[i] += 10;
    }
    for (int i = 0; i < N; ++i)
      a[i % 8] += 2;
    for (int i = 0; i < N; ++i)
      wanted[b * N + i] = a[i] + a[n];
  }
  run::expect("pointed", o, [&](auto i) { return wanted[i]; });

  viewed<<<blocks, 1>>>(y, n, m);
  run::expect("viewed", m, [&](auto b) {
    int a[8][32] = {{n, int(y[0])}, {int(y[1]), int(b)}};
    for (int i = 0; i < 4; ++i)
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 16; ++c)
          a[i / 2 * 4 + r][i % 2 * 16 + c] += (c * 4 + r) * i;
    unsigned sum = 0;
    for (auto &line : a)
      for (int e : line)
        sum = sum * 3 + unsigned(e);
    return int(sum);
  });

  for (int w : {0, 1}) {
    run::array<float> memory(blocks * N, [](auto i) { return int(i % 5); });
    mixed<<<blocks, 1>>>(w, n + w, o, memory);
    run::expect(w ? "mixed, local" : "mixed, global", memory, [&](auto i) {
      int b = int(i) / N;
      float a = (w + b) & 1 ? 7 : float(((n + w) & 3) + 1), before = float(i % 5);
      return w ? 1 + (2 + a) + (2 + a) : 1 + 2 + before + a;
    });
  }

  run::array<long long> slots(blocks);
  linked<<<blocks, 1>>>(reinterpret_cast<int **>(slots.device), n, m);
  run::expect("linked", m, [&](auto b) {
    int at = 0, sum = 0;
    for (int i = 0; i < n; ++i, at = (at * 2 + n) % 3)
      sum = sum * 4 + at + int(b);
    return sum + n + 2 + 5 + 4 * at * n;
  });

  nested<<<blocks, 1>>>(x, n, o);
  run::expect("nested", o, [&](auto i) {
    int b = int(i) / N;
    return float(x[i % N]) + 0 + float(x[i % N]) + float(b + 100 * b);
  });

  bytes<<<blocks, 1>>>(y, n, u);
  run::expect("bytes", u, [&](auto i) {
    int b = int(i) / N, j = int(i) % N;
    int sum = (int(y[n + b]) > n) + 2 * int(y[(n * 3 + b) % N]) + 100 * int(y[n * b]);
    bool truth = int(y[j]) > n || j == b;
    return truth ? int(y[j == b ? 0 : (j * 3 + b) % N]) : sum;
  });

  run::array<int> p(blocks * 300), q(300, [](auto i) { return i * i % 50; });
  lengths<<<blocks, 1>>>(reinterpret_cast<large *>(p.device),
                         reinterpret_cast<const large *>(q.device), n, m);
  run::expect("lengths", m, [&](auto b) {
    large mine;
    for (int i = 0; i < 300; ++i)
      mine.numbers[i] = int(q[i]);
    std::memset(&mine.numbers[n], n, 4 * n);
    std::memcpy(&mine.numbers[200], &mine.numbers[10], 4 * n);
    mine.numbers[n] += int(b);
    std::memset(&mine.numbers[5], 0, 300);
    unsigned sum = 0;
    for (int e : mine.numbers)
      sum = sum * 3 + unsigned(e);
    return int(sum);
  });
  return run::finish();
}
