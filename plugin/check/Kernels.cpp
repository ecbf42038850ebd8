// Rules for the declaration of a kernel.
#include "check/Rules.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/Hints.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::check {
namespace {

void checkSpecifiers(const FunctionDecl *kernel, Reporter &report) {
  const SourceManager &sources = kernel->getASTContext().getSourceManager();
  llvm::DenseSet<SourceLocation> marks; // of __tile_global__, which is `global`, too
  for (auto *annotation : kernel->specific_attrs<AnnotateAttr>())
    marks.insert(sources.getExpansionLoc(annotation->getLocation()));
  if (llvm::any_of(kernel->specific_attrs<CUDAGlobalAttr>(), [&](auto *attribute) {
        return !attribute->isInherited() && attribute->getLocation().isValid() &&
               !marks.contains(sources.getExpansionLoc(attribute->getLocation()));
      }))
    report(kernel->getLocation(), Id::KernelAlsoGlobal, kernel);
  const FunctionDecl *previous = kernel->getPreviousDecl();
  if (previous && !frontend::isTileKernel(previous)) {
    report(kernel->getLocation(), Id::KernelRedeclared, kernel);
    report(previous->getLocation(), Id::PreviousDeclaration);
  }
}

void checkForm(const FunctionDecl *kernel, Reporter &report) {
  SourceLocation location = kernel->getLocation();
  if (isa<CXXMethodDecl>(kernel))
    report(location, Id::KernelIsMember, kernel);
  if (kernel->getFriendObjectKind() != Decl::FOK_None && kernel->doesThisDeclarationHaveABody())
    report(location, Id::KernelFriend, kernel);
  if (kernel->getReturnType()->getContainedDeducedType())
    report(location, Id::KernelReturns, kernel);
  if (kernel->isConstexprSpecified() || kernel->isConsteval())
    report(location, Id::KernelIsConstexpr, kernel, kernel->isConsteval());
  if (kernel->isVariadic())
    report(location, Id::KernelHasEllipsis, kernel);
  if (auto *type = kernel->getType()->getAs<FunctionProtoType>(); type && type->hasExceptionSpec())
    report(location, Id::KernelIsNoexcept, kernel);
}

bool isWide(QualType type) {
  return type->isSpecificBuiltinType(BuiltinType::Int128) ||
         type->isSpecificBuiltinType(BuiltinType::UInt128);
}

bool isScalarClass(const CXXRecordDecl *record) {
  static constexpr llvm::StringLiteral names[] = {
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, ...) #CLASS,
#include "tessera/elements.def"
  };
  return llvm::is_contained(names, record->getName());
}

// Why a class cannot be passed to a kernel by value; in the order of the diagnostic's alternatives.
enum class Obstacle : unsigned { None, NotTrivial, Tile, Wide, Member, Vector };

Obstacle obstacleIn(const ASTContext &context, QualType type) {
  type = context.getBaseElementType(type).getCanonicalType();
  if (type->isVectorType())
    return Obstacle::Vector;
  if (type->isMemberPointerType())
    return Obstacle::Member;
  if (isWide(type))
    return Obstacle::Wide;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || isScalarClass(record))
    return Obstacle::None;
  if (record->getName() == "tile" && frontend::isTileLibrary(record))
    return Obstacle::Tile;
  auto find = [&](QualType part, Obstacle found) {
    return found == Obstacle::None ? obstacleIn(context, part) : found;
  };
  Obstacle found = Obstacle::None;
  for (const CXXBaseSpecifier &base : record->bases())
    found = find(base.getType(), found);
  for (const FieldDecl *field : record->fields())
    found = find(field->getType(), found);
  if (found == Obstacle::None && !type.isTriviallyCopyableType(context))
    found = Obstacle::NotTrivial;
  return found;
}

void checkObject(const ParmVarDecl *parameter, const FunctionDecl *kernel, Reporter &report) {
  QualType type = parameter->getType();
  if (!report.allowsExtensions)
    return report(parameter->getLocation(), Id::KernelParameterIsClass, parameter, kernel, type);
  if (Obstacle found = obstacleIn(kernel->getASTContext(), type); found != Obstacle::None)
    report(parameter->getLocation(), Id::KernelParameterHolds, parameter, kernel, type,
           unsigned(found) - unsigned(Obstacle::NotTrivial));
}

void checkParameters(const FunctionDecl *kernel, Reporter &report) {
  const ASTContext &context = kernel->getASTContext();
  constexpr int64_t maxBytes = 32764; // of a kernel's parameters, since sm_70
  int64_t bytes = 0;
  for (const ParmVarDecl *parameter : kernel->parameters()) {
    QualType type = parameter->getType().getCanonicalType();
    if (!type->isDependentType() && !type->isReferenceType() && !type->isIncompleteType()) {
      int64_t size = context.getTypeSizeInChars(type).getQuantity(),
              alignment = context.getTypeAlignInChars(type).getQuantity();
      bytes = (bytes + alignment - 1) / alignment * alignment + size;
    }
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl(); record && !isScalarClass(record))
      checkObject(parameter, kernel, report);
    if (type->isVectorType() || type->isAnyComplexType())
      report(parameter->getLocation(), Id::KernelParameterIsClass, parameter, kernel,
             parameter->getType());
    if (type->isMemberPointerType())
      report(parameter->getLocation(), Id::KernelParameterIsMember, parameter, kernel,
             parameter->getType());
    if (isWide(type))
      report(parameter->getLocation(), Id::KernelParameterIsWide, parameter, kernel,
             parameter->getType());
  }
  if (bytes > maxBytes)
    report(kernel->getLocation(), Id::KernelParametersTooLarge, kernel, std::to_string(bytes));
}

