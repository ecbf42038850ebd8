// The tokens of a file as written, names as raw identifiers, and simple questions about them.
#pragma once

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"

#include <utility>
#include <vector>

namespace tessera::frontend {

using Tokens = llvm::ArrayRef<clang::Token>;

std::vector<clang::Token> tokensOf(clang::FileID file, const clang::SourceManager &sources,
                                   const clang::LangOptions &options);

// The tokens before a location and those from it on.
std::pair<Tokens, Tokens> splitAt(Tokens tokens, clang::SourceLocation location);

// Brackets; angles are none.
bool opens(const clang::Token &token);
bool closes(const clang::Token &token);

bool isWord(const clang::Token &token, llvm::StringRef word);

} // namespace tessera::frontend
