// The stage raise: from a tile program in LLVM IR to one module of tile IR.
//
// A kernel becomes a func.func under its symbol: structured control flow in scf, scalars in arith,
// math and llvm, every vector a tile and every call of a primitive one operation of the tile
// dialect. Attributes keep what C++ said: on the function `tile.kernel` and, from hints,
// `tile.occupancy`; on an argument `tile.name`, `tile.type`, `tile.restrict`, `tile.pointee` and
// `tile.const`, `tile.unsigned`, and `tile.byval` on a struct that is passed by pointer. What the
// front end knows by name of a struct is read by tile.field, anything else of it through that
// pointer.
#pragma once

#include "Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera {

// The kernels of `program`, verified, with the promises that checks ask about.
Result<mlir::OwningOpRef<mlir::ModuleOp>> raise(const frontend::TileProgram &program,
                                                mlir::MLIRContext &context, Reports &reports,
                                                const Checks &checks);

} // namespace tessera
