// The command line of the tool.
#pragma once

#include "driver/Session.h"
#include "frontend/Invocation.h"

#include <optional>

namespace tessera::driver {

struct Options {
  enum Action { Translate, Check, Run } action = Translate;
  frontend::CommandLine commandLine;
  std::vector<const GpuTarget *> architectures; // in the order of their numbers
  Settings settings;
  bool isTargetChosen = false; // run picks a target where none is given
  std::string output;          // "-": standard output
  std::vector<std::string> programArguments;
};

// Nothing after a usage error, which has been printed. --help and --version print and leave the
// program.
std::optional<Options> parseOptions(int argc, char **argv);

} // namespace tessera::driver
