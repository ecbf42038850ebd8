// The library's classes are decoded from their template arguments, which are canonical.
#include "diagnose/TileTypes.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tessera::diagnose {

uint64_t TileType::size() const {
  uint64_t size = 1;
  for (uint64_t extent : shape)
    size *= extent;
  return size;
}

const ClassTemplateSpecializationDecl *libraryClass(QualType type, StringRef name) {
  if (type.isNull())
    return nullptr;
  auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type.getCanonicalType().getNonReferenceType()->getAsCXXRecordDecl());
  bool isIt = record && record->getIdentifier() && record->getName() == name &&
              frontend::isTileLibrary(record);
  return isIt ? record : nullptr;
}

std::optional<Extents> extentsOf(QualType type) {
  const ClassTemplateSpecializationDecl *list = libraryClass(type, "extents");
  if (!list)
    list = libraryClass(type, "strides");
  if (!list || list->getTemplateArgs().size() != 2)
    return std::nullopt;
  Extents extents;
  for (const TemplateArgument &one : list->getTemplateArgs()[1].pack_elements()) {
    if (one.getKind() != TemplateArgument::Integral)
      return std::nullopt;
    extents.push_back(one.getAsIntegral().getZExtValue());
  }
  return extents;
}

TileType tileTypeOf(QualType type, const ASTContext &context) {
  TileType result;
  if (type.isNull() || type->isDependentType())
    return result;
  if (const ClassTemplateSpecializationDecl *tile = libraryClass(type, "tile")) {
    auto shape = extentsOf(tile->getTemplateArgs()[1].getAsType());
    if (!shape)
      return result;
    result.element = elementOf(tile->getTemplateArgs()[0].getAsType(), context);
    result.shape = *shape;
    result.isTile = true;
    return result;
  }
  QualType plain = type.getNonReferenceType();
  if (plain->isArrayType())
    plain = context.getDecayedType(plain);
  result.element = elementOf(plain, context);
  return result;
}

std::optional<ViewType> viewTypeOf(QualType type) {
  for (StringRef name : {"partition_view", "strided_view", "gather_scatter_view"})
    if (const ClassTemplateSpecializationDecl *view = libraryClass(type, name)) {
      const TemplateArgumentList &arguments = view->getTemplateArgs();
      auto *span = libraryClass(arguments[0].getAsType(), "tensor_span");
      auto shape = extentsOf(arguments[1].getAsType());
      auto extents = span ? extentsOf(span->getTemplateArgs()[1].getAsType()) : std::nullopt;
      if (!shape || !extents)
        return std::nullopt;
      ViewType result{name, span->getTemplateArgs()[0].getAsType(), unsigned(extents->size()),
                      *shape, std::nullopt};
      if (name == "gather_scatter_view")
        result.gathered = arguments[2].getAsIntegral().getZExtValue();
      return result;
    }
  return std::nullopt;
}

bool isBlockIndex(QualType type) {
  auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         (record->getName() == "uint3" || record->getName() == "dim3");
}

