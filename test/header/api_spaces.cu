// Every form of extents, strides, layouts and spans. [tile:extents] [tile:layout_mappings]
// [tile:tensor_span]
// RUN: %clang_tile -fsyntax-only %s
#include "same.h"

constexpr size_t dyn = ct::dynamic_extent;

// extents
using X = ct::extents<int, 3, dyn, 5>;
static_assert(same<X::index_type, int> && same<X::rank_type, size_t>);
static_assert(X::rank() == 3 && X::rank_dynamic() == 1 && X::static_extent(0) == 3);
static_assert(X::static_extent(1) == dyn && dyn == size_t(-1));
static_assert(same<decltype(X(7).extent(0)), int> && same<decltype(X::static_extent(0)), size_t>);
__host__ __device__ __tile__ bool extents_compare() {
  return X(7) == X(3, 7, 5) && X(7) != X(8) && X(7) == ct::extents<long, 3, 7, 5>() &&
         ct::extents_equal(X(7), ct::shape<3, 7, 5>{}) &&
         !ct::extents_equal(X(7), ct::shape<3, 7>{}) && X(7).extent(1) == 7;
}
static_assert(same<decltype(ct::extents{4_ic, 7, 9u}), ct::extents<unsigned, 4, dyn, dyn>>);
static_assert(same<decltype(ct::extents{1.5f}), ct::extents<unsigned, dyn>>);
static_assert(same<ct::shape<2, 3>, ct::extents<unsigned, 2, 3>>);
static_assert(same<decltype(ct::shape{2_ic, 4_ic}), ct::shape<2, 4>>);
static_assert(same<decltype(ct::shape{2, 4}), ct::extents<unsigned, dyn, dyn>>);
static_assert(sizeof(ct::shape<2, 3>) == 1 && sizeof(ct::extents<long, dyn, 2>) == 8);
static_assert(ct::extents<signed char, 300>::static_extent(0) == 300);
template <class T, class... A>
concept can_make = requires(A... a) { T(a...); };
static_assert(can_make<X, int> && can_make<X, int, int, int> && !can_make<X, int, int>);
static_assert(can_make<ct::shape<2>> && !can_make<X, ct::shape<3, 7, 5>>);
static_assert(!can_make<ct::extents<int, dyn>, ct::extents<int, 3>>);
template <class T>
concept has_size = requires(T x) { x.size(); };
static_assert(!has_size<X>);

// strides
using Y = ct::strides<int, 1, ct::dynamic_stride>;
static_assert(Y::rank() == 2 && Y::rank_dynamic() == 1 && same<Y::rank_type, size_t>);
static_assert(Y::static_stride(0) == 1 && Y::static_stride(1) == ct::dynamic_stride);
static_assert(ct::dynamic_stride == size_t(-1));
static_assert(same<decltype(ct::strides{2, 3_ic}), ct::strides<unsigned, ct::dynamic_stride, 3>>);
__host__ __device__ __tile__ bool strides_compare() {
  return ct::strides_equal(Y(9), ct::strides{1_ic, 9}) && !ct::strides_equal(Y(9), Y(8)) &&
         Y(9).stride(1) == 9;
}

// layouts
using E = ct::shape<2, 3, 4>;
using Right = ct::layout_right::mapping<E>;
using Left = ct::layout_left::mapping<E>;
static_assert(same<Right, ct::layout_right_mapping<E>> && same<Left, ct::layout_left_mapping<E>>);
static_assert(same<Right::extents_type, E> && same<Right::layout_type, ct::layout_right>);
static_assert(same<Right::index_type, unsigned> && same<Right::rank_type, size_t>);
static_assert(Right::is_always_strided());
__host__ __device__ __tile__ bool layouts_compare() {
  return Right(E()).stride(0) == 12 && Right(E()).stride(2) == 1 && Left(E()).stride(0) == 1 &&
         Left(E()).stride(2) == 6 && Left(E()).extents() == E() &&
         ct::layout_mapping_equal(Right(E()), Right(E())) &&
         !ct::layout_mapping_equal(Right(E()), Left(E())) &&
         ct::layout_right_padded_mapping{ct::shape<2, 3>{}, 8_ic}.stride(0) == 8 &&
         ct::layout_left_padded_mapping{ct::shape<2, 3>{}, 8}.stride(1) == 8 &&
         ct::layout_right_padded<8>::mapping<ct::shape<2, 3>>(ct::shape<2, 3>(), 8_ic).stride(0) ==
             8;
}
static_assert(ct::layout_mapping_static_stride<Right>{}(0) == 12);
static_assert(ct::layout_mapping_static_stride<Left>{}(2) == 6);
using Rows = ct::layout_right_mapping<ct::extents<int, dyn, 8>>;
static_assert(ct::layout_mapping_static_stride<Rows>{}(0) == 8);
using Wide = ct::layout_right_mapping<ct::extents<int, 8, dyn>>;
static_assert(ct::layout_mapping_static_stride<Wide>{}(0) == ct::dynamic_stride);
static_assert(same<decltype(ct::layout_right_mapping{ct::extents{2, 3}}),
                   ct::layout_right_mapping<ct::extents<unsigned, dyn, dyn>>>);
