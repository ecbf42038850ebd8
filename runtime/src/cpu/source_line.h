// The line of the program for an address of its code.
#pragma once

#include <span>
#include <string>

namespace tessera::host {

struct source_location {
  std::string file; // empty: unknown
  unsigned line = 0, column = 0;

  std::string text() const; // "x.cu:12"
};

// Code addresses in one file, as the input of addr2line: " 0x1234 0x5678".
struct code_addresses {
  const char *file = nullptr; // null: there are none
  std::string text;
};

// Of addresses each after its instruction's first byte, like return addresses: those in the file of
// the first that is not of the C or C++ library, up to the first in another file; where all are of
// these libraries, in the file of the first.
code_addresses addresses_in_program(std::span<void *const> frames);

// The innermost location of the program: the first whose file is not one of the runtime's headers;
// unknown if there is none, or no llvm-symbolizer.
source_location find_location(const code_addresses &addresses);
source_location find_location(std::span<void *const> frames);

} // namespace tessera::host
