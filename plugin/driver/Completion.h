// The completions after a program's name, printed as a script for the shell.
//
//   tessera --print-completion=bash > /etc/bash_completion.d/tessera
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tessera::driver {

struct CompletedWord {
  std::string name;        // "--arch" or "run"
  std::string description; // one line, or nothing
  bool takesValue = false; // after '='; after a one-letter name, directly or as the next word
  std::vector<std::string> values; // the known ones; none: files
  // The commands that an option may follow, "" for none of them; no list: all.
  std::vector<std::string> behind = {};
};

struct Completion {
  std::string program;
  std::vector<CompletedWord> commands, options;
};

// The hidden option of a program; its value is the shell.
constexpr llvm::StringLiteral completionOption = "--print-completion";

// bash, zsh or fish; false for another shell, without output.
bool printCompletion(const Completion &completion, llvm::StringRef shell, llvm::raw_ostream &out);

} // namespace tessera::driver
