// The format of a number, as data. Every program with an exported kernel includes this, so it only
// declares what would be slow to parse: numbers of 8 bits (types.h), strings (foreign_array.h).
#pragma once

#include "../classes.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera::interop {

template <class T> struct complex; // types.h

// A number's format: the code and bits of DLPack's data types, one lane.
struct element_type {
  std::uint8_t code = 0, bits = 0;

  friend bool operator==(element_type, element_type) = default;
  std::size_t bytes() const { return bits / 8; }
};

template <class T> inline constexpr element_type element_type_of = {};
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  template <> inline constexpr element_type element_type_of<TYPE> = {CODE, BITS};
#include "types.def"
// The types of C++ that the fixed widths do not name.
template <class T>
  requires(std::is_integral_v<T>)
inline constexpr element_type element_type_of<T> = {std::is_signed_v<T> ? 0 : 1, 8 * sizeof(T)};

} // namespace tessera::interop
