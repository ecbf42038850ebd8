// Builtin types by their properties, classes by the rows of elements.def.
#include "diagnose/Elements.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

bool isFloatClass(const CXXRecordDecl *record, Element &element) {
  if (!record || !record->getIdentifier())
    return false;
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, ...)                              \
  if (record->getName() == #CLASS) {                                                               \
    element.bits = BITS;                                                                           \
    element.rank = RANK;                                                                           \
    return true;                                                                                   \
  }
#include "tessera/elements.def"
  return false;
}

// The ranks of the builtin types are in the same table.
int rankOf(BuiltinType::Kind kind) {
  static constexpr struct {
    StringRef name;
    int rank;
  } rows[] = {
#define TESSERA_FLOAT(KIND, NAME, RANK, MLIR) {#NAME, RANK},
#include "tessera/elements.def"
  };
  StringRef name = kind == BuiltinType::Float    ? "float"
                   : kind == BuiltinType::Double ? "double"
                                                 : "";
  for (auto &row : rows)
    if (row.name == name)
      return row.rank;
  return 0;
}

bool isPointee(QualType type, const ASTContext &context) {
  return type->isVoidType() || elementOf(type, context).isNumeric();
}

// Integers of one width differ in rank, and characters rank below their underlying integer.
std::pair<unsigned, unsigned> rankOfInteger(const Element &element) {
  auto *builtin = element.type->castAs<BuiltinType>();
  switch (builtin->getKind()) {
  case BuiltinType::Bool: return {0, 2};
  case BuiltinType::Char_S:
  case BuiltinType::Char_U: return {1, 0};
  case BuiltinType::Char8: return {1, 1};
  case BuiltinType::Char16: return {2, 1};
  case BuiltinType::Char32:
  case BuiltinType::WChar_S:
  case BuiltinType::WChar_U: return {4, 1};
  case BuiltinType::LongLong:
  case BuiltinType::ULongLong: return {9, 2};
  default: return {element.bits / 8, 2};
  }
}

bool integerFits(const Element &from, const Element &to) {
  if (from.isSigned == to.isSigned)
    return from.bits <= to.bits;
  return !from.isSigned && from.bits < to.bits;
}

Element commonInteger(const Element &x, const Element &y, const ASTContext &context) {
  auto xRank = rankOfInteger(x), yRank = rankOfInteger(y);
  if (x.isSigned == y.isSigned)
    return xRank >= yRank ? x : y;
  if (!x.isSigned)
    return commonInteger(y, x, context);
  if (yRank.first >= xRank.first)
    return y;
  return integerFits(y, x) ? x : elementOf(context.getCorrespondingUnsignedType(x.type), context);
}

} // namespace

QualType Element::pointee() const { return type->getPointeeType(); }

Element elementOf(QualType type, const ASTContext &context) {
  Element element;
  element.type = type.getCanonicalType().getUnqualifiedType();
  element.type.removeLocalRestrict();
  if (auto *pointer = element.type->getAs<PointerType>()) {
    if (isPointee(pointer->getPointeeType().getUnqualifiedType(), context))
      element.kind = Element::Pointer;
    element.bits = 64;
  } else if (isFloatClass(element.type->getAsCXXRecordDecl(), element)) {
    bool isBasic = element.type->getAsCXXRecordDecl()->getName() == "__half" ||
                   element.type->getAsCXXRecordDecl()->getName() == "__nv_bfloat16";
    element.kind = isBasic ? Element::BasicFloat : Element::RestrictedFloat;
    element.isSigned = true;
  } else if (auto *builtin = element.type->getAs<BuiltinType>()) {
    if (int rank = rankOf(builtin->getKind())) {
      element.kind = Element::BasicFloat;
      element.rank = rank;
      element.bits = context.getTypeSize(element.type);
      element.isSigned = true;
    } else if (builtin->isInteger() && context.getTypeSize(element.type) <= 64) {
      element.kind = Element::Integer;
      element.bits =
          builtin->getKind() == BuiltinType::Bool ? 1 : context.getTypeSize(element.type);
      element.isSigned = builtin->isSignedInteger();
    }
  }
  return element;
}

bool fits(const Element &from, const Element &to, const ASTContext &context) {
  if (from.type == to.type)
    return true;
  if (from.isPointer() && to.isPointer()) {
    QualType a = from.pointee(), b = to.pointee();
    return b.isAtLeastAsQualifiedAs(a, context) &&
           (b->isVoidType() || context.hasSameUnqualifiedType(a, b));
  }
  if (from.isInteger() && to.isInteger())
    return integerFits(from, to);
  return from.isFloat() && to.isFloat() && from.rank < to.rank;
}

bool fitsInArithmetic(const Element &from, const Element &to, const ASTContext &context) {
  return fits(from, to, context) || (from.isInteger() && to.isFloat());
}

Element commonElement(const Element &x, const Element &y, const ASTContext &context) {
  if (x.isInteger() && y.isInteger())
    return commonInteger(x, y, context);
  if (!x.isArithmetic() || !y.isArithmetic())
    return {};
  if (x.isInteger() || y.isInteger())
    return x.isInteger() ? y : x;
  if (x.type == y.type)
    return x;
  return x.rank == y.rank ? Element() : x.rank > y.rank ? x : y;
}

} // namespace tessera::diagnose
