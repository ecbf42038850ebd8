// The command line of the tool.
#pragma once

#include "driver/Session.h"
#include "frontend/parse/Invocation.h"

#include <optional>

namespace tessera::driver {

// The requested output for a target. The output "-" is standard output; the home is the folder of
// the output, empty if it has none.
struct Text {
  Target target;
  std::string output, home;
};

// How run --verify compares: launches of more blocks are sampled (0: none is), floating-point
// numbers may differ by so many ulps, and the findings go to the file as JSON, if it has a name.
struct Verification {
  unsigned blocks = 64;
  double ulps = 16;
  std::string report;
};

struct Options {
  enum Action { Translate, Check, Explain, Run, Build, Profile, Dump } action = Translate;
  frontend::CommandLine commandLine;
  std::vector<const GpuTarget *> architectures; // in numerical order
  Settings settings;
  std::vector<Text> texts;    // one for run and build
  std::string library;        // the output of build
  std::string signatureOf;    // the kernel template whose signature check prints; empty: none
  std::string dependencyFile; // the list of the outputs' dependencies; empty: none
  // The file system of the program; null: the disk.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  // Part of another process: memory is freed, and a crash is the process's.
  bool isEmbedded = false;
  bool isPtx = false;             // build makes the kernels' PTX
  bool isDebugged = false;        // run builds with debug information
  std::string optimization = "2"; // the optimization level of the output, "0" to "3"
  bool isTargetChosen = false;    // run selects a target if none is given
  bool measures = false;          // explain runs a compiler to report the kernels' registers
  unsigned timeout = 0;           // time limit of run, in seconds; 0: none
  std::optional<Verification> verification; // run compares the targets
  std::string profileOutput;                // of profile, as JSON; empty: none
  std::string recordOfNcu; // the table that profile reads in place of a run; empty: none
  std::string profile;     // what explain shows of a profile; empty: none
  std::vector<std::string> programArguments;
  std::string checkList; // as --check has it
};

// Nothing after a usage error, which has been printed. --help and --version print and end the
// program.
std::optional<Options> parseOptions(int argc, char **argv);

} // namespace tessera::driver
