// Objects and programs: nvcc compiles the command line with the generated code in place of the
// inputs that have tile code.
#pragma once

#include "nvcc/Architectures.h"

namespace tessera::nvcc {

// One of the command line's inputs with tile code.
using TileInputs = std::vector<const Option *>;

// The exit status.
int buildForHost(const CommandLine &line, const TileInputs &tileInputs,
                 const Architectures &architectures, const Toolkit &toolkit);

// Keeps the translation of a file if --keep requests it. The exit status.
int keepText(const CommandLine &line, const std::string &file, const std::string &text);

// The additional output of -MD and -MMD. The exit status.
int writeDependencies(const CommandLine &line, const Option &input, const Toolkit &toolkit);

} // namespace tessera::nvcc
