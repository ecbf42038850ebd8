// What looks like a mistake and is none: operations that drop out of overloads, requirements that
// are not met, operators of the program's own types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

// Requirements.
template <class X, class Y>
concept addable = requires(X x, Y y) { x + y; };
template <class X, class Y>
concept comparable = requires(X x, Y y) { x < y; };
template <class X>
concept has_sum = requires(X x) { ct::sum<1>(x); };
template <class P, class V>
concept storable = requires(P p, V v) { ct::store(p, v); };
template <unsigned N>
concept tileable = requires { typename ct::tile<int, ct::shape<N>>; };
static_assert(!addable<tile<float, 4, 8>, tile<float, 4, 16>>);
static_assert(!addable<tile<float, 8>, double> && addable<tile<float, 8>, float>);
static_assert(!comparable<tile<__half, 8>, tile<__nv_bfloat16, 8>>);
static_assert(!has_sum<tile<float, 8>> && has_sum<tile<float, 8, 4>>);
static_assert(!storable<const float *, float> && !storable<float *, double>);
static_assert(!tileable<3> && tileable<4>);

// The first overload drops out.
template <class X, class Y> __tile__ auto sum_or_left(X x, Y y, int) -> decltype(x + y) {
  return x + y;
}
template <class X, class Y> __tile__ X sum_or_left(X x, Y, long) { return x; }
template <class T>
  requires addable<T, double>
__tile__ auto doubled(T x) {
  return x + 2.0;
}
template <class T> __tile__ auto doubled(T x) { return x + x; }

// Operators of the program's own types, with tiles beside them.
struct scaled {
  float factor;
};
template <class E, class S> __tile__ auto operator*(scaled s, ct::tile<E, S> x) {
  return x * s.factor;
}
struct quantity {
  int value;
  friend __tile__ quantity operator+(quantity a, quantity b) { return {a.value + b.value}; }
  friend __tile__ bool operator&&(quantity a, bool b) { return a.value != 0 && b; }
};
template <class T> struct wrapper {
  T inner;
  template <class U> __tile__ friend auto operator+(wrapper a, U b) { return a.inner + b; }
};

// Discarded statements and unevaluated operands.
template <class T> __tile__ auto guarded(T x) {
  if constexpr (addable<T, tile<float, 16>>)
    return x + tile<float, 16>();
  else
    return x;
}
template <class T> __tile__ void never(T x) { ct::mma(x, x, x); }
using type = decltype(ct::zeros<tile<float, 4, 8>>() + ct::ones<tile<float, 8>>());

__tile_global__ void uses(float *p) {
  auto x = ct::zeros<tile<float, 4, 8>>();
  auto y = sum_or_left(x, ct::zeros<tile<float, 4, 16>>(), 0);
  auto z = doubled(x) + scaled{2.0f} * x;
  auto q = quantity{1} + quantity{2};
  auto w = wrapper<tile<float, 8>>{ct::ones<tile<float, 8>>()} + 1.0f;
  auto g = guarded(x);
  p[0] = q && true ? 1.0f : 0.0f;
}
