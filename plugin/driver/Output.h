// Writes the translated texts: whole or not at all.
#pragma once

#include "driver/Options.h"

namespace tessera::driver {

// One for each of the options' texts. 0, or 2 after a message, when none has been written.
int writeOutputs(llvm::ArrayRef<std::string> contents, const Options &options);

} // namespace tessera::driver
