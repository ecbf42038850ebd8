#include "driver/Registers.h"

#include "driver/Files.h"
#include "driver/PrecompiledRuntime.h"
#include "driver/Processes.h"
#include "driver/Run.h"
#include "frontend/parse/Installation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera::driver {
namespace {

bool isThere(const std::string &program) { return sys::fs::can_execute(program); }

Words nvccWords(const Options &options, const std::string &toolkit, const GpuTarget &target) {
  SmallString<128> folder = sys::path::parent_path(options.commandLine.file);
  Words words = {toolkit + "/bin/nvcc",
                 "-std=c++20",
                 "-w",
                 "-cubin",
                 ("-arch=" + target.name).str(),
                 "-Xptxas=-v",
                 "-I" + frontend::runtimeIncludeDirectory(),
                 "-I" + (folder.empty() ? std::string(".") : folder.str().str())};
  for (const std::string &word : options.commandLine.arguments)
    if (StringRef(word).starts_with("-I") || StringRef(word).starts_with("-D"))
      words.push_back(word);
  return words;
}

Words clangWords(const Options &options, const std::string &toolkit, const GpuTarget &target) {
  Words words = compilerWords(options, 20);
  words.insert(words.end(),
               {"-x", "cuda", "--cuda-device-only", "-DTESSERA_SIMT=1",
                ("--offload-arch=" + frontend::clangName(target)).str(), "--cuda-path=" + toolkit});
  return words;
}

} // namespace

Measured measureRegisters(const std::string &text, const Options &options) {
  const std::string &toolkit = options.commandLine.cudaPath;
  if (!isThere(toolkit + "/bin/ptxas"))
    return {};
  TemporaryFolder folder;
  if (!folder)
    return {};
  std::string source = folder / "program.cu", report;
  if (Error error = writeFile(source, text))
    return consumeError(std::move(error)), Measured(); // it only adds numbers to a remark
  const Surroundings surroundings{&folder, &report, &report};
  const std::string cubin = folder / "program.cubin";
  auto compilesByNvcc = [&](const GpuTarget &target) {
    Words words = nvccWords(options, toolkit, target);
    words.insert(words.end(), {source, "-o", cubin});
    return execute(words, surroundings) == 0;
  };
  auto compilesByClang = [&](const GpuTarget &target) {
    Words words = clangWords(options, toolkit, target);
    words.push_back(source);
    return compileWithRuntime(words, {"-c", "-o", cubin, "-Xcuda-ptxas", "-v"}, options,
                              surroundings) == 0;
  };
  Measured measured;
  for (const GpuTarget *target : options.architectures) {
    report.clear();
    if (isThere(toolkit + "/bin/nvcc") && compilesByNvcc(*target))
      measured.compiler = "nvcc";
    else if (report.clear(), compilesByClang(*target))
      measured.compiler = "Clang with ptxas";
    else
      continue;
    measured.uses.merge(readPtxasReport(report));
  }
  return measured;
}

} // namespace tessera::driver
