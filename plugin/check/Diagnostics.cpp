// Rows of the table become Clang's custom diagnostics on first use.
#include "check/Diagnostics.h"
#include "check/Silence.h"
#include "support/Codes.h"
#include "diagnose/Instances.h"
#include "diagnose/TileTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

struct Row {
  DiagnosticIDs::Level severity;
  llvm::StringLiteral id, section, text;
  unsigned like; // for a warning, Clang's warning that turns it on and off
};

constexpr Row rows[] = {
#define TESSERA_DIAGNOSTIC(id, severity, section, text)                                            \
  {DiagnosticIDs::severity, #id, section, text, 0},
#define TESSERA_WARNING(id, like, section, text)                                                   \
  {DiagnosticIDs::Warning, #id, section, text, diag::like},
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

SourceLocation Reporter::userLocation(SourceLocation location) const {
  const SourceManager &sources = context.getSourceManager();
  bool isOfSystem = location.isMacroID() && sources.isInSystemMacro(location);
  return isOfSystem ? sources.getFileLoc(location) : location;
}

SourceLocation Reporter::lineOf(SourceLocation location) const {
  const SourceManager &sources = context.getSourceManager();
  auto [file, offset] = sources.getDecomposedExpansionLoc(location);
  return sources.translateLineCol(file, sources.getLineNumber(file, offset), 1);
}

// A note belongs to the preceding error and is dropped with it.
bool Reporter::isNew(SourceLocation location, Id id) {
  if (isNote(id)) // the declaration of a system function is no help
    return wasLastNew &&
           (id != Id::DeclaredHere || !context.getSourceManager().isInSystemHeader(location));
  const Row &row = rows[static_cast<unsigned>(id)];
  bool isWanted = !row.like || (wantsWarnings && !isSilenced(engine, row.like, location));
  // blockIdx.x * blockDim.x + threadIdx.x is one mistake.
  SourceLocation loc = id == Id::ThreadVariable ? lineOf(location) : location;
  return wasLastNew = isWanted && reported.insert({loc.getRawEncoding(), id}).second;
}

bool Reporter::isNote(Id id) {
  return rows[static_cast<unsigned>(id)].severity == DiagnosticIDs::Note;
}

void Reporter::noteInstance(SourceLocation location) {
  SourceLocation loc = instance->getPointOfInstantiation();
  if (loc.isValid() && loc != location) // diagnostics of a launch are there
    engine.Report(loc, engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, "in %0"))
        << diagnose::describe({{instance, loc}}, instance->getASTContext());
}

// Clang's custom warnings follow the last option or pragma of their group, wherever it is. So the
// group's state at the location is taken from one of Clang's own warnings; the custom one keeps the
// group's state at its first use under those options and pragmas.
void Reporter::followGroup(unsigned like, SourceLocation location) {
  DiagnosticIDs &ids = *engine.getDiagnosticIDs();
  StringRef option = ids.getWarningOptionForDiag(like);
  bool isError = engine.getDiagnosticLevel(like, location) >= DiagnosticsEngine::Error;
  ids.setGroupSeverity(option, isError ? diag::Severity::Error : diag::Severity::Warning);
  ids.setGroupNoWarningsAsError(option, !isError);
}

unsigned Reporter::customId(Id id, SourceLocation location) {
  const Row &row = rows[static_cast<unsigned>(id)];
  std::string text = row.text.str() + (isNote(id) ? "" : tagOf(row.section, row.id));
  DiagnosticIDs &ids = *engine.getDiagnosticIDs();
  if (!row.like)
    return ids.getCustomDiagID(row.severity, text);
  followGroup(row.like, location);
  return ids.getCustomDiagID({diag::Severity::Warning, std::move(text),
                              DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/false,
                              /*ShowInSystemMacro=*/false, ids.getGroupForDiag(row.like)});
}

} // namespace tessera::check
