// nvcc as the compiler of generated code: its output is adapted for the program's user.
#pragma once

#include "driver/Processes.h"

#include "llvm/ADT/ArrayRef.h"

namespace tessera::nvcc {

struct CompiledText {
  std::string program; // of the output
  const driver::TemporaryFolder *folder = nullptr;
  llvm::ArrayRef<std::string> kernels = {}; // symbols of tile kernels
  bool takesOutput = false;                 // standard output also counts as messages
  bool isRun = false;
  // ptxas reports registers, for our own use.
  bool readsUse = false;
};

// The exit status; negative: it could not be run. The output of a program that nvcc runs (--run) is
// passed through. With a `report`, nvcc's output for correct code goes only there.
int compileText(const driver::Words &words, const CompiledText &text, llvm::raw_ostream &messages,
                std::string *report = nullptr);

// The part of such a report for the user.
std::string toldOf(llvm::StringRef report, const CompiledText &text);

// nvcc for other code than generated code, with its temporary files in the run's folder.
int runCompiler(const driver::Words &words, std::string *output = nullptr);

} // namespace tessera::nvcc
