// Compiler invocations of the nested compile: the user's file, as device code, with the primitives
// left open.
#pragma once

#include "Checks.h"
#include "Target.h"

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
      arguments; // -I, -D, -std and the like, handed to Clang's driver as they are
};

// From a command line, as clang++ would read it. Null after an error.
std::shared_ptr<clang::CompilerInvocation>
makeInvocation(const CommandLine &commandLine,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
               clang::DiagnosticsEngine &diagnostics);

// From the invocation of a clang that runs the plugin, of its host or its device pass.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const clang::CompilerInvocation &outer,
                                                          const GpuTarget &target);

// The same program as the host's pass sees it: a plain parse, without __CUDA_ARCH__.
std::shared_ptr<clang::CompilerInvocation> makeHostView(const clang::CompilerInvocation &nested);

// What Clang calls an architecture. It has no name for a family, whose code is that of the GPU.
inline llvm::StringRef clangName(const GpuTarget &target) {
  llvm::StringRef name = target.name;
  return name.ends_with("f") ? name.drop_back() : name;
}

// What an invocation compiles for, in the order of the numbers: one in a device pass, and in a host
// pass what its list of numbers stands for.
std::vector<const GpuTarget *> architecturesOf(const clang::CompilerInvocation &invocation);

// Makes <cuda_tile.h>, <tessera/...> and the toolkit's own libraries visible.
void addRuntimeHeaders(clang::HeaderSearchOptions &options);

// <toolkit>/include/cccl, which nvcc searches by itself.
std::vector<std::string> librariesOfToolkit(const clang::HeaderSearchOptions &options);

// What nvcc takes and Clang refuses unless it is told: options of Clang's without their -W. Of
// numbers that a list makes narrower, as in dim3{n, m}, both warn.
inline constexpr llvm::StringLiteral nvccLeniency[] = {"no-register", "no-error=c++11-narrowing"};

// The macro of the command line that turns the language's extensions on, as --extensions does.
inline constexpr char extensionsMacro[] = "TESSERA_EXTENSIONS";
bool allowsExtensions(const clang::CompilerInvocation &invocation);

// Where checks of bounds are wanted the header counts positions in 64 bits.
void defineChecks(clang::CompilerInvocation &invocation, const Checks &checks);

// In a parse that compiles nothing, -D of this macro asks for remarks: clangd takes plugins'
// arguments out of a command.
constexpr const char *remarksMacro = "TESSERA_EXPLAIN";
bool wantsRemarks(const clang::CompilerInvocation &invocation);

} // namespace tessera::frontend
