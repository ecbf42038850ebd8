// Parts of tiles as other types: halves that are copied over one another, a tile as one of another
// element, whole tiles and single elements of one array, structs with pointers to variables, fills,
// tiles of one element. Every target prints the same.
#include "run.h"
#include <cstring>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class T, int... S> using tl = ct::tile<T, ct::shape<S...>>;
template <int... S> __tile__ auto at() { return ct::iota<tl<int, S...>>(); }

__tile_global__ void half_of(const int *x, int n, int *o) {
  auto a = ct::load(x + at<16>()), b = a * 3;
  memcpy(&a, &b, 32);
  memcpy(reinterpret_cast<char *>(&b) + 20, reinterpret_cast<char *>(&a) + 8, 12);
  ct::store(o + at<16>(), a + b * 100);
}
__tile_global__ void others(const int *x, int n, int *o) {
  auto a = ct::load(x + at<16>());
  tl<double, 8> d;
  memcpy(&d, &a, sizeof d);
  tl<signed char, 64> c;
  memcpy(&c, &d, sizeof c);
  tl<short, 4, 8> s;
  memcpy(&s, &c, sizeof s);
  auto t = ct::reshape(ct::transpose(s), ct::shape<32>{});
  ct::store(o + at<32>(), ct::element_cast<int>(t));
  long long l;
  memcpy(&l, reinterpret_cast<char *>(&s) + 8, 8);
  ct::store(o + 32 + at<16>(), at<16>() * 0 + int(l % 1000003));
}
__tile_global__ void mixed_array(const int *x, int n, int *o) {
  tl<int, 4, 4> t[3] = {};
  for (int i = 0; i < n; ++i) {
    t[i % 3] = t[(i + 1) % 3] + ct::load(x + at<4, 4>());
    reinterpret_cast<int *>(&t[(i + 2) % 3])[i * 3 % 16] += i;
    if (i == 4)
      continue;
    t[i % 3] = ct::transpose(t[i % 3]);
  }
  ct::store(o + at<4, 4>(), t[0] + t[1] * 10 + t[2] * 100);
}
struct cell {
  int k;
  tl<float, 8> v;
  int *p;
};
__tile__ void bump(cell &c, int by) {
  c.k += by;
  c.v = c.v + float(by);
  if (c.p)
    *c.p += by;
}
__tile_global__ void cells(const int *x, int n, int *o) {
  int count = 0, other[2] = {5, 6};
  cell cs[4];
  for (int i = 0; i < 4; ++i) {
    cs[i].k = i;
    cs[i].v = ct::full<tl<float, 8>>(float(i));
    cs[i].p = i & 1 ? &count : &other[i / 2];
  }
  auto f = [&](int i) {
    bump(cs[i & 3], x[i]);
    cell tmp = cs[i & 3];
    cs[i & 3] = cs[(i + 1) & 3];
    cs[(i + 1) & 3] = tmp;
  };
  for (int i = 0; i < n; ++i)
    f(i);
  int s = count * 1000 + other[0] * 100 + other[1];
  for (auto &c : cs)
    s = s * 7 + c.k + int(ct::reshape(ct::sum<0>(c.v), ct::shape<>{}));
  for (int i = 0; i < n; ++i) {
    cell *q = &cs[x[i] & 3];
    reinterpret_cast<float *>(&q->v)[i & 7] = float(s % 50);
    q = n > 3 ? q : &cs[0];
    s += int(reinterpret_cast<float *>(&q->v)[x[i + 1] & 7]) + *q->p;
  }
  ct::store(o + at<16>(), at<16>() + s);
}
__tile_global__ void filled(const int *x, int n, int *o) {
  int a[100];
  volatile int v[4] = {1, 2, 3, n};
  memset(a, n, sizeof a);
  tl<int, 64> t;
  memset(&t, x[3], sizeof t);
  auto q = a + at<64>();
  auto y = ct::load(q + v[n & 3]);
  v[x[1] & 3] = 9;
  if (n > 100) {
    ct::store(q, y);
    return;
  }
  ct::store_masked(q, y + t, at<64>() % 3 == 0);
  int *p = a;
  for (int i = 0; i < n; ++i, ++p)
    *p += v[i & 3];
  ct::store(o + at<64>(), ct::load(a + at<64>() / 2 * 1) + *p);
}
__tile_global__ void single(const int *x, int n, int *o) {
  tl<int> z = x[2];
  tl<int, 1> w = ct::load(x + at<1>());
  int *p = n & 1 ? reinterpret_cast<int *>(&z) : reinterpret_cast<int *>(&w);
  *p += n;
  tl<bool, 2, 4> b = ct::load(x + at<2, 4>()) > 3;
  bool any = false;
  for (int i = 0; i < 8; ++i)
    any ^= reinterpret_cast<bool *>(&b)[(i * n) & 7];
  ct::store(o + at<8>(), at<8>() * int(z) + int(w) + any);
}
#define RUN(k, n)                                                                                  \
  do {                                                                                             \
    run::array<int> x(64, [](auto i) { return int(i * 5 % 13) - 4; }), o(64);                      \
    k<<<3, 1>>>(x, n, o);                                                                          \
    o.fetch();                                                                                     \
    printf("%s %d:", #k, n);                                                                       \
    for (int i = 0; i < 64; ++i)                                                                   \
      printf(" %d", int(o[i]));                                                                    \
    printf("\n");                                                                                  \
  } while (0)
int main() {
  for (int n : {1, 4, 5, 6}) {
    RUN(half_of, n);
    RUN(others, n);
    RUN(mixed_array, n);
    RUN(cells, n);
    RUN(filled, n);
    RUN(single, n);
  }
}
