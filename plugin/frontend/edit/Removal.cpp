// Clang's ranges leave out attributes in front of a declaration and the semicolon behind it; both
// are found in the tokens of the file, or of the macro.
#include "frontend/edit/Removal.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::frontend {

// The start of a declaration, with its attributes, among the tokens of a macro.
SourceLocation Removal::beginInMacro(SourceLocation use, SourceLocation declaration) const {
  auto found = record.expansions.find(use);
  if (found == record.expansions.end())
    return declaration;
  SourceLocation begin = declaration;
  for (const Token &token : found->second) {
    if (token.getLocation() == declaration)
      return begin.isValid() ? begin : declaration;
    if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon))
      begin = SourceLocation();
    else if (begin.isInvalid() || &token == &found->second.front())
      begin = token.getLocation();
  }
  return declaration;
}

// Clang knows the location of an attribute's name, not of its brackets: `[[gnu::cold,
// nodiscard]]`, `__attribute__((noinline))`, or a macro that contains it. A name without brackets
// is the attribute's start.
SourceLocation Removal::beginOf(const Attr *attribute, SourceLocation declaration) const {
  SourceLocation name = sources.getExpansionLoc(attribute->getLocation());
  if (declaration.isMacroID() && name == sources.getExpansionLoc(declaration))
    return beginInMacro(name, declaration);
  auto [file, offset] = sources.getDecomposedLoc(name);
  StringRef before = sources.getBufferData(file).take_front(offset);
  unsigned depth = 0; // in the arguments of preceding attributes
  for (; !before.empty() && !StringRef(";{}").contains(before.back()); before = before.drop_back())
    if (before.back() == ')' || before.back() == ']') {
      ++depth;
    } else if (before.back() == '(' || before.back() == '[') {
      if (depth-- > 0)
        continue;
      StringRef opening = before.drop_back().rtrim();
      bool isOpened = before.back() == '['
                          ? opening.consume_back("[")
                          : opening.consume_back("__declspec") ||
                                (opening.consume_back("(") &&
                                 (opening = opening.rtrim()).consume_back("__attribute__"));
      return isOpened ? name.getLocWithOffset(int(opening.size()) - int(offset)) : name;
    }
  return name;
}

void Removal::removeBody(FunctionDecl *function) {
  bool isStatic = !function->isExternallyVisible() && !function->isConstexpr();
  editor.replace(function->getBody()->getSourceRange(),
                 isStatic ? "{ __builtin_unreachable(); }" : ";");
}

void Removal::removeDeclaration(Decl *declaration, FunctionDecl *function) {
  SourceRange range = declaration->getSourceRange();
  if (function->getNumTemplateParameterLists()) // of the classes around a member template
    range.setBegin(function->getOuterLocStart());
  if (auto *linkage = dyn_cast<LinkageSpecDecl>(declaration->getLexicalDeclContext());
      linkage && !linkage->hasBraces())
    range = linkage->getSourceRange();
  for (auto *attribute : function->attrs())
    if (attribute->getLocation().isValid() && !attribute->isInherited() &&
        sources.isBeforeInTranslationUnit(attribute->getLocation(), range.getBegin()))
      range.setBegin(beginOf(attribute, range.getBegin()));
  if (!function->doesThisDeclarationHaveABody() || function->isExplicitlyDefaulted() ||
      function->isDeletedAsWritten())
    removeWithSemicolon(range);
  else
    editor.remove(range);
}

void Removal::removeVariables(const VarDecl *variable, SourceLocation end) {
  SourceRange range(variable->getOuterLocStart(), end);
  if (!removedVariables.insert(range.getEnd()).second)
    return;
  if (auto *linkage = dyn_cast<LinkageSpecDecl>(variable->getLexicalDeclContext());
      linkage && !linkage->hasBraces())
    range.setBegin(linkage->getBeginLoc());
  for (auto *attribute : variable->attrs())
    if (attribute->getLocation().isValid() && !attribute->isInherited() &&
        sources.isBeforeInTranslationUnit(attribute->getLocation(), range.getBegin()))
      range.setBegin(beginOf(attribute, range.getBegin()));
  removeWithSemicolon(range);
}

// For a deleted function of a namespace, Clang's range ends in front of `= delete`.
void Removal::removeWithSemicolon(SourceRange range) {
  auto behind = [&](SourceLocation end) {
    return Lexer::findNextToken(sources.getExpansionLoc(end), sources, context.getLangOpts());
  };
  auto next = behind(range.getEnd());
  if (next && next->is(tok::equal))
    while (next && next->isNoneOf(tok::semi, tok::eof))
      next = behind(next->getLocation());
  if (next && next->is(tok::semi))
    range.setEnd(next->getLocation());
  editor.remove(range);
}

// `template __tile__ int f<int>(int);` names a removed template. Clang keeps no declaration of
// it, only the location of the name.
void Removal::removeInstantiations(Decl *declaration) {
  auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration);
  if (!pattern)
    return;
  for (const FunctionDecl *instance : pattern->specializations()) {
    SourceLocation name = instance->getPointOfInstantiation();
    if (!isTemplateExplicitInstantiationOrSpecialization(
            instance->getTemplateSpecializationKind()) ||
        instance->getTemplateSpecializationKind() == TSK_ExplicitSpecialization || !name.isFileID())
      continue;
    auto [file, offset] = sources.getDecomposedLoc(name);
    StringRef buffer = sources.getBufferData(file);
    size_t begin = buffer.take_front(offset).rfind("template"), end = buffer.find(';', offset);
    if (begin == StringRef::npos || end == StringRef::npos)
      continue;
    if (StringRef before = buffer.take_front(begin).rtrim(); before.ends_with("extern"))
      begin = before.size() - StringRef("extern").size();
    editor.remove({sources.getComposedLoc(file, begin), sources.getComposedLoc(file, end)});
  }
}

} // namespace tessera::frontend
