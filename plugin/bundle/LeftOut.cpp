// What the archives ask other libraries for, and no program here uses: Z3, by which Clang's static
// analyzer can check its reports, and Polly, whose passes run only where an option names them.
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SMTAPI.h"

llvm::SMTSolverRef llvm::CreateZ3Solver() {
  llvm::reportFatalUsageError("Z3 is not in this Clang");
}
void llvm::SMTSort::dump() const {}
void llvm::SMTExpr::dump() const {}
void llvm::SMTSolver::dump() const {}

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}, nullptr};
}
