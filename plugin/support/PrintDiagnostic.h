// Diagnostics as lines of text, for tools without Clang's printer.
#pragma once

#include "support/Report.h"

namespace tessera {

// "kernels.py:12:4: error: text", and a line for each call that led there.
void print(llvm::raw_ostream &out, const Diagnostic &diagnostic);

} // namespace tessera
