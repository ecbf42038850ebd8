// The messages of Messages.def by name. One with holes takes its arguments by llvm::formatv:
//
//   fail(formatv(message::CannotRead, file, error.message()));
#pragma once

#include "llvm/Support/FormatVariadic.h"

namespace tessera::message {

#define TESSERA_MESSAGE(NAME, TEXT) inline constexpr char NAME[] = TEXT;
#include "support/Messages.def"
#undef TESSERA_MESSAGE

} // namespace tessera::message
