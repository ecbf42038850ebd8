// Rows of the table become Clang's custom diagnostics when they are first used.
#include "check/Diagnostics.h"
#include "Codes.h"
#include "diagnose/Instances.h"
#include "diagnose/TileTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticCategories.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

struct Row {
  DiagnosticIDs::Level severity;
  llvm::StringLiteral id, section, text;
  std::optional<diag::Group> group; // of a warning
};

constexpr Row rows[] = {
#define TESSERA_DIAGNOSTIC(id, severity, section, text)                                            \
  {DiagnosticIDs::severity, #id, section, text, std::nullopt},
#define TESSERA_WARNING(id, group, section, text)                                                  \
  {DiagnosticIDs::Warning, #id, section, text, diag::Group::group},
#include "check/Diagnostics.def"
#undef TESSERA_DIAGNOSTIC
};

} // namespace

Reporter::Reporter(const ASTContext &context, bool allowsExtensions, bool wantsWarnings)
    : allowsExtensions(allowsExtensions), context(context), engine(context.getDiagnostics()),
      wantsWarnings(wantsWarnings) {}

std::string Reporter::typeText(QualType type) const {
  return "'" + diagnose::print(type, context) + "'";
}

SourceLocation Reporter::userPlace(SourceLocation location) const {
  const SourceManager &sources = context.getSourceManager();
  bool isOfSystem = location.isMacroID() && sources.isInSystemMacro(location);
  return isOfSystem ? sources.getFileLoc(location) : location;
}

// A note belongs to the error before it, and goes with it.
bool Reporter::isNew(SourceLocation location, Id id) {
  if (isNote(id)) // where a function of the system's is declared helps nobody
    return wasLastNew &&
           (id != Id::DeclaredHere || !context.getSourceManager().isInSystemHeader(location));
  bool isWanted =
      wantsWarnings || rows[static_cast<unsigned>(id)].severity != DiagnosticIDs::Warning;
  return wasLastNew = isWanted && reported.insert({location.getRawEncoding(), id}).second;
}

bool Reporter::isNote(Id id) {
  return rows[static_cast<unsigned>(id)].severity == DiagnosticIDs::Note;
}

void Reporter::noteInstance(SourceLocation location) {
  SourceLocation place = instance->getPointOfInstantiation();
  if (place.isValid() && place != location) // what is said of a launch is there
    engine.Report(place, engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, "in %0"))
        << diagnose::describe({{instance, place}}, instance->getASTContext());
}

unsigned Reporter::customId(Id id) {
  const Row &row = rows[static_cast<unsigned>(id)];
  std::string text = row.text.str() + (isNote(id) ? "" : tagOf(row.section, row.id));
  DiagnosticIDs &ids = *engine.getDiagnosticIDs();
  if (!row.group)
    return ids.getCustomDiagID(row.severity, text);
  return ids.getCustomDiagID({diag::Severity::Warning, std::move(text),
                              DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/false,
                              /*ShowInSystemMacro=*/false, row.group});
}

} // namespace tessera::check
