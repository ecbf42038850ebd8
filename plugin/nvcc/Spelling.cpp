#include "nvcc/Spelling.h"
#include "frontend/parse/Installation.h"
#include "frontend/parse/Invocation.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tessera::nvcc {

// The program's files may test macros that options define.
static Words macrosOf(const Option &option) {
  Words words;
  for (const std::string &macro : CommandLine{{option}}.settings().macros)
    words.push_back("-D" + macro);
  return words;
}

std::optional<Words> withoutTileOptions(const Option &option) {
  switch (option.kind) {
  case OptionKind::EnableTile:
  case OptionKind::TileOnly:
  case OptionKind::SimtOnly:
  case OptionKind::TileAssembler: return Words();
  case OptionKind::Common: return macrosOf(option);
  default: return std::nullopt;
  }
}

Words headersOfLibraries(const CommandLine &line) {
  bool isEnabled = line.has(OptionKind::EnableTile) || line.has(OptionKind::TileOnly) ||
                   line.has(OptionKind::TileCubin) || line.has(OptionKind::TileFatbin);
  return isEnabled ? Words{"-I", frontend::runtimeIncludeDirectory() + "/tessera/libraries"}
                   : Words();
}

static Words withHeaders(const CommandLine &line, StringRef flag) {
  Words words = {flag.str(), frontend::runtimeIncludeDirectory()};
  if (!line.has(OptionKind::Standard))
    words.push_back("-std=c++20");
  return words;
}

Words sourceOptions(const CommandLine &line) { return withHeaders(line, "-I"); }

Words languageOptions(const CommandLine &line) { return withHeaders(line, "-isystem"); }

bool asksForUse(const CommandLine &line) {
  return line.has(OptionKind::ResourceUse) ||
         any_of(line.valuesOf(OptionKind::AssemblerOptions),
                [](const std::string &word) { return word == "-v" || word == "--verbose"; });
}

Words useOptions() { return {"-Xptxas", "-v"}; }

Words imageOptions(const CommandLine &line) {
  Words words = line.spell([&](const Option &option) -> std::optional<Words> {
    switch (option.kind) {
    case OptionKind::Input:
    case OptionKind::Language:
    case OptionKind::Output:
    case OptionKind::OutputFolder:
    case OptionKind::Architecture:
    case OptionKind::Code:
    case OptionKind::GenerateCode:
    case OptionKind::DependenciesToo:
    case OptionKind::OwnDependenciesToo:
    case OptionKind::DependencyFile:
    case OptionKind::DependencyTarget:
    case OptionKind::DependencyPhony: return Words();
    default: return isImage(option.kind) ? Words() : withoutTileOptions(option);
    }
  });
  Words first = headersOfLibraries(line);
  words.insert(words.begin(), first.begin(), first.end());
  append_range(words, languageOptions(line));
  return words;
}

} // namespace tessera::nvcc
