// The table of refusals in code.
#pragma once

#include "support/Report.h"

#include "llvm/ADT/ArrayRef.h"

namespace tessera {

enum class Refusal {
#define TESSERA_REFUSAL(id, kind, section, text) id,
#include "support/Refusals.def"
#undef TESSERA_REFUSAL
};

// The row's message with its arguments and its code.
std::string textOf(Refusal id, llvm::ArrayRef<std::string> arguments = {});

Diagnostic refusal(Refusal id, const FileLocation &location,
                   llvm::ArrayRef<std::string> arguments = {});

} // namespace tessera
