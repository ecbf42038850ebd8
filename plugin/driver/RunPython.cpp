#include "driver/RunPython.h"

#include "driver/Run.h"
#include "frontend/parse/Installation.h"
#include "support/Messages.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;

namespace tessera::driver {
namespace {

void say(const Twine &message) { errs() << "tessera: " << message << '\n'; }

int fail(const Twine &message) {
  say(message);
  return Outcome::unusable;
}

// The program may have been found in PATH, by name alone.
std::string ownProgram() {
  SmallString<256> path;
  return sys::fs::real_path("/proc/self/exe", path) ? std::string() : path.str().str();
}

} // namespace

bool isPythonProgram(StringRef file) { return file.ends_with(".py"); }

int runPython(const Options &options) {
  const std::string &file = options.commandLine.file;
  auto python = sys::findProgramByName("python3");
  if (!python)
    return fail(formatv(message::NoPython, file));
  Options chosen = options;
  Target &target = chosen.texts.front().target;
  if (!options.isTargetChosen)
    target = hasGpu() ? Target::Gpu : Target::Cpu;
  const bool isForGpu = target == Target::Gpu;
  if (!options.isTargetChosen && !isForGpu)
    say(message::OnCpu);
  if (isForGpu && !hasGpu())
    return fail(formatv(message::PythonWithoutGpu, file));
  std::optional<std::string> keeper = findTimeKeeper(chosen);
  if (!keeper)
    return Outcome::unusable;
  setenv("TESSERA_PROGRAM", ownProgram().c_str(), /*overwrite=*/1);
  Words words = {*python, frontend::pythonLauncher(),
                 isForGpu                ? "--target=gpu"
                 : target == Target::Cpu ? "--target=cpu"
                                         : "--target=emulate"};
  if (!options.checkList.empty())
    words.push_back("--check=" + options.checkList);
  words.push_back(file);
  words.insert(words.end(), options.programArguments.begin(), options.programArguments.end());
  return statusAfter(runLimited(std::move(words), chosen, *keeper), chosen, *keeper);
}

} // namespace tessera::driver
