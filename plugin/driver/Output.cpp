// A temporary file beside each output is renamed when all of them are complete, so that nobody ever
// reads half a file, or one text without the others.
#include "driver/Output.h"

#include "Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {
namespace {

// The complete contents beside the output that they are for.
Expected<sys::fs::TempFile> stage(const std::string &contents, const std::string &output) {
  if (sys::fs::is_directory(output))
    return createStringError("is a folder");
  auto file = sys::fs::TempFile::create(output + ".temp-stream-%%%%%%",
                                        sys::fs::all_read | sys::fs::all_write);
  if (!file)
    return file;
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << contents;
  stream.flush();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return joinErrors(errorCodeToError(error), file->discard());
  }
  return file;
}

// Standard output, or a device, takes the text as it comes.
bool isStream(const std::string &output) {
  sys::fs::file_status status;
  return output == "-" || (!sys::fs::status(output, status) && sys::fs::is_other(status));
}

// A name as make and ninja read it.
std::string escaped(StringRef name) {
  std::string text;
  for (char c : name) {
    if (c == ' ' || c == '#' || c == '\\')
      text += '\\';
    text += c;
    if (c == '$')
      text += '$';
  }
  return text;
}

// The texts depend on what was read for them.
std::string dependencyRule(const Outcome &outcome, const Options &options) {
  std::string rule = options.action == Options::Build   ? escaped(options.library)
                     : options.action == Options::Check ? "check"
                                                        : "";
  if (rule.empty())
    for (const Text &text : options.texts)
      rule += (rule.empty() ? "" : " ") + escaped(text.output);
  rule += ':';
  for (const std::string &file : outcome.files)
    rule += " \\\n  " + escaped(file);
  return rule + '\n';
}

int fail(const std::string &output, Error error) {
  errs() << "tessera: " << formatv(message::CannotWrite, output, toString(std::move(error)))
         << '\n';
  return 2;
}

} // namespace

int writeOutputs(const Outcome &outcome, const Options &options) {
  ArrayRef<std::string> contents = outcome.texts;
  const std::string &stageToPrint = options.settings.pipeline.dumpStage;
  if (stageToPrint == "simt")
    outs() << contents.front();
  if (!stageToPrint.empty())
    return 0;
  SmallVector<std::pair<sys::fs::TempFile, StringRef>> staged;
  auto discard = [&] {
    for (auto &[file, output] : staged)
      consumeError(file.discard());
  };
  for (auto [text, wanted] : llvm::zip_equal(contents, options.texts)) {
    if (isStream(wanted.output))
      continue;
    Expected<sys::fs::TempFile> file = stage(text, wanted.output);
    if (!file)
      return discard(), fail(wanted.output, file.takeError());
    staged.emplace_back(std::move(*file), wanted.output);
  }
  if (!options.dependencyFile.empty()) {
    auto file = stage(dependencyRule(outcome, options), options.dependencyFile);
    if (!file)
      return discard(), fail(options.dependencyFile, file.takeError());
    staged.emplace_back(std::move(*file), options.dependencyFile);
  }
  while (!staged.empty()) {
    auto [file, output] = staged.pop_back_val();
    if (Error error = file.keep(output))
      return discard(), fail(output.str(), std::move(error));
  }
  for (auto [text, wanted] : llvm::zip_equal(contents, options.texts)) {
    if (!isStream(wanted.output))
      continue;
    std::error_code error;
    raw_fd_ostream stream(wanted.output, error);
    if (!error)
      stream << text, stream.flush(), error = stream.error();
    stream.clear_error();
    if (error)
      return fail(wanted.output, errorCodeToError(error));
  }
  return 0;
}

int writeDependencies(const Outcome &outcome, const Options &options) {
  if (options.dependencyFile.empty())
    return 0;
  auto file = stage(dependencyRule(outcome, options), options.dependencyFile);
  if (!file)
    return fail(options.dependencyFile, file.takeError());
  if (Error error = file->keep(options.dependencyFile))
    return fail(options.dependencyFile, std::move(error));
  return 0;
}

} // namespace tessera::driver
