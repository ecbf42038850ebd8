// nvcc's `#pragma nv_exec_check_disable`: the next function may call functions of other execution
// spaces. Libraries write it before templates that host, device and tile code share.
#pragma once

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
}

namespace tessera::frontend {

// Does the pragma immediately precede the declaration of this name? Call it while the declaration
// is parsed.
bool followsUncheckedPragma(clang::Preprocessor &preprocessor, clang::SourceLocation name);

} // namespace tessera::frontend
