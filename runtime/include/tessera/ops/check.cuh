// Run-time checks of kernels that are built with --check: a failed check prints a message and stops
// the program. Generated code without checks does not include this.
#pragma once

#include "../macros_begin.h"

#include "../arch/say.cuh"
#include "../fragment.cuh"

namespace tessera {

namespace detail {

TESSERA_COLD void end_saying(const char *kernel, const char *message) {
  arch::say(" [kernel %s, block (%d, %d, %d)]\n", kernel, arch::block_index<0>(),
            arch::block_index<1>(), arch::block_index<2>());
  arch::stop_after_saying(kernel, message);
}

template <class... N> TESSERA_COLD void say_values(const char *location, const char *kernel,
                                                   const char *message, N... values) {
  arch::begin_saying();
  arch::say("%s: tessera check: ", location);
  if constexpr (sizeof...(values))
    arch::say(message, values...);
  else
    arch::say("%s", message);
  end_saying(kernel, message);
}

template <class Shape> TESSERA_COLD void say_element(int element, const char *location,
                                                     const char *kernel, const char *message) {
  arch::begin_saying();
  arch::say("%s: tessera check: %s", location, message);
  for (int d = 0; d < Shape::rank; ++d)
    arch::say(d ? ", %d" : ": element [%d", element / Shape::stride(d) % Shape::extent(d));
  arch::say("]");
  end_saying(kernel, message);
}

} // namespace detail

// The values match the message's conversions, %lld or %llx.
template <class... N> TESSERA_DEVICE void
check_that(bool holds, const char *location, const char *kernel, const char *message, N... values) {
  if (!holds)
    detail::say_values(location, kernel, message, static_cast<long long>(values)...);
}

// The message is about the first element of a thread that is false.
template <class L> TESSERA_DEVICE void check_that(const fragment<bool, L> &holds,
                                                  const char *location, const char *kernel,
                                                  const char *message) {
  int wrong = -1;
  TESSERA_UNROLL
  for (int i = L::register_count - 1; i >= 0; --i)
    wrong = holds.r[i] ? wrong : L::element(i);
  if (wrong >= 0)
    detail::say_element<typename L::shape>(wrong ^ L::thread_element(), location, kernel, message);
}

} // namespace tessera

#include "../macros_end.h"
