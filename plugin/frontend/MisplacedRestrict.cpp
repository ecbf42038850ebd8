// The qualifier's place is asked of Clang's error; one that a macro wrote together with other words
// stays an error.
#include "frontend/MisplacedRestrict.h"

#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace tessera::frontend {

// Names of classes and other types, as nvcc has it: `float __restrict__ *p` is an error.
bool MisplacedRestrict::isMisplaced(const clang::Diagnostic &diagnostic) const {
  if (diagnostic.getID() != diag::err_typecheck_invalid_restrict_not_pointer ||
      !diagnostic.getLocation().isValid() ||
      diagnostic.getArgKind(0) != DiagnosticsEngine::ak_qualtype)
    return false;
  QualType type = QualType::getFromOpaquePtr(
      // NOLINTNEXTLINE(performance-no-int-to-ptr): how a diagnostic holds a type
      reinterpret_cast<const void *>(static_cast<uintptr_t>(diagnostic.getRawArg(0))));
  if (isa<BuiltinType>(type.getTypePtr()))
    return false;
  SourceLocation place = diagnostic.getLocation();
  return place.isFileID() ||
         (Lexer::isAtStartOfMacroExpansion(place, diagnostic.getSourceManager(), LangOptions()) &&
          Lexer::isAtEndOfMacroExpansion(place, diagnostic.getSourceManager(), LangOptions()));
}

void MisplacedRestrict::HandleDiagnostic(DiagnosticsEngine::Level level,
                                         const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (!isSecondParse && isMisplaced(diagnostic))
    places.insert(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
  if (isFound())
    return;
  if (toPassOver) {
    --toPassOver;
    return;
  }
  ++passedOn;
  target.HandleDiagnostic(level, diagnostic);
}

FileContents MisplacedRestrict::blank(CompilerInstance &compiler, CompilerInvocation &invocation) {
  const SourceManager &sources = compiler.getSourceManager();
  std::map<std::string, std::string> texts;
  for (SourceLocation place : places) {
    auto [file, offset] = sources.getDecomposedLoc(place);
    OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      continue;
    std::string &text =
        texts.try_emplace(entry->getName().str(), sources.getBufferData(file).str()).first->second;
    unsigned length = Lexer::MeasureTokenLength(place, sources, compiler.getLangOpts());
    text.replace(offset, length, length, ' ');
  }
  FileContents contents;
  PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.RetainRemappedFileBuffers = true;
  for (auto &[name, text] : texts) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
    options.addRemappedFile(name, buffer.get());
    contents[name] = std::move(buffer);
  }
  places.clear();
  isSecondParse = true;
  toPassOver = passedOn;
  return contents;
}

} // namespace tessera::frontend
