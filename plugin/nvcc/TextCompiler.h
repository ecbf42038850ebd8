// nvcc as the compiler of emitted text: what it says is told as the program's user can take it.
#pragma once

#include "driver/Processes.h"

#include "llvm/ADT/ArrayRef.h"

namespace tessera::nvcc {

struct CompiledText {
  std::string program; // whose text it is
  const driver::TemporaryFolder *folder = nullptr;
  llvm::ArrayRef<std::string> kernels = {}; // symbols of tile kernels
  bool takesOutput = false;                 // standard output is a message, too
  bool isRun = false;
  // ptxas is asked what kernels take, for our own use.
  bool readsUse = false;
};

// The exit status; negative: it could not be run. What nvcc is told to run (--run) has its own
// output, as it comes. With a `report` what nvcc says of a text that is right goes there alone.
int compileText(const driver::Words &words, const CompiledText &text, llvm::raw_ostream &messages,
                std::string *report = nullptr);

// What is told of such a report.
std::string toldOf(llvm::StringRef report, const CompiledText &text);

// nvcc for what is no emitted text, with its temporary files in a folder of the run's.
int runCompiler(const driver::Words &words, std::string *output = nullptr);

} // namespace tessera::nvcc
