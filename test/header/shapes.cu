// RUN: %clang_tile -fsyntax-only %s
// Functions that make tiles and that move or reduce their elements: shapes and element types of the
// results.
#include "same.h"

using T = tile<float, 2, 4, 8>;

__tile__ void shapes() {
  static_assert(same<decltype(ct::full<const T>(3)), T> &&
                same<decltype(ct::zeros<float>()), float> &&
                same<decltype(ct::iota<tile<int, 4, 4>>()), tile<int, 4, 4>>);
  static_assert(same<decltype(ct::reshape(a<T>(), ct::shape<64>{})), tile<float, 64>> &&
                same<decltype(ct::reshape<ct::shape<>>(1.0f)), tile<float>>);
  static_assert(
      same<decltype(ct::broadcast(a<int *>(), ct::shape<4>{})), tile<int *, 4>> &&
      same<decltype(ct::broadcast<ct::shape<8, 4>>(a<tile<int, 1, 4>>())), tile<int, 8, 4>>);
  static_assert(same<decltype(ct::transpose(a<T>())), tile<float, 4, 2, 8>> &&
                same<decltype(ct::transpose(a<tile<int, 8>>())), tile<int, 8>> &&
                same<decltype(ct::transpose(1)), int>);
  static_assert(
      same<decltype(ct::permute(a<T>(), ct::dimension_map<2, 0, 1>{})), tile<float, 8, 2, 4>> &&
      same<decltype(ct::permute(a<T>(), ct::dimension_map{1_ic, 0_ic, 2_ic})),
           tile<float, 4, 2, 8>>);
  static_assert(same<decltype(ct::cat<2>(a<T>(), a<T>())), tile<float, 2, 4, 16>> &&
                same<decltype(ct::cat(a<T>(), a<T>(), 0_ic)), tile<float, 4, 4, 8>>);
  static_assert(same<decltype(ct::extract(a<T>(), ct::shape<1, 2, 8>{}, 1, 0u, 0_ic)),
                     tile<float, 1, 2, 8>> &&
                same<decltype(ct::insert(a<T>(), a<tile<__half, 1, 2, 8>>(), 0, 1, 0)), T>);
  static_assert(same<decltype(ct::select(a<tile<int, 4, 1>>(), a<T>(), a<T>())), T> &&
                same<decltype(ct::select(true, 1, 2)), int>);
  static_assert(same<decltype(ct::element_cast<__half>(a<T>(), ct::round_toward_zero_t{})),
                     tile<__half, 2, 4, 8>> &&
                same<decltype(ct::element_cast<int>(1.5)), int>);
  static_assert(same<decltype(ct::element_bitcast<unsigned>(a<T>())), tile<unsigned, 2, 4, 8>> &&
                same<decltype(ct::element_bitcast<long>(a<int *>())), long>);
}

__tile__ void along_a_dimension() {
  static_assert(same<decltype(ct::sum<1>(a<T>())), tile<float, 2, 1, 8>> &&
                same<decltype(ct::sum(a<tile<signed char, 8>>(), 0_ic)), tile<signed char, 1>>);
  static_assert(
      same<decltype(ct::sum(a<T>(), 2_ic, ct::round_ties_to_even_t{}, ct::preserve_subnormals_t{})),
           tile<float, 2, 4, 1>>);
  static_assert(same<decltype(ct::sum<0, ct::rounding_mode::round_toward_zero>(a<T>(), {}, {})),
                     tile<float, 1, 4, 8>>);
  static_assert(
      same<decltype(ct::reduce_max(a<T>(), 0_ic, ct::propagate_nan_t{})), tile<float, 1, 4, 8>>);
  static_assert(same<decltype(ct::all_of(a<tile<int *, 8>>(), 0_ic)), tile<bool, 1>> &&
                same<decltype(ct::max_element<1>(a<T>())), tile<unsigned, 2, 1, 8>>);
  static_assert(same<decltype(ct::partial_sum<0, ct::scan_direction::backward>(a<T>())), T> &&
                same<decltype(ct::partial_prod(a<T>(), 1_ic, ct::scan_backward_t{})), T>);
  static_assert(same<decltype(ct::partial_sum(a<T>(), 1_ic, ct::round_ties_to_even_t{},
                                              ct::preserve_subnormals_t{}, ct::scan_forward_t{})),
                     T>);
}

template <auto D, class X>
concept sums = requires(X x) { ct::sum<D>(x); };
static_assert(sums<2, T> && !sums<3, T> && !sums<-1, T> && !sums<0, tile<float>> &&
              !sums<0, float> && !sums<0, tile<__nv_tf32, 8>>);
template <class X>
concept counts = requires { ct::iota<X>(); };
static_assert(counts<tile<bool, 2>> && !counts<tile<bool, 4>> && counts<tile<signed char, 128>> &&
              !counts<tile<signed char, 256>> && !counts<tile<float, 8>>);
template <class E, class X>
concept bitcasts = requires(X x) { ct::element_bitcast<E>(x); };
static_assert(bitcasts<float *, tile<int *, 4>> && bitcasts<bool, unsigned char> &&
              !bitcasts<unsigned, tile<__nv_tf32, 4>> && !bitcasts<short, int>);

__tile__ void multiply() {
  static_assert(same<decltype(ct::mma(a<tile<__half, 16, 32>>(), a<tile<__half, 32, 8>>(),
                                      a<tile<float, 16, 8>>())),
                     tile<float, 16, 8>>);
  static_assert(
      same<decltype(ct::mma(a<tile<__nv_bfloat16, 1, 16, 32>>(), a<tile<__nv_bfloat16, 4, 32, 8>>(),
                            a<tile<float, 4, 16, 8>>())),
           tile<float, 4, 16, 8>>);
  static_assert(same<decltype(ct::matmul(a<tile<__half, 16, 32>>(), a<tile<__half, 32, 8>>())),
                     tile<__half, 16, 8>>);
  static_assert(
      same<decltype(ct::matmul(a<tile<signed char, 2, 16, 32>>(), a<tile<bool, 1, 32, 8>>())),
           tile<int, 2, 16, 8>>);
}
static_assert(!ct::mma_compatible<tile<__nv_bfloat16, 8, 8>, tile<__nv_bfloat16, 8, 8>,
                                  tile<__nv_bfloat16, 8, 8>>);
static_assert(
    !ct::mma_compatible<tile<__nv_fp8_e4m3, 8, 8>, tile<__nv_fp8_e5m2, 8, 8>, tile<float, 8, 8>>);
