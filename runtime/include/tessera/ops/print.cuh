// printf with tiles. It is slow: threads print one after the other to keep the order of elements,
// and blocks do to keep messages whole.
#pragma once

#include "../arch/message.cuh"
#include "../fragment.cuh"

namespace tessera {

// A message: what the block prints between these two calls. Every thread of the block calls them.
TESSERA_DEVICE void begin_message() {
  if (arch::thread_index() == 0)
    arch::begin_message();
  arch::barrier();
}
TESSERA_DEVICE void end_message() {
  arch::barrier();
  if (arch::thread_index() == 0)
    arch::end_message();
}

// Text with scalars, within a message.
template <class... T> TESSERA_DEVICE void print_text(const char *format, T... scalars) {
  if (arch::thread_index() == 0)
    arch::print(format, scalars...);
  arch::barrier();
}

// Within a message: prints the elements in row-major order, each by `format`: "[[0, 1], [2, 3]]".
// Every thread of the block calls it.
template <class T, class L>
TESSERA_DEVICE void print_tile(const char *format, const fragment<T, L> &x) {
  using shape = typename L::shape;
  for (int element = 0; element < L::size; ++element) {
    const int index = element ^ L::thread_element();
    bool is_here = false;
    T value{};
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; ++i) {
      if (L::element(i) == index) {
        is_here = true;
        value = x.r[i];
      }
    }
    if (is_here && L::is_owner()) {
      if (element)
        arch::print(", ");
      for (int d = 0; d < shape::rank; ++d)
        if (element % (shape::stride(d) * shape::extent(d)) == 0)
          arch::print("[");
      arch::print(format, value);
      for (int d = 0; d < shape::rank; ++d)
        if ((element + 1) % (shape::stride(d) * shape::extent(d)) == 0)
          arch::print("]");
    }
    arch::barrier();
  }
}

} // namespace tessera
