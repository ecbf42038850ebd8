#include "nvcc/Image.h"
#include "driver/Translate.h"
#include "nvcc/Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

std::error_code write(const std::string &path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (error)
    return error;
  stream << contents;
  stream.close();
  error = stream.error();
  stream.clear_error();
  return error;
}

} // namespace

Image makeImage(ImageRequest request, raw_ostream &messages) {
  auto fail = [&](const Twine &message) {
    messages << "tessera-nvcc: " << message << '\n';
    return Image{1, {}};
  };
  const driver::TemporaryFolder &folder = *request.folder;
  driver::Options &translation = request.translation;
  translation.settings.product =
      request.code.isPtx() ? driver::Product::Ptx : driver::Product::Cubin;
  const std::string &source = translation.commandLine.file;
  std::string text = folder / sys::path::filename(source);
  std::string output = folder / (sys::path::stem(source) + "." + request.code.name);
  driver::Outcome outcome;
  if (!request.isDry) {
    outcome = driver::translate(translation, messages);
    if (outcome.status != 0)
      return {outcome.status, {}};
    if (outcome.kernels.empty() && request.isTileOnly)
      return fail("'" + source + "' has no tile kernel");
    if (std::error_code error = write(text, outcome.texts.front()))
      return fail("cannot write '" + text + "': " + error.message());
  }
  Words words = {request.toolkit->compiler};
  append_range(words, request.options);
  words.push_back("-arch=" + request.code.virtualName);
  if (request.code.isPtx())
    words.push_back("-ptx");
  else
    words.insert(words.end(), {"-cubin", "-code=" + request.code.name});
  if (!outcome.kernels.empty() && request.isTileOnly) {
    auto symbol = [](const driver::KernelFacts &kernel) { return kernel.symbol; };
    words.push_back("--entries=" + join(map_range(outcome.kernels, symbol), ","));
  }
  words.insert(words.end(), {"-o", output, "-x", "cu", text});
  if (int status = driver::execute(words, request.log))
    return {status < 0 ? 1 : status, {}};
  if (request.isDry)
    return {};

  auto buffer = MemoryBuffer::getFile(output);
  if (!buffer)
    return fail("nvcc has not made '" + output + "': " + buffer.getError().message());
  Image image{0, (*buffer)->getBuffer().str()};
  if (request.code.isPtx())
    return image;
  if (Error error =
          finishCubin(image.contents, outcome.kernels,
                      driver::declaredSharedMemory(outcome.kernels, translation.settings.product)))
    return fail(toString(std::move(error)));
  return image;
}

} // namespace tessera::nvcc
