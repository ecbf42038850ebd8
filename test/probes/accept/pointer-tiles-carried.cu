// accept: pointer tiles in loops, functions, arrays, structs, lambdas and branches
#include "../show.h"

namespace loop_carried_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = p + i;
  auto r = p + 32 + i;
  auto sum = ct::zeros<I8>();
  for (int j = 0; j < n; ++j) {
    sum = sum + ct::load(q) * 2 - ct::load(r);
    auto t = q;
    q = r - 1;
    r = t + 2;
  }
  ct::store(o + i, sum);
  ct::store(o + 8 + i, ct::element_cast<int>(q - p) * 100 + ct::element_cast<int>(r - p));
  while (n-- > 0)
    q = ct::select(i > n, q, q + 1);
  ct::store(o + 16 + i, ct::load(q - 28));
}
} // namespace loop_carried_

namespace loop_irange_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 q = ct::full<P8>(p);
  for (auto j : ct::irange(0, n, 2))
    q = q + i * j;
  ct::store(o + i, ct::load(q - i * 4));
}
} // namespace loop_irange_

namespace functions_ {
__tile__ P8 step(P8 q, int by) { return q + by; }
__tile__ void bump(P8 &q, const P8 &by) { q = ct::select(q == by, q + 1, q); }
template <class T> __tile__ auto through(T pointers) { return ct::load(pointers); }
template <class E, size_t N> __tile__ tile<E *, N> offset(tile<E *, N> q) { return q + 2; }
struct pair {
  P8 a, b;
};
__tile__ pair both(int *p) { return {p + ct::iota<I8>(), ct::full<P8>(p + 9)}; }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = step(p + i, n);
  bump(q, p + 8 + i * 0);
  ct::store(o + i, through(q));
  ct::store(o + 8 + i, through(offset(q)));
  auto [a, b] = both(p);
  ct::store(o + 16 + i, through(a) + through(b));
  auto l = [&](auto r) { return through(r + i); };
  ct::store(o + 24 + i, l(p));
}
} // namespace functions_

namespace array_struct_tile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  struct S {
    P8 q;
    int x;
  } s[2] = {{p + i, 3}, {p + 20 + i, 4}};
  s[n & 1].q = s[0].q + s[n & 1].x;
  ct::store(o + 8 + i, ct::load(s[1].q));
}
} // namespace array_struct_tile_

namespace array_ref_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 a[3] = {p + i, p + 8 + i, p + 16 + i};
  P8 &ref = n > 3 ? a[0] : a[2];
  ref = ref + 1;
  ct::store(o + 16 + i, ct::load(a[0]));
}
} // namespace array_ref_

namespace two_refs_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 a = p + i, b = p + 8 + i;
  P8 &ref = n > 3 ? a : b;
  ref = ref + 1;
  ct::store(o + 16 + i, ct::load(a));
}
} // namespace two_refs_

namespace array_dyn_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 a[3] = {p + i, p + 8 + i, p + 16 + i};
  a[n - 4] = a[n - 4] + 1;
  ct::store(o + i, ct::load(a[1]) + ct::load(a[n - 3]));
}
} // namespace array_dyn_

namespace default_constructed_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  P8 q;
  if (n > 3)
    q = p + ct::iota<I8>();
  else
    q = o + ct::iota<I8>();
  ct::store(o + ct::iota<I8>(), ct::load(q));
  P8 r = n > 4 ? p + ct::iota<I8>() : p + 8 + ct::iota<I8>();
  ct::store(o + 8 + ct::iota<I8>(), ct::load(r));
}
} // namespace default_constructed_

namespace switch_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 q = p + i;
  switch (n) {
  case 1: q = q + 1; break;
  case 5: q = q + 5; [[fallthrough]];
  case 6: q = q + 6; break;
  default: q = o + i;
  }
  ct::store(o + i, ct::load(q));
}
} // namespace switch_

namespace lambda_capture_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = p + i;
  auto get = [q](int by) { return ct::load(q + by); };
  auto move = [&q](int by) mutable { q = q + by; };
  move(2);
  ct::store(o + i, get(1) + ct::load(q));
}
} // namespace lambda_capture_

namespace memcpy_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto q = p + ct::iota<I8>();
  P8 r;
  memcpy((void *)&r, &q, sizeof q);
  ct::store(o + ct::iota<I8>(), ct::load(r));
}
} // namespace memcpy_

int main() {
  SHOW(loop_carried_::k);
  SHOW(loop_irange_::k);
  SHOW(functions_::k);
  SHOW(array_struct_tile_::k);
  SHOW(array_ref_::k);
  SHOW(two_refs_::k);
  SHOW(array_dyn_::k);
  SHOW(default_constructed_::k);
  SHOW(switch_::k);
  SHOW(lambda_capture_::k);
  SHOW(memcpy_::k);
  return probe_bad;
}
