// Rules for bodies of SIMT and host code: their calls of tile code, and their launches.
#include "check/EvaluatedCode.h"
#include "check/Rules.h"
#include "check/Spaces.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/OutsideLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::check {
namespace {

class OtherBody : public EvaluatedCode<OtherBody> {
public:
  OtherBody(const FunctionDecl *function, Reporter &report, const SeenByDevice &isSeenByDevice,
            UncheckedRule &unchecked)
      : context(function->getASTContext()), isDevice(isDeviceCode(function)),
        isOfBoth(function->hasAttr<CUDADeviceAttr>() && function->hasAttr<CUDAHostAttr>()),
        isRunByDevice(isDevice || isWrittenForBoth(function)), report(report),
        isSeenByDevice(isSeenByDevice), unchecked(unchecked) {}

  bool TraverseVarDecl(VarDecl *variable) {
    return variable->isConstexpr() || EvaluatedCode::TraverseVarDecl(variable);
  }

  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    const FunctionDecl *body = lambda->getCallOperator();
    bool wasRun =
        std::exchange(isRunByDevice, isRunByDevice || isDeviceCode(body) || isWrittenForBoth(body));
    bool result = EvaluatedCode::TraverseLambdaExpr(lambda);
    isRunByDevice = wasRun;
    return result;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) {
    const FunctionDecl *kernel = launch->getDirectCallee();
    bool isOfTile = kernel && frontend::isTileKernel(kernel);
    if (isRunByDevice && (isOfTile || !context.getLangOpts().GPURelocatableDeviceCode) &&
        (isDevice || isSeenByDevice(launch->getBeginLoc())))
      return report(launch->getBeginLoc(), Id::LaunchFromDevice), true;
    if (!isOfTile)
      return true;
    if (!kernel->isDefined() && !kernel->isTemplateInstantiation())
      report(launch->getBeginLoc(), Id::LaunchUndefined, kernel);
    checkBlock(launch, kernel);
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if ((isDevice || isOfBoth) && callee && frontend::isTileOnly(callee) &&
        !frontend::isTileKernel(callee)) {
      report(call->getExprLoc(), Id::CallOfTile, callee, isOfBoth);
      report(callee->getLocation(), Id::DeclaredHere, callee);
    } else if (callee && isTileCode(callee) && !frontend::isTileKernel(callee)) {
      unchecked.addCall(call->getExprLoc(), callee, isDevice);
    }
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) { return variableUses.add(cast), true; }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (isDevice && variableUses.isMisused(reference))
      report(reference->getLocation(), Id::VariableOfTile, reference->getDecl(), 0);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) {
    if (frontend::isTile(lambda->getCallOperator()))
      report(lambda->getBeginLoc(), Id::LambdaSpecifier, 1);
    return true;
  }

private:
  static bool isWrittenForBoth(const FunctionDecl *function) {
    auto *device = function->getAttr<CUDADeviceAttr>();
    return device && !device->isImplicit() && function->hasAttr<CUDAHostAttr>();
  }

  // dim3 of constants, or a number that converts to one.
  void checkBlock(CUDAKernelCallExpr *launch, const FunctionDecl *kernel) {
    auto configuration = frontend::configurationOf(launch);
    if (configuration.size() < 2)
      return;
    const Expr *block = configuration[1]->IgnoreImplicit();
    while (auto *cast = dyn_cast<CXXFunctionalCastExpr>(block))
      block = cast->getSubExpr()->IgnoreImplicit();
    auto *construction = dyn_cast<CXXConstructExpr>(block);
    std::optional<uint64_t> threads = 1;
    for (const Expr *extent :
         construction ? llvm::ArrayRef(construction->getArgs(), construction->getNumArgs())
                      : llvm::ArrayRef(block)) {
      if (isa<CXXDefaultArgExpr>(extent))
        continue;
      Expr::EvalResult value;
      if (extent->isValueDependent() || !extent->getType()->isIntegralOrEnumerationType() ||
          !extent->EvaluateAsInt(value, context))
        return;
      threads = *threads * value.Val.getInt().getZExtValue();
    }
    if (*threads != 1)
      report(block->getExprLoc(), Id::LaunchBlock, kernel, std::to_string(*threads));
  }

  ASTContext &context;
  bool isDevice;
  bool isOfBoth;      // the device and the host
  bool isRunByDevice; // which a constexpr function may not be
  Reporter &report;
  const SeenByDevice &isSeenByDevice;
  UncheckedRule &unchecked;
  TileVariableUses variableUses;
};

} // namespace

void checkOtherBody(const FunctionDecl *function, Reporter &report,
                    const SeenByDevice &isSeenByDevice, UncheckedRule &unchecked) {
  OtherBody(function, report, isSeenByDevice, unchecked)
      .TraverseStmt(const_cast<Stmt *>(function->getBody()));
}

} // namespace tessera::check
