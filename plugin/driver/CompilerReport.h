// What a compiler of emitted text says, as the user of the program is told it.
//
// What is about the program's own code is handed on as it is. Advice about emitted kernels is kept
// back, since nobody can act on it; an error there is a fault of tessera, which is said with the
// whole report.
#pragma once

#include "driver/Processes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera::driver {

// The report without advice about emitted kernels: those of the namespace tessera::kernels, and
// those of these symbols.
std::string forUser(llvm::StringRef report, llvm::ArrayRef<std::string> kernels = {});

// Whose the failure of a compiler is, and a line that says so: empty where the report says all.
enum class Blame { Program, Link, Machine, Tessera };
struct Failure {
  Blame blame;
  std::string why;
};
Failure explainFailure(llvm::StringRef program, const TemporaryFolder &folder,
                       llvm::StringRef report);

} // namespace tessera::driver
