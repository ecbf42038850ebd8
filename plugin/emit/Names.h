// Names of emitted variables: the programmer's where the IR kept them, else the operation's;
// unique, and never one of the runtime's or C++'s.
#pragma once

#include "tile/SourceNames.h"

#include "llvm/ADT/StringMap.h"
#include <string>

namespace tessera::emit {

class Names {
public:
  // A fresh name close to `wish`.
  std::string fresh(llvm::StringRef wish);

private:
  llvm::StringMap<unsigned> used;
};

using tile::sourceName;
using tile::sourcePlace;

} // namespace tessera::emit
