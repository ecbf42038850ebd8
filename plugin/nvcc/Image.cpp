#include "nvcc/Image.h"
#include "support/Messages.h"
#include "driver/Files.h"
#include "driver/Translate.h"
#include "nvcc/Cubin.h"
#include "nvcc/Spelling.h"
#include "nvcc/TextCompiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

// The steps, each of which returns whether to continue.
class Maker {
public:
  Maker(ImageRequest &request, raw_ostream &messages)
      : request(request), messages(messages), source(request.translation.commandLine.file),
        text(*request.folder / sys::path::filename(source)),
        output(*request.folder / ("image." + request.code.name)) {
    request.translation.settings.product =
        request.code.isPtx() ? driver::Product::Ptx : driver::Product::Cubin;
    // nvcc's mangling: without the constraints of templates.
    request.translation.commandLine.arguments.push_back("-fclang-abi-compat=17");
  }

  Image run() {
    if ((request.isDry || translate({}, messages)) && !request.isTextOnly && compile() &&
        !request.isDry && planAgain())
      finish();
    return std::move(image);
  }

private:
  bool translate(const KernelPolicies &policies, raw_ostream &messages) {
    request.translation.settings.pipeline.ofKernels = policies;
    driver::Outcome outcome = driver::translate(request.translation, messages);
    if (outcome.status != 0)
      return end(outcome.status, outcome.status == driver::Outcome::refused);
    kernels = std::move(outcome.kernels);
    plan.kernels = std::move(outcome.planned);
    image.text = std::move(outcome.texts.front());
    image.kernels.clear();
    for (const driver::KernelFacts &kernel : kernels)
      image.kernels.push_back(kernel.symbol);
    if (kernels.empty() && request.isTileOnly)
      return fail(formatv(message::NoTileKernel, source), /*isRefused=*/true);
    if (Error error = driver::writeFile(text, image.text))
      return fail(formatv(message::CannotWrite, text, toString(std::move(error))));
    return true;
  }

  bool compile() {
    Words words = {request.toolkit->compiler};
    append_range(words, request.options);
    words.push_back("-arch=" + request.code.virtualName);
    if (request.code.isPtx())
      words.push_back("-ptx");
    else
      words.insert(words.end(), {"-cubin", "-code=" + request.code.name});
    if (!kernels.empty() && request.isTileOnly)
      words.push_back("--entries=" + join(image.kernels, ","));
    if (readsReport() && !request.isUseWanted)
      append_range(words, useOptions());
    words.insert(words.end(), {"-o", output, "-x", "cu", text});
    int status = compileText(words, about(), messages, readsReport() ? &plan.report : nullptr);
    return status == 0 || end(status < 0 ? 1 : status, /*isRefused=*/status > 0);
  }

  bool readsReport() const {
    return !request.code.isPtx() && !request.isDry && driver::mayPlanAgain(plan.kernels);
  }

  CompiledText about() const {
    return {source,
            request.folder,
            image.kernels,
            request.takesOutput,
            /*isRun=*/false,
            /*readsUse=*/readsReport() && !request.isUseWanted};
  }

  // Compiles kernels again if ptxas complains about them.
  bool planAgain() {
    if (!readsReport())
      return true;
    auto again = [&](const KernelPolicies &policies) -> std::optional<driver::CompiledPlan> {
      image.status = 0, image.isRefused = false;
      bool isMade = translate(policies, nulls()) && compile();
      return isMade ? std::optional(plan) : std::nullopt;
    };
    auto last = driver::planAgain(plan, again, messages);
    if (last)
      messages << toldOf(last->report, about());
    return last.has_value();
  }

  bool finish() {
    auto buffer = MemoryBuffer::getFile(output);
    if (!buffer)
      return fail(formatv(message::NothingByNvcc, output, buffer.getError().message()));
    std::string contents = (*buffer)->getBuffer().str();
    driver::Product product = request.translation.settings.product;
    if (product == driver::Product::Cubin)
      if (Error error =
              finishCubin(contents, kernels, driver::declaredSharedMemory(kernels, product)))
        return fail(formatv(message::UnexpectedCubin, toString(std::move(error))));
    image.contents = std::move(contents);
    return true;
  }

  bool end(int status, bool isRefused) {
    image.status = status, image.isRefused = isRefused;
    return false;
  }
  bool fail(const Twine &message, bool isRefused = false) {
    messages << "tessera-nvcc: " << message << '\n';
    return end(1, isRefused);
  }

  ImageRequest &request;
  raw_ostream &messages;
  std::string source, text, output;
  std::vector<driver::KernelFacts> kernels;
  driver::CompiledPlan plan;
  Image image;
};

} // namespace

Image makeImage(ImageRequest request, raw_ostream &messages) {
  return Maker(request, messages).run();
}

} // namespace tessera::nvcc
