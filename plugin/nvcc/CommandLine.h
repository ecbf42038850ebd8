// The command line of nvcc: its words in order, each with its meaning for a translation, which
// NvccOptions.td says.
#pragma once

#include "driver/CommonOptions.h"
#include "driver/Completion.h"
#include "driver/Processes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::nvcc {

using driver::Words;

enum class OptionKind : unsigned {
  Invalid,
#define OPTION(PREFIXES, NAME, ID, ...) ID,
#include "nvcc/NvccOptions.inc"
#undef OPTION
  Common, // a row of driver/CommonOptions.def
  Input = INPUT
};

// Does it request only an image, without a program for the host?
bool isImage(OptionKind kind);

// An option with its value, or an input.
struct Option {
  OptionKind kind = OptionKind::Other;
  std::string value;                            // of an input, its name
  Words spelled;                                // as it was given
  const driver::CommonOption *common = nullptr; // of a Common one
};

class CommandLine {
public:
  std::vector<Option> options;

  bool has(OptionKind kind) const;
  // Of its last occurrence.
  std::optional<std::string> valueOf(OptionKind kind) const;
  // Of all its occurrences, split at commas.
  Words valuesOf(OptionKind kind) const;
  // The host compiler's options (-Xcompiler): split again, as by the shell with which nvcc runs it.
  // One option may have several words, and a word may be quoted.
  Words hostWords() const;
  std::vector<const Option *> inputs() const;
  // What its common options set.
  driver::Settings settings() const;
  // The words for nvcc, with replacements for some options: nothing keeps an option unchanged.
  Words spell(llvm::function_ref<std::optional<Words>(const Option &)> replace) const;
};

// All known options, each under its names.
std::vector<driver::CompletedWord> completedOptions();

// -MD, -MMD
bool wantsDependencies(const CommandLine &line);

// -dc, -rdc=true
bool isRelocatable(const CommandLine &line);

// The words after the program's name. Options files are expanded recursively; their names are
// relative to the folder. Nothing after a message.
std::optional<CommandLine> readCommandLine(Words words, llvm::raw_ostream &messages,
                                           llvm::StringRef folder = "");

} // namespace tessera::nvcc
