// Who has turned a warning off: the user, by an option or a pragma, or a header of the system.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace tessera::check {

// Is the warning off at this place, as the user wants it? Headers of the system that end with a
// `#pragma diagnostic push` open leave the rest of a program silent: cooperative_groups.h does.
bool isSilenced(const clang::DiagnosticsEngine &engine, unsigned warning,
                clang::SourceLocation place);

} // namespace tessera::check
