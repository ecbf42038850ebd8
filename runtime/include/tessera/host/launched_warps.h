// How many warps the blocks of a launch have, where those that would hold padding alone are left
// out: generated functions compute it from a kernel's arguments with these functions.
#pragma once

#include "../macros_begin.h"

#include "kernel.h"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tessera::host {

// Is it a multiple of Multiple elements, or an address of 16 bytes?
template <int Multiple, class T> bool is_multiple(T number) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(number) % 16 == 0;
  else
    return number % Multiple == 0;
}

// A warp for each PerWarp columns of a row, at least one. Rows that are rotated in their tiles end
// up to Multiple - 1 slots later; those of `aligned` views, whose addresses and strides these are,
// are not if their columns are a multiple, too.
template <unsigned PerWarp, int Multiple = 1, class Columns, class... Aligned>
unsigned warps_of_row(Columns columns, Aligned... aligned) {
  if (columns <= 0)
    return 1;
  const bool are_multiples =
      is_multiple<Multiple>(columns) && (is_multiple<Multiple>(aligned) && ... && true);
  constexpr unsigned most = 1u << 16; // more than a block has
  const auto slots = static_cast<unsigned long long>(columns) + (are_multiples ? 0 : Multiple - 1);
  const unsigned long long warps = (slots + PerWarp - 1) / PerWarp;
  return warps < most ? static_cast<unsigned>(warps) : most;
}

template <class F, F Count> struct warp_counter_of;
template <class... P, void (*Count)(unsigned &, P...)>
struct warp_counter_of<void (*)(unsigned &, P...), Count> {
  template <std::size_t... I>
  static unsigned call([[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    unsigned warps = 0;
    Count(warps, argument<P>(arguments[I])...);
    return warps;
  }
  static unsigned count(void **arguments) {
    return call(arguments, std::index_sequence_for<P...>());
  }
};

// The counter of a kernel's warps in a launch plan.
template <auto Count> inline constexpr warp_counter warps_by =
    &warp_counter_of<decltype(Count), Count>::count;

} // namespace tessera::host

#include "../macros_end.h"
