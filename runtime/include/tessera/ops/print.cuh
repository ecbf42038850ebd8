// printf of a tile. It is slow: threads print one after the other to keep the order.
#pragma once

#include "../fragment.cuh"

namespace tessera {

// Prints the elements in row-major order, each by `format`: "[[0, 1], [2, 3]]". Every thread of the
// block calls it.
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
        printf(", ");
      for (int d = 0; d < shape::rank; ++d)
        if (element % (shape::stride(d) * shape::extent(d)) == 0)
          printf("[");
      printf(format, value);
      for (int d = 0; d < shape::rank; ++d)
        if ((element + 1) % (shape::stride(d) * shape::extent(d)) == 0)
          printf("]");
    }
    arch::barrier();
  }
}

} // namespace tessera