// Attributes about the threads or registers of a SIMT kernel.
void checkThreads(const FunctionDecl *kernel, Reporter &report) {
  for (const Attr *attribute : kernel->attrs())
    if (isa<CUDALaunchBoundsAttr, CUDAClusterDimsAttr, CUDANoClusterAttr>(attribute) ||
        frontend::isSimtKernelAttribute(attribute))
      report(attribute->getLocation(), Id::KernelThreads, kernel);
}

// Finds a type in a template argument that host code for a launch could not name.
class UnnamedType {
public:
  enum Kind { None, Lambda, Local, Private, Nameless };

  Kind kind = None;
  QualType type;

  void look(const TemplateArgument &argument) {
    if (argument.getKind() == TemplateArgument::Type)
      look(argument.getAsType());
    else if (argument.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &element : argument.pack_elements())
        look(element);
  }

private:
  void look(QualType wanted) {
    wanted = wanted.getCanonicalType();
    if (QualType pointee = wanted->getPointeeType(); !pointee.isNull())
      return look(pointee);
    if (const Type *element = wanted->getBaseElementTypeUnsafe(); element != wanted.getTypePtr())
      return look(QualType(element, 0));
    if (auto *function = wanted->getAs<FunctionProtoType>()) {
      look(function->getReturnType());
      for (QualType parameter : function->param_types())
        look(parameter);
    }
    const TagDecl *tag = wanted->getAsTagDecl();
    if (!tag)
      return;
    if (auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(tag))
      for (const TemplateArgument &argument : instance->getTemplateArgs().asArray())
        look(argument);
    if (Kind found = classify(tag); kind == None && found != None) {
      kind = found;
      type = wanted;
    }
  }

  static Kind classify(const TagDecl *tag) {
    if (auto *record = dyn_cast<CXXRecordDecl>(tag); record && record->isLambda())
      return Lambda;
    for (const Decl *part = tag; part; part = dyn_cast_or_null<Decl>(part->getDeclContext())) {
      if (isa<FunctionDecl>(part))
        return Local;
      if (part->getAccess() == AS_private || part->getAccess() == AS_protected)
        return Private;
    }
    return !tag->getIdentifier() && !tag->getTypedefNameForAnonDecl() ? Nameless : None;
  }
};

// The code of a launch has the declaration of a tile function, not its body.
void checkFunctions(const TemplateArgument &argument, const FunctionDecl *kernel,
                    Reporter &report) {
  if (argument.getKind() == TemplateArgument::Pack)
    for (const TemplateArgument &element : argument.pack_elements())
      checkFunctions(element, kernel, report);
  auto *function = argument.getKind() == TemplateArgument::Declaration
                       ? dyn_cast<FunctionDecl>(argument.getAsDecl())
                       : nullptr;
  if (!function || !frontend::isTileOnly(function))
    return;
  const FunctionDecl *written = function->getTemplateInstantiationPattern();
  if ((written ? written : function)->getDeclaredReturnType()->getContainedDeducedType())
    report(kernel->getPointOfInstantiation(), Id::KernelFunctionArgument, kernel, function);
}

void checkPacks(const FunctionDecl *kernel, Reporter &report) {
  const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  if (!pattern)
    return;
  const TemplateParameterList *parameters = pattern->getTemplateParameters();
  unsigned packs = llvm::count_if(
      *parameters, [](const NamedDecl *parameter) { return parameter->isParameterPack(); });
  if (packs > 1)
    report(kernel->getLocation(), Id::KernelPacks, kernel);
  else if (packs == 1 && !parameters->asArray().back()->isParameterPack())
    report(kernel->getLocation(), Id::KernelPackIsNotLast, kernel);
}

} // namespace

void checkKernel(const FunctionDecl *kernel, Reporter &report) {
  checkSpecifiers(kernel, report);
  checkForm(kernel, report);
  checkThreads(kernel, report);
  checkParameters(kernel, report);
  checkPacks(kernel, report);
}

void checkKernelInstance(const FunctionDecl *kernel, Reporter &report) {
  const TemplateArgumentList *arguments = kernel->getTemplateSpecializationArgs();
  if (!arguments)
    return;
  if (kernel->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDeclaration)
    report(kernel->getPointOfInstantiation(), Id::KernelInstanceExtern, kernel);
  UnnamedType unnamed;
  for (const TemplateArgument &argument : arguments->asArray()) {
    unnamed.look(argument);
    checkFunctions(argument, kernel, report);
  }
  for (SourceLocation hint : frontend::hintsOfOtherTypes(kernel))
    report(hint, Id::Hint, unsigned(frontend::HintFault::NotInteger), "");
  if (unnamed.kind != UnnamedType::None)
    report(kernel->getPointOfInstantiation(), Id::KernelArgument, kernel, unnamed.type,
           unnamed.kind - UnnamedType::Lambda);
}

} // namespace tessera::check
