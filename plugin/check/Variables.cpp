// Rules for variables of tile code.
#include "check/Rules.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/RawNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::check {
namespace {

constexpr uint64_t maxObjectBytes = uint64_t(1) << 24;

bool isWide(QualType type) {
  type = type.getCanonicalType();
  return type->isSpecificBuiltinType(BuiltinType::Int128) ||
         type->isSpecificBuiltinType(BuiltinType::UInt128) ||
         type->isSpecificBuiltinType(BuiltinType::Float128);
}

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

// The specifier of another memory space next to __tile__, which is `device`, too: Clang keeps the
// first of several such attributes, so the source is read. Before the mark, NVIDIA's compiler
// accepts all but __device__.
std::string specifierOfOther(const VarDecl *variable) {
  const ASTContext &context = variable->getASTContext();
  const SourceManager &sources = context.getSourceManager();
  SourceLocation location = sources.getExpansionLoc(variable->getBeginLoc()),
                 name = sources.getExpansionLoc(variable->getLocation());
  bool isBehindMark = false;
  while (sources.isBeforeInTranslationUnit(location, name)) {
    Token token;
    if (Lexer::getRawToken(location, token, sources, context.getLangOpts(), true))
      break;
    const std::string name = frontend::nameOf(token);
    if (name == "__device__" ||
        (isBehindMark && llvm::is_contained({"__constant__", "__managed__", "__shared__"}, name)))
      return name;
    isBehindMark |= name == "__tile__";
    location = token.getEndLoc();
  }
  return {};
}

// A class with bases has a size elsewhere, although Clang gives it none.
void checkSize(const VarDecl *variable, uint64_t bytes, Reporter &report) {
  const CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl();
  if (bytes > maxObjectBytes)
    report(variable->getLocation(), Id::TooLarge, variable, std::to_string(bytes));
  else if (bytes == 0 && !(record && record->getNumBases()))
    report(variable->getLocation(), Id::ZeroSize, variable);
}

} // namespace

void checkObject(const VarDecl *variable, Reporter &report) {
  QualType type = variable->getType();
  if (variable->isInvalidDecl() || type->isDependentType() || type->isUndeducedType())
    return;
  const ASTContext &context = variable->getASTContext();
  if (type->isVariableArrayType())
    report(variable->getLocation(), Id::VariableLength, variable);
  else if (isWide(type))
    report(variable->getLocation(), Id::WideInteger, variable, type);
  else if (!type->isIncompleteType() && !type->isReferenceType())
    checkSize(variable, context.getTypeSizeInChars(type).getQuantity(), report);
  if (context.getBaseElementType(type)->isSpecificBuiltinType(BuiltinType::LongDouble) &&
      variable->isLocalVarDecl())
    report(variable->getLocation(), Id::LongDouble, variable, type);
}

const ValueDecl *hostConstant(const Expr *expression) {
  for (const Expr *whole = nullptr; whole != expression;) {
    whole = expression = expression->IgnoreParens();
    if (auto *member = dyn_cast<MemberExpr>(whole))
      expression = member->getBase();
    else if (auto *use = dyn_cast<SubstNonTypeTemplateParmExpr>(whole))
      expression = use->getReplacement();
    else if (auto *element = dyn_cast<ArraySubscriptExpr>(whole))
      if (auto *array = dyn_cast<ImplicitCastExpr>(element->getBase());
          array && array->getCastKind() == CK_ArrayToPointerDecay)
        expression = array->getSubExpr();
  }
  auto *reference = dyn_cast<DeclRefExpr>(expression);
  if (!reference)
    return nullptr;
  auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  bool isOfHost = variable && variable->hasGlobalStorage() && !variable->isStaticLocal() &&
                  !frontend::isTile(variable) && !frontend::isTileLibrary(variable);
  return isOfHost || isa<TemplateParamObjectDecl>(reference->getDecl()) ? reference->getDecl()
                                                                        : nullptr;
}

void TileVariableUses::add(const ImplicitCastExpr *cast) {
  if (cast->getCastKind() != CK_LValueToRValue)
    return;
  const Expr *object = cast->getSubExpr()->IgnoreParens();
  for (auto *member = dyn_cast<MemberExpr>(object); member && !member->isArrow();
       member = dyn_cast<MemberExpr>(object))
    object = member->getBase()->IgnoreParens();
  if (auto *reference = dyn_cast<DeclRefExpr>(object))
    readValues.insert(reference);
}

// An array is an object even if its element is constant.
bool TileVariableUses::isMisused(const DeclRefExpr *reference) const {
  auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  if (!variable || !frontend::isTile(variable) || reference->isNonOdrUse() == NOUR_Unevaluated ||
      reference->isNonOdrUse() == NOUR_Discarded)
    return false;
  QualType type = variable->getType();
  if (!type.isConstQualified() || type->isArrayType())
    return true;
  return type->isScalarType() && reference->isNonOdrUse() == NOUR_None &&
         !readValues.contains(reference);
}

// The location of the mark.
void checkMark(const VarDecl *variable, Reporter &report) {
  SourceLocation location = variable->getLocation();
  if (variable->isInvalidDecl())
    return;
  if (variable->isLocalVarDecl() && !variable->isStaticLocal() && !variable->isLocalExternDecl())
    report(location, Id::VariableIsLocal, variable);
  if (variable->isStaticDataMember())
    report(location, Id::VariableIsMember, variable);
  else if (variable->isInlineSpecified() && variable->isExternallyVisible())
    report(location, Id::VariableIsInline, variable);
  if (std::string other = specifierOfOther(variable); !other.empty())
    report(location, Id::VariableAlsoDevice, variable, other);
  if (isa<DecompositionDecl>(variable))
    report(location, Id::VariableIsBinding);
  checkObject(variable, report);
}

void checkTileVariable(const VarDecl *variable, Reporter &report) {
  const ASTContext &context = variable->getASTContext();
  if (holdsPointer(context, variable->getType()))
    return report(variable->getLocation(), Id::VariableHoldsPointer, variable, variable->getType(),
                  isPointer(variable->getType()) ? 1 : 0);
  if (variable->isInvalidDecl() || !variable->isStaticLocal())
    return;
  if (variable->getTSCSpec() != TSCS_unspecified)
    report(variable->getLocation(), Id::VariableOfThread, variable);
  const CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl();
  bool isTile = record && frontend::isTileLibrary(record); // uninitialized
  if (variable->getInit() && !variable->getInit()->isValueDependent() && !isTile &&
      !variable->hasConstantInitialization())
    report(variable->getLocation(), Id::VariableIsDynamic, variable);
}

} // namespace tessera::check
