// What of a command line nvcc is told in place of its user.
#pragma once

#include "nvcc/CommandLine.h"

namespace tessera::nvcc {

// The options that nvcc of any version does not take from us: those of tile code.
std::optional<Words> withoutTileOptions(const Option &option);

// The folder of headers that stand before those of libraries, as nvcc with --enable-tile would have
// them read: ahead of all others, or nothing.
Words headersOfLibraries(const CommandLine &line);

// What nvcc is told besides to read a program with tile code: our cuda_tile.h comes before its own.
Words sourceOptions(const CommandLine &line);

// What it is told to read a translation.
Words languageOptions(const CommandLine &line);

// Does it ask itself what kernels take of registers?
bool asksForUse(const CommandLine &line);
// The same, asked by us.
Words useOptions();

// The options for an image, but for what says which one is made of what.
Words imageOptions(const CommandLine &line);

} // namespace tessera::nvcc
