// Which line of the program an address of its code is.
#pragma once

#include <string>

namespace tessera::host {

// The first line of these addresses' frames (" 0x1234 0x5678") in the file that is not of the
// runtime's headers; empty if there is none, or no llvm-symbolizer.
std::string find_line(const char *file, const std::string &addresses);

} // namespace tessera::host
