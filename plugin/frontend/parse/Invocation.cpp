// Invocations come from Clang's own driver or are copied from the running compiler, and are then
// adapted for device code in memory.
#include "frontend/parse/Invocation.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/LongDouble.h"
#include "frontend/parse/Prelude.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// Macros of the command line must not affect the runtime's headers, which are read before the
// program.
void hideMacrosFromHeaders(PreprocessorOptions &options) {
  static const llvm::StringSet<> names = {
#include "frontend/parse/HeaderNames.inc"
  };
  bool isOne = llvm::any_of(options.Macros, [](const auto &macro) {
    return names.contains(StringRef(macro.first).split('=').first.split('(').first);
  });
  if (!isOne)
    return;
  options.Includes.insert(options.Includes.begin(), "tessera/macros_begin.h");
  options.Includes.push_back("tessera/macros_end.h");
}

// The nested compile has its own consumer, which Clang would take for a SARIF writer if the options
// request SARIF. It checks no expectations of the program and writes no file.
void leaveReportsToOthers(DiagnosticOptions &options) {
  options.setFormat(DiagnosticOptions::Clang);
  options.VerifyDiagnostics = false;
  options.DiagnosticLogFile.clear();
  options.DiagnosticSerializationFile.clear();
}

// The common part of both ways: code generation in memory without passes, with names and lines kept
// for the generated code.
void prepare(CompilerInvocation &invocation) {
  FrontendOptions &options = invocation.getFrontendOpts();
  options.ProgramAction = clang::frontend::EmitLLVMOnly;
  options.Plugins.clear();
  options.AddPluginActions.clear();
  options.PluginArgs.clear();
  options.OutputFile.clear();
  invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  leaveReportsToOthers(invocation.getDiagnosticOpts());

  CodeGenOptions &code = invocation.getCodeGenOpts();
  code.DisableLLVMPasses = true;
  code.OptimizationLevel = 1;
  code.UnrollLoops = true; // otherwise every loop is marked as not to be unrolled
  code.DiscardValueNames = false;
  code.LinkBitcodeFiles.clear();
  code.CudaGpuBinaryFileName.clear();
  code.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  code.DebugCompilationDir = "/"; // keeps file names as given

  invocation.getLangOpts().CUDAIsDevice = true;
  layOutLongDouble(invocation.getLangOpts());
  // Static variables of tile code outlive every kernel.
  invocation.getLangOpts().setRegisterStaticDestructors(
      LangOptions::RegisterStaticDestructorsKind::None);
  for (StringRef option : nvccLeniency)
    invocation.getDiagnosticOpts().Warnings.push_back(option.str());
  if (invocation.getTargetOpts()
          .SDKVersion
          .empty()) // determines the spelling of a launch; the driver omits it without libdevice
    invocation.getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);

  invocation.getPreprocessorOpts().addMacroDef("TESSERA_RAISE");
  // Built-ins of nvcc, before the first line of the program.
  std::vector<std::string> &includes = invocation.getPreprocessorOpts().Includes;
  includes.insert(includes.begin(), "tessera/tile/unevaluated.h");
  includes.push_back("tessera/tile/nvcc.h");
  hideMacrosFromHeaders(invocation.getPreprocessorOpts());
  addRuntimeHeaders(invocation.getHeaderSearchOpts());
}

// Turns the host pass of a CUDA compilation into the corresponding device pass.
void makeDevicePass(CompilerInvocation &invocation, const GpuTarget &row) {
  TargetOptions &target = invocation.getTargetOpts();
  invocation.getFrontendOpts().AuxTriple = target.Triple;
  invocation.getFrontendOpts().AuxTargetCPU = target.CPU;
  target.Triple = "nvptx64-nvidia-cuda";
  target.CPU = target.TuneCPU = row.name.str();
  target.FeaturesAsWritten = {"+ptx87"};
  target.Features.clear();
  target.ABI.clear();
}

} // namespace

// The toolkit has a header crt/cuda_tile.h, too: ours come first.
void addRuntimeHeaders(HeaderSearchOptions &options) {
  using Entry = HeaderSearchOptions::Entry;
  std::vector<Entry> &entries = options.UserEntries;
  for (const std::string &folder : librariesOfToolkit(options))
    entries.emplace_back(folder, clang::frontend::System, false, true);
  entries.insert(entries.begin(),
                 Entry(runtimeIncludeDirectory(), clang::frontend::System, false, true));
}

