// What turned a warning off: the user, by an option or a pragma, or a header of the system.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace tessera::check {

// Did the user turn the warning off at this location? System headers that leave a `#pragma
// diagnostic push` open silence the rest of a program: cooperative_groups.h does.
bool isSilenced(const clang::DiagnosticsEngine &engine, unsigned warning,
                clang::SourceLocation location);

} // namespace tessera::check
