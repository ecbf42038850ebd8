// How the stages on tile IR refuse a legal program: as "not supported yet". Any other error of MLIR
// is a fault of the compiler.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::tile {

inline constexpr llvm::StringLiteral refusalMark = "tessera.refusal";

inline mlir::InFlightDiagnostic refuse(mlir::Location location) {
  mlir::InFlightDiagnostic diagnostic = mlir::emitError(location);
  diagnostic.getUnderlyingDiagnostic()->getMetadata().emplace_back(llvm::StringRef(refusalMark));
  return diagnostic;
}

inline bool isRefusal(mlir::Diagnostic &diagnostic) {
  using Argument = mlir::DiagnosticArgument;
  return llvm::any_of(diagnostic.getMetadata(), [](const Argument &argument) {
    return argument.getKind() == Argument::DiagnosticArgumentKind::String &&
           argument.getAsString() == refusalMark;
  });
}

} // namespace tessera::tile
