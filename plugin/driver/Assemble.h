// The file around the rewritten code: its leading includes, and the generated kernels with their
// registrations at its end.
#pragma once

#include "driver/Session.h"

namespace tessera::driver {

// The portions are in the order of their architectures' numbers.
std::string assemble(const frontend::EditedFile &main, const std::vector<Portion> &portions,
                     const Settings &settings);

} // namespace tessera::driver
