#include "driver/Bytecode.h"

#include "CompileRaised.h"
#include "driver/Crashes.h"
#include "structure/Finish.h"
#include "support/Messages.h"
#include "support/PrintDiagnostic.h"
#include "tile/Refuse.h"
#include "tileir/Reader.h"
#include "tileir/Text.h"
#include "tileir/Translate.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {

namespace {

// Of a file, or of standard input. Nothing after a message, and `status` is the tool's.
std::optional<tileir::Module> readModule(const std::string &file, int &status) {
  auto bytes = MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!bytes) {
    errs() << "tessera: " << formatv(message::CannotRead, file, bytes.getError().message()) << '\n';
    status = 2;
    return std::nullopt;
  }
  Expected<tileir::Module> module = tileir::read(std::move(*bytes));
  if (module)
    return std::move(*module);
  errs() << file << ": error: " << toString(module.takeError()) << '\n';
  status = 1;
  return std::nullopt;
}

bool explain(const tileir::Module &module, const Options &options) {
  PipelineOptions pipeline = options.settings.pipeline;
  pipeline.target = options.architectures.front();
  pipeline.isImage = true;
  pipeline.explanation = Explanation::RemarksWithoutAdvice;
  pipeline.sourceName = options.commandLine.file;
  Reports reports([](const Diagnostic &diagnostic) { print(errs(), diagnostic); });
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, tile::forwardTo(reports));
  auto translated = tileir::translate(module, context, *pipeline.target, reports);
  return translated && structuring::finish(**translated, "tileir", reports) &&
         compileRaised(**translated, tileir::namesOfEntries(module), pipeline, reports);
}

} // namespace

bool isBytecode(StringRef file) {
  auto start = MemoryBuffer::getFileSlice(file, tileir::magic.size(), 0);
  return start && (*start)->getBuffer() == tileir::magic;
}

int readBytecode(const Options &options) {
  const std::string &file = options.commandLine.file;
  if (options.action != Options::Explain || !options.texts.front().output.empty()) {
    errs() << "tessera: " << formatv(message::IsBytecode, file) << '\n';
    return 2;
  }
  int status = crashed;
  (void)survives("tessera", [&] {
    if (std::optional<tileir::Module> module = readModule(file, status))
      status = explain(*module, options) ? 0 : 1;
  });
  return status;
}

int dumpBytecode(const std::string &file) {
  int status = 0;
  if (std::optional<tileir::Module> module = readModule(file, status))
    tileir::print(*module, outs());
  return status;
}

} // namespace tessera::driver
