// ptxas says it, under either compiler:
//   ptxas info    : Compiling entry function '_ZN7tessera7kernels...8add_simtEPf' for 'sm_90a'
//       0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers
#include "driver/Registers.h"

#include "driver/Files.h"
#include "driver/Processes.h"
#include "driver/Run.h"
#include "frontend/Installation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera::driver {
namespace {

// "3add_simt" of "_ZN7tessera7kernels8add_simtEPf" without its length: the one name that is as long
// as the number before it says, and ends so.
std::string kernelIn(StringRef symbol) {
  constexpr StringLiteral end = "_simt";
  for (size_t at = 0; at < symbol.size(); ++at) {
    if (!isDigit(symbol[at]) || (at && isDigit(symbol[at - 1])))
      continue;
    StringRef rest = symbol.drop_front(at);
    size_t length = 0;
    if (rest.consumeInteger(10, length))
      continue;
    StringRef name = rest.take_front(length);
    if (name.size() == length && name.consume_back(end))
      return name.str();
  }
  return "";
}

unsigned numberBefore(StringRef line, StringRef words) {
  StringRef before = line.take_front(line.find(words)).rtrim();
  unsigned number = 0;
  before.drop_front(before.find_last_not_of("0123456789") + 1).getAsInteger(10, number);
  return number;
}

void readReport(StringRef report, const std::string &target, Measured &measured) {
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  RegisterUse *use = nullptr;
  for (StringRef line : lines)
    if (line.contains("Compiling entry function '")) {
      std::string kernel = kernelIn(line.split('\'').second.split('\'').first);
      use = kernel.empty() ? nullptr : &measured.uses[{kernel, target}];
    } else if (use && line.contains("bytes spill stores")) {
      use->spilled =
          numberBefore(line, " bytes spill stores") + numberBefore(line, " bytes spill loads");
    } else if (use && line.contains("Used ")) {
      use->registers = numberBefore(line, " registers");
    }
}

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
  words.insert(words.end(), {"-x", "cuda", "--cuda-device-only", "-c",
                             ("--offload-arch=" + frontend::clangName(target)).str(),
                             "--cuda-path=" + toolkit, "-Xcuda-ptxas", "-v"});
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
    return consumeError(std::move(error)), Measured(); // its purpose is a number beside a remark
  auto compiles = [&](Words words) {
    words.insert(words.end(), {source, "-o", folder / "program.cubin"});
    report.clear();
    return execute(words, {&folder, &report, &report}) == 0;
  };
  Measured measured;
  for (const GpuTarget *target : options.architectures) {
    if (isThere(toolkit + "/bin/nvcc") && compiles(nvccWords(options, toolkit, *target)))
      measured.compiler = "nvcc";
    else if (compiles(clangWords(options, toolkit, *target)))
      measured.compiler = "Clang with ptxas";
    else
      continue;
    readReport(report, target->name.str(), measured);
  }
  return measured;
}

} // namespace tessera::driver
