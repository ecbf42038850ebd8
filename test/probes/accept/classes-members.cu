// accept: constructors, destructors, copies, members that are tiles, references, unions
#include "../show.h"
#include <new>

namespace ctor_default_members_ {
struct S {
  int a = 3;
  I8 t = ct::iota<I8>();
  float b{1.5f};
  __tile__ S() = default;
  __tile__ S(int x) : a(x) { t = t + x; }
  __tile__ S(int x, float y) : S(x) { b = y; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s, u(n), v(n, 4.f);
  ct::store(o + ct::iota<I8>(), s.t + u.t + v.t);
  o[8] = s.a + u.a;
  f[0] = s.b + v.b;
  S w = v;
  w.a++;
  o[9] = w.a + v.a;
  v = s;
  o[10] = v.a;
}
} // namespace ctor_default_members_

namespace ctor_default_unmarked_ {
struct S {
  int a = 3;
  I8 t = ct::iota<I8>();
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s;
  S u{4};
  S v{.t = ct::zeros<I8>()};
  ct::store(o + ct::iota<I8>(), s.t + u.t + v.t);
  o[8] = s.a + u.a * 10 + v.a * 100;
}
} // namespace ctor_default_unmarked_

namespace destructor_ {
struct S {
  int *o;
  __tile__ S(int *q) : o(q) { o[0]++; }
  __tile__ ~S() { o[1]++; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  {
    S a(o);
    if (n > 3) {
      S b(o);
      o[2] = o[0];
    }
  }
  for (int j = 0; j < n; ++j) {
    S c(o);
    if (j == 2)
      continue;
    if (j == 3)
      break;
  }
  S d(o);
  if (n == 5)
    return;
  o[5] = 1;
}
} // namespace destructor_

namespace copy_move_ {
struct S {
  int v;
  int *o;
  __tile__ S(int x, int *q) : v(x), o(q) {}
  __tile__ S(const S &s) : v(s.v + 1), o(s.o) { o[0]++; }
  __tile__ S(S &&s) : v(s.v + 10), o(s.o) {
    s.v = 0;
    o[1]++;
  }
  __tile__ S &operator=(const S &s) {
    v = s.v;
    o[2]++;
    return *this;
  }
  __tile__ S &operator=(S &&s) {
    v = s.v + 1000;
    o[3]++;
    return *this;
  }
};
__tile__ S pass(S s) {
  s.v += 100;
  return s;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S a(n, o);
  S b = a;
  S c = static_cast<S &&>(b);
  S d = pass(a);
  d = c;
  c = pass(d);
  o[8] = a.v;
  o[9] = b.v;
  o[10] = c.v;
  o[11] = d.v;
}
} // namespace copy_move_

namespace references_ {
struct R {
  int &x;
  const I8 &t;
  int *q;
  __tile__ void bump() {
    x += 2;
    ++*q;
  }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int a = 1, b = 10;
  I8 t = ct::iota<I8>();
  R r{a, t, &b};
  r.bump();
  t = t + 1;
  ct::store(o + ct::iota<I8>(), r.t);
  o[8] = a;
  o[9] = b;
  int &ref = o[10];
  ref = 7;
  int *&pp = r.q;
  pp = &a;
  r.bump();
  o[11] = a;
  const int &life = n + 1;
  o[12] = life;
  int &&rv = n * 2;
  rv++;
  o[13] = rv;
}
} // namespace references_

namespace structured_bindings_ {
struct S {
  I8 t;
  int x;
  float y;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{ct::iota<I8>(), n, 2.5f};
  auto [t, x, y] = s;
  auto &[t2, x2, y2] = s;
  x2 = 9;
  t2 = t2 + x;
  ct::store(o + ct::iota<I8>(), t + s.t);
  o[8] = x + s.x;
  f[0] = y * y2;
  int a[2] = {n, 3};
  auto [u, v] = a;
  auto &&[w, z] = a;
  w = 7;
  o[9] = u * 100 + v * 10 + a[0];
}
} // namespace structured_bindings_

namespace union_ {
union U {
  int i;
  float f;
  unsigned char b[4];
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  U u;
  u.f = 1.0f;
  o[0] = u.i;
  u.i = n;
  o[1] = u.b[0];
  struct {
    int tag;
    union {
      int x;
      double d;
    };
  } s;
  s.d = 2.5;
  s.x = n;
  o[2] = s.x;
}
} // namespace union_

namespace union_tiles_ {
union U {
  I8 i;
  F8 f;
  __tile__ U() {}
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  U u;
  u.f = ct::ones<F8>();
  ct::store(o + ct::iota<I8>(), u.i);
}
} // namespace union_tiles_

namespace empty_no_unique_ {
struct E {};
struct S {
  [[no_unique_address]] E e;
  int x;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{{}, n};
  E e = s.e;
  o[0] = s.x + int(sizeof(S));
  (void)e;
}
} // namespace empty_no_unique_

namespace pointer_to_member_ {
struct S {
  int a, b;
  I8 t;
  __tile__ int get(int x) const { return a + x; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{1, 2, ct::iota<I8>()};
  int S::*m = n > 3 ? &S::a : &S::b;
  o[0] = s.*m;
  S *q = &s;
  o[1] = q->*m;
  I8 S::*mt = &S::t;
  ct::store(o + 8 + ct::iota<I8>(), s.*mt);
}
} // namespace pointer_to_member_

namespace local_class_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  struct L {
    int a;
    __tile__ int f() { return a + 1; }
    struct M {
      int b = 4;
    };
    M m;
  } l{n};
  o[0] = l.f() + l.m.b;
}
} // namespace local_class_

namespace mutable_const_ {
struct S {
  mutable int hits;
  I8 t;
  __tile__ I8 get() const {
    ++hits;
    return t;
  }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  const S s{0, ct::iota<I8>()};
  ct::store(o + ct::iota<I8>(), s.get() + s.get());
  o[8] = s.hits;
}
} // namespace mutable_const_

namespace volatile_member_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  struct {
    volatile int a;
    int b;
  } s{n, 2};
  s.a = s.a + 1;
  o[0] = s.a + s.b;
  volatile float x = 2;
  x = x * 2;
  f[0] = x;
}
} // namespace volatile_member_

