// Compiler invocations of the nested compile: the user's file, as device code, with primitives
// declared only.
#pragma once

#include "support/Checks.h"
#include "frontend/parse/Prelude.h"
#include "target/Target.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::frontend {

struct CommandLine {
  std::string file, arch, cudaPath;
  std::vector<std::string>
      arguments; // -I, -D, -std and the like, passed to Clang's driver unchanged
};

// From a command line of clang++. Null after an error.
std::shared_ptr<clang::CompilerInvocation>
makeInvocation(const CommandLine &commandLine,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
               clang::DiagnosticsEngine &diagnostics);

// From the invocation of a clang that runs the plugin, of its host or its device pass.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const clang::CompilerInvocation &outer,
                                                          const GpuTarget &target);

// The same program in the host's pass: a plain parse, without __CUDA_ARCH__. It reads at most this
// precompiled.
std::shared_ptr<clang::CompilerInvocation> makeHostView(const clang::CompilerInvocation &nested,
                                                        Precompiled most);

// Clang's name of an architecture. It has none for a family, whose code is that of the GPU.
inline llvm::StringRef clangName(const GpuTarget &target) {
  llvm::StringRef name = target.name;
  return name.ends_with("f") ? name.drop_back() : name;
}

// The target GPUs of an invocation, in numerical order: one in a device pass, and in a host pass
// those of its list of numbers.
std::vector<const GpuTarget *> architecturesOf(const clang::CompilerInvocation &invocation);

// Makes <cuda_tile.h>, <tessera/...> and the toolkit's own libraries visible.
void addRuntimeHeaders(clang::HeaderSearchOptions &options);

// <toolkit>/include/cccl, which nvcc searches by default.
std::vector<std::string> librariesOfToolkit(const clang::HeaderSearchOptions &options);

// Clang's options, without their -W, for code that nvcc accepts and Clang rejects by default. Both
// warn about narrowing in a list, as in dim3{n, m}.
inline constexpr llvm::StringLiteral nvccLeniency[] = {"no-register", "no-error=c++11-narrowing"};

// The command-line macro that enables the language's extensions, like --extensions.
inline constexpr char extensionsMacro[] = "TESSERA_EXTENSIONS";
bool allowsExtensions(const clang::CompilerInvocation &invocation);

// With bounds checks, positions in the header have 64 bits.
void defineChecks(clang::CompilerInvocation &invocation, const Checks &checks);

// In a parse without compilation, -D of this macro requests remarks: clangd removes plugin
// arguments from a command.
constexpr const char *remarksMacro = "TESSERA_EXPLAIN";
bool wantsRemarks(const clang::CompilerInvocation &invocation);

} // namespace tessera::frontend
