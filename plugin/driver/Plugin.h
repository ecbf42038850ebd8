// The plugin as Clang's registry has it: in every parse of the process from then on.
#pragma once

namespace tessera::driver {

void registerPlugin();

} // namespace tessera::driver
