// What a test is called by what it asks: "is_zero", "has_block_1", "has_next".
#pragma once

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace tessera::plan {

// Of a comparison of two numbers; nothing: of any other op.
std::optional<std::string> predicateName(mlir::Operation *op);

} // namespace tessera::plan
