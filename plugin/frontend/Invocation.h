// Compiler invocations of the nested compile: the user's file, as device code, with the primitives
// left open.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::frontend {

struct CommandLine {
  std::string file, arch, cudaPath;
  std::vector<std::string>
      arguments; // -I, -D, -std and the like, handed to Clang's driver as they are
};

// From a command line, as clang++ would read it. Null after an error.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const CommandLine &commandLine,
                                                          clang::DiagnosticsEngine &diagnostics);

// From the invocation of a clang that runs the plugin, of its host or its device pass.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const clang::CompilerInvocation &outer);

// The compute capability times ten that an invocation compiles for: 90 for sm_90a, and in a host
// pass the first of its list.
unsigned architectureOf(const clang::CompilerInvocation &invocation);

// Makes <cuda_tile.h> and <tessera/...> visible.
void addRuntimeHeaders(clang::HeaderSearchOptions &options);

} // namespace tessera::frontend
