// The command line of the tool.
#pragma once

#include "driver/Session.h"
#include "frontend/Invocation.h"

#include <optional>

namespace tessera::driver {

// What is wanted for a target. The output "-" is standard output; the home is the folder that the
// text will lie in, empty where it has none.
struct Text {
  Target target;
  std::string output, home;
};

struct Options {
  enum Action { Translate, Check, Explain, Run, Build } action = Translate;
  frontend::CommandLine commandLine;
  std::vector<const GpuTarget *> architectures; // in the order of their numbers
  Settings settings;
  std::vector<Text> texts;    // one where the program is run or built
  std::string library;        // what build makes
  std::string signatureOf;    // the kernel template whose signature check prints; empty: none
  std::string dependencyFile; // where the files that the texts are made of are listed; empty: no
  // Where the program is read; null: the disk.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  // Others work in this process: memory is given back, and a crash is theirs.
  bool isEmbedded = false;
  bool isPtx = false;             // build makes the kernels' PTX
  bool isDebugged = false;        // run builds what debuggers can read
  std::string optimization = "2"; // the level at which texts are compiled, "0" to "3"
  bool isTargetChosen = false;    // run picks a target where none is given
  bool measures = false;          // explain lets a compiler say what registers kernels take
  unsigned timeout = 0;           // seconds that run gives the program; 0: no limit
  std::vector<std::string> programArguments;
};

// Nothing after a usage error, which has been printed. --help and --version print and leave the
// program.
std::optional<Options> parseOptions(int argc, char **argv);

} // namespace tessera::driver