using Free = decltype(ct::layout_strided_mapping{ct::extents{2, 3}, ct::extents{8, 1_ic}});
using Free2 = decltype(ct::layout_strided_mapping{ct::extents{2, 3}, ct::strides{8, 1_ic}});
static_assert(ct::layout_mapping<Free> && ct::layout_mapping<Free2>);
static_assert(ct::layout_mapping_static_stride<Free2>{}(1) == 1);
// Extents and strides have one index type, and none of them is left out.
template <class E, class S>
concept can_stride = requires(E e, S s) { ct::layout_strided_mapping<E, S>(e, s); };
template <class E, class S>
concept strides_itself = requires(E e) { ct::layout_strided_mapping<E, S>(e); };
static_assert(can_stride<ct::extents<int, 4, 8>, ct::strides<int, 8, 1>> &&
              can_stride<ct::shape<4, 8>, ct::shape<8, 1>>);
static_assert(!can_stride<ct::extents<int, 4, 8>, ct::strides<unsigned, 8, 1>> &&
              !can_stride<ct::extents<short, 4, 8>, ct::extents<int, 8, 1>>);
static_assert(!strides_itself<ct::shape<4, 8>, ct::strides<unsigned, 8, 1>>);
static_assert(same<ct::layout_strided<ct::strides<unsigned, 8, 1>>::mapping<ct::shape<2, 3>>,
                   ct::layout_strided_mapping<ct::shape<2, 3>, ct::strides<unsigned, 8, 1>>>);
template <class M>
concept can_call = requires(M m) { m(0, 0, 0); };
template <class M>
concept has_required_span_size = requires(M m) { m.required_span_size(); };
static_assert(!can_call<Right> && !has_required_span_size<Right>);

// accessors
using A = ct::default_accessor<const float>;
static_assert(same<A::element_type, const float> && same<A::data_handle_type, const float *>);
static_assert(same<A::reference, const float &>);

// spans, in host code as well
template <class P> __host__ __device__ __tile__ int spans(P *p) {
  auto one = ct::tensor_span{p, ct::extents{128_ic}};
  using S = decltype(one);
  static_assert(same<S, ct::tensor_span<P, ct::extents<unsigned, 128>, ct::layout_right,
                                        ct::default_accessor<P>>>);
  static_assert(same<typename S::mapping_type, ct::layout_right_mapping<ct::shape<128>>>);
  static_assert(same<typename S::accessor_type, ct::default_accessor<P>>);
  static_assert(same<typename S::extents_type, ct::shape<128>> &&
                same<typename S::layout_type, ct::layout_right>);
  static_assert(same<typename S::index_type, unsigned> && same<typename S::rank_type, size_t>);
  static_assert(same<typename S::element_type, P> && same<typename S::value_type, float>);
  static_assert(same<typename S::data_handle_type, P *> && same<typename S::reference, P &>);
  static_assert(S::rank() == 1 && !can_make<S> && !can_make<S, int>);
  auto two = ct::tensor_span{p, ct::extents{4, 8}, ct::layout_left{}};
  auto three = ct::tensor_span{p, ct::layout_right_mapping{ct::shape<2, 3>{}}};
  auto four = ct::tensor_span{p, ct::shape<2, 3>{}, ct::layout_right{}, ct::default_accessor<P>{}};
  auto five =
      ct::tensor_span{p, ct::layout_right_mapping{ct::shape<2, 3>{}}, ct::default_accessor<P>{}};
  auto six = ct::tensor_span<P, ct::shape<2, 3>, ct::layout_left>{p, ct::shape<2, 3>{}};
  (void)five.accessor();
  return one.extent(0) + two.extents().extent(1) + three.mapping().stride(0) + four.extent(1) +
         (six.data_handle() == p);
}
template <class S, class T>
concept converts = requires(S s) { T(s); };
template <class S>
concept can_index = requires(S s) { s[0]; };
using S1 = ct::tensor_span<float, ct::shape<4>>;
static_assert(!converts<S1, ct::tensor_span<const float, ct::shape<4>>> && !can_index<S1>);
__tile_global__ void k(float *p, const float *q) { p[0] = spans(p) + spans(q); }
__global__ void simt(float *p) { p[0] = spans(p); }
int main() { return spans((float *)nullptr); }
