// The plan's decisions as remarks in a parse without compilation: clang -fsyntax-only and clangd,
// on request.
#pragma once

#include "driver/Session.h"

#include "clang/Frontend/CompilerInstance.h"

namespace tessera::driver {

// Runs at the end of a parse without errors: plans the kernels in memory, from the parsed code, and
// reports remarks about them and refusals of later stages in the main file.
std::unique_ptr<clang::ASTConsumer> makePlainRemarks(clang::CompilerInstance &compiler,
                                                     const Settings &settings);

} // namespace tessera::driver
