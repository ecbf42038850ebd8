// Rows of the table become Clang's custom diagnostics when they are first used.
#include "check/Diagnostics.h"

using namespace clang;

namespace tessera::check {
namespace {

struct Row {
  DiagnosticIDs::Level severity;
  const char *text;
};

constexpr Row rows[] = {
#define TESSERA_DIAGNOSTIC(id, severity, section, text)                                            \
  {DiagnosticIDs::severity, text " [tile:" section "]"},
#include "check/Diagnostics.def"
#undef TESSERA_DIAGNOSTIC
};

} // namespace

// A note belongs to the error before it, and goes with it.
bool Reporter::isNew(SourceLocation location, Id id) {
  if (rows[static_cast<unsigned>(id)].severity == DiagnosticIDs::Note)
    return wasLastNew;
  return wasLastNew = reported.insert({location.getRawEncoding(), id}).second;
}

unsigned Reporter::customId(Id id) {
  const Row &row = rows[static_cast<unsigned>(id)];
  return engine.getDiagnosticIDs()->getCustomDiagID(row.severity, row.text);
}

} // namespace tessera::check
