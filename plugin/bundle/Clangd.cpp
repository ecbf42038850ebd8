// clangd as the distribution's archives have it, with the plugin registered. The linker puts the
// functions here in front of those that clangd calls (--wrap): calls of SYMBOL go to __wrap_SYMBOL,
// and __real_SYMBOL is the one behind. Other programs of this executable get the one behind.
#include "bundle/Roles.h"

#include "clangd/InFront.h"
#include "driver/Plugin.h"

#include "clang/Frontend/CompilerInvocation.h"

using namespace tessera::clangd;

namespace clang::clangd {

int clangdMain(int argc, char **argv);

// An index on another machine needs gRPC, and there is none here.
class SymbolIndex {
public:
  virtual ~SymbolIndex() = default;
};
namespace remote {
std::unique_ptr<SymbolIndex> getClient(llvm::StringRef, llvm::StringRef) { return nullptr; }
} // namespace remote

} // namespace clang::clangd

namespace tessera::bundle {

static bool isClangd = false;

#define IN_FRONT_OF(SYMBOL) __asm__("__wrap_" SYMBOL)
#define BEHIND(SYMBOL) __asm__("__real_" SYMBOL)
ExpandResponseFiles expandBehind BEHIND(TESSERA_EXPAND_RESPONSE_FILES);
ExpandResponseFiles expand IN_FRONT_OF(TESSERA_EXPAND_RESPONSE_FILES);
CreateInvocation createBehind BEHIND(TESSERA_CREATE_INVOCATION);
CreateInvocation create IN_FRONT_OF(TESSERA_CREATE_INVOCATION);
PrintValue printBehind BEHIND(TESSERA_PRINT_VALUE);
PrintValue print IN_FRONT_OF(TESSERA_PRINT_VALUE);

Database expand(Database base, Files files) {
  return isClangd ? expandMended(expandBehind, std::move(base), std::move(files))
                  : expandBehind(std::move(base), std::move(files));
}

Invocation create(llvm::ArrayRef<const char *> words, ::clang::CreateInvocationOptions options) {
  return isClangd ? createMended(createBehind, words, std::move(options))
                  : createBehind(words, std::move(options));
}

void print(const llvm::json::Value &value, llvm::raw_ostream &stream, llvm::StringRef options) {
  return isClangd ? printWithCodes(printBehind, value, stream, options)
                  : printBehind(value, stream, options);
}

int clangd(int argc, char **argv) {
  isClangd = true;
  driver::registerPlugin();
  return ::clang::clangd::clangdMain(argc, argv);
}

} // namespace tessera::bundle
