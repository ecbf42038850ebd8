// The table of sentences in code.
#pragma once

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace tessera::diagnose {

enum class Row {
#define TESSERA_SENTENCE(id, section, text) id,
#include "diagnose/Sentences.def"
#undef TESSERA_SENTENCE
};

// One row reported at a location, with its ranges and edits.
struct Sentence {
  Row row;
  clang::SourceLocation location;
  std::vector<std::string> arguments;
  std::vector<clang::CharSourceRange> ranges = {};
  std::vector<clang::FixItHint> fixes = {};
};

std::string textOf(const Sentence &sentence);

// Passes the sentence to a client like a diagnostic of Clang.
void say(const Sentence &sentence, clang::DiagnosticsEngine::Level level,
         clang::DiagnosticsEngine &engine, clang::DiagnosticConsumer &client);

} // namespace tessera::diagnose
