// Which line of the program an address of its code is.
#pragma once

#include <span>
#include <string>

namespace tessera::host {

struct source_place {
  std::string file; // empty: unknown
  unsigned line = 0, column = 0;

  std::string text() const; // "x.cu:12"
};

// The first place of these addresses' frames (" 0x1234 0x5678") in the file that is not of the
// runtime's headers; unknown if there is none, or no llvm-symbolizer.
source_place find_place(const char *file, const std::string &addresses);
std::string find_line(const char *file, const std::string &addresses);

// Of code addresses, each behind its instruction's first byte, as callers are: the innermost place
// of the program among those that are in the first one's file.
source_place find_place(std::span<void *const> frames);

} // namespace tessera::host
