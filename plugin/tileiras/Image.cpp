#include "tileiras/Image.h"

#include "driver/Files.h"
#include "driver/KernelFacts.h"
#include "driver/Processes.h"
#include "emit/ElementHeaders.h"
#include "frontend/parse/Installation.h"
#include "nvcc/Cubin.h"
#include "nvcc/RuntimeCompiler.h"
#include "nvcc/Toolkit.h"
#include "support/Messages.h"
#include "tessera/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace tessera::tileiras {

namespace {

std::vector<driver::KernelFacts> factsOf(const std::vector<EmittedKernel> &kernels) {
  std::vector<driver::KernelFacts> facts;
  facts.reserve(kernels.size());
  for (const EmittedKernel &kernel : kernels)
    facts.push_back({kernel.symbol, kernel.threads, kernel.sharedMemory});
  return facts;
}

// Hosts launch an image's kernels with one thread and no shared memory of their own.
size_t declaredBytes(const std::vector<driver::KernelFacts> &facts) {
  return driver::declaredSharedMemory(facts, driver::Product::Cubin).value_or(0);
}

Error failure(const Twine &message) { return createStringError(message); }

// What both compilers are told. Producers fuse multiplications and additions themselves; what they
// did not fuse stays as it is.
driver::Words commonWords(const Options &options) {
  driver::Words words = {"-fmad=false", "-Xptxas=-O" + options.optimization};
  if (options.hasLineInfo)
    words.push_back("-lineinfo");
  return words;
}

Expected<std::string> cubinByLibrary(const nvcc::RuntimeCompiler &compiler, const std::string &text,
                                     const Options &options) {
  Expected<std::string> cubin =
      compiler.makeCubin(text, options.target->name, commonWords(options));
  if (!cubin)
    return refusal("NVRTC", toString(cubin.takeError()));
  return cubin;
}

Expected<std::string> cubinByNvcc(const std::string &compiler, const std::string &text,
                                  const Options &options) {
  driver::TemporaryFolder folder;
  if (!folder)
    return failure(folder.problem());
  std::string source = folder / "kernels.cu", output = folder / "kernels.cubin", said;
  if (Error error = driver::writeFile(source, text))
    return std::move(error);
  std::string name = options.target->name.str();
  driver::Words words = {compiler, "-std=c++20", "-cubin",
                         "-arch=compute_" + name.substr(StringRef("sm_").size()), "-code=" + name};
  llvm::append_range(words, commonWords(options));
  words.insert(words.end(),
               {"-isystem", frontend::runtimeIncludeDirectory(), source, "-o", output});
  if (driver::execute(words, {&folder, &said, &said}) != 0)
    return refusal("nvcc", said);
  auto cubin = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!cubin)
    return failure(formatv(message::NothingByNvcc, output, cubin.getError().message()));
  return (*cubin)->getBuffer().str();
}

Expected<std::string> cubinOf(const nvcc::Toolkit &toolkit, const std::string &text,
                              const Options &options) {
  Expected<std::optional<nvcc::RuntimeCompiler>> found = nvcc::RuntimeCompiler::find(toolkit);
  if (!found)
    return found.takeError();
  if (const std::optional<nvcc::RuntimeCompiler> &library = *found;
      library && library->knowsArchitecture(options.target->number))
    return cubinByLibrary(*library, text, options);
  if (toolkit.compiler.empty())
    return failure(message::NoCompilerForImage);
  return cubinByNvcc(toolkit.compiler, text, options);
}

} // namespace

Error refusal(StringRef compiler, const Twine &said) {
  return failure(compiler + " refuses the generated code, which is a bug in Tessera\n" + said);
}

std::string includesOf(const Options &options) {
  std::string text = "#define TESSERA_SIMT 1\n#define TESSERA_IMAGE 1\n";
  if (isWhole(options.product))
    text += "#define TESSERA_WHOLE_TILES 1\n";
  text += "#include <tessera/simt.cuh>\n";
  if (options.checks.any())
    text += "#include <tessera/ops/check.cuh>\n";
  return text;
}

std::string textOf(const std::vector<EmittedKernel> &kernels, const Options &options) {
  std::string body;
  raw_string_ostream out(body);
  out << "namespace tessera::kernels {\n";
  std::map<std::string, std::string> variables;
  for (const EmittedKernel &kernel : kernels)
    variables.insert(kernel.variables.begin(), kernel.variables.end());
  if (!variables.empty())
    out << "\nnamespace variables {\n";
  for (auto &[name, definition] : variables)
    out << definition;
  if (!variables.empty())
    out << "} // namespace variables\n";
  for (const EmittedKernel &kernel : kernels)
    out << '\n' << kernel.text(kernel.mapCount);
  out << "\n} // namespace tessera::kernels\n";

  std::string text;
  raw_string_ostream whole(text);
  whole << "// tessera " TESSERA_VERSION_STRING ", from Tile IR bytecode\n";
  whole << "#define TESSERA_IMAGE_SHARED " << declaredBytes(factsOf(kernels)) << '\n'
        << includesOf(options);
  emit::printElementHeaders(whole, emit::wordsOf(body));
  whole << body;
  return text;
}

Expected<std::string> makeCubin(const std::string &text, const std::vector<EmittedKernel> &kernels,
                                const Options &options) {
  nvcc::Toolkit toolkit = nvcc::findToolkit();
  Expected<std::string> contents = cubinOf(toolkit, text, options);
  if (!contents)
    return contents;
  std::vector<driver::KernelFacts> facts = factsOf(kernels);
  if (Error error = nvcc::finishCubin(*contents, facts, declaredBytes(facts)))
    return failure(formatv(message::UnexpectedCubin, toString(std::move(error))));
  return contents;
}

} // namespace tessera::tileiras
