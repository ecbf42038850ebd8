// tileiras: Tile IR bytecode to a cubin, in the place of NVIDIA's program of that name, or to a
// library for the CPU or the emulator. Producers of bytecode - cuTile Python among them - call it;
// no part of Clang is in it.
//
// A failure is an exit status and lines of the form "file.py:3:5: error: text". The output is
// written at the end or not at all.
#include "CompileRaised.h"
#include "driver/Crashes.h"
#include "driver/Files.h"
#include "driver/Signals.h"
#include "structure/Finish.h"
#include "support/Messages.h"
#include "support/PrintDiagnostic.h"
#include "tile/Refuse.h"
#include "tileiras/Image.h"
#include "tileiras/Library.h"
#include "tileiras/Options.h"
#include "tileir/Reader.h"
#include "tileir/Translate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tessera;

namespace {

constexpr int refused = 1, unusable = 2;

// Remarks are for their file.
class Messages {
public:
  explicit Messages(const tileiras::Options &options) : options(options) {}

  void operator()(const Diagnostic &diagnostic) {
    if (diagnostic.kind == Diagnostic::Remark) {
      addRemark(diagnostic);
      return;
    }
    print(errs(), diagnostic);
  }

  Error writeRemarks() const {
    return options.remarksFile.empty() ? Error::success()
                                       : driver::writeFile(options.remarksFile, remarks);
  }

private:
  // As LLVM writes remarks, of which a JSON string is a part.
  void addRemark(const Diagnostic &diagnostic) {
    raw_string_ostream out(remarks);
    out << "--- !Analysis\nPass: tessera\nName: Plan\n";
    if (const FileLocation &at = diagnostic.location; !at.file.empty())
      out << "DebugLoc: { File: " << json::Value(at.file) << ", Line: " << at.line
          << ", Column: " << at.column << " }\n";
    out << "Args:\n  - String: " << json::Value(diagnostic.message) << "\n...\n";
  }

  const tileiras::Options &options;
  std::string remarks;
};

int fail(const Twine &message, int status) {
  errs() << "error: " << message << '\n';
  return status;
}

std::string supportedNames() {
  return join(map_range(gpuTargets(), [](const GpuTarget &target) { return target.name.str(); }),
              ", ");
}

int write(const tileiras::Options &options, std::string contents) {
  if (Error error = driver::writeFile(options.output, std::move(contents)))
    return fail(formatv(message::CannotWrite, options.output, toString(std::move(error))),
                unusable);
  return 0;
}

Expected<std::string> contentsOf(const std::vector<EmittedKernel> &kernels,
                                 const KernelNames &names, const tileiras::Options &options) {
  std::string text = tileiras::textOf(kernels, options);
  switch (options.product) {
  case tileiras::Product::Cubin: return tileiras::makeCubin(text, kernels, options);
  case tileiras::Product::Library:
  case tileiras::Product::CpuLibrary: return tileiras::makeLibrary(text, kernels, names, options);
  default: return text;
  }
}

// Bytecode -> tile IR -> kernels -> what is asked for.
int compileModule(const tileir::Module &module, const tileiras::Options &options) {
  Messages messages(options);
  Reports reports([&](const Diagnostic &diagnostic) { messages(diagnostic); });
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, tile::forwardTo(reports));
  auto translated = tileir::translate(module, context, *options.target, reports);
  if (!translated || !structuring::finish(**translated, "tileir", reports))
    return refused;
  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.isImage = true;
  pipeline.isWhole = isWhole(options.product);
  pipeline.checks = options.checks;
  pipeline.policy = options.policy;
  pipeline.sourceName = options.input;
  if (!options.remarksFile.empty())
    pipeline.explanation = Explanation::RemarksWithoutAdvice;
  if (options.product == tileiras::Product::TileIr) {
    std::string text;
    raw_string_ostream out(text);
    (*translated)->print(out);
    out << '\n';
    return write(options, text);
  }
  KernelNames names = tileir::namesOfEntries(module);
  auto kernels = compileRaised(**translated, names, pipeline, reports);
  if (!kernels)
    return refused;
  Expected<std::string> contents = contentsOf(*kernels, names, options);
  if (!contents)
    return fail(toString(contents.takeError()), refused);
  if (Error error = messages.writeRemarks())
    return fail(formatv(message::CannotWrite, options.remarksFile, toString(std::move(error))),
                unusable);
  return write(options, std::move(*contents));
}

int compile(std::unique_ptr<MemoryBuffer> bytes, const tileiras::Options &options) {
  Expected<tileir::Module> module = tileir::read(std::move(bytes));
  if (!module)
    return fail(toString(module.takeError()), refused);
  // Producers find the newest version by modules without an entry, for whatever GPU.
  bool isProbe = none_of(module->functions, [](auto &function) { return function.isEntry; });
  if (isProbe)
    return write(options, "");
  if (!options.target)
    return fail(formatv(message::UnsupportedGpu, options.gpuName, supportedNames()), refused);
  return compileModule(*module, options);
}

} // namespace

int main(int argc, char **argv) {
  driver::cleanUpWhenEnded();
  driver::sayLostOutputAtExit("tileiras");
  std::optional<tileiras::Options> options = tileiras::readOptions(argc, argv);
  if (!options)
    return unusable;
  auto bytes = MemoryBuffer::getFile(options->input, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!bytes)
    return fail(formatv(message::CannotRead, options->input, bytes.getError().message()), unusable);
  int status = driver::crashed;
  (void)driver::survives("tileiras", [&] { status = compile(std::move(*bytes), *options); });
  return status;
}
