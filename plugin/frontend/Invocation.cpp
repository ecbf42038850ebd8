// Invocations are made by Clang's own driver or copied from the running compiler, and then bent to
// device code in memory.
#include "frontend/Invocation.h"
#include "frontend/Installation.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// What both ways have in common: code generation in memory without passes, names and lines kept for
// the emitted text.
void prepare(CompilerInvocation &invocation) {
  FrontendOptions &options = invocation.getFrontendOpts();
  options.ProgramAction = clang::frontend::EmitLLVMOnly;
  options.Plugins.clear();
  options.AddPluginActions.clear();
  options.PluginArgs.clear();
  options.OutputFile.clear();
  invocation.getDependencyOutputOpts() = DependencyOutputOptions();

  CodeGenOptions &code = invocation.getCodeGenOpts();
  code.DisableLLVMPasses = true;
  code.OptimizationLevel = 1;
  code.UnrollLoops = true; // otherwise every loop is marked as not to be unrolled
  code.DiscardValueNames = false;
  code.LinkBitcodeFiles.clear();
  code.CudaGpuBinaryFileName.clear();
  code.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  code.DebugCompilationDir = "/"; // then Clang keeps file names as they were given

  invocation.getLangOpts().CUDAIsDevice = true;
  if (invocation.getTargetOpts()
          .SDKVersion
          .empty()) // decides how a launch is spelled; without libdevice the driver does not tell
    invocation.getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);

  invocation.getPreprocessorOpts().addMacroDef("TESSERA_RAISE");
  addRuntimeHeaders(invocation.getHeaderSearchOpts());
}

// __CUDA_ARCH_LIST__ as the driver defines it: "900,1000". Zero if it is not there.
unsigned firstListedArchitecture(const CompilerInvocation &invocation) {
  for (const auto &[definition, isUndefine] : invocation.getPreprocessorOpts().Macros) {
    StringRef list = definition;
    unsigned number = 0;
    if (list.consume_front("__CUDA_ARCH_LIST__=") && !list.consumeInteger(10, number))
      return number / 10;
  }
  return 0;
}

// Turns the host pass of a CUDA compilation into the device pass beside it.
void makeDevicePass(CompilerInvocation &invocation) {
  TargetOptions &target = invocation.getTargetOpts();
  invocation.getFrontendOpts().AuxTriple = target.Triple;
  invocation.getFrontendOpts().AuxTargetCPU = target.CPU;
  unsigned arch = architectureOf(invocation);
  target.Triple = "nvptx64-nvidia-cuda";
  target.CPU = target.TuneCPU = "sm_" + std::to_string(arch) + (arch >= 90 ? "a" : "");
  target.FeaturesAsWritten = {"+ptx87"};
  target.Features.clear();
  target.ABI.clear();
}

} // namespace

void addRuntimeHeaders(HeaderSearchOptions &options) {
  options.AddPath(runtimeIncludeDirectory(), clang::frontend::System, false, true);
}

unsigned architectureOf(const CompilerInvocation &invocation) {
  StringRef cpu = invocation.getTargetOpts().CPU;
  unsigned number = 0;
  if (cpu.consume_front("sm_") && !cpu.consumeInteger(10, number))
    return number;
  number = firstListedArchitecture(invocation);
  return number ? number : 90;
}

std::shared_ptr<CompilerInvocation> makeInvocation(const CompilerInvocation &outer) {
  auto invocation = std::make_shared<CompilerInvocation>(outer);
  if (!outer.getLangOpts().CUDAIsDevice)
    makeDevicePass(*invocation);
  prepare(*invocation);
  return invocation;
}

std::shared_ptr<CompilerInvocation> makeInvocation(const CommandLine &commandLine,
                                                   DiagnosticsEngine &diagnostics) {
  std::string clang = clangExecutable();
  diagnostics.setSeverityForGroup(diag::Flavor::WarningOrError, "unknown-cuda-version",
                                  diag::Severity::Ignored);
  driver::Driver driver(clang, llvm::sys::getDefaultTargetTriple(), diagnostics, "tessera");
  std::vector<std::string> words = {clang,
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "-nogpulib",
                                    "-S",
                                    "-o",
                                    "-",
                                    "-Wno-unknown-cuda-version",
                                    "--offload-arch=" + commandLine.arch,
                                    "--cuda-path=" + commandLine.cudaPath,
                                    "-std=c++20"};
  words.insert(words.end(), commandLine.arguments.begin(), commandLine.arguments.end());
  words.push_back(commandLine.file);
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());

  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (!compilation || compilation->containsError() || diagnostics.hasErrorOccurred() ||
      compilation->getJobs().empty())
    return nullptr;
  auto invocation = std::make_shared<CompilerInvocation>();
  const llvm::opt::ArgStringList &cc1 = compilation->getJobs().begin()->getArguments();
  if (!CompilerInvocation::CreateFromArgs(*invocation, ArrayRef(cc1).drop_front(), diagnostics,
                                          clang.c_str()))
    return nullptr;
  prepare(*invocation);
  return invocation;
}

} // namespace tessera::frontend
