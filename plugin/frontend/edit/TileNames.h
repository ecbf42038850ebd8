// Does rewritten code still name a declaration of cuda_tile.h? Compiling that header unnecessarily
// is a tenth of nvcc's work for a small kernel.
//
// The test reads the files, not the AST: every pass and every architecture sees other parts of
// them, including macros. In doubt the answer is yes.
#pragma once

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tessera::frontend {

// One of the files of a program; it outlives the query.
struct ProgramText {
  llvm::StringRef contents;
  bool isUsers; // not the system's
};

// All entities of the header are named through its namespace; the code always has the declarations
// outside of it (tessera/tile/names.h). `wasRead` returns whether the file of an #include, or one
// of this name, is among the texts.
bool namesTileHeader(const std::vector<ProgramText> &texts, const clang::LangOptions &language,
                     llvm::function_ref<bool(llvm::StringRef)> wasRead);

} // namespace tessera::frontend
