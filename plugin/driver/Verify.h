// `tessera run --verify`: runs a program on the CPU, under the emulator and on a GPU, and compares
// what each launch changes in memory (runtime/src/verify). Each target is a process of its own.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

// The exit status of the tool: 86 if something is found, else that of the program on the CPU.
int verify(Options options);

} // namespace tessera::driver
