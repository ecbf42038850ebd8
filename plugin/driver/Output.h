// Writes the translated texts: whole or not at all.
#pragma once

#include "driver/Translate.h"

namespace tessera::driver {

// Its texts, one for each of the options', and the list of files if it is asked for. 0, or 2 after
// a message, when nothing has been written.
int writeOutputs(const Outcome &outcome, const Options &options);

// The list of files alone, if it is asked for: of what is built.
int writeDependencies(const Outcome &outcome, const Options &options);

} // namespace tessera::driver
