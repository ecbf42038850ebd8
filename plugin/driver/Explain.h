// `tessera explain` behind the translation: what a compiler says of registers, and the page.
#pragma once

#include "driver/Translate.h"

namespace tessera::driver {

// Prints what is left to say, or writes the page. The exit status.
int explainKernels(Outcome &outcome, const Options &options);

} // namespace tessera::driver
