// An option that is neither nvcc's nor Clang's is left out: clangd would stop at it.
#include "clangd/Mend.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/Invocation.h"
#include "nvcc/Source.h"
#include "target/Target.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tessera::clangd {
namespace {

using driver::Words;
using nvcc::OptionKind;

bool has(const Words &words, StringRef start) {
  return any_of(words, [&](StringRef word) { return word.starts_with(start); });
}

// A name, or one behind a folder: nvcc, nvcc-13.0, tessera-nvcc.
bool isNvcc(StringRef compiler) {
  StringRef name = sys::path::stem(compiler);
  name.consume_front("tessera-");
  return name == "nvcc" || name.starts_with("nvcc-");
}

// The language that is written in the command, else that of the file's name.
bool isCuda(const Words &words) {
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    if (StringRef(*word).starts_with("-x")) {
      StringRef language = *word == "-x" && word != words.rbegin() ? StringRef(*std::prev(word))
                                                                   : StringRef(*word).drop_front(2);
      return language == "cu" || language.starts_with("cuda");
    }
  StringRef extension = sys::path::extension(words.back());
  return extension == ".cu" || extension == ".cuh";
}

// The architecture that the command names last, in a list too, if tile code is for it.
const GpuTarget *architectureOf(const nvcc::CommandLine &line) {
  const GpuTarget *found = nullptr;
  for (OptionKind kind : {OptionKind::Architecture, OptionKind::GenerateCode, OptionKind::Code})
    for (StringRef value : line.valuesOf(kind)) {
      StringRef name = value.rsplit('=').second;
      name = (name.empty() ? value : name).trim("[]\"");
      std::string row =
          name.starts_with("compute_") ? "sm_" + name.drop_front(8).str() : name.str();
      if (const GpuTarget *target = findGpuTarget(row))
        found = target;
    }
  return found;
}

// Not those of nvcc: of an option without a row of nvcc's table it is asked whether Clang knows it.
bool isClangs(const std::string &word) {
  const char *text = word.c_str();
  unsigned missing = 0, count = 0;
  opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(ArrayRef(text), missing, count);
  return count == 0 && StringRef(word).starts_with("-") &&
         none_of(parsed, [](const opt::Arg *argument) {
           return argument->getOption().getKind() == opt::Option::UnknownClass;
         });
}

} // namespace

Words withoutNvcc(const Words &words, const std::string &folder) {
  if (words.empty() || !isNvcc(words.front()))
    return words;
  raw_null_ostream silence;
  std::optional<nvcc::CommandLine> line =
      nvcc::readCommandLine({words.begin() + 1, words.end()}, silence, folder);
  if (!line) // a file of options is not there, for instance
    line.emplace();
  Words result = {frontend::clangExecutable()}, files;
  for (const nvcc::Option &option : line->options) {
    StringRef word = option.spelled.front();
    if (option.kind == OptionKind::Input)
      files.push_back(word.str());
    // Options of the host compiler and of Clang that a user has added.
    else if (option.kind == OptionKind::Other && option.spelled.size() == 1 &&
             (word.starts_with("-W") || word.starts_with("-f")) && isClangs(word.str()))
      result.push_back(word.str());
  }
  bool isCudaFile = any_of(files, [&](StringRef file) { return nvcc::isCuda(*line, file); });
  if (!files.empty()) // else the name of the file says it, which clangd adds
    result.insert(result.end(), {"-x", isCudaFile ? "cuda" : "c++"});
  append_range(result, nvcc::clangArguments(*line));
  if (const GpuTarget *target = architectureOf(*line))
    result.push_back("--offload-arch=" + frontend::clangName(*target).str());
  append_range(result, files);
  return result;
}

// The macros that an argument of the plugin defines.
static Words macrosOf(StringRef argument) {
  Words words;
  driver::Settings settings;
  std::string message;
  if (const driver::CommonOption *option = driver::findCommonOption(argument))
    option->set(argument.split('=').second, settings, message);
  for (const std::string &macro : settings.macros)
    words.push_back("-D" + macro);
  return words;
}

Words withDefaults(const Words &words) {
  if (words.size() < 2 || !isCuda(words))
    return words;
  // The plugin is there already, and clangd hands it no arguments.
  Words result;
  for (StringRef word : words)
    if (word == "-fplugin-arg-tessera-explain")
      result.push_back(std::string("-D") + frontend::remarksMacro);
    else if (word.consume_front("-fplugin-arg-tessera-"))
      append_range(result, macrosOf(word));
    else if (!word.starts_with("-fplugin="))
      result.push_back(word.str());
  Words added;
  if (!has(result, "-x")) // Clang does not know .cuh
    added.push_back("-xcuda");
  auto addUnless = [&](std::initializer_list<StringRef> starts, const Twine &word) {
    if (none_of(starts, [&](StringRef start) { return has(result, start); }))
      added.push_back(word.str());
  };
  if (std::string toolkit = frontend::findCudaToolkit(""); !toolkit.empty())
    addUnless({"--cuda-path", "-nocudainc"}, "--cuda-path=" + toolkit);
  addUnless({"--offload-arch", "--cuda-gpu-arch"}, "--offload-arch=" + defaultGpuTarget().name);
  addUnless({"-std=", "--std="}, "-std=c++20");
  added.insert(added.end(), {"-nogpulib", "-Wno-unknown-cuda-version", "-isystem",
                             frontend::runtimeIncludeDirectory()});
  result.insert(result.begin() + 1, added.begin(), added.end());
  return result;
}

} // namespace tessera::clangd
