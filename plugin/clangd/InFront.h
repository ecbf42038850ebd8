// What stands in front of three functions of Clang's and LLVM's libraries that clangd calls.
// `behind` is such a function itself. A preloaded library comes first by its symbols
// (Preloaded.cpp), a program that has clangd inside by the linker's --wrap (bundle/Clangd.cpp).
#pragma once

#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/JSON.h"

// The functions' symbols: there is one of each in every release of Clang 22.
#define TESSERA_EXPAND_RESPONSE_FILES                                                              \
  "_ZN5clang7tooling19expandResponseFilesESt10unique_ptrINS0_19CompilationDatabaseESt14default_"   \
  "deleteIS2_EEN4llvm18IntrusiveRefCntPtrINS6_3vfs10FileSystemEEE"
#define TESSERA_CREATE_INVOCATION                                                                  \
  "_ZN5clang16createInvocationEN4llvm8ArrayRefIPKcEENS_23CreateInvocationOptionsE"
#define TESSERA_PRINT_VALUE                                                                        \
  "_ZN4llvm15format_providerINS_4json5ValueEvE6formatERKS2_RNS_11raw_ostreamENS_9StringRefE"

namespace tessera::clangd {

using Database = std::unique_ptr<clang::tooling::CompilationDatabase>;
using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;
using Invocation = std::unique_ptr<clang::CompilerInvocation>;

using ExpandResponseFiles = Database(Database base, Files files);
using CreateInvocation = Invocation(llvm::ArrayRef<const char *> words,
                                    clang::CreateInvocationOptions options);
using PrintValue = void(const llvm::json::Value &value, llvm::raw_ostream &stream,
                        llvm::StringRef options);

// How compile_commands.json is read: clangd knows no options of nvcc.
Database expandMended(ExpandResponseFiles *behind, Database base, Files files);

// How a command is understood, wherever it came from.
Invocation createMended(CreateInvocation *behind, llvm::ArrayRef<const char *> words,
                        clang::CreateInvocationOptions options);

// How a message of the protocol is printed.
void printWithCodes(PrintValue *behind, const llvm::json::Value &value, llvm::raw_ostream &stream,
                    llvm::StringRef options);

} // namespace tessera::clangd
