// What types an operation may have: bytecode comes from outside, and what is built of it must not
// depend on the producer's care.
#pragma once

#include "tileir/Kernel.h"

namespace tessera::tileir {

// Reports the first operand or result of another type than the operation's rule allows.
llvm::LogicalResult checkTypes(Kernel &kernel, const Op &op);

} // namespace tessera::tileir
