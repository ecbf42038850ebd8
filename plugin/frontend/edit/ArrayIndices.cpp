// As in kernels for a GPU: arrays of tiles in tile code. `&all[3]` of three tiles is a valid
// address and is left alone.
#include "frontend/edit/ArrayIndices.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::frontend {
namespace {

bool isTileType(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (auto *written = type->getAs<TemplateSpecializationType>(); written && !record)
    if (TemplateDecl *pattern = written->getTemplateName().getAsTemplateDecl())
      record = dyn_cast_or_null<CXXRecordDecl>(pattern->getTemplatedDecl());
  return record && record->getName() == "tile" && isTileLibrary(record);
}

class Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(ASTContext &context, Editor &editor) : context(context), editor(editor) {}

  bool shouldWalkTypesOfTypeLocs() const { return false; }
  bool TraverseDecl(Decl *declaration) {
    const SourceManager &sources = context.getSourceManager();
    if (declaration && !isa<TranslationUnitDecl>(declaration) &&
        (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
         isTileLibrary(declaration)))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->getOpcode() == UO_AddrOf)
      addressed.insert(operation->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *access) {
    const Expr *array = access->getLHS()->IgnoreParenImpCasts();
    const ArrayType *type = context.getAsArrayType(array->getType());
    bool isArray = type && (isa<ConstantArrayType>(type) || isa<DependentSizedArrayType>(type)) &&
                   isTileType(context.getBaseElementType(type));
    // array_index handles types that depend on a template argument.
    bool isOpen = array->isTypeDependent() && !type && !isa<InitListExpr>(access->getRHS());
    if (addressed.contains(access) || !(isArray || isOpen))
      return true;
    std::string text = editor.textOf(array->getSourceRange());
    SourceRange index = access->getRHS()->getSourceRange();
    if (text.empty() || index.getBegin().isMacroID() || index.getEnd().isMacroID())
      return true;
    std::string name;
    if (auto *reference = dyn_cast<DeclRefExpr>(array))
      name = reference->getDecl()->getNameAsString();
    editor.insertBefore(index.getBegin(),
                        "__tessera_array_index<decltype((" + text + "))>(\"" + name + "\", (");
    editor.insertAfter(index.getEnd(), "))");
    return true;
  }

private:
  ASTContext &context;
  Editor &editor;
  llvm::DenseSet<const Expr *> addressed;
};

} // namespace

void checkArrayIndices(ASTContext &context, Editor &editor) {
  Finder(context, editor).TraverseDecl(context.getTranslationUnitDecl());
}

} // namespace tessera::frontend
