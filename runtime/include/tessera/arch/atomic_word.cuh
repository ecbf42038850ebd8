// The unsigned integer that carries an element in an atomic operation, common to atomic.cuh and
// atomic_host.cuh.
#pragma once

#include "../types.cuh"

#include <cstring>

namespace tessera::arch::detail {

template <int Bytes> using word = std::conditional_t<
    Bytes == 1, unsigned char,
    std::conditional_t<Bytes == 2, unsigned short,
                       std::conditional_t<Bytes == 4, unsigned, unsigned long long>>>;

template <class To, class From> TESSERA_DEVICE To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To y;
  memcpy(static_cast<void *>(&y), &x, sizeof(To));
  return y;
}

} // namespace tessera::arch::detail
