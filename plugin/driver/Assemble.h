// The file around the rewritten text: what it includes first, and the emitted kernels with their
// registrations at its end.
#pragma once

#include "driver/Session.h"

namespace tessera::driver {

std::string assemble(const frontend::EditedFile &main, const std::vector<frontend::Kernel> &kernels,
                     const std::vector<EmittedKernel> &emitted, const Settings &settings);

} // namespace tessera::driver
