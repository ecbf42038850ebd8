// irange(lower, upper[, step]): the integers from lower up to, but excluding, upper, for range-for
// loops. [tile:integer_range]
//
// The types combine like operands of arithmetic. The step is positive.
#pragma once

#include "convert.h"

namespace cuda::tiles {

// A number that ++ moves by the step of its range.
template <integral T>
  requires(!__detail::is_cv<T>)
struct irange_iterator {
  using value_type = T;
  using difference_type = decltype(static_cast<char *>(nullptr) - static_cast<char *>(nullptr));
  using reference = T;

  TESSERA_HOST_API constexpr T operator*() const noexcept { return value_; }
  TESSERA_HOST_API constexpr irange_iterator &operator++() noexcept {
    value_ = static_cast<T>(value_ + step_);
    return *this;
  }
  TESSERA_HOST_API constexpr irange_iterator operator++(int) noexcept {
    const auto old = *this;
    ++*this;
    return old;
  }
  TESSERA_HOST_API friend constexpr bool operator==(const irange_iterator &x,
                                                    const irange_iterator &y) noexcept {
    return x.value_ == y.value_;
  }

  T value_, step_;
};

// The numbers from lower to upper, without it, `step` apart: for (auto i : irange(lower, upper)).
// The behaviour is undefined unless step is greater than 0.
template <class T>
  requires integral<T> && (!__detail::is_cv<T>)
struct irange {
  TESSERA_HOST_API constexpr irange(T lower, T upper, T step = 1) noexcept
      : lower_(lower), upper_(upper), step_(step) {}

  struct sentinel {
    T upper_;
    TESSERA_HOST_API friend constexpr bool operator==(const irange_iterator<T> &i,
                                                      const sentinel &end) noexcept {
      return !(i.value_ < end.upper_);
    }
  };
  TESSERA_HOST_API constexpr irange_iterator<T> begin() const noexcept { return {lower_, step_}; }
  TESSERA_HOST_API constexpr sentinel end() const noexcept { return {upper_}; }

private:
  T lower_, upper_, step_;
};
template <integral L, integral U>
  requires arithmetic_tile_convertible<L, U>
irange(L, U) -> irange<arithmetic_tile_conversion_t<L, U>>;
template <integral L, integral U, integral S>
  requires arithmetic_tile_convertible<L, U> &&
           arithmetic_tile_convertible<arithmetic_tile_conversion_t<L, U>, S>
irange(L, U, S) -> irange<arithmetic_tile_conversion_t<arithmetic_tile_conversion_t<L, U>, S>>;

} // namespace cuda::tiles
