// The name of the runtime's namespace in a program: errors about it, and another name for the
// program's entities.
#pragma once

#include "frontend/edit/Spellings.h"

namespace clang {
class ASTContext;
class LangOptions;
class SourceManager;
} // namespace clang

namespace tessera::frontend {

// Is the error about the name?
bool isAboutRuntimeName(const clang::Diagnostic &diagnostic);

// Every use of the name in the user's files, except in file names.
void changeRuntimeName(const clang::SourceManager &sources, const clang::LangOptions &options,
                       std::vector<Change> &changes);

// Does the program extend the runtime's namespace, which is no error?
bool extendsRuntime(clang::ASTContext &context);

} // namespace tessera::frontend
