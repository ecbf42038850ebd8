// `tessera run`: builds the translated program in a temporary folder and runs it.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

// Gpu where this machine has one, else Cpu; standard error names it.
Target sayDefaultRunTarget();

// The exit status of the program, or 2 if it could not be built.
int buildAndRun(const std::string &text, const Options &options);

} // namespace tessera::driver