std::optional<int64_t> constantOf(QualType type) {
  const ClassTemplateSpecializationDecl *constant = libraryClass(type, "integral_constant");
  if (!constant || constant->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return constant->getTemplateArgs()[0].getAsIntegral().getExtValue();
}

namespace {

std::string enumeratorOf(const TemplateArgument &value) {
  auto *type = value.getIntegralType()->getAsEnumDecl();
  if (!type)
    return "";
  for (const EnumConstantDecl *enumerator : type->enumerators())
    if (llvm::APSInt::isSameValue(enumerator->getInitVal(), value.getAsIntegral()))
      return enumerator->getName().str();
  return "";
}

} // namespace

std::optional<Mode> modeOf(QualType type) {
  for (StringRef kind : {"rounding_mode", "subnormals_rounding_mode", "nan_propagation_mode",
                         "memory_order", "thread_scope", "view_padding", "scan_direction"}) {
    auto *tag = libraryClass(type, (kind + "_constant").str());
    if (!tag || tag->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
      continue;
    bool hasPrefix = !kind.ends_with("mode");
    std::string prefix = kind == "scan_direction" ? "scan_" : hasPrefix ? kind.str() + "_" : "";
    return Mode{kind.str(), prefix.append(enumeratorOf(tag->getTemplateArgs()[0])).append("_t")};
  }
  return std::nullopt;
}

std::string print(ArrayRef<uint64_t> shape) {
  std::string text;
  for (uint64_t extent : shape)
    text += (text.empty() ? "" : "x") + (extent == dynamicExtent ? "?" : std::to_string(extent));
  return text;
}

namespace {

// A list class of the library, `shape<4, 8>`.
std::string printList(StringRef name, ArrayRef<uint64_t> values, const std::string &first = "") {
  auto texts = llvm::map_range(values, [](uint64_t value) {
    return value == dynamicExtent ? "dynamic_extent" : std::to_string(value);
  });
  return (name + "<" + first + llvm::join(texts, ", ") + ">").str();
}

std::string printPlain(QualType type, const ASTContext &context) {
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.SuppressScope = true;
  return type.getAsString(policy);
}

// A class of the program, whose arguments may be types of the library.
std::string printTemplate(QualType type, const ASTContext &context) {
  auto *instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!instance)
    return printPlain(type.getUnqualifiedType(), context);
  return instance->getNameAsString() + print(instance->getTemplateArgs().asArray(), context);
}

} // namespace

std::string print(const TileType &type, const ASTContext &context) {
  std::string element = print(type.element.type, context);
  if (!type.isTile)
    return element;
  return "tile<" + element + ", " + (type.shape.empty() ? "shape<>" : print(type.shape)) + ">";
}

std::string print(QualType type, const ASTContext &context) {
  type = type.getCanonicalType().getNonReferenceType();
  if (TileType tile = tileTypeOf(type, context); tile.isTile)
    return print(tile, context);
  if (auto view = viewTypeOf(type))
    return (view->name + "<" + print(view->element, context) + ", " + print(view->shape) + ">")
        .str();
  if (auto *span = libraryClass(type, "tensor_span"))
    if (auto extents = extentsOf(span->getTemplateArgs()[1].getAsType()))
      return "tensor_span<" + print(span->getTemplateArgs()[0].getAsType(), context) + ", " +
             print(*extents) + ">";
  if (auto extents = extentsOf(type)) {
    auto *list = libraryClass(type, "extents");
    QualType index = list ? list->getTemplateArgs()[0].getAsType() : QualType();
    if (list && !context.hasSameType(index, context.UnsignedIntTy))
      return printList("extents", *extents, print(index, context) + ", ");
    bool isShape = list && !llvm::is_contained(*extents, dynamicExtent);
    return printList(isShape                         ? "shape"
                     : libraryClass(type, "extents") ? "extents"
                                                     : "strides",
                     *extents);
  }
  if (auto constant = constantOf(type))
    return std::to_string(*constant) + "_ic";
  if (auto mode = modeOf(type))
    return mode->name;
  return printTemplate(type, context);
}

std::string print(const TemplateArgument &argument, const ASTContext &context) {
  if (argument.getKind() == TemplateArgument::Type)
    return print(argument.getAsType(), context);
  if (argument.getKind() == TemplateArgument::Pack) {
    auto texts = llvm::map_range(argument.pack_elements(),
                                 [&](const TemplateArgument &one) { return print(one, context); });
    return llvm::join(texts, ", ");
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressScope = true;
  argument.print(policy, stream, /*IncludeType=*/false);
  return text;
}

std::string print(ArrayRef<TemplateArgument> arguments, const ASTContext &context) {
  SmallVector<std::string> texts;
  for (const TemplateArgument &argument : arguments)
    if (argument.getKind() != TemplateArgument::Pack || argument.pack_size())
      texts.push_back(print(argument, context));
  return "<" + llvm::join(texts, ", ") + ">";
}

} // namespace tessera::diagnose
