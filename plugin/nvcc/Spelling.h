// The command line that nvcc gets in place of its user's.
#pragma once

#include "nvcc/CommandLine.h"

namespace tessera::nvcc {

// The options that no version of nvcc accepts from us: those of tile code.
std::optional<Words> withoutTileOptions(const Option &option);

// The folder of headers that precede those of libraries, for code that nvcc would read with
// --enable-tile: before all others, or nothing.
Words headersOfLibraries(const CommandLine &line);

// Additional options for nvcc to read a program with tile code: our cuda_tile.h precedes its own.
Words sourceOptions(const CommandLine &line);

// The options for nvcc to read a translation.
Words languageOptions(const CommandLine &line);

// Does the command line request ptxas's report on registers?
bool asksForUse(const CommandLine &line);
// Our request for it.
Words useOptions();

// The options for an image, except those that select the image and its source.
Words imageOptions(const CommandLine &line);

} // namespace tessera::nvcc
