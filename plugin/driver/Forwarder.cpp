#include "driver/Forwarder.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace tessera::driver {
namespace {

// The locations of tile code's bodies, which the main action does not read.
class TileBodies : public RecursiveASTVisitor<TileBodies> {
public:
  explicit TileBodies(const ASTContext &context) : sources(context.getSourceManager()) {
    TraverseDecl(context.getTranslationUnitDecl());
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody() && frontend::isTileOnly(function))
      ranges.push_back(sources.getExpansionRange(function->getSourceRange()).getAsRange());
    return true;
  }
  bool TraverseStmt(Stmt *) { return true; } // a body's range covers its contents
  bool contain(SourceLocation loc) const {
    if (loc.isInvalid())
      return false;
    loc = sources.getExpansionLoc(loc);
    return llvm::any_of(ranges, [&](SourceRange range) {
      return sources.isPointWithin(loc, range.getBegin(), range.getEnd());
    });
  }

private:
  const SourceManager &sources;
  std::vector<SourceRange> ranges;
};

bool isOurs(const clang::Diagnostic &diagnostic) {
  SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  return text.str().contains("[tile:");
}

// Converts locations of one parse to those of another one of the same files. Code from a macro is
// located at the macro's use.
class Locations {
public:
  Locations(const SourceManager &from, SourceManager &to) : from(from), to(to) {}

  SourceLocation operator()(SourceLocation loc) const {
    if (loc.isInvalid())
      return {};
    auto [file, offset] = from.getDecomposedLoc(from.getFileLoc(loc));
    OptionalFileEntryRef entry = from.getFileEntryRefForID(file);
    auto own = entry ? to.getFileManager().getOptionalFileRef(entry->getName()) : std::nullopt;
    if (!own)
      return {};
    FileID read = to.translateFile(*own);
    if (read.isInvalid())
      read = to.createFileID(*own, SourceLocation(), SrcMgr::C_User);
    return to.getLocForStartOfFile(read).getLocWithOffset(offset);
  }
  CharSourceRange operator()(CharSourceRange range) const {
    SourceRange own((*this)(range.getBegin()), (*this)(range.getEnd()));
    return {own, range.isTokenRange()};
  }

private:
  const SourceManager &from;
  SourceManager &to;
};

} // namespace

Forwarder::Forwarder(CompilerInstance &compiler, bool wantsWarnings)
    : compiler(compiler), wantsWarnings(wantsWarnings) {}

void Forwarder::sayKept(const ASTContext &context) {
  if (kept.empty())
    return;
  TileBodies bodies(context);
  bool isWanted = false;
  for (const diagnose::Message &message : std::exchange(kept, {})) {
    if (message.level != DiagnosticsEngine::Note)
      isWanted = bodies.contain(message.location);
    if (isWanted)
      forward(message.level, clang::Diagnostic(&context.getDiagnostics(), message.location,
                                               message.id, message.storage, message.text));
  }
}

void Forwarder::HandleDiagnostic(DiagnosticsEngine::Level level,
                                 const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (level != DiagnosticsEngine::Note)
    isForwarding = level >= DiagnosticsEngine::Error || level == DiagnosticsEngine::Remark ||
                   (wantsWarnings && isOurs(diagnostic));
  if (isForwarding)
    forward(level, diagnostic);
  else if (wantsWarnings)
    kept.push_back(diagnose::copyOf(level, diagnostic));
}

// A SARIF document and the expectations of -verify refer to the files of one parse, the main
// action's.
void Forwarder::forward(DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer &target = compiler.getDiagnosticClient();
  DiagnosticsEngine &engine = compiler.getDiagnostics();
  const DiagnosticOptions &options = engine.getDiagnosticOptions();
  bool isForOneParse = options.getFormat() == DiagnosticOptions::SARIF || options.VerifyDiagnostics;
  if (!isForOneParse || !diagnostic.hasSourceManager())
    return target.HandleDiagnostic(level, diagnostic);
  Locations locations(diagnostic.getSourceManager(), compiler.getSourceManager());
  diagnose::Message message = diagnose::copyOf(level, diagnostic);
  for (CharSourceRange &range : message.storage.DiagRanges)
    range = locations(range);
  message.storage.FixItHints.clear();          // which does not contain it
  if (DiagnosticIDs::IsCustomDiag(message.id)) // numbered by the parse
    message.id = engine.getCustomDiagID(level, "%0");
  target.HandleDiagnostic(level, clang::Diagnostic(&engine, locations(message.location), message.id,
                                                   message.storage, message.text));
}

} // namespace tessera::driver
