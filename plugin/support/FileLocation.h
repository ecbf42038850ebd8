// A place in the program's source. Stages after Clang know the source by these alone.
#pragma once

#include <string>

namespace tessera {

struct FileLocation {
  std::string file; // as the user named it
  unsigned line = 0, column = 0;
};

} // namespace tessera
