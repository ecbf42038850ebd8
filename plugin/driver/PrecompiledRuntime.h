// The precompiled headers for building a translated program for this machine: the runtime's, which
// take longer to parse than most programs.
#pragma once

#include "driver/Options.h"
#include "driver/Processes.h"

namespace tessera::driver {

// The file that a command line, which compiles a program's code, may include as precompiled; empty:
// none yet, or none at all.
std::string precompiledRuntime(const Words &compile, const Options &options);

} // namespace tessera::driver
