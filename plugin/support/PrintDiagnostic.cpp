#include "support/PrintDiagnostic.h"

using namespace llvm;

namespace tessera {

static StringRef wordOf(Diagnostic::Kind kind) {
  switch (kind) {
  case Diagnostic::Warning: return "warning";
  case Diagnostic::Note: return "note";
  case Diagnostic::Remark: return "remark";
  default: return "error";
  }
}

static std::string locationText(const FileLocation &at) {
  if (at.file.empty())
    return "";
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

void print(raw_ostream &out, const Diagnostic &diagnostic) {
  out << locationText(diagnostic.location) << wordOf(diagnostic.kind) << ": "
      << (diagnostic.kind == Diagnostic::Unsupported ? "not supported yet: "
          : diagnostic.kind == Diagnostic::Bug       ? "a bug in Tessera: "
                                                     : "")
      << diagnostic.message << '\n';
  for (const FileLocation &caller : diagnostic.callers)
    out << locationText(caller) << "note: called from here\n";
}

} // namespace tessera
