// Names of variables in generated code: the programmer's if the IR kept them, else the operation's;
// unique, and never a name of the runtime or of C++.
#pragma once

#include "tile/SourceNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace tessera::emit {

// May it be in a name?
inline bool isOfName(char c) { return llvm::isAlnum(c) || c == '_'; }

// Is it a name of namespace tessera, in which kernels are emitted?
bool isRuntimeName(llvm::StringRef name);

class Names {
public:
  // A name close to `wish` that no visible name equals: none of this scope or of one around it.
  std::string fresh(llvm::StringRef wish);
  // The same for what the function declares at its beginning, whatever scope asks for it: no scope
  // has had this name before.
  std::string freshForFunction(llvm::StringRef wish);

  // Names of a scope are free again behind its end.
  void openScope() { scopes.emplace_back(); }
  void closeScope();

private:
  std::string fresh(llvm::StringRef wish, const llvm::StringSet<> &taken);

  llvm::StringSet<> visible, ever;
  std::vector<std::vector<std::string>> scopes;
};

using tile::sourceLocation;
using tile::sourceName;

} // namespace tessera::emit
