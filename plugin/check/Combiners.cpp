// The functions of reductions and scans, which are called any number of times, in any grouping:
// what they write outside of themselves would be anything.
#include "check/Rules.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::check {
namespace {

class Writes : public RecursiveASTVisitor<Writes> {
public:
  Writes(const FunctionDecl *function, Reporter &report) : function(function), report(report) {}

  bool VisitBinaryOperator(BinaryOperator *expression) {
    return !expression->isAssignmentOp() || check(expression->getLHS());
  }
  bool VisitUnaryOperator(UnaryOperator *expression) {
    return !expression->isIncrementDecrementOp() || check(expression->getSubExpr());
  }

private:
  bool check(const Expr *written) {
    auto *name = dyn_cast<DeclRefExpr>(written->IgnoreParenImpCasts());
    if (name && name->refersToEnclosingVariableOrCapture())
      report(name->getLocation(), Id::CombinerWrites, name->getDecl(), function->getName());
    return true;
  }

  const FunctionDecl *function;
  Reporter &report;
};

// The bodies of a lambda; a generic one has one for each instance.
llvm::SmallVector<const FunctionDecl *> bodiesOf(const CXXRecordDecl *lambda) {
  if (FunctionTemplateDecl *generic = lambda->getDependentLambdaCallOperator())
    return llvm::SmallVector<const FunctionDecl *>(generic->specializations());
  return {lambda->getLambdaCallOperator()};
}

} // namespace

void checkCombiner(const CallExpr *call, Reporter &report) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || !frontend::isTileLibrary(callee) ||
      !llvm::is_contained({"reduce", "scan"}, callee->getName()))
    return;
  for (const Expr *argument : call->arguments()) {
    const CXXRecordDecl *record = argument->getType()->getAsCXXRecordDecl();
    if (record && record->isLambda())
      for (const FunctionDecl *body : bodiesOf(record))
        if (body && body->hasBody())
          Writes(callee, report).TraverseStmt(body->getBody());
  }
}

} // namespace tessera::check
