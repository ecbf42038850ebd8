// Arrays described by the fields of the CUDA Array Interface, versions 2 and 3. Host code.
//
//   array_interface fields{.shape = {4, 8}, .typestr = "<f4", .data = pointer, .version = 3};
//   auto x = descriptor_of<const float, 2>(from_array_interface(fields));
#pragma once

#include "../macros_begin.h"

#include "foreign_array.h"

#include <bit>
#include <optional>
#include <string_view>

namespace tessera::interop {

// The entries of the dictionary. `data` is 0 for arrays without elements; strides count bytes, and
// are absent for contiguous arrays. A mask is always rejected.
struct array_interface {
  std::vector<std::int64_t> shape;
  std::string typestr;
  std::uintptr_t data = 0;
  bool is_read_only = false;
  int version = 0;
  std::optional<std::vector<std::int64_t>> strides = {};
  bool has_mask = false;
};

// A typestr is a byte order, a letter for the kind and a number of bytes: "<f4", "|b1".
inline element_type element_type_of_typestr(std::string_view text) {
  auto malformed = [&](const std::string &why) {
    return interop_error(reason::element_type, "typestr '" + std::string(text) + "' " + why);
  };
  if (text.size() < 3 || text.size() > 5)
    throw malformed("is not a type of numbers");
  const char order = text[0], kind = text[1];
  unsigned bytes = 0;
  for (char digit : text.substr(2)) {
    if (digit < '0' || digit > '9')
      throw malformed("has no number of bytes");
    bytes = 10 * bytes + unsigned(digit - '0');
  }
  if (order != '<' && order != '>' && order != '|' && order != '=')
    throw malformed("has no byte order");
  constexpr char native = std::endian::native == std::endian::little ? '<' : '>';
  if (bytes > 1 && order != native && order != '=')
    throw malformed("does not have this machine's byte order");
  const auto bits = std::uint8_t(8 * bytes);
  const bool is_power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  switch (kind) {
  case 'b':
    if (bytes == 1)
      return {6, 8};
    break;
  case 'i':
    if (is_power)
      return {0, bits};
    break;
  case 'u':
    if (is_power)
      return {1, bits};
    break;
  case 'f':
    if (is_power && bytes > 1)
      return {2, bits};
    break;
  case 'c':
    if (bytes == 8 || bytes == 16)
      return {5, bits};
    break;
  }
  throw malformed("is not an element type of kernels");
}

// The array that the fields describe; throws interop_error if they are malformed, or have a mask.
inline foreign_array from_array_interface(const array_interface &fields) {
  if (fields.version != 2 && fields.version != 3)
    throw interop_error(reason::malformed,
                        "version " + std::to_string(fields.version) +
                            " of the CUDA Array Interface; versions 2 and 3 are supported");
  if (fields.has_mask)
    throw interop_error(reason::mask, "an array with a mask");
  if (fields.shape.size() > largest_rank)
    throw interop_error(reason::malformed,
                        "an array of " + std::to_string(fields.shape.size()) + " dimensions");
  foreign_array array;
  array.type = element_type_of_typestr(fields.typestr);
  const auto size = std::int64_t(array.type.bytes());
  array.shape = fields.shape;
  check_extents(array.shape, size);
  if (fields.strides && fields.strides->size() != fields.shape.size())
    throw interop_error(reason::malformed, std::to_string(fields.strides->size()) +
                                               " strides for " +
                                               std::to_string(fields.shape.size()) + " dimensions");
  array.strides = fields.strides ? *fields.strides : packed_strides(array.shape, size);
  array.data = reinterpret_cast<void *>(fields.data);
  array.is_read_only = fields.is_read_only;
  return array;
}

} // namespace tessera::interop

#include "../macros_end.h"
