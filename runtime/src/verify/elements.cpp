#include "elements.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

namespace tessera::verify {
namespace {

// DLPack's codes.
constexpr unsigned signed_code = 0, unsigned_code = 1, float_code = 2, bfloat_code = 4,
                   complex_code = 5, e4m3_code = 10, e5m2_code = 12;

struct float_format {
  unsigned exponent_bits, mantissa_bits;
  bool has_infinity = true;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

float_format format_of(element_type type) {
  switch (type.code) {
  case bfloat_code: return {8, 7};
  case e4m3_code: return {4, 3, false};
  case e5m2_code: return {5, 2};
  default:
    return type.bits == 16   ? float_format{5, 10}
           : type.bits == 32 ? float_format{8, 23}
                             : float_format{11, 52};
  }
}

std::uint64_t bits_of(element_type type, const void *element) {
  std::uint64_t word = 0;
  std::memcpy(&word, element, type.bytes());
  return word;
}

double decode(float_format format, std::uint64_t word) {
  const unsigned m = format.mantissa_bits, e = format.exponent_bits;
  const std::uint64_t mantissa = word & ((1ull << m) - 1), most = (1ull << e) - 1,
                      exponent = word >> m & most;
  const double sign = word >> (m + e) & 1 ? -1 : 1;
  const bool is_special = exponent == most && (format.has_infinity || mantissa == (1ull << m) - 1);
  if (is_special)
    return format.has_infinity && mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                                                : std::numeric_limits<double>::quiet_NaN();
  const double fraction = std::ldexp(double(mantissa), -int(m)) + (exponent ? 1 : 0);
  return sign * std::ldexp(fraction, std::max(int(exponent), 1) - format.bias());
}

} // namespace

bool element_type::is_floating() const { return code != signed_code && code != unsigned_code; }

std::string element_type::name() const {
  switch (code) {
  case signed_code: return "int" + std::to_string(bits);
  case unsigned_code: return bits == 8 ? "byte" : "uint" + std::to_string(bits);
  case bfloat_code: return "bfloat16";
  case e4m3_code: return "float8e4m3";
  case e5m2_code: return "float8e5m2";
  default: return "float" + std::to_string(bits);
  }
}

element_type compared_as(unsigned code, unsigned bits) {
  if (code == complex_code)
    return {float_code, bits / 2};
  const bool is_known =
      ((code == signed_code || code == unsigned_code) && bits >= 8 && bits <= 64) ||
      (code == float_code && bits >= 16 && bits <= 64) || (code == bfloat_code && bits == 16) ||
      ((code == e4m3_code || code == e5m2_code) && bits == 8);
  return is_known ? element_type{code, bits} : element_type{};
}

double value_of(element_type type, const void *element) {
  const std::uint64_t word = bits_of(type, element);
  if (type.is_floating())
    return decode(format_of(type), word);
  if (type.code == unsigned_code)
    return double(word);
  const unsigned unused = 64 - type.bits;
  return double(std::int64_t(word << unused) >> unused);
}

std::string text_of(element_type type, const void *element) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", type.bits == 64 ? 17 : 9, value_of(type, element));
  return text;
}

double distance(element_type type, double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  const double apart = std::abs(a - b);
  if (!std::isfinite(apart))
    return std::numeric_limits<double>::infinity();
  if (!type.is_floating())
    return apart;
  const float_format format = format_of(type);
  const double largest = std::max({std::abs(a), std::abs(b), scale});
  const int exponent = std::max(std::ilogb(largest), 1 - format.bias());
  return apart / std::ldexp(1.0, exponent - int(format.mantissa_bits));
}

} // namespace tessera::verify
