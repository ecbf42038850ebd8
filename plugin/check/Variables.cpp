// Rules for variables of tile code.
#include "check/Rules.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tessera::check {
namespace {

bool isPointer(QualType type) {
  return type->isAnyPointerType() || type->isReferenceType() || type->isMemberPointerType();
}

bool holdsPointer(const ASTContext &context, QualType type) {
  type = context.getBaseElementType(type);
  if (isPointer(type))
    return true;
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record || !record->getDefinition())
    return false;
  record = record->getDefinition();
  if (auto *derived = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : derived->bases())
      if (holdsPointer(context, base.getType()))
        return true;
  return llvm::any_of(record->fields(), [&](const FieldDecl *field) {
    return holdsPointer(context, field->getType());
  });
}

} // namespace

void checkTileVariable(const VarDecl *variable, Reporter &report) {
  const ASTContext &context = variable->getASTContext();
  if (holdsPointer(context, variable->getType()))
    report(variable->getLocation(), Id::VariableHoldsPointer, variable, variable->getType(),
           isPointer(variable->getType()) ? 1 : 0);
}

} // namespace tessera::check
