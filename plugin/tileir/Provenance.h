// Where the pointers of an entry come from, and what its accesses and tokens say of its parameters.
#pragma once

#include "tileir/Module.h"

#include "llvm/ADT/BitVector.h"

namespace tessera::tileir {

struct ParameterFacts {
  // No other pointer leads to its memory. Launches of cuTile Python promise that no two arrays
  // overlap, and its tokens are per array: where arrays may overlap, a token leads from an access
  // of one to an access of the other.
  bool isRestrict = true;
  // Nothing is stored through it, and its address does not become a number.
  bool isConst = true;
};

// One for each parameter; those that are no pointers have no meaning.
std::vector<ParameterFacts> factsOfParameters(const Function &function);

} // namespace tessera::tileir
