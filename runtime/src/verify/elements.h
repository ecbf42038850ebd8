// Elements of memory as numbers, and their distance in units in the last place (ulps).
#pragma once

#include <cstddef>
#include <string>

namespace tessera::verify {

// A type of elements by DLPack's code and bits; complex numbers are two elements.
struct element_type {
  unsigned code = 1, bits = 8; // bytes

  std::size_t bytes() const { return bits / 8; }
  std::string name() const;
  bool is_floating() const;
};
// The type in which elements of DLPack's code and bits are compared.
element_type compared_as(unsigned code, unsigned bits);

// The value of an element.
double value_of(element_type type, const void *element);
std::string text_of(element_type type, const void *element);

// How far two values are apart: in ulps of the larger one, or of `scale` if that is larger;
// infinite where one is no number. Integers: their difference.
double distance(element_type type, double a, double b, double scale);

} // namespace tessera::verify
