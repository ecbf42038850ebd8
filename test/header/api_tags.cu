// Every mode, its wrapper and its tag; constant wrappers. [tile:constant_wrappers_and_flags]
// RUN: %clang_tile -fsyntax-only %s
#include "same.h"

using R = ct::rounding_mode;
static_assert(same<ct::round_ties_to_even_t, ct::rounding_mode_constant<R::round_ties_to_even>>);
static_assert(same<ct::round_toward_zero_t, ct::rounding_mode_constant<R::round_toward_zero>>);
static_assert(
    same<ct::round_toward_negative_t, ct::rounding_mode_constant<R::round_toward_negative>>);
static_assert(
    same<ct::round_toward_positive_t, ct::rounding_mode_constant<R::round_toward_positive>>);
static_assert(same<ct::round_approximate_t, ct::rounding_mode_constant<R::round_approximate>>);
static_assert(same<ct::round_full_t, ct::rounding_mode_constant<R::round_full>>);
using S = ct::subnormals_rounding_mode;
static_assert(
    same<ct::preserve_subnormals_t, ct::subnormals_rounding_mode_constant<S::preserve_subnormals>>);
static_assert(same<ct::round_subnormals_to_zero_t,
                   ct::subnormals_rounding_mode_constant<S::round_subnormals_to_zero>>);
using N = ct::nan_propagation_mode;
static_assert(same<ct::suppress_nan_t, ct::nan_propagation_mode_constant<N::suppress_nan>>);
static_assert(same<ct::propagate_nan_t, ct::nan_propagation_mode_constant<N::propagate_nan>>);
using O = ct::memory_order;
static_assert(same<ct::memory_order_relaxed_t, ct::memory_order_constant<O::relaxed>>);
static_assert(same<ct::memory_order_acquire_t, ct::memory_order_constant<O::acquire>>);
static_assert(same<ct::memory_order_release_t, ct::memory_order_constant<O::release>>);
static_assert(same<ct::memory_order_acq_rel_t, ct::memory_order_constant<O::acq_rel>>);
using T = ct::thread_scope;
static_assert(same<ct::thread_scope_block_t, ct::thread_scope_constant<T::block>>);
static_assert(same<ct::thread_scope_device_t, ct::thread_scope_constant<T::device>>);
static_assert(same<ct::thread_scope_system_t, ct::thread_scope_constant<T::system>>);
using P = ct::view_padding;
static_assert(same<ct::view_padding_zero_t, ct::view_padding_constant<P::zero>>);
static_assert(same<ct::view_padding_negative_zero_t, ct::view_padding_constant<P::negative_zero>>);
static_assert(same<ct::view_padding_positive_inf_t, ct::view_padding_constant<P::positive_inf>>);
static_assert(same<ct::view_padding_negative_inf_t, ct::view_padding_constant<P::negative_inf>>);
static_assert(same<ct::view_padding_nan_t, ct::view_padding_constant<P::nan>>);
using D = ct::scan_direction;
static_assert(same<ct::scan_forward_t, ct::scan_direction_constant<D::forward>>);
static_assert(same<ct::scan_backward_t, ct::scan_direction_constant<D::backward>>);

static_assert(ct::default_rounding_mode() == R::round_ties_to_even);
static_assert(ct::default_subnormals_rounding_mode() == S::preserve_subnormals);
static_assert(ct::default_nan_propagation_mode() == N::suppress_nan);
static_assert(ct::default_thread_scope() == T::system);
static_assert(ct::default_view_padding() == P::zero);

// integral_constant
using I = ct::integral_constant<16>;
static_assert(same<I::type, I> && same<I::value_type, int> && I::value == 16);
static_assert(I{}() == 16 && int(I{}) == 16 && noexcept(I{}()));
static_assert(same<decltype(16_ic), ct::integral_constant<16>>);
static_assert(same<decltype(4'294'967'296_ic), ct::integral_constant<4294967296>>);
static_assert(same<decltype(2_ic + 3_ic), ct::integral_constant<5>>);
static_assert(same<decltype(2_ic - 3_ic), ct::integral_constant<-1>>);
static_assert(same<decltype(2_ic * 3_ic), ct::integral_constant<6>>);
static_assert(same<decltype(7_ic / 2_ic), ct::integral_constant<3>>);
static_assert(same<decltype(7_ic % 4_ic), ct::integral_constant<3>>);
static_assert(same<decltype(-3_ic), ct::integral_constant<-3>>);
static_assert(3_ic + 1 == 4 && (3_ic << 2) == 12);
static_assert(same<decltype(3_ic < 4_ic), bool> && 3_ic < 4_ic && 3_ic == 3 && 3_ic != 4_ic);
static_assert(same<ct::integral_constant<true>::value_type, bool>);

// dimension_map
static_assert(same<decltype(ct::dimension_map{2_ic, 0_ic, 1_ic}), ct::dimension_map<2, 0, 1>>);
template <size_t... M>
concept is_map = requires { typename ct::dimension_map<M...>; };
static_assert(is_map<1, 0> && is_map<0> && is_map<> && !is_map<0, 0> && !is_map<1, 2>);

__tile_global__ void k(int *p) { p[0] = 16_ic; }
int main() {}
