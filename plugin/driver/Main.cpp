// The tool tessera: translates, checks, runs or builds one file of CUDA Tile C++, runs a program of
// cuTile Python, or prints a file of bytecode.
//
// Exit status: 0, 1 when the program is refused, 2 for an error of the command line or the
// machine, 70 when tessera itself crashes; `run` gives the program's own.
#include "driver/Bytecode.h"
#include "driver/Explain.h"
#include "driver/Files.h"
#include "driver/GpuBuild.h"
#include "driver/Options.h"
#include "driver/Output.h"
#include "driver/Profile.h"
#include "driver/Run.h"
#include "driver/RunPython.h"
#include "driver/Signals.h"
#include "driver/Translate.h"
#include "driver/Verify.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

int main(int argc, char **argv) {
  driver::cleanUpWhenEnded();
  driver::sayLostOutputAtExit("tessera");
  std::optional<driver::Options> options = driver::parseOptions(argc, argv);
  if (!options)
    return 2;
  if (options->action == driver::Options::Dump)
    return driver::dumpBytecode(options->commandLine.file);
  if (options->action == driver::Options::Run && driver::isPythonProgram(options->commandLine.file))
    return driver::runPython(*options);
  if (driver::isBytecode(options->commandLine.file))
    return driver::readBytecode(*options);
  if (options->action == driver::Options::Profile)
    return driver::profile(*options);
  bool isBuilt =
      options->action == driver::Options::Run || options->action == driver::Options::Build;
  if (options->verification)
    return driver::verify(*options);
  if (isBuilt && !options->isTargetChosen)
    options->texts.front().target = driver::sayDefaultRunTarget();
  if (options->action == driver::Options::Check && !options->isTargetChosen)
    options->texts.front().target =
        driver::Target::Cpu; // there is no plan: this checks the language, for no particular GPU

  std::optional<driver::GpuBuildPreparation> preparation;
  if (isBuilt && options->texts.front().target == driver::Target::Gpu)
    preparation.emplace(*options);
  driver::Outcome outcome = driver::translate(*options, llvm::errs());
  preparation.reset();
  if (outcome.status != 0)
    return outcome.status;
  if (options->action == driver::Options::Check) {
    llvm::outs() << outcome.signature;
    return driver::writeDependencies(outcome, *options);
  }
  if (options->action == driver::Options::Explain)
    return driver::explainKernels(outcome, *options);
  if (options->action == driver::Options::Build) {
    int status = driver::buildLibrary(outcome, *options);
    return status == 0 ? driver::writeDependencies(outcome, *options) : status;
  }
  return options->action == driver::Options::Run ? driver::buildAndRun(outcome, *options)
                                                 : driver::writeOutputs(outcome, *options);
}
