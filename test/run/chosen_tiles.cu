// `b = c ? a : b` of tiles, of structs of them, of elements of arrays, on both sides of `=`, in
// straight lines and in loops: the choice is of variables, the copy of what they hold. And
// addresses that are chosen: among elements of an array at run-time indices, variables, members of
// structs.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<1, 4>>;

struct pair {
  row first;
  ct::tile<float, ct::shape<4>> second;
  int count;
};

__tile_global__ void tiles(int *o, int n) {
  row a = ct::iota<row>(), b = ct::full<row>(n);
  b = n < 3 ? a : b;
  ct::store(o + ct::iota<row>(), b);
  for (int i = 0; i < n; ++i) {
    a = a + 1;
    b = ((i < 3 || n > 5) ? a : b);
  }
  ct::store(o + 4 + ct::iota<row>(), b);
  (n & 1 ? a : b) = ct::full<row>(-n);
  ct::store(o + 8 + ct::iota<row>(), a);
  ct::store(o + 12 + ct::iota<row>(), b);
}

__tile_global__ void structs(int *o, int n) {
  pair a{ct::iota<row>(), ct::full<ct::tile<float, ct::shape<4>>>(1.5f), 3};
  pair b{ct::full<row>(n), ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<4>>>()), 4};
  pair c = n > 2 ? a : b;
  b = n == 2 ? a : n == 4 ? b : c;
  ct::store(o + ct::iota<row>(), c.first + c.count);
  ct::store(o + 4 + ct::iota<ct::tile<int, ct::shape<4>>>(),
            ct::element_cast<int>(b.second * 2.0f) + b.count);
}

__tile_global__ void elements(int *o, int n) {
  row rows[2] = {ct::iota<row>(), ct::full<row>(n)};
  rows[0] = n > 1 ? rows[1] : rows[0];
  const row &seen = n & 1 ? rows[0] : rows[1];
  ct::store(o + ct::iota<row>(), seen + rows[0]);
}

// The same body for tiles, and for the numbers that all elements of one are.
#define CHOOSE_ADDRESSES(SPACE, NAME, VALUE, FULL)                                                 \
  struct NAME {                                                                                    \
    VALUE first;                                                                                   \
    int count;                                                                                     \
    VALUE second;                                                                                  \
  };                                                                                               \
  SPACE void choose(VALUE(&r)[9], int (&counts)[3], int n, int m) {                                \
    for (int i = 0; i < 4; ++i)                                                                    \
      r[i] = FULL(i);                                                                              \
    VALUE &either = n > m ? r[n & 3] : r[m];                                                       \
    either = either + FULL(10);                                                                    \
    VALUE *walk = n > 1 ? &r[0] : &r[1], *other = &r[n & 3];                                       \
    if (m == 2)                                                                                    \
      other = walk;                                                                                \
    *other = *walk * FULL(3);                                                                      \
    ++walk;                                                                                        \
    *walk = *walk + FULL(1);                                                                       \
    VALUE alone = FULL(7), another = FULL(9), *best = nullptr;                                     \
    for (int i = 0; i < 4; ++i)                                                                    \
      if (i * n > 3)                                                                               \
        best = &r[i];                                                                              \
    if (best)                                                                                      \
      *best = *best * FULL(2);                                                                     \
    (n > 2 ? alone : r[m]) = *(n > 1 ? &alone : &another) + FULL(5);                               \
    r[4] = alone;                                                                                  \
    r[5] = another;                                                                                \
    NAME all[3];                                                                                   \
    for (int i = 0; i < 3; ++i)                                                                    \
      all[i] = NAME{FULL(i), i, FULL(10 * i)};                                                     \
    NAME &one = n > 1 ? all[(n - 1) % 3] : all[m], *next = n > m ? &all[0] : &all[1];              \
    one.first = one.first + FULL(100);                                                             \
    one.count += 10;                                                                               \
    next->second = next->second + FULL(next->count++);                                             \
    for (int i = 0; i < 3; ++i) {                                                                  \
      r[6 + i] = all[i].first * FULL(3) + all[i].second;                                           \
      counts[i] = all[i].count;                                                                    \
    }                                                                                              \
  }
#define FULL_ROW(X) ct::full<row>(X)
#define SAME_NUMBER(X) (X)
CHOOSE_ADDRESSES(__tile__, of_tiles, row, FULL_ROW)
CHOOSE_ADDRESSES(static, of_numbers, int, SAME_NUMBER)

__tile_global__ void addresses(int *o, int n, int m) {
  row r[9];
  int counts[3];
  choose(r, counts, n, m);
  for (int i = 0; i < 9; ++i)
    ct::store(o + 4 * i + ct::iota<row>(), r[i]);
  for (int i = 0; i < 3; ++i)
    o[36 + i] = counts[i];
}

void check_addresses(int n, int m) {
  run::array<int> o(39);
  addresses<<<1, 1>>>(o, n, m);
  int r[9], counts[3];
  choose(r, counts, n, m);
  run::expect("addresses", o, [&](auto i) { return i < 36 ? r[i / 4] : counts[i - 36]; });
}

int main() {
  for (int n = 1; n < 5; ++n)
    for (int m = 0; m < 3; ++m)
      check_addresses(n, m);
  for (int n = 1; n < 7; ++n) {
    run::array<int> o(16), p(8), q(4);
    tiles<<<1, 1>>>(o, n);
    structs<<<1, 1>>>(p, n);
    elements<<<1, 1>>>(q, n);
    int a[4], b[4], first[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = i;
      first[i] = b[i] = n < 3 ? i : n;
      for (int j = 0; j < n; ++j) {
        ++a[i];
        b[i] = j < 3 || n > 5 ? a[i] : b[i];
      }
    }
    run::expect("tiles", o, [&](auto i) {
      return i < 4    ? first[i]
             : i < 8  ? b[i - 4]
             : i < 12 ? (n & 1 ? -n : a[i - 8])
                      : (n & 1 ? b[i - 12] : -n);
    });
    bool isA = n > 2, isThenA = n == 2 || (n != 4 && isA);
    run::expect("structs", p, [&](auto i) {
      if (i < 4)
        return isA ? int(i) + 3 : n + 4;
      return isThenA ? 3 + 3 : 2 * (int(i) - 4) + 4;
    });
    run::expect("elements", q, [&](auto i) {
      int zeroth = n > 1 ? n : int(i);
      return (n & 1 ? zeroth : n) + zeroth;
    });
  }
  return run::finish();
}
