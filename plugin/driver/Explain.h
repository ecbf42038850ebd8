// `tessera explain` after the translation: a compiler's register counts, and the page.
#pragma once

#include "driver/Translate.h"

namespace tessera::driver {

// Prints the remaining remarks, or writes the page. The exit status.
int explainKernels(Outcome &outcome, const Options &options);

} // namespace tessera::driver
