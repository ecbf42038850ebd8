// One loop over the words; NvccOptions.td says which of them consume the next word.
#include "nvcc/CommandLine.h"
#include "support/Messages.h"
#include "nvcc/OptionTable.h"
#include "support/PlanPolicy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

// Commas separate, except in double quotes and after a backslash, which is removed: nvcc's rules.
Words splitList(StringRef list) {
  Words values(1);
  bool isQuoted = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size()) {
      values.back() += list[++i];
      continue;
    }
    if (list[i] == '"')
      isQuoted = !isQuoted;
    if (list[i] == ',' && !isQuoted)
      values.emplace_back();
    else
      values.back() += list[i];
  }
  return values;
}

// Words of a shell command line, with which nvcc passes its host compiler's options.
Words shellWords(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  return Words(words.begin(), words.end());
}

// Replaces an option by the words of its file.
bool insertOptionsFile(StringRef file, Words &words, size_t at, raw_ostream &messages,
                       StringRef folder) {
  SmallString<128> path(file);
  if (!folder.empty())
    sys::path::make_absolute(folder, path);
  auto text = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text) {
    messages << "tessera-nvcc: "
             << formatv(message::CannotReadOptions, file, text.getError().message()) << '\n';
    return false;
  }
  Words found = shellWords((*text)->getBuffer());
  words.insert(words.begin() + ptrdiff_t(at), found.begin(), found.end());
  return true;
}

} // namespace

bool isImage(OptionKind kind) {
  return is_contained({OptionKind::Cubin, OptionKind::Fatbin, OptionKind::Ptx,
                       OptionKind::TileCubin, OptionKind::TileFatbin},
                      kind);
}

bool CommandLine::has(OptionKind kind) const {
  return any_of(options, [&](const Option &option) { return option.kind == kind; });
}

std::optional<std::string> CommandLine::valueOf(OptionKind kind) const {
  for (const Option &option : reverse(options))
    if (option.kind == kind)
      return option.value;
  return std::nullopt;
}

Words CommandLine::valuesOf(OptionKind kind) const {
  Words values;
  for (const Option &option : options)
    if (option.kind == kind)
      append_range(values, splitList(option.value));
  return values;
}

driver::Settings CommandLine::settings() const {
  driver::Settings settings;
  std::string message; // which readCommandLine has reported
  for (const Option &option : options)
    if (option.common)
      option.common->set(option.value, settings, message);
  return settings;
}

Words CommandLine::hostWords() const {
  return shellWords(join(valuesOf(OptionKind::HostOptions), " "));
}

std::vector<const Option *> CommandLine::inputs() const {
  std::vector<const Option *> found;
  for (const Option &option : options)
    if (option.kind == OptionKind::Input)
      found.push_back(&option);
  return found;
}

Words CommandLine::spell(function_ref<std::optional<Words>(const Option &)> replace) const {
  Words words;
  for (const Option &option : options)
    append_range(words, replace(option).value_or(option.spelled));
  return words;
}

bool wantsDependencies(const CommandLine &line) {
  return line.has(OptionKind::DependenciesToo) || line.has(OptionKind::OwnDependenciesToo);
}

bool isRelocatable(const CommandLine &line) {
  return line.has(OptionKind::DeviceCompile) || line.valueOf(OptionKind::RelocatableCode) == "true";
}

std::optional<CommandLine> readCommandLine(Words words, raw_ostream &messages, StringRef folder) {
  auto fail = [&](const Twine &message) {
    messages << "tessera-nvcc: " << message << '\n';
    return std::nullopt;
  };
  constexpr unsigned maxFiles = 100; // a file may name itself
  CommandLine line;
  driver::Settings ignored; // a value is only tested here, see settings()
  unsigned files = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (StringRef word = words[i]; !word.starts_with("-") || word == "-") {
      line.options.push_back({OptionKind::Input, words[i], {words[i]}});
      continue;
    }
    std::optional<Option> found = matchOption(ArrayRef(words).drop_front(i));
    if (!found)
      return fail(formatv(message::NeedsValue, words.back()));
    Option option = std::move(*found);
    i += option.spelled.size() - 1;
    if (std::string message; option.common && !option.common->set(option.value, ignored, message))
      return fail(message);
    if (option.kind != OptionKind::OptionsFile) {
      line.options.push_back(std::move(option));
      continue;
    }
    size_t at = i + 1;
    for (StringRef file : reverse(to_vector(llvm::split(option.value, ','))))
      if (++files > maxFiles || !insertOptionsFile(file, words, at, messages, folder))
        return fail(formatv(message::NoCommandLine, file));
  }
  if (std::string message; !planPolicyOfEnvironment(message))
    return fail(message);
  return line;
}

} // namespace tessera::nvcc
