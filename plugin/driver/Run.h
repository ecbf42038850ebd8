// `tessera run`: builds the translated program in a temporary folder and runs it. `tessera build`:
// builds a shared library of it.
#pragma once

#include "driver/Processes.h"
#include "driver/Translate.h"

namespace tessera::driver {

// Clang, and what holds for every target: the language, the user's options, and quoted headers
// found where the source file is. A program may be older than the runtime that its text includes.
Words compilerWords(const Options &options, unsigned runtimeYear);

// Gpu where this machine has one, else Cpu; standard error names it.
Target sayDefaultRunTarget();

// The exit status of the program, or 2 if it could not be built. For a GPU kernels of which ptxas
// complains are planned once more (PlanAgain.h).
int buildAndRun(const Outcome &outcome, const Options &options);

// 0, or 2 if the shared library, or the PTX, could not be built. For a CPU it has the runtime
// inside, which nothing else sees: several may be loaded beside each other and beside a CUDA
// runtime.
int buildLibrary(const Outcome &outcome, const Options &options);

} // namespace tessera::driver
