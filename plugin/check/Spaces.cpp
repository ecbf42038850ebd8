// Clang's own rule (host and device) is weaker than the language's: device and constexpr functions
// are not tile functions.
#include "check/Spaces.h"
#include "check/Rules.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tessera::check {
namespace {

// Those of one number; __half2 and similar types are for SIMT code.
bool isScalarName(StringRef name) {
  return name == "__half" || name == "__nv_bfloat16" || name == "__nv_tf32" ||
         name.starts_with("__nv_fp8_") || name.starts_with("__nv_fp4_");
}

// The name of a class; __half_raw has it only from a typedef; else empty.
StringRef className(QualType type) {
  const CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record)
    return {};
  const TypedefNameDecl *alias = record->getTypedefNameForAnonDecl();
  return alias ? alias->getName() : record->getName();
}

bool isExtendedScalar(QualType type) { return isScalarName(className(type)); }

// A pair of such numbers, or the bits of one.
bool isRelatedToScalar(QualType type) {
  StringRef name = className(type);
  return !isScalarName(name) && (name.starts_with("__half") || name.starts_with("__nv_bfloat16"));
}

// Operators, conversions and constructors of the extended floating-point types, whose headers do
// not mark them for tile code.
bool isExtendedScalarFunction(const FunctionDecl *function) {
  if (isRelatedToScalar(function->getReturnType()) ||
      llvm::any_of(function->parameters(), [](const ParmVarDecl *parameter) {
        return isRelatedToScalar(parameter->getType());
      }))
    return false;
  if (auto *method = dyn_cast<CXXMethodDecl>(function);
      method && isScalarName(method->getParent()->getName()))
    return true;
  bool takesOne = llvm::any_of(function->parameters(), [](const ParmVarDecl *parameter) {
    return isExtendedScalar(parameter->getType());
  });
  bool isLibrary =
      function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
  return isLibrary && (takesOne || isExtendedScalar(function->getReturnType())) &&
         (function->isOverloadedOperator() || function->getName().starts_with("__") ||
          llvm::is_contained({"hsqrt", "hrsqrt", "hrcp", "hexp", "hexp2", "hlog", "hlog2", "hsin",
                              "hcos", "htanh", "htanh_approx", "hceil", "hfloor"},
                             function->getName()));
}

bool isNamedException(const FunctionDecl *function) {
  if (function->isReservedGlobalPlacementOperator())
    return true;
  if (auto *method = dyn_cast<CXXMethodDecl>(function))
    return (method->getParent()->isInStdNamespace() &&
            method->getParent()->getName() == "initializer_list") ||
           (method->getParent()->getDeclContext()->isTranslationUnit() &&
            method->getParent()->getName() == "dim3");
  auto *identifier = function->getIdentifier();
  return identifier && llvm::is_contained({"printf", "__assert_fail", "__assertfail", "memcpy",
                                           "memset", "__trap", "__mulhi", "__umulhi", "__umul64hi"},
                                          identifier->getName());
}

// A compiler builtin, or a standard library function that the compiler treats as one, such as
// std::move.
bool isBuiltin(const FunctionDecl *function) {
  return function->getBuiltinID() &&
         (function->getNameAsString().starts_with("__builtin_") || function->isInStdNamespace());
}

} // namespace

// The function around a lambda, which determines its space; else null.
static const FunctionDecl *outerFunction(const FunctionDecl *function) {
  auto *method = dyn_cast<CXXMethodDecl>(function);
  return method && method->getParent()->isLambda()
             ? dyn_cast_or_null<FunctionDecl>(
                   method->getParent()->getDeclContext()->getNonClosureAncestor())
             : nullptr;
}

bool isTileCode(const FunctionDecl *function) {
  if (frontend::isTile(function))
    return true;
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
      pattern && frontend::isTile(pattern))
    return true;
  const FunctionDecl *outer = outerFunction(function);
  return outer && isTileCode(outer);
}

bool isTileCodeOnly(const FunctionDecl *function) {
  const FunctionDecl *outer = outerFunction(function);
  return frontend::isTileOnly(function) ||
         (outer && !frontend::isTile(function) && isTileCodeOnly(outer));
}

bool isDeviceCode(const FunctionDecl *function) {
  return (function->hasAttr<CUDAGlobalAttr>() ||
          (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>())) &&
         !isTileCode(function);
}

bool isDiscardable(const FunctionDecl *function) {
  if (frontend::isTileKernel(function) || function->isTemplateInstantiation())
    return false;
  GVALinkage linkage = function->getASTContext().GetGVALinkageForFunction(function);
  return linkage == GVA_Internal || linkage == GVA_DiscardableODR;
}

