// Calls of the library whose only effect is an unused result.
#include "check/Rules.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::check {
namespace {

// An order is a template argument of all atomics, explicit or deduced from its tag.
bool isAcquire(const FunctionDecl *callee) {
  const TemplateArgumentList *arguments = callee->getTemplateSpecializationArgs();
  return arguments && llvm::any_of(arguments->asArray(), [](const TemplateArgument &argument) {
           if (argument.getKind() != TemplateArgument::Integral)
             return false;
           auto *type = argument.getIntegralType()->getAsEnumDecl();
           if (!type || type->getName() != "memory_order")
             return false;
           return llvm::any_of(type->enumerators(), [&](const EnumConstantDecl *order) {
             return order->getName() == "acquire" &&
                    llvm::APSInt::isSameValue(order->getInitVal(), argument.getAsIntegral());
           });
         });
}

std::string nameOf(const FunctionDecl *callee) {
  OverloadedOperatorKind kind = callee->getOverloadedOperator();
  std::string name = kind == OO_None ? callee->getNameAsString() : getOperatorSpelling(kind);
  return "'" + name + "'";
}

// `assume_aligned<16>(p);` was meant as `p = assume_aligned<16>(p);`
void reportAssumption(const CallExpr *call, const FunctionDecl *callee, Reporter &report) {
  const ASTContext &context = callee->getASTContext();
  std::string text = Lexer::getSourceText(CharSourceRange::getTokenRange(call->getSourceRange()),
                                          context.getSourceManager(), context.getLangOpts())
                         .str();
  auto *named = dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
  bool isAssignable = named && !named->getType().isConstQualified() &&
                      context.hasSameUnqualifiedType(named->getType(), call->getType());
  if (call->getBeginLoc().isMacroID() || !isAssignable)
    return report(call->getExprLoc(), Id::UnusedAssumption, nameOf(callee), "auto x = " + text);
  std::string target = named->getDecl()->getNameAsString() + " = ";
  report(call->getExprLoc(), Id::UnusedAssumption, nameOf(callee), target + text,
         FixItHint::CreateInsertion(call->getBeginLoc(), target));
}

} // namespace

void checkDiscarded(const CallExpr *call, Reporter &report) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !frontend::isTileLibrary(callee) || !callee->getReturnType()->isObjectType())
    return;
  if (auto *method = dyn_cast<CXXMethodDecl>(callee);
      method && method->isInstance() && !method->isConst())
    return; // an iterator's step
  const SourceManager &sources = callee->getASTContext().getSourceManager();
  if (sources.isMacroBodyExpansion(call->getExprLoc()))
    return; // the macro's value may be used at its use
  StringRef name = callee->getIdentifier() ? callee->getName() : "";
  bool isLoad = name.starts_with("atomic_load");
  if (name.starts_with("atomic_") && isAcquire(callee))
    report(call->getExprLoc(), Id::UnusedAcquire, nameOf(callee), isLoad);
  else if (name.starts_with("assume_"))
    reportAssumption(call, callee, report);
  else if ((!name.starts_with("atomic_") || isLoad) && name != "printf")
    report(call->getExprLoc(), Id::UnusedResult, nameOf(callee), call->getSourceRange());
}

} // namespace tessera::check
