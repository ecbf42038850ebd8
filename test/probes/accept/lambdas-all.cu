// accept: captures of each kind, generic, constant, nested and returned lambdas
#include "../show.h"

namespace generic_tiles_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto l5 = [&](auto v) { return v + n; };
  ct::store(o + 32 + i, l5(i));
  auto sq = [](ct::arithmetic_tile auto v) { return v * v; };
  o[0] = sq(n);
  ct::store(o + 8 + i, sq(i));
}
} // namespace generic_tiles_

namespace immediate_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  const auto t = [&] {
    if (n > 3)
      return i + 1;
    return i - 1;
  }();
  ct::store(o + i, t);
  o[8] = [](int x) -> long { return x * 2; }(n);
  o[9] = [&, n]() mutable {
    n += 2;
    return n;
  }() + n;
}
} // namespace immediate_

namespace constexpr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  constexpr auto sq = [](int x) { return x * x; };
  constexpr int nine = sq(3);
  auto t = ct::iota<tile<int, size_t(sq(2))>>();
  static_assert(nine == 9);
  ct::store(o + t, t + sq(n));
}
} // namespace constexpr_

namespace consteval_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto sq = [](int x) consteval { return x * x; };
  o[0] = sq(3) + n;
}
} // namespace consteval_

namespace static_recursion_ {
template <int N, class F> __tile__ void unroll(F fn) {
  if constexpr (N > 0) {
    unroll<N - 1>(fn);
    fn(ct::integral_constant<N - 1>{});
  }
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int s = 1;
  unroll<5>([&](auto i) {
    s = s * 2 + int(i);
    o[i] = s;
  });
}
} // namespace static_recursion_

namespace to_function_ {
template <class F> __tile__ auto apply(F fn, int x) { return fn(fn(x)); }
template <class F> __tile__ auto applyr(F &&fn, int x) { return static_cast<F &&>(fn)(x); }
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int c = 0;
  auto l = [&c, n](int x) {
    ++c;
    return x + n;
  };
  o[0] = apply(l, 1);
  o[1] = c;
  o[2] = applyr(l, 3);
  o[3] = applyr([](int x) { return -x; }, 3);
}
} // namespace to_function_

namespace return_lambda_ {
__tile__ auto adder(int n) {
  return [n](auto x) { return x + n; };
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto a = adder(n);
  ct::store(o + ct::iota<I8>(), a(ct::iota<I8>()));
  auto b = [a](int m) { return [=](int q) { return a(q) * m; }; };
  o[10] = b(2)(3);
}
} // namespace return_lambda_

namespace copied_mutable_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto c = [s = 0]() mutable { return ++s; };
  auto d = c;
  c();
  c();
  d();
  o[0] = c();
  o[1] = d();
  auto &e = c;
  o[2] = e();
}
} // namespace copied_mutable_

namespace array_of_lambdas_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto make = [](int by) { return [by](int x) { return x + by; }; };
  decltype(make(1)) a[3] = {make(1), make(2), make(3)};
  int s = 0;
  for (auto &l : a)
    s = l(s);
  o[0] = s;
  o[1] = a[n - 3](1);
}
} // namespace array_of_lambdas_

namespace capture_this_ {
struct S {
  int v;
  I8 t;
  __tile__ auto by_ref() {
    return [this](int x) {
      v += x;
      t = t + x;
      return v;
    };
  }
  __tile__ auto by_copy() {
    return [*this](int x) { return v + x; };
  }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S s{n, ct::iota<I8>()};
  o[0] = s.by_ref()(3);
  auto c = s.by_copy();
  s.v = 0;
  o[1] = c(1);
  ct::store(o + 8 + ct::iota<I8>(), s.t);
}
} // namespace capture_this_

namespace capture_structured_binding_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  struct {
    int a;
    float b;
    I8 t;
  } s{n, 2.5f, ct::iota<I8>()};
  auto [a, b, t] = s;
  auto l = [a, &b, t] {
    b += a;
    return t + a;
  };
  ct::store(o + ct::iota<I8>(), l());
  f[0] = b;
}
} // namespace capture_structured_binding_