bool isSimtBuiltin(const FunctionDecl *function) {
  static const llvm::StringSet<> names = {
      "__builtin_assume",         "__builtin_ctz",
      "__builtin_ctzl",           "__builtin_ctzll",
      "__builtin_clzl",           "__builtin_popcountl",
      "__builtin_parity",         "__builtin_parityl",
      "__builtin_parityll",       "__builtin_bswap16",
      "__builtin_bswap32",        "__builtin_bswap64",
      "__builtin_clrsb",          "__builtin_clrsbl",
      "__builtin_clrsbll",        "__builtin_isnormal",
      "__builtin_isunordered",    "__builtin_isgreater",
      "__builtin_isgreaterequal", "__builtin_isless",
      "__builtin_islessequal",    "__builtin_islessgreater",
      "__builtin_memmove",        "__builtin_memcmp",
      "__builtin_strcmp",         "__builtin_strlen",
      "__builtin_prefetch",       "__builtin_object_size",
      "__builtin_frame_address",  "__builtin_return_address",
      "__builtin_trap",           "__builtin_debugtrap",
      "__builtin_expect",         "__builtin_expect_with_probability",
      "__builtin_ffsl",           "__builtin_isinf_sign",
      "__builtin_signbitf",       "__builtin_fpclassify",
      "__builtin_clzs",           "__builtin_ctzs"};
  StringRef name = function->getName();
  return names.contains(name) || name.starts_with("__nvvm_") || name.starts_with("__sync_") ||
         name.starts_with("__atomic_") || name.starts_with("__c11_") ||
         name.starts_with("__builtin_rotate") ||
         (name.starts_with("__builtin_") && name.ends_with("_overflow")) ||
         name.starts_with("__builtin_bitreverse");
}

bool isLendable(const FunctionDecl *function) {
  return function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAGlobalAttr>() &&
         !function->getBuiltinID();
}

// The tile library's name of a function of C's or C++'s library: sqrt for sqrtf and __expf; empty
// if it has none.
static std::string nameInTileLibrary(const FunctionDecl *function) {
  ASTContext &context = function->getASTContext();
  const IdentifierInfo *identifier = function->getIdentifier();
  if (!identifier || isa<CXXMethodDecl>(function))
    return {};
  const DeclContext *scope = context.getTranslationUnitDecl();
  for (StringRef part : {"cuda", "tiles"}) {
    DeclContextLookupResult found = scope->lookup(&context.Idents.get(part));
    scope = found.empty() ? nullptr : dyn_cast<NamespaceDecl>(found.front());
    if (!scope)
      return {};
  }
  StringRef name = identifier->getName();
  name.consume_front("__");
  for (StringRef wanted : {name, name.ends_with("f") ? name.drop_back() : name})
    if (!scope->lookup(&context.Idents.get(wanted)).empty())
      return wanted.str();
  return {};
}

void refuseCallOfOther(SourceLocation location, const FunctionDecl *callee, Reporter &report) {
  // A builtin that no header declares is declared at its first use.
  const SourceManager &sources = callee->getASTContext().getSourceManager();
  bool isOfLibrary = callee->getBuiltinID() || sources.isInSystemHeader(callee->getLocation());
  std::string name = isOfLibrary ? nameInTileLibrary(callee) : std::string();
  bool isBarrier =
      isOfLibrary && callee->getIdentifier() && callee->getName().starts_with("__sync");
  int advice = isBarrier ? 3 : !name.empty() ? 2 : isLendable(callee);
  // The call determines the arguments of a library's template.
  const NamedDecl *named = callee;
  if (isOfLibrary && callee->getPrimaryTemplate())
    named = callee->getPrimaryTemplate();
  report(location, Id::CallOfOther, named, advice, name);
  bool isAnswered = isBarrier || !name.empty(); // then the library's header is no help
  if (!isAnswered)
    report(callee->getLocation(), Id::DeclaredHere, callee);
}

bool isConstantFunction(const FunctionDecl *function) {
  const SourceManager &sources = function->getASTContext().getSourceManager();
  auto *identifier = function->getIdentifier();
  return identifier && sources.isInSystemHeader(function->getLocation()) &&
         (llvm::is_contained({"abs", "isnan", "isinf", "isfinite", "signbit", "copysign"},
                             identifier->getName()) ||
          (identifier->isStr("fabs") && !function->isExternC()));
}

bool isCallableFromTile(const FunctionDecl *function) {
  return isTileCode(function) || function->isConsteval() || isBuiltin(function) ||
         (function->isImplicit() && !function->getBuiltinID()) || function->isDefaulted() ||
         function->isTrivial() || isNamedException(function) || isExtendedScalarFunction(function);
}

// Clang allows overloads that differ only in their space, the language does not.
void checkOverloads(const FunctionDecl *function, Reporter &report) {
  const ASTContext &context = function->getASTContext();
  if (!frontend::isTile(function) || function->isTemplateInstantiation() ||
      !function->getDeclName().isIdentifier())
    return;
  for (const NamedDecl *other : function->getDeclContext()->lookup(function->getDeclName())) {
    auto *overload = dyn_cast<FunctionDecl>(other);
    if (!overload || frontend::isTile(overload) || !overload->isThisDeclarationADefinition() ||
        !context.hasSameType(overload->getType(), function->getType()))
      continue;
    report(overload->getLocation(), Id::OverloadOfSpace, overload);
    report(function->getLocation(), Id::PreviousDeclaration);
  }
}

} // namespace tessera::check
