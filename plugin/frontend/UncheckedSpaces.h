// `#pragma nv_exec_check_disable`, nvcc's: the function that is declared next may call functions of
// other execution spaces than its own. Libraries write it before templates that host, device and
// tile code share.
#pragma once

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
}

namespace tessera::frontend {

// Whether the pragma stands immediately before the declaration of this name. To be asked while the
// declaration is parsed.
bool followsUncheckedPragma(clang::Preprocessor &preprocessor, clang::SourceLocation name);

} // namespace tessera::frontend
