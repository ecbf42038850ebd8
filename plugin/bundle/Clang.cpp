// Clang 22 as the distribution's archives have it, without the main function, which they lack. What
// is here is what its tools/driver does for the command lines that Tessera writes: no driver mode
// of another compiler, no crash report, no assembler.
#include "bundle/Roles.h"

#include "frontend/parse/Installation.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/ChainedDiagnosticConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

namespace tessera::bundle {
namespace {

using Words = llvm::SmallVector<const char *, 256>;

int compile(llvm::ArrayRef<const char *> words, const char *program) {
  DiagnosticOptions options;
  TextDiagnosticBuffer early; // until the command line has said how to print
  DiagnosticsEngine diagnostics(DiagnosticIDs::create(), options, &early,
                                /*ShouldOwnClient=*/false);
  auto invocation = std::make_shared<CompilerInvocation>();
  bool isRead = CompilerInvocation::CreateFromArgs(*invocation, words, diagnostics, program);
  auto compiler = std::make_unique<CompilerInstance>(std::move(invocation));
  compiler->createVirtualFileSystem();
  compiler->createDiagnostics();
  early.FlushDiagnostics(compiler->getDiagnostics());
  bool isCompiled = isRead && ExecuteCompilerInvocation(compiler.get());
  if (compiler->getFrontendOpts().DisableFree)
    llvm::BuryPointer(std::move(compiler));
  return isCompiled ? 0 : 1;
}

// -cc1: the words are a command line.
int compile(llvm::SmallVectorImpl<const char *> &words) {
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  return compile(llvm::ArrayRef(words).drop_front(2), words.front());
}

int drive(const Words &words) {
  std::unique_ptr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(words);
  TextDiagnosticPrinter printer(llvm::errs(), *options);
  printer.setPrefix("clang++");
  DiagnosticsEngine diagnostics(DiagnosticIDs::create(), *options, &printer,
                                /*ShouldOwnClient=*/false);
  ProcessWarningOptions(diagnostics, *options, *llvm::vfs::getRealFileSystem(),
                        /*ReportDiags=*/false);
  driver::Driver driver(words.front(), llvm::sys::getDefaultTargetTriple(), diagnostics);
  driver.setTargetAndMode(driver::ToolChain::getTargetAndModeFromProgramName(words.front()));
  auto compileHere = [](llvm::SmallVectorImpl<const char *> &words) { return compile(words); };
  driver.CC1Main = compileHere;
  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(words));
  if (!compilation || compilation->containsError())
    return 1;
  llvm::SmallVector<std::pair<int, const driver::Command *>> failed;
  int status = driver.ExecuteCompilation(*compilation, failed);
  for (const auto &[code, command] : failed)
    status = status ? status : code;
  return status;
}

} // namespace

int clang(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::string own = frontend::clangExecutable(); // where its headers are looked for, too
  Words words = {own.c_str()};
  words.append(argv + 1, argv + argc);
  llvm::BumpPtrAllocator allocator;
  if (llvm::Error error = driver::expandResponseFiles(words, /*ClangCLMode=*/false, allocator)) {
    llvm::errs() << "clang++: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return words.size() > 1 && llvm::StringRef(words[1]) == "-cc1" ? compile(words) : drive(words);
}

} // namespace tessera::bundle
