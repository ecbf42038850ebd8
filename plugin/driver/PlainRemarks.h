// What the plan decided, said in a parse that compiles nothing: clang -fsyntax-only and clangd,
// when they are asked to explain.
#pragma once

#include "driver/Session.h"

#include "clang/Frontend/CompilerInstance.h"

namespace tessera::driver {

// Runs at the end of a parse without errors: the kernels are planned in memory, from the text that
// was parsed, and remarks about them and what later stages refuse are reported in the main file.
std::unique_ptr<clang::ASTConsumer> makePlainRemarks(clang::CompilerInstance &compiler,
                                                     const Settings &settings);

} // namespace tessera::driver
