// Modes: the enumerations that modify an operation, and how they are passed.
//
// A mode is always static. It is given either as an explicit template argument
// (`add<rounding_mode::round_toward_zero>(a, b, {})`) or as an empty tag argument (`add(a, b,
// round_toward_zero_t{})`); the tags are the *_constant wrappers under short names.
#pragma once

#include "config.h"

namespace cuda::tiles {

// How a floating-point result is rounded; round_full has CUDA's documented error, round_approximate
// is an instruction of the GPU, for float only.
enum class rounding_mode {
  round_ties_to_even,
  round_toward_zero,
  round_toward_negative,
  round_toward_positive,
  round_approximate,
  round_full
};
// Whether subnormal numbers count as 0 (float only).
enum class subnormals_rounding_mode { preserve_subnormals, round_subnormals_to_zero };
// Whether min and max of a NaN and a number are the NaN.
enum class nan_propagation_mode { suppress_nan, propagate_nan };
// The order of an atomic with other accesses, as in std::memory_order.
enum class memory_order { relaxed, acquire, release, acq_rel };
// Which threads an atomic is atomic for.
enum class thread_scope { block, device, system };
// What elements of a masked load are that lie outside of the array.
enum class view_padding { zero, negative_zero, positive_inf, negative_inf, nan };
// From the first element of the dimension to the last, or the other way.
enum class scan_direction { forward, backward };

namespace __detail {
template <auto M> struct mode_constant {
  using value_type = decltype(M);
  static constexpr value_type value = M;
  TESSERA_HOST_API constexpr operator value_type() const noexcept { return M; }
  TESSERA_HOST_API constexpr value_type operator()() const noexcept { return M; }
};
} // namespace __detail

// Modes as types.
template <rounding_mode M> struct rounding_mode_constant : __detail::mode_constant<M> {};
template <subnormals_rounding_mode M> struct subnormals_rounding_mode_constant
    : __detail::mode_constant<M> {};
template <nan_propagation_mode M> struct nan_propagation_mode_constant
    : __detail::mode_constant<M> {};
template <memory_order M> struct memory_order_constant : __detail::mode_constant<M> {};
template <thread_scope M> struct thread_scope_constant : __detail::mode_constant<M> {};
template <view_padding M> struct view_padding_constant : __detail::mode_constant<M> {};
template <scan_direction M> struct scan_direction_constant : __detail::mode_constant<M> {};

// Tags: pass an object of such a type as the last argument.
using round_ties_to_even_t = rounding_mode_constant<rounding_mode::round_ties_to_even>;
using round_toward_zero_t = rounding_mode_constant<rounding_mode::round_toward_zero>;
using round_toward_negative_t = rounding_mode_constant<rounding_mode::round_toward_negative>;
using round_toward_positive_t = rounding_mode_constant<rounding_mode::round_toward_positive>;
using round_approximate_t = rounding_mode_constant<rounding_mode::round_approximate>;
using round_full_t = rounding_mode_constant<rounding_mode::round_full>;

// Tags for subnormal numbers.
using preserve_subnormals_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::preserve_subnormals>;
using round_subnormals_to_zero_t =
    subnormals_rounding_mode_constant<subnormals_rounding_mode::round_subnormals_to_zero>;

// Tags for NaNs.
using suppress_nan_t = nan_propagation_mode_constant<nan_propagation_mode::suppress_nan>;
using propagate_nan_t = nan_propagation_mode_constant<nan_propagation_mode::propagate_nan>;

// Tags for the order of atomics.
using memory_order_relaxed_t = memory_order_constant<memory_order::relaxed>;
using memory_order_acquire_t = memory_order_constant<memory_order::acquire>;
using memory_order_release_t = memory_order_constant<memory_order::release>;
using memory_order_acq_rel_t = memory_order_constant<memory_order::acq_rel>;

// Tags for the scope of atomics.
using thread_scope_block_t = thread_scope_constant<thread_scope::block>;
using thread_scope_device_t = thread_scope_constant<thread_scope::device>;
using thread_scope_system_t = thread_scope_constant<thread_scope::system>;

// Tags for paddings, the first argument of a masked load.
using view_padding_zero_t = view_padding_constant<view_padding::zero>;
using view_padding_negative_zero_t = view_padding_constant<view_padding::negative_zero>;
using view_padding_positive_inf_t = view_padding_constant<view_padding::positive_inf>;
using view_padding_negative_inf_t = view_padding_constant<view_padding::negative_inf>;
using view_padding_nan_t = view_padding_constant<view_padding::nan>;

// Tags for the direction of a scan.
using scan_forward_t = scan_direction_constant<scan_direction::forward>;
using scan_backward_t = scan_direction_constant<scan_direction::backward>;

// What holds where no mode is given.
TESSERA_HOST_API constexpr rounding_mode default_rounding_mode() noexcept {
  return rounding_mode::round_ties_to_even;
}
TESSERA_HOST_API constexpr subnormals_rounding_mode default_subnormals_rounding_mode() noexcept {
  return subnormals_rounding_mode::preserve_subnormals;
}
TESSERA_HOST_API constexpr nan_propagation_mode default_nan_propagation_mode() noexcept {
  return nan_propagation_mode::suppress_nan;
}
TESSERA_HOST_API constexpr thread_scope default_thread_scope() noexcept {
  return thread_scope::system;
}
TESSERA_HOST_API constexpr view_padding default_view_padding() noexcept {
  return view_padding::zero;
}

// The orders that an atomic load takes, and those of an atomic store.
template <memory_order O>
concept read_memory_order = O == memory_order::relaxed || O == memory_order::acquire;
template <memory_order O>
concept write_memory_order = O == memory_order::relaxed || O == memory_order::release;

} // namespace cuda::tiles
