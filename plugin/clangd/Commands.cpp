// Stands in front of two functions of Clang's library that clangd calls, as a preloaded library
// can: that by which it reads compile_commands.json, since clangd knows no options of nvcc, and
// that by which it understands a command, wherever it came from.
#include "clangd/Mend.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Tooling/CompilationDatabase.h"

#include <cstdlib>
#include <dlfcn.h>

using clang::CompilerInvocation;
using clang::CreateInvocationOptions;
using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;

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

class MendedDatabase : public CompilationDatabase {
public:
  explicit MendedDatabase(std::unique_ptr<CompilationDatabase> base) : base(std::move(base)) {}

  std::vector<CompileCommand> getCompileCommands(llvm::StringRef file) const override {
    return mended(base->getCompileCommands(file));
  }
  std::vector<std::string> getAllFiles() const override { return base->getAllFiles(); }
  std::vector<CompileCommand> getAllCompileCommands() const override {
    return mended(base->getAllCompileCommands());
  }

private:
  static std::vector<CompileCommand> mended(std::vector<CompileCommand> commands) {
    for (CompileCommand &command : commands)
      command.CommandLine = tessera::clangd::withoutNvcc(command.CommandLine, command.Directory);
    return commands;
  }

  std::unique_ptr<CompilationDatabase> base;
};

// The definition behind ours. There is one in each release of Clang 22; without it clangd has no
// commands or no parser, and says so.
template <class Function> Function *next(const char *symbol) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, symbol));
}

} // namespace

std::unique_ptr<CompilationDatabase>
clang::tooling::expandResponseFiles(std::unique_ptr<CompilationDatabase> base,
                                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  static const auto expand = next<decltype(expandResponseFiles)>(
      "_ZN5clang7tooling19expandResponseFilesESt10unique_ptrINS0_19CompilationDatabaseESt14default_"
      "deleteIS2_EEN4llvm18IntrusiveRefCntPtrINS6_3vfs10FileSystemEEE");
  return expand ? expand(std::make_unique<MendedDatabase>(std::move(base)), std::move(files))
                : nullptr;
}

std::unique_ptr<CompilerInvocation> clang::createInvocation(llvm::ArrayRef<const char *> words,
                                                            CreateInvocationOptions options) {
  static const auto create = next<decltype(createInvocation)>(
      "_ZN5clang16createInvocationEN4llvm8ArrayRefIPKcEENS_23CreateInvocationOptionsE");
  tessera::driver::Words mended = tessera::clangd::withDefaults(
      tessera::clangd::withoutNvcc({words.begin(), words.end()}, /*folder=*/""));
  std::vector<const char *> pointers;
  pointers.reserve(mended.size());
  for (const std::string &word : mended)
    pointers.push_back(word.c_str());
  auto invocation = create ? create(pointers, std::move(options)) : nullptr;
  // Decides how a launch is spelled; the driver does not tell without libdevice.
  if (invocation && invocation->getLangOpts().CUDA &&
      invocation->getTargetOpts().SDKVersion.empty())
    invocation->getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
  return invocation;
}
