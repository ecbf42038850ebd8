// Fifty near-misses in kernels that are right: constraints that fail where that is a question,
// overloads that fall back, operators of the program's own, names of the header's in its own
// namespaces, macros, functions of other libraries beside, code that is never instantiated.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cuda/std/cmath>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <type_traits>
#include <utility>
namespace ct = cuda::tiles;
using namespace ct::literals;
using F8 = ct::tile<float, ct::shape<8>>;
using F16 = ct::tile<float, ct::shape<16>>;
using H8 = ct::tile<__half, ct::shape<8>>;
using I8 = ct::tile<int, ct::shape<8>>;

// Questions.
template <class A, class B>
concept adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept adds_to = requires(A a, B b) { a += b; };
static_assert(adds<F8, F8> && !adds<F8, F16> && !adds<F8, double> && adds<F8, int>);
template <class T>
concept indexed = requires(T x) { x[0]; };
template <class T>
concept counts = requires(T x) { ++x; };
template <class T>
concept multiplies = requires(T x) { ct::mma(x, x, x); };
template <class T>
concept sized = requires(T x) { x.size(); };
template <unsigned N>
concept shapes = requires { typename ct::tile<float, ct::shape<N>>; };
template <class T, class S>
concept reshapes = requires(T x) { ct::reshape(x, S{}); };
template <class T, int Dim>
concept sums = requires(T x) { ct::sum<Dim>(x); };
template <class P>
concept loads = requires(P p) { ct::atomic_load(p); };
template <class P, class T>
concept stores = requires(P p, T x) { ct::store(p, x); };
static_assert(!adds_to<F8, F8> && !indexed<F8> && !counts<F8> && !multiplies<F8> && !sized<F8>);
static_assert(!std::convertible_to<F8, float> && !std::convertible_to<F8, H8>);
static_assert(!std::constructible_from<F8, F16> && std::constructible_from<H8, F8>);
static_assert(!shapes<3> && shapes<4> && !reshapes<F8, ct::shape<4>>);
static_assert(!sums<F8, 1> && sums<F8, 0> && !loads<int *> && !stores<const float *, F8>);
static_assert(!std::is_invocable_v<decltype([](auto x) -> decltype(x & x) { return x; }), F8>);
template <class T, class = void> struct has_less : std::false_type {};
template <class T> using less = decltype(std::declval<T>() < std::declval<F16>());
template <class T> struct has_less<T, std::void_t<less<T>>> : std::true_type {};
static_assert(!has_less<F8>::value && has_less<F16>::value);
template <class T> __tile__ auto chosen(T x, int) -> decltype(x % x) { return x % x; }
template <class T> __tile__ auto chosen(T x, long) { return x; }
template <class A, class B> __tile__ A sum_of(A a, B b) {
  if constexpr (adds<A, B>)
    return a + b;
  else
    return a;
}
template <class T>
  requires requires(T x) { x << 1; }
__tile__ T shifted(T x) {
  return x << 1;
}
template <class T> __tile__ T shifted(T x) { return x; }

// The program's own.
namespace own {
struct vector {
  float x, y;
};
__tile__ vector operator+(vector a, vector b) { return {a.x + b.x, a.y + b.y}; }
__tile__ vector operator+(vector a, F8) { return a; }
__tile__ vector &operator+=(vector &a, vector b) { return a = a + b; }
__tile__ vector operator*(F8, vector b) { return b; }
__tile__ bool operator<(vector a, F8) { return a.x < 0; }
struct tile {
  int rows;
};
struct shape {};
template <class T> __tile__ T exp(T x) { return x; }
__tile__ int load(int x) { return x; }
__tile__ int store(int x, int) { return x; }
__tile__ int sum(tile t) { return t.rows; }
__tile__ float mma(float a, float b, float c) { return a * b + c; }
__tile__ int assume_aligned(int x) { return x; }
} // namespace own
struct Wrapper {
  F8 value;
  __tile__ Wrapper operator+(Wrapper other) const { return {value + other.value}; }
  __tile__ Wrapper &operator+=(F8 other) { return value = value + other, *this; }
  __tile__ float operator[](int) const { return 0; }
  __tile__ operator F8() const { return value; }
};
__tile__ int reduce(...) = delete;
template <class T> __tile__ T reduce(T x) { return x; }
int threads(int threadIdx) { return threadIdx; }

// Never instantiated, or not with what would be wrong.
template <class T> __tile__ void never(T x) {
  auto y = x + ct::zeros<F16>();
  x += y[0];
  ct::exp(x);
}
template <class T> struct Holder {
  ct::tile<T, ct::shape<8>> value;
  __tile__ auto wrong() { return value + ct::zeros<F16>(); }
  __tile__ auto right() { return value + value; }
};
template <bool B, class T> __tile__ float branch(T x) {
  if constexpr (B)
    return ct::sum<1>(x);
  return 0.0f;
}
#if 0
__tile_global__ void skipped() { F8 x; x + 1.0; threadIdx.x; }
#endif
#define ADD(a, b) ((a) + (b))
#define exp_of(x) ct::exp(x)
#define NAME(x) #x
const char *name = NAME(F8{} += threadIdx);

float host(float x) { return cuda::std::sqrt(std::fabs(std::max(x, 1.0f))); }
__tile_global__ void near(float *p, int n) {
  auto x = ct::full<F8>(1.0f);
  auto i = ct::iota<I8>();
  x = sum_of(x, ct::zeros<F16>()) + chosen(x, 0) + shifted(x);
  i = chosen(i + 1, 0) + shifted(i);
  own::vector v{1, 2};
  v += v + v + x;
  v = x * v;
  if (v < x)
    n = own::load(n) + own::sum(own::tile{n});
  own::store(n, n);
  own::assume_aligned(n);
  exp(v);
  own::exp(x);
  own::mma(1, 2, 3);
  Wrapper w{x};
  w += x;
  w = w + w;
  x = ADD(x, w.value) + exp_of(x) + reduce(x);
  float f = w[3] + ct::sqrt(2.0f) + float(__half(1.0f));
  auto twice = [](auto y) { return y + y; };
  x = twice(x) + twice(f);
  Holder<float> holder{x};
  x = holder.right() * branch<false>(x);
  if (ct::all_of<0>(x > 0.0f))
    x = -x;
  using ct::max;
  x = max(x, 0.0f) + ct::min(x, ct::max(1.0f, f));
  ct::store(p + i, x);
}
