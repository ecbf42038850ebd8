// Legal code that cannot be intended: the statements and calls that these rules examine.
//
// Unevaluated code is skipped: a branch with a false constant condition, operands of decltype,
// sizeof and requires.
#include "check/EvaluatedCode.h"
#include "check/Rules.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::check {
namespace {

class Suspects : public EvaluatedCode<Suspects> {
public:
  Suspects(const ASTContext &context, Reporter &report) : context(context), report(report) {}

  bool TraverseIfStmt(IfStmt *statement) {
    std::optional<bool> isTaken = constant(statement->getCond());
    if (!isTaken)
      return EvaluatedCode::TraverseIfStmt(statement);
    Stmt *branch = *isTaken ? statement->getThen() : statement->getElse();
    discard(branch);
    return TraverseStmt(statement->getInit()) && TraverseStmt(branch);
  }
  bool TraverseConditionalOperator(ConditionalOperator *expression) {
    std::optional<bool> isTaken = constant(expression->getCond());
    if (!isTaken)
      return EvaluatedCode::TraverseConditionalOperator(expression);
    return TraverseStmt(*isTaken ? expression->getTrueExpr() : expression->getFalseExpr());
  }
  // The last statement is the value of ({ ... }).
  bool TraverseStmtExpr(StmtExpr *expression) {
    for (Stmt *statement : expression->getSubStmt()->body())
      if (!TraverseStmt(statement))
        return false;
    return true;
  }

  bool VisitCompoundStmt(CompoundStmt *block) {
    for (const Stmt *statement : block->body())
      discard(statement);
    return true;
  }
  bool VisitIfStmt(IfStmt *statement) {
    discard(statement->getThen());
    discard(statement->getElse());
    return true;
  }
  bool VisitForStmt(ForStmt *loop) {
    discard(loop->getInit());
    discard(loop->getInc());
    discard(loop->getBody());
    return true;
  }
  bool VisitWhileStmt(WhileStmt *loop) { return discard(loop->getBody()), true; }
  bool VisitDoStmt(DoStmt *loop) { return discard(loop->getBody()), true; }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) { return discard(loop->getBody()), true; }
  bool VisitSwitchCase(SwitchCase *label) { return discard(label->getSubStmt()), true; }
  bool VisitBinaryOperator(BinaryOperator *expression) {
    if (expression->getOpcode() == BO_Comma)
      discard(expression->getLHS());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    hasTileWithoutValue |= isDeclaredWithoutValue(variable);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    if (!lambda->getCallOperator()->isDependentContext())
      lambdas.push_back(lambda->getCallOperator());
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) { return checkBox(call, report), true; }

  bool hasTileWithoutValue = false;
  llvm::SmallVector<const FunctionDecl *> lambdas;

private:
  std::optional<bool> constant(const Expr *condition) const {
    bool value = false;
    if (!condition || condition->isValueDependent() ||
        !condition->EvaluateAsBooleanCondition(value, context))
      return std::nullopt;
    return value;
  }

  // A statement whose value is unused.
  void discard(const Stmt *statement) {
    if (auto *attributed = dyn_cast_or_null<AttributedStmt>(statement))
      statement = attributed->getSubStmt();
    auto *expression = dyn_cast_or_null<Expr>(statement);
    if (!expression)
      return;
    expression = expression->IgnoreImplicit()->IgnoreParens()->IgnoreImplicit();
    if (auto *comma = dyn_cast<BinaryOperator>(expression))
      return comma->getOpcode() == BO_Comma ? discard(comma->getRHS()) : void();
    if (auto *call = dyn_cast<CallExpr>(expression))
      checkDiscarded(call, report);
  }

  const ASTContext &context;
  Reporter &report;
};

} // namespace

void checkSuspects(const FunctionDecl *function, Reporter &report) {
  Suspects suspects(function->getASTContext(), report);
  suspects.TraverseStmt(function->getBody());
  if (!suspects.hasTileWithoutValue)
    return;
  checkUnwritten(function, report);
  for (const FunctionDecl *lambda : suspects.lambdas)
    checkUnwritten(lambda, report);
}

} // namespace tessera::check
