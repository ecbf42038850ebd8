// The text changes from its end to its beginning; what is changed is stated in Spellings.h.
#include "frontend/Respelling.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace tessera::frontend {

// Clang's own words for a redeclaration in another execution space.
static bool isAboutSpaces(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::err_member_decl_does_not_match ||
         diagnostic.getID() == diag::err_cuda_ovl_target;
}

void Respelling::HandleDiagnostic(DiagnosticsEngine::Level level,
                                  const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (!isLastParse) {
    if (auto form = level >= DiagnosticsEngine::Error ? formOf(diagnostic) : std::nullopt)
      places[*form].insert(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
    else if (!isHolding() && level >= DiagnosticsEngine::Error)
      mayLackSpecifiers = isAboutSpaces(diagnostic) || !findMissing().empty();
    if (isHolding())
      return;
  }
  if (toPassOver) {
    --toPassOver;
    return;
  }
  ++passedOn;
  target.HandleDiagnostic(level, diagnostic);
}

FileContents Respelling::respell(CompilerInstance &compiler, CompilerInvocation &invocation) {
  const SourceManager &sources = compiler.getSourceManager();
  std::vector<Change> changes;
  for (const auto &[form, found] : places)
    llvm::append_range(changes, changesFor(form, found, compiler.getASTContext()));
  for (MissingSpecifiers &specifiers : findMissing())
    changes.push_back({specifiers.place, 0, std::move(specifiers.text)});
  // From the end of a file, so that places stay what they are.
  llvm::sort(changes, [&](const Change &a, const Change &b) {
    return sources.getDecomposedLoc(a.place) > sources.getDecomposedLoc(b.place);
  });
  std::set<FileID> files;
  for (const Change &change : changes) {
    auto [file, offset] = sources.getDecomposedLoc(change.place);
    OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      continue;
    std::string &text = texts[entry->getName().str()];
    if (files.insert(file).second)
      text = sources.getBufferData(file).str();
    text.replace(offset, change.length, change.text);
  }
  FileContents contents;
  PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.RetainRemappedFileBuffers = true;
  options.RemappedFileBuffers.clear();
  for (auto &[name, text] : texts) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
    options.addRemappedFile(name, buffer.get());
    contents[name] = std::move(buffer);
  }
  places.clear();
  mayLackSpecifiers = false;
  isLastParse = changes.empty() || ++rounds == maxRounds;
  toPassOver = passedOn;
  return contents;
}

} // namespace tessera::frontend
