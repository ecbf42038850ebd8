// The output of a compiler of generated code, adapted for the program's user.
//
// Messages about the program's own code are forwarded unchanged. Advice about generated kernels is
// dropped, since users cannot act on it; an error there is a bug in tessera, reported with the
// whole output.
#pragma once

#include "driver/Processes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera::driver {

// The report without advice about generated kernels: those of the namespace tessera::kernels, and
// those of these symbols.
std::string forUser(llvm::StringRef report, llvm::ArrayRef<std::string> kernels = {});

// The cause of a compiler's failure, and a line that names it: empty if the report suffices.
enum class Blame { Program, Link, Machine, Tessera };
struct Failure {
  Blame blame;
  std::string why;
};
Failure explainFailure(llvm::StringRef program, const TemporaryFolder &folder,
                       llvm::StringRef report);

} // namespace tessera::driver
