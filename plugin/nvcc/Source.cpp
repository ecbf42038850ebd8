// nvcc's language options as Clang's.
#include "nvcc/Source.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/Invocation.h"
#include "frontend/parse/TileCode.h"
#include "nvcc/Spelling.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

// The host compiler's options that the preprocessor reads, with their values.
Words preprocessorOptions(const Words &given) {
  Words words;
  for (size_t i = 0; i < given.size(); ++i) {
    StringRef word = given[i];
    bool isAlone = is_contained({"-I", "-D", "-U", "-isystem", "-iquote", "-include"}, word);
    bool isJoined = any_of(ArrayRef<StringRef>{"-I", "-D", "-U"},
                           [&](StringRef flag) { return word.starts_with(flag); });
    if (isAlone && i + 1 < given.size())
      words.insert(words.end(), {given[i], given[i + 1]}), ++i;
    else if (isJoined && !isAlone)
      words.push_back(given[i]);
  }
  return words;
}

} // namespace

Words clangArguments(const CommandLine &line) {
  Words words = headersOfLibraries(line);
  auto add = [&](OptionKind kind, StringRef flag) {
    for (const std::string &value : line.valuesOf(kind))
      words.insert(words.end(), {flag.str(), value});
  };
  add(OptionKind::IncludeFolder, "-I");
  add(OptionKind::SystemFolder, "-isystem");
  add(OptionKind::Define, "-D");
  add(OptionKind::Undefine, "-U");
  add(OptionKind::IncludedFile, "-include");
  append_range(words, preprocessorOptions(line.hostWords()));
  if (auto standard = line.valueOf(OptionKind::Standard))
    words.push_back("-std=" + *standard);
  if (auto depth = line.valueOf(OptionKind::TemplateDepth))
    words.push_back("-ftemplate-depth=" + *depth);
  if (line.has(OptionKind::NoWarnings))
    words.push_back("-w");
  if (line.has(OptionKind::NoExceptions))
    words.push_back("-fno-exceptions");
  // The macros by which nvcc identifies itself.
  auto define = [&](bool isDefined, StringRef macro) {
    if (isDefined)
      words.push_back(("-D" + macro).str());
  };
  define(line.has(OptionKind::RelaxedConstexpr), "__CUDACC_RELAXED_CONSTEXPR__");
  define(line.has(OptionKind::ExtendedLambda), "__CUDACC_EXTENDED_LAMBDA__");
  define(line.has(OptionKind::DeviceDebug), "__CUDACC_DEBUG__");
  define(isRelocatable(line), "__CUDACC_RDC__");
  for (const std::string &macro : line.settings().macros)
    define(true, macro);
  return words;
}

bool isCuda(const CommandLine &line, StringRef file) {
  if (auto language = line.valueOf(OptionKind::Language))
    return *language == "cu";
  return sys::path::extension(file) == ".cu";
}

driver::Options translationOptions(const CommandLine &line, const std::string &file,
                                   ArrayRef<const GpuTarget *> architectures,
                                   const Toolkit &toolkit, const std::string &home) {
  driver::Options options;
  options.architectures = architectures.vec();
  options.commandLine = {file, architectures.front()->name.str(), toolkit.folder,
                         clangArguments(line)};
  options.texts = {{driver::Target::Gpu, "", home}};
  options.settings = line.settings();
  options.settings.isSimtOnly = line.has(OptionKind::SimtOnly);
  options.settings.pipeline.sourceName = file;
  std::string message; // which readCommandLine has reported
  options.settings.pipeline.policy = planPolicyOfEnvironment(message).value_or(PlanPolicy());
  for (const GpuTarget *target : architectures)
    options.settings.optionsText +=
        (options.settings.optionsText.empty() ? "" : ", ") + target->name.str();
  return options;
}

bool hasTileCode(const CommandLine &line, const std::string &file, const Toolkit &toolkit) {
  if (!isCuda(line, file))
    return false;
  auto text = MemoryBuffer::getFile(file);
  if (!text)
    return false; // nvcc reports it
  if (frontend::namesTileCode((*text)->getBuffer()))
    return true;
  clang::DiagnosticOptions options;
  clang::IgnoringDiagConsumer silence;
  auto files = vfs::getRealFileSystem();
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, options, &silence,
                                                                /*ShouldOwnClient=*/false);
  const GpuTarget *target = &defaultGpuTarget();
  auto invocation = frontend::makeInvocation(
      translationOptions(line, file, target, toolkit, "").commandLine, files, *diagnostics);
  return invocation && frontend::usesTileCode(std::move(invocation), std::move(files));
}

} // namespace tessera::nvcc
