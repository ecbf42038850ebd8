// Whether rewritten text still names something of cuda_tile.h: compiling that header for nothing is
// a tenth of what nvcc does for a small kernel.
//
// A question to the text, not to the AST: every pass and every architecture see other parts of it,
// macros among them. In doubt the answer is yes.
#pragma once

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tessera::frontend {

// One of the texts that make up a program; it outlives the question.
struct ProgramText {
  llvm::StringRef contents;
  bool isUsers; // not the system's
};

// Everything of the header is reached through the name of its namespace; what is declared outside
// of it the text has in any case (tessera/tile/names.h). `wasRead` says of the name in an #include
// whether that file, or one of this name, is among the texts.
bool namesTileHeader(const std::vector<ProgramText> &texts, const clang::LangOptions &language,
                     llvm::function_ref<bool(llvm::StringRef)> wasRead);

} // namespace tessera::frontend
