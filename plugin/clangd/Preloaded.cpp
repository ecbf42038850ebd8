// The library that tessera-clangd preloads: its functions come before those of Clang's and LLVM's
// libraries, which are found behind it. Without one of them clangd has no commands, no parser or no
// messages, and says so.
#include "clangd/InFront.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/FormatProviders.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tessera::clangd;

namespace {

// What clangd starts (--query-driver) is none of ours.
__attribute__((constructor)) void leaveTheEnvironment() {
  const char *own = std::getenv("TESSERA_CLANGD_PRELOAD");
  if (!own)
    return;
  if (*own)
    setenv("LD_PRELOAD", own, /*overwrite=*/1);
  else
    unsetenv("LD_PRELOAD");
  unsetenv("TESSERA_CLANGD_PRELOAD");
}

template <class Function> Function *next(const char *symbol) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, symbol));
}

} // namespace

Database clang::tooling::expandResponseFiles(Database base, Files files) {
  static const auto behind = next<ExpandResponseFiles>(TESSERA_EXPAND_RESPONSE_FILES);
  return behind ? expandMended(behind, std::move(base), std::move(files)) : nullptr;
}

Invocation clang::createInvocation(llvm::ArrayRef<const char *> words,
                                   CreateInvocationOptions options) {
  static const auto behind = next<CreateInvocation>(TESSERA_CREATE_INVOCATION);
  return behind ? createMended(behind, words, std::move(options)) : nullptr;
}

void llvm::format_provider<llvm::json::Value>::format(const json::Value &value, raw_ostream &stream,
                                                      StringRef options) {
  static const auto behind = next<PrintValue>(TESSERA_PRINT_VALUE);
  printWithCodes(behind, value, stream, options);
}
