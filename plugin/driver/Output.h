// Writes the translated outputs atomically.
#pragma once

#include "driver/Translate.h"

namespace tessera::driver {

// One output for each of the options', and the list of files if requested. 0, or 2 after a message,
// without any output.
int writeOutputs(const Outcome &outcome, const Options &options);

// Only the list of files, if requested: for build.
int writeDependencies(const Outcome &outcome, const Options &options);

} // namespace tessera::driver
