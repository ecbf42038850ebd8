// accept: inheritance, operators, templates, static members, names that are used from elsewhere
#include "../show.h"

namespace inherit_ {
struct A {
  int a;
  I8 t;
  __tile__ int get() const { return a; }
  __tile__ I8 twice() { return t * 2; }
};
struct B {
  float b;
  __tile__ float get() const { return b; }
};
struct C : A, B {
  int c;
  __tile__ int get() const { return A::get() + int(B::get()) + c; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  C c{{n, ct::iota<I8>()}, {2.5f}, 7};
  A &a = c;
  B *b = &c;
  a.a++;
  b->b *= 2;
  o[0] = c.get();
  o[1] = a.get();
  ct::store(o + 8 + ct::iota<I8>(), c.twice());
  o[2] = static_cast<C &>(a).c;
  A cut = c;
  cut.a = 0;
  o[3] = cut.a + c.a;
}
} // namespace inherit_

namespace inherit_private_using_ {
struct A {
  int a;
  __tile__ A(int x) : a(x) {}
  __tile__ int f(int x) const { return a + x; }
};
class B : private A {
public:
  using A::A;
  using A::f;
  __tile__ int f(float) const { return -1; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  B b(n);
  o[0] = b.f(1);
  o[1] = b.f(1.f);
}
} // namespace inherit_private_using_

namespace crtp_ {
template <class D> struct base {
  __tile__ auto twice() const { return static_cast<const D &>(*this).value() * 2; }
};
struct T : base<T> {
  I8 t;
  __tile__ I8 value() const { return t; }
};
struct V : base<V> {
  int v;
  __tile__ int value() const { return v; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  T t;
  t.t = ct::iota<I8>();
  V v;
  v.v = n;
  ct::store(o + ct::iota<I8>(), t.twice() + v.twice());
}
} // namespace crtp_

namespace operators_ {
struct V {
  I8 t;
  int s;
  __tile__ V operator+(const V &r) const { return {t + r.t, s + r.s}; }
  __tile__ V &operator+=(int x) {
    t = t + x;
    return *this;
  }
  __tile__ V &operator++() {
    ++s;
    return *this;
  }
  __tile__ V operator++(int) {
    V c = *this;
    ++s;
    return c;
  }
  __tile__ int operator[](int i) const { return s * i; }
  __tile__ I8 operator()(int x, int y = 2) const { return t * x + y; }
  __tile__ explicit operator bool() const { return s > 0; }
  __tile__ operator I8() const { return t; }
  __tile__ bool operator==(const V &r) const { return s == r.s; }
  friend __tile__ V operator*(int x, const V &r) { return {r.t * x, r.s}; }
  __tile__ V operator-() const { return {-t, -s}; }
  __tile__ const V *operator->() const { return this; }
  __tile__ int operator,(int x) const { return s + x; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  V a{ct::iota<I8>(), n}, b{ct::iota<I8>() * 2, 3};
  V c = a + b;
  c += 4;
  ++c;
  V d = c++;
  ct::store(o + ct::iota<I8>(), c(2) + (3 * d).t + (-a)->t);
  o[8] = c[2] + d.s;
  o[9] = bool(c) + (a == b) * 2 + (a != b) * 4;
  I8 t = a;
  ct::store(o + 16 + ct::iota<I8>(), t);
  o[10] = (a, 5);
  if (a)
    o[11] = 1;
}
} // namespace operators_

namespace default_eq_ {
struct V {
  int a, b;
  __tile__ bool operator==(const V &) const = default;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  V a{1, n}, b{1, 3};
  o[0] = a == b;
  o[1] = a != b;
}
} // namespace default_eq_

namespace template_members_ {
template <class T, int N> struct vec {
  T v[N];
  __tile__ T &operator[](int i) { return v[i]; }
  template <class F> __tile__ vec map(F fn) const {
    vec r;
    for (int i = 0; i < N; ++i)
      r.v[i] = fn(v[i]);
    return r;
  }
  template <class U> __tile__ operator vec<U, N>() const {
    vec<U, N> r;
    for (int i = 0; i < N; ++i)
      r.v[i] = U(v[i]);
    return r;
  }
};
template <class T, class... U> vec(T, U...) -> vec<T, 1 + sizeof...(U)>;
__tile_global__ void k(int *o, int *p, float *f, int n) {
  vec v{1, 2, n};
  auto w = v.map([](int x) { return x * x; });
  vec<float, 3> u = w;
  o[0] = w[2] + v[0];
  f[0] = u[1] / 2;
  vec<I8, 2> t{ct::iota<I8>(), ct::iota<I8>() * 2};
  t = t.map([&](I8 x) { return x + n; });
  ct::store(o + 8 + ct::iota<I8>(), t[0] + t[n & 1]);
}
} // namespace template_members_

namespace static_members_ {
struct S {
  static constexpr int size = 8;
  static constexpr float scale[2] = {1.5f, 2.5f};
  __tile__ static int f(int x) { return x + size; }
  enum { six = 6 };
  using T = tile<int, size>;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = S::f(n) + S::six + S::size;
  ct::store(o + 8 + ct::iota<S::T>(), ct::iota<S::T>() + S::size);
  S s;
  o[1] = s.size;
  constexpr float c = S::scale[1];
  f[0] = c;
}
} // namespace static_members_

namespace friend_ {
struct A {
  I8 t;
  __tile__ int size() const { return 8; }
  friend __tile__ int total(const A &a) { return int(ct::sum<0>(a.t)) + a.size(); }
};
__tile__ int measure(const auto &x)
  requires requires { x.size(); }
{
  return x.size();
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  A a{ct::iota<I8>()};
  o[0] = total(a) + measure(a);
}
} // namespace friend_

namespace tile_default_arg_ {
__tile__ I8 plus(I8 a, I8 b = ct::ones<I8>(), int c = 2) { return a + b * c; }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  ct::store(o + ct::iota<I8>(), plus(ct::iota<I8>()) + plus(ct::iota<I8>(), ct::zeros<I8>(), n));
}
} // namespace tile_default_arg_

namespace variadic_template_ {
template <class... T> __tile__ auto sum(T... t) { return (t + ...); }
template <class T, class... R> __tile__ int count(T, R... r) {
  if constexpr (sizeof...(r) == 0)
    return 1;
  else
    return 1 + count(r...);
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  ct::store(o + ct::iota<I8>(), sum(ct::iota<I8>(), 1, n));
  o[8] = count(1, 2.f, ct::iota<I8>());
}
} // namespace variadic_template_

namespace template_template_and_spec_ {
template <class T> struct size_of {
  static constexpr int v = sizeof(T);
};
template <class E, size_t... D> struct size_of<tile<E, D...>> {
  static constexpr int v = 1000 + int(sizeof...(D));
};
template <template <class> class Q, class T> __tile__ int ask(T) { return Q<T>::v; }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = ask<size_of>(n);
  o[1] = ask<size_of>(ct::iota<tile<int, 2, 4>>());
}
} // namespace template_template_and_spec_

namespace using_members_ {
struct A {
  int a;
  __tile__ A(int x) : a(x) {}
  __tile__ int f(int x) const { return a + x; }
  __tile__ int operator()(int x) const { return a * x; }
  int host() { return 1; }
};
struct B : private A {
  using A::A;
  using A::f;
  using A::operator();
  using A::a;
  using A::host;
};
template <class T> struct C : T {
  using T::f;
  using T::T;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  B b(n);
  o[0] = b.f(1) + b(3) + b.a;
  C<A> c(n);
  o[1] = c.f(2);
}
} // namespace using_members_

namespace using_enum_alias_ {
enum class E { x = 3, y };
template <class T> using vec = tile<T, 8>;
typedef vec<int> V;
struct H {
  __tile__ static int f() { return 2; }
  friend __tile__ int fr(H) { return 4; }
  template <class T> friend __tile__ int ft(H, T) { return 5; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  using enum E;
  using I = decltype(ct::iota<V>());
  I i = ct::iota<I>();
  ct::store(o + i, i + int(y));
  o[10] = H::f() + fr(H{}) + ft(H{}, 1);
}
} // namespace using_enum_alias_

namespace explicit_instantiations_ {
template <class T> __tile__ T tw(T x) { return x + x; }
template __tile__ int tw(int);
template __tile__ float tw<float>(float);
extern template __tile__ double tw(double);
template <> __tile__ short tw(short x) { return 7; }
template <class T> struct S {
  __tile__ T f(T x);
  T h;
};
template <class T> __tile__ T S<T>::f(T x) { return x * 3; }
template struct S<int>;
template <> __tile__ float S<float>::f(float x) { return x + 100; }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = tw(n) + tw(short(1));
  f[0] = tw(1.5f);
  S<int> s;
  o[1] = s.f(n);
  S<float> u;
  f[1] = u.f(2);
}
} // namespace explicit_instantiations_

namespace deleted_defaulted_ {
struct S {
  int a;
  __tile__ S() = default;
  __tile__ S(const S &) = default;
  __tile__ S &operator=(const S &) = delete;
  __tile__ ~S() = default;
  __tile__ static int f(int) { return 1; }
  __tile__ static int f(float) = delete;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s;
  s.a = n;
  S t = s;
  o[0] = t.a + S::f(1);
}
} // namespace deleted_defaulted_

int main() {
  SHOW(inherit_::k);
  SHOW(inherit_private_using_::k);
  SHOW(crtp_::k);
  SHOW(operators_::k);
  SHOW(default_eq_::k);
  SHOW(template_members_::k);
  SHOW(static_members_::k);
  SHOW(friend_::k);
  SHOW(tile_default_arg_::k);
  SHOW(variadic_template_::k);
  SHOW(template_template_and_spec_::k);
  SHOW(using_members_::k);
  SHOW(using_enum_alias_::k);
  SHOW(explicit_instantiations_::k);
  SHOW(deleted_defaulted_::k);
  return probe_bad;
}
