// What the build of a translated program for this machine reads precompiled: the runtime's headers,
// which take longer to parse than most programs do.
#pragma once

#include "driver/Options.h"
#include "driver/Processes.h"

namespace tessera::driver {

// The file that a command line, which compiles a program's text, may include as precompiled; empty:
// there is none, yet or at all.
std::string precompiledRuntime(const Words &compile, const Options &options);

} // namespace tessera::driver
