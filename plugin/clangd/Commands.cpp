#include "clangd/InFront.h"
#include "clangd/Mend.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInvocation.h"

using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;

namespace tessera::clangd {
namespace {

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
      command.CommandLine = withoutNvcc(command.CommandLine, command.Directory);
    return commands;
  }

  std::unique_ptr<CompilationDatabase> base;
};

} // namespace

Database expandMended(ExpandResponseFiles *behind, Database base, Files files) {
  return behind(std::make_unique<MendedDatabase>(std::move(base)), std::move(files));
}

Invocation createMended(CreateInvocation *behind, llvm::ArrayRef<const char *> words,
                        clang::CreateInvocationOptions options) {
  driver::Words mended = withDefaults(withoutNvcc({words.begin(), words.end()}, /*folder=*/""));
  std::vector<const char *> pointers;
  pointers.reserve(mended.size());
  for (const std::string &word : mended)
    pointers.push_back(word.c_str());
  Invocation invocation = behind(pointers, std::move(options));
  // Decides how a launch is spelled; the driver does not tell without libdevice.
  if (invocation && invocation->getLangOpts().CUDA &&
      invocation->getTargetOpts().SDKVersion.empty())
    invocation->getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
  return invocation;
}

} // namespace tessera::clangd
