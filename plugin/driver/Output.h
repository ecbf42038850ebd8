// Writes the translated text: whole or not at all.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

// 0, or 2 after a message.
int writeOutput(const std::string &text, const Options &options);

} // namespace tessera::driver
