// Helpers of the checks: names of values in messages, and the insertion of a check next to an
// operation.
#pragma once

#include "mlir/IR/Builders.h"
#include "tile/TileDialect.h"

#include <string>

namespace tessera::plan {

// "'x'" by the programmer's name for a value, else the other words.
std::string namedOr(mlir::Value value, llvm::StringRef words);
// "'a'", the parameter or array that a pointer is based on, else "memory".
std::string memoryOf(mlir::Value pointer);
// "[4, 8]"
std::string listOf(mlir::ArrayRef<int64_t> numbers);
// "[%lld, %lld]"
std::string indicesFor(size_t count);

// An integer or pointer as printf takes it: 64 bits.
mlir::Value widened(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    bool isUnsigned = false);
mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value);
mlir::Value both(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y);

// The source location of an operation without the name of its result: what a check computes has
// none.
mlir::Location locationOf(mlir::Operation *op);

// A check that the condition holds, unless it is known to hold.
void createCheck(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value holds,
                 const std::string &message, mlir::ValueRange values = {});

} // namespace tessera::plan
