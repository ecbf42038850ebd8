// Names of variables in generated code: the programmer's if the IR kept them, else the operation's;
// unique, and never a name of the runtime or of C++.
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

using tile::sourceLocation;
using tile::sourceName;

} // namespace tessera::emit
