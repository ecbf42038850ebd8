// Compiles translated programs with the runtime's headers precompiled: parsing them takes longer
// than most programs.
#pragma once

#include "driver/Options.h"
#include "driver/Processes.h"

namespace tessera::driver {

// Runs the command `compile` with the words of `rest`. `compile` alone says how the program is
// parsed, for one target. If the compiler fails with a precompiled form, it runs again with the
// headers, and reports the program's errors.
int compileWithRuntime(const Words &compile, const Words &rest, const Options &options,
                       const Surroundings &surroundings);

// Makes the form that compileWithRuntime will read for this command for a GPU, if it is missing and
// wanted.
void precompileForGpu(const Words &compile, const std::string &program);

} // namespace tessera::driver
