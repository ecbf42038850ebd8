// Removes declarations from the output, with the attributes in front of them, the semicolons behind
// them, and the explicit instantiations of removed templates.
#pragma once

#include "frontend/edit/Editor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::frontend {

class Removal {
public:
  Removal(const clang::ASTContext &context, const PreprocessorRecord &record, Editor &editor)
      : context(context), sources(context.getSourceManager()), record(record), editor(editor) {}

  // The function is never called there. Compilers warn about a static function without a body.
  void removeBody(clang::FunctionDecl *function);
  // Removes the whole declaration, with the preceding attributes and the following semicolon.
  void removeDeclaration(clang::Decl *declaration, clang::FunctionDecl *function);
  // All variables of the declaration that ends there.
  void removeVariables(const clang::VarDecl *variable, clang::SourceLocation end);
  void removeWithSemicolon(clang::SourceRange range);
  // `template __tile__ int f<int>(int);` names a removed template.
  void removeInstantiations(clang::Decl *declaration);

private:
  clang::SourceLocation beginInMacro(clang::SourceLocation use,
                                     clang::SourceLocation declaration) const;
  clang::SourceLocation beginOf(const clang::Attr *attribute,
                                clang::SourceLocation declaration) const;

  const clang::ASTContext &context;
  const clang::SourceManager &sources;
  const PreprocessorRecord &record;
  Editor &editor;
  llvm::DenseSet<clang::SourceLocation> removedVariables; // by their ends
};

} // namespace tessera::frontend
