// The stage raise: from a tile program in LLVM IR to one module of tile IR.
//
// A kernel becomes a func.func under its symbol: structured control flow in scf, scalars in arith,
// math and llvm, every vector a tile and every call of a primitive one operation of the tile
// dialect. Attributes keep the C++ declarations: on the function `tile.kernel` and, from hints,
// `tile.occupancy`; on an argument `tile.name`, `tile.type`, `tile.restrict`, `tile.pointee` and
// `tile.const`, `tile.unsigned`, and `tile.byval` on a struct that is passed by pointer. tile.field
// reads the struct members that the front end knows by name; all other bytes are read through that
// pointer.
#pragma once

#include "frontend/Program.h"
#include "support/Checks.h"
#include "support/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera {

// The kernels of `program`, verified, with the promises that checks need.
Result<mlir::OwningOpRef<mlir::ModuleOp>> raise(const frontend::TileProgram &program,
                                                mlir::MLIRContext &context, Reports &reports,
                                                const Checks &checks);

} // namespace tessera
