// The table of sentences as code.
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

// One row said of a place, with what belongs to it.
struct Sentence {
  Row row;
  clang::SourceLocation place;
  std::vector<std::string> arguments;
  std::vector<clang::CharSourceRange> ranges = {};
  std::vector<clang::FixItHint> fixes = {};
};

std::string textOf(const Sentence &sentence);

// Hands the sentence to a client as if Clang had said it.
void say(const Sentence &sentence, clang::DiagnosticsEngine::Level level,
         clang::DiagnosticsEngine &engine, clang::DiagnosticConsumer &client);

} // namespace tessera::diagnose
