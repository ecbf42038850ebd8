#include "driver/Bytecode.h"

#include "CompileRaised.h"
#include "structure/Finish.h"
#include "support/Messages.h"
#include "tile/Refuse.h"
#include "tileir/Reader.h"
#include "tileir/Translate.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {

namespace {

// As Clang prints them.
void print(const Diagnostic &diagnostic) {
  const FileLocation &at = diagnostic.location;
  if (!at.file.empty())
    errs() << at.file << ':' << at.line << ':' << at.column << ": ";
  errs() << (diagnostic.kind == Diagnostic::Remark    ? "remark"
             : diagnostic.kind == Diagnostic::Warning ? "warning"
             : diagnostic.kind == Diagnostic::Note    ? "note"
                                                      : "error")
         << ": " << diagnostic.message << '\n';
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
  auto bytes = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes) {
    errs() << "tessera: " << formatv(message::CannotRead, file, bytes.getError().message()) << '\n';
    return 2;
  }
  Expected<tileir::Module> module = tileir::read(std::move(*bytes));
  if (!module) {
    errs() << file << ": error: " << toString(module.takeError()) << '\n';
    return 1;
  }
  PipelineOptions pipeline = options.settings.pipeline;
  pipeline.target = options.architectures.front();
  pipeline.isImage = true;
  pipeline.sourceName = file;
  Reports reports(print);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, tile::forwardTo(reports));
  auto translated = tileir::translate(*module, context, *pipeline.target, reports);
  const bool isRight =
      translated && structuring::finish(**translated, "tileir", reports) &&
      compileRaised(**translated, tileir::namesOfEntries(*module), pipeline, reports);
  return isRight ? 0 : 1;
}

} // namespace tessera::driver