namespace reference_wrapper_chain_ {
struct node {
  int v;
  node *next;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  node a{1, nullptr}, b{2, &a}, c{3, &b};
  int s = 0;
  for (node *q = &c; q; q = q->next)
    s = s * 10 + q->v;
  o[0] = s;
}
} // namespace reference_wrapper_chain_

namespace aggregate_nested_init_ {
struct P {
  int x, y;
};
struct L {
  P a, b;
  I8 t;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  L l = {{1, 2}, {.y = n}, ct::iota<I8>()};
  P q[2] = {{n}, {3, 4}};
  q[1] = l.a;
  l.b = q[0];
  o[0] = l.b.x * 1000 + l.b.y * 100 + q[1].x * 10 + q[1].y;
  L m{};
  o[1] = m.a.x;
}
} // namespace aggregate_nested_init_

namespace struct_memory_ {
struct S {
  int a;
  float b;
  short c;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S *s = reinterpret_cast<S *>(p);
  S t = s[1];
  t.a += n;
  s[2] = t;
  s[0].c = 7;
  o[0] = s[2].a;
  s->b = 1.5f;
  S u[2] = {s[0], s[2]};
  s[3] = u[n & 1];
}
} // namespace struct_memory_

namespace struct_with_tile_memory_ {
struct S {
  int a;
  I8 t;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S *s = reinterpret_cast<S *>(p);
  s[1].t = s[0].t + s[1].a;
  s[2].a = n;
}
} // namespace struct_with_tile_memory_

namespace this_return_chain_ {
struct B {
  int v = 0;
  I8 t = ct::zeros<I8>();
  __tile__ B &add(int x) {
    v += x;
    return *this;
  }
  __tile__ B &&with(I8 u) && {
    t = u;
    return static_cast<B &&>(*this);
  }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  B b;
  b.add(1).add(n).add(2);
  o[0] = b.v;
  B c = B().with(ct::iota<I8>());
  ct::store(o + 8 + ct::iota<I8>(), c.t);
}
} // namespace this_return_chain_

namespace new_placement_scalar_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  struct P {
    int a, b;
  };
  alignas(P) unsigned char buf[sizeof(P)];
  P *s = new (buf) P{n, 4};
  o[0] = s->a * s->b;
  new (o + 1) int(8);
}
} // namespace new_placement_scalar_

int main() {
  SHOW(ctor_default_members_::k);
  SHOW(ctor_default_unmarked_::k);
  SHOW(destructor_::k);
  SHOW(copy_move_::k);
  SHOW(references_::k);
  SHOW(structured_bindings_::k);
  SHOW(union_::k);
  SHOW(union_tiles_::k);
  SHOW(empty_no_unique_::k);
  SHOW(pointer_to_member_::k);
  SHOW(local_class_::k);
  SHOW(mutable_const_::k);
  SHOW(volatile_member_::k);
  SHOW(reference_wrapper_chain_::k);
  SHOW(aggregate_nested_init_::k);
  SHOW(struct_memory_::k);
  SHOW(struct_with_tile_memory_::k);
  SHOW(this_return_chain_::k);
  SHOW(new_placement_scalar_::k);
  return probe_bad;
}