std::vector<std::string> librariesOfToolkit(const HeaderSearchOptions &options) {
  std::vector<std::string> folders;
  for (const HeaderSearchOptions::Entry &entry : options.UserEntries) {
    SmallString<128> folder = StringRef(entry.Path);
    llvm::sys::path::append(folder, "cccl");
    if (llvm::sys::fs::is_directory(folder) &&
        llvm::sys::fs::exists(entry.Path + "/cuda_runtime.h"))
      folders.push_back(folder.str().str());
  }
  return folders;
}

std::vector<const GpuTarget *> architecturesOf(const CompilerInvocation &invocation) {
  if (const GpuTarget *row = findGpuTarget(StringRef(invocation.getTargetOpts().CPU)))
    return {row};
  std::vector<const GpuTarget *> rows;
  for (const auto &[definition, isUndefine] : invocation.getPreprocessorOpts().Macros) {
    StringRef list = definition;
    if (!list.consume_front("__CUDA_ARCH_LIST__="))
      continue;
    SmallVector<StringRef> numbers;
    list.split(numbers, ',');
    for (StringRef text : numbers) {
      unsigned number = 0;
      const GpuTarget *row = text.getAsInteger(10, number) ? nullptr : findGpuTarget(number / 10);
      if (row && !llvm::is_contained(rows, row))
        rows.push_back(row);
    }
  }
  llvm::sort(rows, [](auto *a, auto *b) { return a->number < b->number; });
  return rows;
}

std::shared_ptr<CompilerInvocation> makeInvocation(const CompilerInvocation &outer,
                                                   const GpuTarget &target) {
  auto invocation = std::make_shared<CompilerInvocation>(outer);
  if (!outer.getLangOpts().CUDAIsDevice)
    makeDevicePass(*invocation, target);
  prepare(*invocation);
  return invocation;
}

static bool defines(const CompilerInvocation &invocation, llvm::StringRef name) {
  bool isDefined = false;
  for (const auto &[macro, isUndefined] : invocation.getPreprocessorOpts().Macros)
    if (StringRef(macro).split('=').first == name)
      isDefined = !isUndefined;
  return isDefined;
}

bool allowsExtensions(const CompilerInvocation &invocation) {
  return defines(invocation, extensionsMacro);
}

bool wantsRemarks(const CompilerInvocation &invocation) {
  return defines(invocation, remarksMacro);
}

void defineChecks(CompilerInvocation &invocation, const Checks &checks) {
  for (const std::string &macro : checks.macros())
    invocation.getPreprocessorOpts().addMacroDef(macro);
}

std::shared_ptr<CompilerInvocation> makeHostView(const CompilerInvocation &nested,
                                                 Precompiled most) {
  auto invocation = std::make_shared<CompilerInvocation>(nested);
  TargetOptions &target = invocation->getTargetOpts();
  FrontendOptions &options = invocation->getFrontendOpts();
  std::string device = target.Triple;
  target.Triple = options.AuxTriple;
  target.CPU = target.TuneCPU = options.AuxTargetCPU.value_or("x86-64");
  target.FeaturesAsWritten.clear();
  target.Features.clear();
  options.AuxTriple = device;
  options.AuxTargetCPU.reset();
  dropPrecompiledPrelude(*invocation);
  options.ProgramAction = clang::frontend::ParseSyntaxOnly;
  invocation->getLangOpts().CUDAIsDevice = false;
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  llvm::erase_if(invocation->getPreprocessorOpts().Macros,
                 [](const auto &macro) { return macro.first == "TESSERA_RAISE"; });
  usePrecompiledPrelude(*invocation, most);
  return invocation;
}

std::shared_ptr<CompilerInvocation>
makeInvocation(const CommandLine &commandLine,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
               DiagnosticsEngine &diagnostics) {
  std::string clang = clangExecutable();
  diagnostics.setSeverityForGroup(diag::Flavor::WarningOrError, "unknown-cuda-version",
                                  diag::Severity::Ignored);
  driver::Driver driver(clang, llvm::sys::getDefaultTargetTriple(), diagnostics, "tessera",
                        std::move(files));
  const std::string &name = commandLine.arch;
  const GpuTarget *row = findGpuTarget(StringRef(name));
  std::vector<std::string> words = {clang,
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "-nogpulib",
                                    "-S",
                                    "-o",
                                    "-",
                                    "-Wno-unknown-cuda-version",
                                    "--offload-arch=" + (row ? clangName(*row).str() : name),
                                    "--cuda-path=" + commandLine.cudaPath,
                                    "-std=c++20"};
  if (row && clangName(*row) != row->name) // as nvcc defines it for a program
    words.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + std::to_string(row->number * 10));
  words.insert(words.end(), commandLine.arguments.begin(), commandLine.arguments.end());
  words.push_back(commandLine.file);
  std::vector<const char *> arguments;
  arguments.reserve(words.size());
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
