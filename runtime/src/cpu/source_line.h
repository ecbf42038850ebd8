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

// The first location among the frames of these addresses (" 0x1234 0x5678") whose file is not one
// of the runtime's headers; unknown if there is none, or no llvm-symbolizer.
source_location find_location(const char *file, const std::string &addresses);
std::string find_line(const char *file, const std::string &addresses);

// Without the leading frames in the C and C++ libraries, unless all are in them.
std::span<void *const> frames_of_program(std::span<void *const> frames);

// For code addresses, each after its instruction's first byte, like return addresses: the innermost
// location of the program among those in the first one's file, after frames_of_program().
source_location find_location(std::span<void *const> frames);

} // namespace tessera::host
