// A qualifier's place is asked of Clang's error; one that a macro wrote together with other words
// stays an error.
#include "frontend/Respelling.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace tessera::frontend {

// Names of classes and other types, as nvcc has it: `float __restrict__ *p` is an error.
bool Respelling::isMisplacedRestrict(const clang::Diagnostic &diagnostic) const {
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

// Clang's own words for a redeclaration in another execution space.
static bool isAboutSpaces(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::err_member_decl_does_not_match ||
         diagnostic.getID() == diag::err_cuda_ovl_target;
}

// A name is looked up where a template is written, unless what is meant depends on its arguments.
static bool isAboutUndeclaredName(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == diag::err_undeclared_var_use ||
         diagnostic.getID() == diag::err_undeclared_use;
}

// Bodies of templates of functions without an instance, of the program's own.
static std::vector<SourceRange> unusedBodies(const DeclContext *scope,
                                             const SourceManager &sources) {
  std::vector<SourceRange> bodies;
  for (const Decl *declaration : scope->noload_decls()) {
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      continue;
    if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration)) {
      std::vector<SourceRange> inner = unusedBodies(cast<DeclContext>(declaration), sources);
      bodies.insert(bodies.end(), inner.begin(), inner.end());
    } else if (auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration)) {
      const FunctionDecl *function = pattern->getTemplatedDecl();
      if (pattern->specializations().empty() && function->doesThisDeclarationHaveABody())
        bodies.push_back(function->getBody()->getSourceRange());
    }
  }
  return bodies;
}

void Respelling::HandleDiagnostic(DiagnosticsEngine::Level level,
                                  const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (!isSecondParse) {
    if (isMisplacedRestrict(diagnostic))
      restricts.insert(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
    else if (level >= DiagnosticsEngine::Error && isAboutUndeclaredName(diagnostic))
      undeclared.insert(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
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
  std::map<std::string, std::string> texts;
  auto textOf = [&](FileID file) -> std::string * {
    OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      return nullptr;
    return &texts.try_emplace(entry->getName().str(), sources.getBufferData(file).str())
                .first->second;
  };
  for (SourceLocation place : restricts) {
    auto [file, offset] = sources.getDecomposedLoc(place);
    unsigned length = Lexer::MeasureTokenLength(place, sources, compiler.getLangOpts());
    if (std::string *text = textOf(file))
      text->replace(offset, length, length, ' ');
  }
  for (SourceRange body :
       undeclared.empty()
           ? std::vector<SourceRange>()
           : unusedBodies(compiler.getASTContext().getTranslationUnitDecl(), sources)) {
    auto [file, first] = sources.getDecomposedLoc(body.getBegin());
    auto [lastFile, last] = sources.getDecomposedLoc(body.getEnd());
    bool isMeant = file == lastFile && llvm::any_of(undeclared, [&](SourceLocation place) {
                     auto [placeFile, offset] = sources.getDecomposedLoc(place);
                     return placeFile == file && offset > first && offset < last;
                   });
    // Lines stay what they are.
    if (std::string *text = isMeant ? textOf(file) : nullptr)
      std::replace_if(
          text->begin() + first + 1, text->begin() + last, [](char c) { return c != '\n'; }, ' ');
  }
  std::vector<MissingSpecifiers> missing = findMissing();
  // From the end of a file, so that places stay what they are.
  llvm::sort(missing, [&](const MissingSpecifiers &a, const MissingSpecifiers &b) {
    return sources.getDecomposedLoc(a.place) > sources.getDecomposedLoc(b.place);
  });
  for (const MissingSpecifiers &specifiers : missing) {
    auto [file, offset] = sources.getDecomposedLoc(specifiers.place);
    if (std::string *text = textOf(file))
      text->insert(offset, specifiers.text);
  }
  FileContents contents;
  PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.RetainRemappedFileBuffers = true;
  for (auto &[name, text] : texts) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
    options.addRemappedFile(name, buffer.get());
    contents[name] = std::move(buffer);
  }
  restricts.clear();
  undeclared.clear();
  mayLackSpecifiers = false;
  isSecondParse = true;
  toPassOver = passedOn;
  return contents;
}

} // namespace tessera::frontend
