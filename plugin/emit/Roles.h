// What an unnamed scalar is for, as a name: "row_start", "k_next", "is_inside", "read_next".
#pragma once

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace tessera::emit {

// The name that `scalar` gets from its use or its definition; none where neither has a role. The
// program's own name, if there is one, comes first and is not asked for here.
std::optional<std::string> roleOf(mlir::Value scalar);

} // namespace tessera::emit
