#include "tile/Refuse.h"

#include "tile/SourceNames.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tile {

namespace {

bool isRefusal(mlir::Diagnostic &diagnostic) {
  using Argument = DiagnosticArgument;
  return llvm::any_of(diagnostic.getMetadata(), [](const Argument &argument) {
    return argument.getKind() == Argument::DiagnosticArgumentKind::String &&
           argument.getAsString() == refusalMark;
  });
}

} // namespace

DiagnosticEngine::HandlerTy forwardTo(Reports &reports) {
  return [&reports](mlir::Diagnostic &d) {
    bool isError = d.getSeverity() == DiagnosticSeverity::Error;
    if (!isError && d.getSeverity() != DiagnosticSeverity::Warning)
      return success();
    reports({!isError       ? Diagnostic::Warning
             : isRefusal(d) ? Diagnostic::Unsupported
                            : Diagnostic::Bug,
             fileLocation(d.getLocation()), d.str()});
    for (mlir::Diagnostic &note : d.getNotes())
      reports({Diagnostic::Note, fileLocation(note.getLocation()), note.str()});
    return success();
  };
}

} // namespace tessera::tile
