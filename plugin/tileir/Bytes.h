// A position in bytes that come from outside. The first thing that is wrong is remembered with its
// offset in the file; from then on everything reads as zero, and loops end.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace tessera::tileir {

struct Problem {
  std::string message; // empty: none
  size_t offset = 0;
  explicit operator bool() const { return !message.empty(); }
};

class Bytes {
public:
  // `origin`: the offset of the first byte in the file.
  Bytes(llvm::StringRef data, size_t origin, Problem &problem)
      : data(data), origin(origin), problem(problem) {}

  void fail(const llvm::Twine &message) { failAt(message, offset()); }
  void failAt(const llvm::Twine &message, size_t offset) {
    if (!problem)
      problem = {message.str(), offset};
  }
  bool failed() const { return bool(problem); }
  size_t offset() const { return origin + at; } // in the file
  size_t position() const { return at; }
  size_t left() const { return failed() ? 0 : data.size() - at; }
  bool isAtEnd() const { return left() == 0; }

  llvm::StringRef take(uint64_t count) {
    if (failed() || count > data.size() - at) {
      fail(llvm::Twine(count) + " bytes are expected, but " + llvm::Twine(left()) + " are left");
      return {};
    }
    at += count;
    return data.substr(at - count, count);
  }
  uint8_t byte() {
    llvm::StringRef taken = take(1);
    return taken.empty() ? 0 : uint8_t(taken.front());
  }
  // Little endian, of `size` bytes.
  uint64_t fixed(unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; char c : take(size))
      value |= uint64_t(uint8_t(c)) << (8 * i++);
    return value;
  }
  // LEB128.
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t next = byte();
      value |= uint64_t(next & 0x7f) << shift;
      if (next < 0x80)
        return value;
    }
    fail("a number has more than 64 bits");
    return 0;
  }
  int64_t signedNumber() {
    uint64_t value = number();
    return int64_t(value >> 1) ^ -int64_t(value & 1);
  }
  // How many things follow, each of at least `size` bytes: never more than the bytes allow.
  uint64_t count(unsigned size = 1) {
    size_t start = offset();
    uint64_t value = number();
    if (value > left() / size) {
      failAt(llvm::Twine(value) + " entries are announced, which do not fit into the " +
                 llvm::Twine(left()) + " bytes that are left",
             start);
      return 0;
    }
    return value;
  }
  // Skips to a multiple of `alignment` in these bytes.
  void align(uint64_t alignment) {
    if (alignment == 0 || (alignment & (alignment - 1)))
      return fail("the alignment " + llvm::Twine(alignment) + " is no power of two");
    take(-uint64_t(at) & (alignment - 1));
  }
  // A part of these bytes, read by itself.
  Bytes part(uint64_t size) {
    size_t start = offset();
    return {take(size), start, problem};
  }

private:
  llvm::StringRef data;
  size_t at = 0, origin;
  Problem &problem;
};

} // namespace tessera::tileir
