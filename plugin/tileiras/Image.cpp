#include "tileiras/Image.h"

#include "driver/Files.h"
#include "driver/KernelFacts.h"
#include "driver/Processes.h"
#include "frontend/parse/Installation.h"
#include "nvcc/Cubin.h"
#include "nvcc/Toolkit.h"
#include "support/Messages.h"
#include "tessera/version.h"

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

} // namespace

std::string includesOf(const Checks &checks) {
  std::string text = "#define TESSERA_SIMT 1\n#define TESSERA_IMAGE 1\n";
  for (StringRef header : {"tessera/simt.cuh", "cuda_bf16.h", "cuda_fp16.h", "cuda_fp8.h"})
    text += ("#include <" + header + ">\n").str();
  if (checks.any())
    text += "#include <tessera/ops/check.cuh>\n";
  return text;
}

std::string textOf(const std::vector<EmittedKernel> &kernels, const Checks &checks) {
  std::string text;
  raw_string_ostream out(text);
  out << "// tessera " TESSERA_VERSION_STRING ", from Tile IR bytecode\n";
  out << "#define TESSERA_IMAGE_SHARED " << declaredBytes(factsOf(kernels)) << '\n'
      << includesOf(checks) << "namespace tessera::kernels {\n";
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
  return text;
}

Expected<std::string> makeCubin(const std::string &text, const std::vector<EmittedKernel> &kernels,
                                const Options &options) {
  nvcc::Toolkit toolkit = nvcc::findToolkit();
  if (toolkit.compiler.empty())
    return failure(message::NoCompilerForCubin);
  driver::TemporaryFolder folder;
  if (!folder)
    return failure(folder.problem());
  std::string source = folder / "kernels.cu", output = folder / "kernels.cubin", said;
  if (Error error = driver::writeFile(source, text))
    return std::move(error);
  std::string name = options.target->name.str();
  // Producers fuse multiplications and additions themselves; what they did not fuse stays as it is.
  driver::Words words = {toolkit.compiler,
                         "-std=c++20",
                         "-fmad=false",
                         "-cubin",
                         "-arch=compute_" + name.substr(StringRef("sm_").size()),
                         "-code=" + name,
                         "-Xptxas=-O" + options.optimization};
  if (options.hasLineInfo)
    words.push_back("-lineinfo");
  words.insert(words.end(),
               {"-isystem", frontend::runtimeIncludeDirectory(), source, "-o", output});
  int status = driver::execute(words, {&folder, &said, &said});
  if (status != 0)
    return failure("nvcc refuses the generated code, which is a bug in Tessera\n" + said);
  auto cubin = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!cubin)
    return failure(formatv(message::NothingByNvcc, output, cubin.getError().message()));
  std::string contents = (*cubin)->getBuffer().str();
  std::vector<driver::KernelFacts> facts = factsOf(kernels);
  if (Error error = nvcc::finishCubin(contents, facts, declaredBytes(facts)))
    return failure(formatv(message::UnexpectedCubin, toString(std::move(error))));
  return contents;
}

} // namespace tessera::tileiras