namespace init_capture_pack_ {
template <class... T> __tile__ auto hold(T... t) {
  return [... u = t](auto g) { return g(u...); };
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto h = hold(ct::iota<I8>(), n, 2.5f);
  ct::store(o + ct::iota<I8>(), h([](auto t, int a, float b) { return t * a + int(b); }));
}
} // namespace init_capture_pack_

namespace static_in_lambda_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto l = [](int x) {
    static const int t[3] = {4, 5, 6};
    return t[x];
  };
  o[0] = l(n - 4);
}
} // namespace static_in_lambda_

namespace nested_ref_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int a = 1;
  I8 t = ct::iota<I8>();
  auto outer = [&] {
    auto inner = [&](int d) {
      a += d;
      t = t + a;
    };
    for (int j = 0; j < n; ++j)
      inner(j);
    return a;
  };
  o[0] = outer();
  ct::store(o + 8 + ct::iota<I8>(), t);
}
} // namespace nested_ref_

namespace ref_to_loop_var_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int s = 0;
  for (int j = 0; j < n; ++j) {
    auto skip = [&] { ++j; };
    if (j == 2)
      skip();
    s = s * 10 + j;
  }
  o[0] = s;
}
} // namespace ref_to_loop_var_

namespace default_args_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto l = [](int a, int b = 7, auto... r) { return a * b + sizeof...(r); };
  o[0] = l(n);
  o[1] = l(n, 2);
  o[2] = l(n, 2, 3, 4);
}
} // namespace default_args_

namespace overload_set_ {
template <class... L> struct over : L... {
  using L::operator()...;
};
template <class... L> over(L...) -> over<L...>;
__tile_global__ void k(int *o, int *p, float *f, int n) {
  over v{[](int x) { return x + 1; }, [](float x) { return int(x * 10); },
         [](I8 t) { return t * 3; }};
  o[0] = v(n);
  o[1] = v(1.5f);
  ct::store(o + 8 + ct::iota<I8>(), v(ct::iota<I8>()));
}
} // namespace overload_set_

namespace capture_array_tiles_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  I8 a[2] = {ct::iota<I8>(), ct::iota<I8>() + 10};
  auto l = [a](int j) { return a[j]; };
  auto m = [&a](int j) { a[j] = a[j] + 1; };
  m(1);
  ct::store(o + ct::iota<I8>(), l(n & 1) + a[n & 1]);
}
} // namespace capture_array_tiles_

namespace capture_view_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto v = ct::partition_view{ct::tensor_span{p, ct::extents{64}}, ct::shape<8>{}};
  auto at = [v](int j) { return v.load(j); };
  auto put = [&](int j, I8 t) { v.store(t, j); };
  put(1, at(0) + at(2));
}
} // namespace capture_view_

namespace void_return_tile_arg_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto l = [&](tile<int, 8> t, auto where) -> void {
    if (n > 100)
      return;
    ct::store(o + where + ct::iota<I8>(), t);
  };
  l(ct::iota<I8>(), 0);
  l(ct::iota<I8>() * 2, 8ll);
}
} // namespace void_return_tile_arg_

namespace template_lambda_n_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto l = []<size_t N>(tile<int, N> t) { return int(ct::sum<0>(t)) + int(N); };
  o[0] = l(ct::iota<I8>());
  o[1] = l.operator()<8>(ct::iota<I8>());
}
} // namespace template_lambda_n_

int main() {
  SHOW(generic_tiles_::k);
  SHOW(immediate_::k);
  SHOW(constexpr_::k);
  SHOW(consteval_::k);
  SHOW(static_recursion_::k);
  SHOW(to_function_::k);
  SHOW(return_lambda_::k);
  SHOW(copied_mutable_::k);
  SHOW(array_of_lambdas_::k);
  SHOW(capture_this_::k);
  SHOW(capture_structured_binding_::k);
  SHOW(init_capture_pack_::k);
  SHOW(static_in_lambda_::k);
  SHOW(nested_ref_::k);
  SHOW(ref_to_loop_var_::k);
  SHOW(default_args_::k);
  SHOW(overload_set_::k);
  SHOW(capture_array_tiles_::k);
  SHOW(capture_view_::k);
  SHOW(void_return_tile_arg_::k);
  SHOW(template_lambda_n_::k);
  return probe_bad;
}
