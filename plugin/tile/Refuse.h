// How the stages on tile IR refuse a legal program: as "not supported yet". Any other error of MLIR
// is a fault of the compiler.
#pragma once

#include "support/Report.h"

#include "mlir/IR/Diagnostics.h"

namespace tessera::tile {

inline constexpr llvm::StringLiteral refusalMark = "tessera.refusal";

inline mlir::InFlightDiagnostic refuse(mlir::Location location) {
  mlir::InFlightDiagnostic diagnostic = mlir::emitError(location);
  diagnostic.getUnderlyingDiagnostic()->getMetadata().emplace_back(llvm::StringRef(refusalMark));
  return diagnostic;
}

// Converts MLIR's diagnostics to ours.
mlir::DiagnosticEngine::HandlerTy forwardTo(Reports &reports);

} // namespace tessera::tile
