// Converts Clang's types and template arguments to those of Program.h. Names are never parsed:
// everything comes from declarations.
#include "frontend/lower/Kernels.h"
#include "frontend/edit/EntryNames.h"
#include "frontend/lower/Fields.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/Hints.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::frontend {
namespace {

ElementKind integerKind(unsigned bits, bool isSigned) {
  switch (bits) {
  case 8: return isSigned ? ElementKind::I8 : ElementKind::U8;
  case 16: return isSigned ? ElementKind::I16 : ElementKind::U16;
  case 32: return isSigned ? ElementKind::I32 : ElementKind::U32;
  case 64: return isSigned ? ElementKind::I64 : ElementKind::U64;
  default: return ElementKind::Other;
  }
}

ElementKind recordKind(const RecordDecl *record) {
  return llvm::StringSwitch<ElementKind>(record->getName())
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, ...) .Case(#CLASS, ElementKind::KIND)
#include "tessera/elements.def"
      .Default(ElementKind::Other);
}

ElementKind kindOf(QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (auto *enumeration = type->getAsEnumDecl())
    type = enumeration->getIntegerType();
  if (type.isNull())
    return ElementKind::Other;
  if (type->isBooleanType())
    return ElementKind::Bool;
  if (type->isAnyPointerType() || type->isReferenceType() || type->isNullPtrType())
    return ElementKind::Pointer;
  if (auto *record = type->getAsRecordDecl())
    return recordKind(record);
  auto *builtin = type->getAs<BuiltinType>();
  if (!builtin)
    return ElementKind::Other;
  switch (builtin->getKind()) {
  case BuiltinType::Float: return ElementKind::F32;
  case BuiltinType::Double: return ElementKind::F64;
  case BuiltinType::Half:
  case BuiltinType::Float16: return ElementKind::F16;
  case BuiltinType::BFloat16: return ElementKind::BF16;
  case BuiltinType::Short:
  case BuiltinType::UShort:
  case BuiltinType::Char16: return integerKind(16, builtin->isSignedInteger());
  case BuiltinType::Int:
  case BuiltinType::UInt:
  case BuiltinType::Char32:
  case BuiltinType::WChar_S:
  case BuiltinType::WChar_U: return integerKind(32, builtin->isSignedInteger());
  case BuiltinType::Long:
  case BuiltinType::ULong:
  case BuiltinType::LongLong:
  case BuiltinType::ULongLong: return integerKind(64, builtin->isSignedInteger());
  case BuiltinType::Char_S:
  case BuiltinType::Char_U:
  case BuiltinType::SChar:
  case BuiltinType::UChar:
  case BuiltinType::Char8: return integerKind(8, builtin->isSignedInteger());
  default: return ElementKind::Other;
  }
}

void appendIntegers(ArrayRef<clang::TemplateArgument> arguments, SmallVectorImpl<int64_t> &values) {
  for (const clang::TemplateArgument &argument : arguments)
    if (argument.getKind() == clang::TemplateArgument::Pack)
      appendIntegers(argument.pack_elements(), values);
    else if (argument.getKind() == clang::TemplateArgument::Integral)
      values.push_back(argument.getAsIntegral().getExtValue());
}

// The specialization of the tile library's class template of this name.
const ClassTemplateSpecializationDecl *librarySpecialization(QualType type, StringRef name) {
  auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return record && record->getName() == name && isTileLibrary(record) ? record : nullptr;
}

TileType tileType(const ClassTemplateSpecializationDecl *tile) {
  TileType result;
  result.element = elementTypeOf(tile->getTemplateArgs()[0].getAsType());
  if (auto *shape = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
          tile->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl()))
    appendIntegers(shape->getTemplateArgs().asArray(), result.shape);
  return result;
}

TemplateArgument describeType(QualType type) {
  TemplateArgument result{TemplateArgument::Scalar, 0, {}, {}};
  if (auto *tile = librarySpecialization(type, "tile")) {
    result.kind = TemplateArgument::Tile;
    result.tile = tileType(tile);
  } else if (auto *dimensions = librarySpecialization(type, "dims")) {
    result.kind = TemplateArgument::Dimensions;
    appendIntegers(dimensions->getTemplateArgs().asArray(), result.dimensions);
  } else {
    result.tile.element = elementTypeOf(type);
  }
  return result;
}

void describeArguments(ArrayRef<clang::TemplateArgument> arguments,
                       SmallVectorImpl<TemplateArgument> &results) {
  for (const clang::TemplateArgument &argument : arguments) {
    switch (argument.getKind()) {
    case clang::TemplateArgument::Pack: describeArguments(argument.pack_elements(), results); break;
    case clang::TemplateArgument::Type:
      results.push_back(describeType(argument.getAsType()));
      break;
    case clang::TemplateArgument::Integral:
      results.push_back(
          {TemplateArgument::Integer, argument.getAsIntegral().getExtValue(), {}, {}});
      break;
    default: break;
    }
  }
}

// Letters, digits and single underscores of a name: "vadd<1024, float>" gives "vadd_1024_float".
std::string identifierFrom(StringRef name) {
  std::string identifier;
  for (char c : name)
    if (llvm::isAlnum(c))
      identifier += c;
    else if (c == '-')
      identifier += "minus_";
    else if (!identifier.empty() && identifier.back() != '_')
      identifier += '_';
  return StringRef(identifier).rtrim('_').str();
}

} // namespace

ElementType elementTypeOf(QualType type) {
  ElementType result;
  result.kind = kindOf(type);
  QualType pointee = type.getCanonicalType()->getPointeeType();
  if (result.kind == ElementKind::Pointer && !pointee.isNull()) {
    result.pointee = kindOf(pointee);
    result.pointeeConst = pointee.isConstQualified();
  }
  return result;
}

Primitive describePrimitive(const FunctionDecl *primitive) {
  Primitive result;
  result.name = primitive->getNameAsString();
  if (auto *arguments = primitive->getTemplateSpecializationArgs())
    describeArguments(arguments->asArray(), result.arguments);
  return result;
}

FileLocation locate(const SourceManager &sources, SourceLocation location) {
  PresumedLoc loc = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return loc.isValid() ? FileLocation{loc.getFilename(), loc.getLine(), loc.getColumn()}
                       : FileLocation{};
}

Kernel describeKernel(const FunctionDecl *kernel, StringRef symbol) {
  const ASTContext &context = kernel->getASTContext();
  Kernel result;
  result.symbol = symbol.str();
  EntryNames names(context);
  result.entry = names.addressOf(kernel);
  result.displayName = StringRef(qualifiedName(kernel)).drop_front(2).str();
  result.name = identifierFrom(result.displayName);
  result.location = locate(context.getSourceManager(), kernel->getLocation());
  result.hints = hintsOf(kernel);
  for (const ParmVarDecl *parameter : kernel->parameters()) {
    QualType type = parameter->getType();
    result.entryType += (result.entryType.empty() ? "" : ", ") + names.typeOf(type);
    if (type->isReferenceType()) {
      result.takesReferences = true;
      type = context.getPointerType(type.getNonReferenceType());
    }
    result.parameters.push_back(
        {parameter->getNameAsString(), names.typeOf(type), elementTypeOf(type),
         type.isRestrictQualified(),
         type->isRecordType() ? fieldsOf(type, names) : std::vector<Field>()});
  }
  result.entryType = "void (*)(" + result.entryType + ")";
  result.aliases = llvm::join(names.aliases, "\n");
  return result;
}

} // namespace tessera::frontend
