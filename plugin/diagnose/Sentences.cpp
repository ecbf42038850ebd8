// Rows become custom diagnostics of Clang; arguments are inserted here.
#include "diagnose/Sentences.h"
#include "support/Codes.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

constexpr struct {
  llvm::StringLiteral id, section, text;
} rows[] = {
#define TESSERA_SENTENCE(id, section, text) {#id, section, text},
#include "diagnose/Sentences.def"
#undef TESSERA_SENTENCE
};

} // namespace

std::string textOf(const Sentence &sentence) {
  auto [id, section, text] = rows[static_cast<unsigned>(sentence.row)];
  std::string result;
  StringRef rest = text;
  for (size_t at = rest.find('%'); at != StringRef::npos; at = rest.find('%')) {
    result += rest.take_front(at);
    result += sentence.arguments[rest[at + 1] - '0'];
    rest = rest.drop_front(at + 2);
  }
  result += rest;
  return section.empty() ? result : result + tagOf(section, id);
}

void say(const Sentence &sentence, DiagnosticsEngine::Level level, DiagnosticsEngine &engine,
         DiagnosticConsumer &client) {
  // The row is the diagnostic's identity; its text is complete.
  StringRef row = rows[static_cast<unsigned>(sentence.row)].text;
  auto severity = level == DiagnosticsEngine::Note ? DiagnosticIDs::Note : DiagnosticIDs::Error;
  unsigned id = engine.getDiagnosticIDs()->getCustomDiagID(severity, row);
  DiagnosticStorage storage;
  storage.DiagRanges.append(sentence.ranges.begin(), sentence.ranges.end());
  storage.FixItHints.append(sentence.fixes.begin(), sentence.fixes.end());
  std::string text = textOf(sentence);
  client.HandleDiagnostic(level, clang::Diagnostic(&engine, sentence.location, id, storage, text));
}

} // namespace tessera::diagnose
