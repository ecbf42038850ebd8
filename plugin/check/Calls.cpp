// Rules about calls across several functions, checked after all bodies.
#include "check/EvaluatedCode.h"
#include "check/Rules.h"
#include "check/Spaces.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::check {
namespace {

// Derived by this file alone.
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
template <class Derived, template <class> class Walk> struct CalleeCollector : Walk<Derived> {
  llvm::SmallVector<const FunctionDecl *> callees;
  bool VisitCallExpr(CallExpr *call) { return add(call->getDirectCallee()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    return add(construction->getConstructor());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return this->getDerived().TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *initializer) {
    return this->getDerived().TraverseStmt(initializer->getExpr());
  }
  bool add(const FunctionDecl *callee) {
    if (callee)
      callees.push_back(callee->getCanonicalDecl());
    return true;
  }
};

struct AllCallees : CalleeCollector<AllCallees, RecursiveASTVisitor> {};

// Without the calls whose values are constants.
struct CalleesOfCode : CalleeCollector<CalleesOfCode, EvaluatedCode> {
  explicit CalleesOfCode(const ASTContext &context) : context(context) {}

  bool TraverseStmt(Stmt *statement) {
    auto *call = dyn_cast_or_null<CallExpr>(statement);
    return (call && isConstant(call)) || EvaluatedCode::TraverseStmt(statement);
  }
  bool TraverseVarDecl(VarDecl *variable) {
    return variable->isConstexpr() || EvaluatedCode::TraverseVarDecl(variable);
  }

private:
  bool isConstant(const CallExpr *call) const {
    const FunctionDecl *callee = call->getDirectCallee();
    Expr::EvalResult value;
    return callee && callee->isConstexpr() && !call->isValueDependent() &&
           !call->getType()->isVoidType() && call->EvaluateAsRValue(value, context) &&
           !value.HasSideEffects;
  }

  const ASTContext &context;
};

template <class Collector> llvm::SmallVector<const FunctionDecl *>
calleesOf(const FunctionDecl *function, Collector collector) {
  collector.TraverseStmt(const_cast<Stmt *>(function->getBody()));
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      collector.TraverseStmt(initializer->getInit());
  return std::move(collector.callees);
}

} // namespace

void RecursionRule::addCalls(const FunctionDecl *function) {
  calls[function->getCanonicalDecl()] = calleesOf(function, AllCallees());
  callsOfCode[function->getCanonicalDecl()] =
      calleesOf(function, CalleesOfCode(function->getASTContext()));
}

// All functions that a function's code can reach, itself only if it is recursive.
llvm::DenseSet<const FunctionDecl *> RecursionRule::reachedBy(const FunctionDecl *function) const {
  llvm::DenseSet<const FunctionDecl *> reached;
  llvm::SmallVector<const FunctionDecl *> work = {function};
  while (!work.empty())
    if (auto next = callsOfCode.find(work.pop_back_val()); next != callsOfCode.end())
      for (const FunctionDecl *callee : next->second)
        if (reached.insert(callee).second)
          work.push_back(callee);
  return reached;
}

void RecursionRule::finish(Reporter &report) const {
  llvm::DenseSet<const FunctionDecl *> kernelFunctions;
  for (auto &[function, direct] : callsOfCode)
    if (frontend::isTileKernel(function))
      for (const FunctionDecl *reached : reachedBy(function))
        kernelFunctions.insert(reached);
  for (auto &[function, direct] : callsOfCode)
    if (kernelFunctions.contains(function) && reachedBy(function).contains(function))
      report(function->getLocation(), Id::Recursion, function,
             !llvm::is_contained(direct, function));
}

// The functions of tile code that this code can reach.
UncheckedRule::Functions UncheckedRule::reachedFrom(Caller from, const RecursionRule &rule) const {
  Functions reached;
  llvm::SmallVector<const FunctionDecl *> work;
  auto add = [&](const FunctionDecl *function) {
    if (reached.insert(function).second)
      work.push_back(function);
  };
  // Destructor calls are not visible in the source.
  auto isFirst = [&](const FunctionDecl *function) {
    return from == Caller::TileCode ? isTileCodeOnly(function)
                                    : !isDiscardable(function) ||
                                          (isa<CXXDestructorDecl>(function) && function->isUsed());
  };
  for (const auto &[function, callees] : rule.callsOfTileCode())
    if (isFirst(function))
      add(function);
  if (from == Caller::Any)
    for (const Call &call : calls)
      add(call.callee->getCanonicalDecl());
  while (!work.empty()) {
    auto next = rule.callsOfTileCode().find(work.pop_back_val());
    if (next != rule.callsOfTileCode().end())
      llvm::for_each(next->second, add);
  }
  return reached;
}

void UncheckedRule::refuseCallsOfOthers(const RecursionRule &rule, Reporter &report) const {
  Functions byAny = reachedFrom(Caller::Any, rule),
            byTileCode = reachedFrom(Caller::TileCode, rule);
  for (const CallOfOther &call : callsOfOthers) {
    const Functions &reached = call.from == Caller::Any ? byAny : byTileCode;
    if (!reached.contains(call.caller->getCanonicalDecl()))
      continue;
    if (call.callee->getBuiltinID() && isSimtBuiltin(call.callee)) {
      report(call.location, Id::Builtin, call.callee);
      continue;
    }
    refuseCallOfOther(call.location, call.callee, report);
  }
}

// Tile-only code reached through functions that all three spaces share makes them unusable for the
// others.
void UncheckedRule::finish(const RecursionRule &rule, Reporter &report) const {
  llvm::DenseSet<const FunctionDecl *> needsTile(tileOnly);
  auto spreads = [&](const auto &entry) {
    return !needsTile.contains(entry.first) && !isTileCodeOnly(entry.first) &&
           llvm::any_of(entry.second, [&](auto *callee) { return needsTile.contains(callee); });
  };
  for (bool hasGrown = !tileOnly.empty(); hasGrown;) {
    hasGrown = false;
    for (const auto &entry : rule.callsOfTileCode())
      if (spreads(entry))
        hasGrown |= needsTile.insert(entry.first).second;
  }
  if (!callsOfOthers.empty())
    refuseCallsOfOthers(rule, report);
  for (const Call &call : calls)
    if (needsTile.contains(call.callee->getCanonicalDecl())) {
      report(call.location, Id::CallOfTile, call.callee, call.isOfDevice ? 0 : 1);
      report(call.callee->getLocation(), Id::DeclaredHere, call.callee);
    }
}

} // namespace tessera::check
