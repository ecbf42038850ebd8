// `tessera run`: builds the translated program in a temporary folder and runs it. `tessera build`:
// builds a shared library from it.
#pragma once

#include "driver/Processes.h"
#include "driver/Translate.h"

namespace tessera::driver {

// Clang, and the options of every target: the language, the user's options, and quoted headers
// relative to the source file. A program may be older than the runtime that its code includes.
Words compilerWords(const Options &options, unsigned runtimeYear);

// Has this machine a GPU?
bool hasGpu();

// Gpu if this machine has one, else Cpu; printed to standard error.
Target sayDefaultRunTarget();

// What enforces the options' time limit on a GPU; empty: nothing has to. Nothing after a message.
std::optional<std::string> findTimeKeeper(const Options &options);

// Runs a program in place of this tool, within the time limit.
Ending runLimited(Words words, const Options &options, const std::string &keeper);

// The exit status of the tool after that. A signal that ends a program ends this process, too, or
// is reported.
int statusAfter(const Ending &ending, const Options &options, const std::string &keeper);

// Makes the product in the folder; the options have one target. The exit status, 0 or another after
// a message.
int build(const Outcome &outcome, Options options, const TemporaryFolder &folder,
          const std::string &product);

// Names the program that finds lines for the emulator and for failed checks.
void nameSymbolizer();

// The exit status of the program, or 2 if it could not be built. For a GPU, kernels about which
// ptxas complains are planned again (PlanAgain.h).
int buildAndRun(const Outcome &outcome, const Options &options);

// 0, or 2 if the shared library, or the PTX, could not be built. For a CPU it contains the runtime
// with hidden symbols: several may be loaded together and with a CUDA runtime.
int buildLibrary(const Outcome &outcome, const Options &options);

} // namespace tessera::driver
