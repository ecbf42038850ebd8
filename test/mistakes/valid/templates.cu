// Valid programs with tiles in templates: constraints that choose, operations that are never
// instantiated, generic lambdas, members of class templates, mixed headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <type_traits>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;

// Detection by void_t and by a default argument.
template <class A, class B, class = void> struct multiplies : std::false_type {};
template <class A, class B>
struct multiplies<A, B, std::void_t<decltype(ct::matmul(std::declval<A>(), std::declval<B>()))>>
    : std::true_type {};
static_assert(multiplies<tile<float, 4, 8>, tile<float, 8, 4>>::value);
static_assert(!multiplies<tile<float, 4, 8>, tile<float, 4, 8>>::value);
static_assert(!multiplies<tile<__half, 4, 8>, tile<__nv_bfloat16, 8, 4>>::value);

template <class T, class = decltype(ct::sum<1>(std::declval<T>()))> constexpr bool is_matrix(int) {
  return true;
}
template <class T> constexpr bool is_matrix(long) { return false; }
static_assert(is_matrix<tile<float, 4, 4>>(0) && !is_matrix<tile<float, 4>>(0));

// Concepts in each place where they may stand.
template <class V, class T>
concept stores = requires(V v, T t) { v.store(t, 0); };
template <ct::tile_like T> __tile__ auto twice(T x) { return x + x; }
template <ct::floating_point_tile T> __tile__ int kind(T) { return 1; }
template <ct::integral_tile T> __tile__ int kind(T) { return 2; }
template <ct::pointer_tile T> __tile__ int kind(T) { return 3; }
template <class T>
  requires(!ct::tile_like<T>)
__tile__ int kind(T) {
  return 4;
}
struct plain {};
enum class level { low, high };

// Chosen by the shape.
template <class T> __tile__ auto last(T x) {
  if constexpr (ct::tile_shape_t<T>::rank() == 2)
    return ct::sum<1>(x);
  else
    return ct::sum<0>(x);
}
template <class T> __tile__ auto padded(T x) {
  if constexpr (requires { x + tile<float, 16>(); })
    return x + tile<float, 16>();
  else
    return ct::cat<0>(x, x);
}

template <class T, int N> struct accumulator {
  tile<T, N> sum = ct::zeros<tile<T, N>>();
  template <class U>
    requires ct::non_narrowing_tile_convertible_to<U, tile<T, N>>
  __tile__ void add(U x) {
    sum = sum + tile<T, N>(x);
  }
  template <class U> __tile__ void unused(U x) { sum = sum * x.nothing(); }
};

// A function that takes tiles by conversion, and one that a narrowing would need.
__tile__ double total(tile<double, 8> x) { return double(ct::sum<0>(x)); }
__tile__ int chosen(tile<float, 8>, int) { return 1; }
__tile__ int chosen(tile<double, 8>, long) { return 2; }

// Names as those of the library, in namespaces of the program.
namespace mine {
template <class T> __tile__ T where(T x, T) { return x; }
__tile__ inline int load(int x) { return x; }
__tile__ inline float sum(float x) { return x; }
struct tile {
  int rows;
  __tile__ tile operator+(double) const { return *this; }
  __tile__ int operator[](int i) const { return rows + i; }
  __tile__ tile &operator+=(int n) {
    rows += n;
    return *this;
  }
};
} // namespace mine

template <class E> __tile_global__ void kernel(E *p, int n) {
  auto x = ct::load(p + ct::iota<tile<int, 8>>());
  auto apply = [](auto a, auto b) { return a * b; };
  auto y = apply(x, E(2));
  auto z = twice(x) + last(ct::zeros<tile<E, 8, 4>>());
  auto w = padded(y);
  accumulator<E, 8> a;
  a.add(x);
  int kinds = kind(x) + kind(p + ct::iota<tile<int, 8>>()) + kind(plain()) + kind(level::low);
  mine::tile m{n};
  m += m[1] + mine::load(kinds);
  m = m + 1.5;
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{n}}, ct::shape<8>{}};
  static_assert(stores<decltype(view), tile<E, 8>> && !stores<decltype(view), tile<E, 4>>);
  static_assert(!stores<decltype(view), E>);
  view.store_masked(y, m.rows);
  if (int(ct::reduce_max(x > E(0), 0_ic)) != 0)
    p[0] = E(mine::sum(float(total(ct::element_cast<double>(x))))) + E(mine::where(1, 2));
}
void launch(float *p, double *q) {
  kernel<<<4, 1>>>(p, 8);
  kernel<<<dim3(2, 2), 1>>>(q, 8);
}
__tile__ int conversions(tile<float, 8> x) { return chosen(x, 0); }

// SIMT and host code beside tile code.
__global__ void simt(float *p) { p[threadIdx.x] += 2.0; }
__host__ __device__ inline float scaled(float x) { return x * 2.0; }
int main() { return scaled(0.5f) > 2 ? 1 : 0; }
