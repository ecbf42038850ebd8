// Names as the preprocessor has them. In files a backslash and a newline may stand in front of a
// name and within it, and a lexer without a preprocessor counts both to the name.
#pragma once

#include "clang/Lex/Token.h"

#include <string>

namespace tessera::frontend {

// Text of a file without its line splices.
std::string joinedLines(llvm::StringRef text);

// The name of a raw identifier, without line splices and universal character names; empty if the
// token is none.
std::string nameOf(const clang::Token &token);

} // namespace tessera::frontend
