// Copies from or to one of several local variables.
#pragma once

#include "llvm/IR/Module.h"

namespace tessera::frontend {

// Before: `b = c ? a : b` of tiles, or of structs of them, is a memcpy from a selected address.
// After: a load and a store of each member, which SROA promotes through the select; a memcpy it
// does not. Returns whether there was one.
bool expandChosenCopies(llvm::Module &module);

} // namespace tessera::frontend
