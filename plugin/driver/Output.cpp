// All outputs are staged before the first is renamed, so that no reader sees a partial file, or one
// output without the others.
#include "driver/Output.h"

#include "support/Messages.h"
#include "driver/Files.h"
#include "driver/Signals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::driver {
namespace {

// A name in the syntax of make and ninja.
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

// The outputs depend on the files read for them.
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
  std::vector<StagedFile> staged;
  auto stage = [&](const std::string &output, std::string text) {
    Expected<StagedFile> file = StagedFile::make(output, std::move(text));
    if (!file)
      return fail(output, file.takeError());
    staged.push_back(std::move(*file));
    return 0;
  };
  for (auto [text, wanted] : llvm::zip_equal(contents, options.texts))
    if (int status = stage(wanted.output, text))
      return status;
  if (!options.dependencyFile.empty())
    if (int status = stage(options.dependencyFile, dependencyRule(outcome, options)))
      return status;
  for (StagedFile &file : staged)
    if (file.isStream())
      if (Error error = file.keep())
        return fail(file.name(), std::move(error));
  SignalsHeld held; // all files are there, or none
  for (StagedFile &file : staged)
    if (!file.isStream())
      if (Error error = file.keep())
        return fail(file.name(), std::move(error));
  return 0;
}

int writeDependencies(const Outcome &outcome, const Options &options) {
  if (options.dependencyFile.empty())
    return 0;
  if (Error error = writeFile(options.dependencyFile, dependencyRule(outcome, options)))
    return fail(options.dependencyFile, std::move(error));
  return 0;
}

} // namespace tessera::driver
