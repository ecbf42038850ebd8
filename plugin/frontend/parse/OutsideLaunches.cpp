// For launches on the device, Clang requires a language option and two functions.
#include "frontend/parse/OutsideLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace tessera::frontend {

// In tile/nvcc.h.
static constexpr llvm::StringLiteral ConfigurationName = "__tessera_configure_outside",
                                     ParametersName = "__tessera_parameters_outside";

bool isOfOutsideLaunch(const clang::Diagnostic &diagnostic, Sema &sema) {
  return diagnostic.getID() == diag::err_cuda_device_kernel_launch_require_rdc &&
         (!isa<FunctionDecl>(sema.CurContext) || sema.isUnevaluatedContext());
}

void allowOutsideLaunches(CompilerInstance &compiler) {
  compiler.getLangOpts().GPURelocatableDeviceCode = true;
}

void forbidOutsideLaunches(CompilerInstance &compiler) {
  compiler.getLangOpts().GPURelocatableDeviceCode = false;
}

void configureOutsideLaunches(ASTContext &context) {
  auto find = [&](StringRef name) -> FunctionDecl * {
    auto found = context.getTranslationUnitDecl()->lookup(&context.Idents.get(name));
    return found.empty() ? nullptr : dyn_cast<FunctionDecl>(*found.begin());
  };
  context.setcudaLaunchDeviceDecl(find(ConfigurationName));
  context.setcudaGetParameterBufferDecl(find(ParametersName));
}

// Arguments that Clang adds (the kernel, a buffer, defaults) have the location of the chevrons.
SmallVector<const Expr *, 4> configurationOf(const CUDAKernelCallExpr *launch) {
  const CallExpr *configuration = launch->getConfig();
  SmallVector<const Expr *, 4> written;
  for (const Expr *value : configuration->arguments())
    if (!isa<CXXDefaultArgExpr>(value) && value->getBeginLoc() != configuration->getBeginLoc())
      written.push_back(value);
  return written;
}

} // namespace tessera::frontend
