// A launch becomes a comma: the configuration, then the call of the kernel. If only an instance of
// the code decides the kind of the kernel, it becomes a call of a function that takes both.
#include "frontend/edit/LaunchEdits.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/OutsideLaunches.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// The kind of function that a launch or a call names.
enum class Callee { TileKernel, SimtKernel, Unknown };

Callee classify(const Expr *callee) {
  callee = callee->IgnoreParenImpCasts();
  // The launch's arguments select the address of an overloaded function.
  if (auto *address = dyn_cast<UnaryOperator>(callee);
      address && (address->getOpcode() == UO_AddrOf || address->getOpcode() == UO_Deref))
    return classify(address->getSubExpr());
  if (auto *reference = dyn_cast<DeclRefExpr>(callee)) {
    auto *function = dyn_cast<FunctionDecl>(reference->getDecl());
    return !function                ? Callee::Unknown
           : isTileKernel(function) ? Callee::TileKernel
                                    : Callee::SimtKernel;
  }
  auto *overloads = dyn_cast<OverloadExpr>(callee);
  if (!overloads || overloads->decls_begin() == overloads->decls_end())
    return Callee::Unknown;
  auto isOfTile = [](const NamedDecl *found) {
    const FunctionDecl *function = found->getUnderlyingDecl()->getAsFunction();
    return function && isTileKernel(function);
  };
  return llvm::all_of(overloads->decls(), isOfTile)    ? Callee::TileKernel
         : llvm::none_of(overloads->decls(), isOfTile) ? Callee::SimtKernel
                                                       : Callee::Unknown;
}

// A function of the CUDA runtime that takes a kernel.
bool isRuntimeCall(const NamedDecl *declaration) {
  static const llvm::StringSet<> names = {
#define RUNTIME_CALL(name) #name,
#include "frontend/edit/RuntimeCalls.def"
  };
  return declaration && declaration->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         declaration->getIdentifier() && names.contains(declaration->getName());
}

} // namespace

bool isTileLaunch(const CUDAKernelCallExpr *launch) {
  return classify(launch->getCallee()) == Callee::TileKernel;
}

void LaunchEdits::rewriteLaunch(CUDAKernelCallExpr *launch, bool isUnevaluated) {
  const Expr *callee = launch->getCallee();
  Callee kind = classify(callee);
  if (kind == Callee::SimtKernel && target == Target::Gpu)
    return;
  const CallExpr *configuration = launch->getConfig();
  if (!rewrittenLaunches.insert(configuration->getBeginLoc()).second)
    return;
  std::string values;
  for (const Expr *value : configurationOf(launch))
    values += (values.empty() ? "" : ", ") + editor.textOf(value->getSourceRange());
  SourceRange chevrons(configuration->getBeginLoc(), configuration->getRParenLoc());
  if (kind != Callee::Unknown || target == Target::Cpu) {
    editor.insertBefore(launch->getBeginLoc(),
                        (isUnevaluated ? "(__tessera_unevaluated(" : "(__tessera_configure(") +
                            values + "), ");
    editor.remove(chevrons);
    editor.insertAfter(launch->getRParenLoc(), ")");
  } else {
    editor.insertBefore(launch->getBeginLoc(), "__tessera_launch_any(");
    editor.replace(chevrons, ", " + values + ")");
  }
}

// Without a GPU the runtime is ours and handles tile kernels itself.
void LaunchEdits::rewriteRuntimeCall(const Expr *reference, const NamedDecl *declaration,
                                     const DeclarationNameInfo &name) {
  if (target == Target::Gpu && isRuntimeCall(declaration->getUnderlyingDecl()))
    editor.replace({reference->getBeginLoc(), name.getEndLoc()},
                   "__tessera_calls::" + name.getAsString());
}

} // namespace tessera::frontend
