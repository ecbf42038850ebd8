// Rules for who calls whom over several functions, answered when all bodies have been seen.
#include "check/Rules.h"
#include "check/Spaces.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace tessera::check {
namespace {

struct CalleeCollector : RecursiveASTVisitor<CalleeCollector> {
  llvm::SmallVector<const FunctionDecl *> callees;
  bool VisitCallExpr(CallExpr *call) { return add(call->getDirectCallee()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    return add(construction->getConstructor());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *initializer) {
    return TraverseStmt(initializer->getExpr());
  }
  bool add(const FunctionDecl *callee) {
    if (callee)
      callees.push_back(callee->getCanonicalDecl());
    return true;
  }
};

} // namespace

void RecursionRule::addCalls(const FunctionDecl *function) {
  CalleeCollector collector;
  collector.TraverseStmt(const_cast<Stmt *>(function->getBody()));
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      collector.TraverseStmt(initializer->getInit());
  calls[function->getCanonicalDecl()] = std::move(collector.callees);
}

void RecursionRule::finish(Reporter &report) const {
  for (auto &[function, direct] : calls) {
    llvm::DenseSet<const FunctionDecl *> seen;
    llvm::SmallVector<const FunctionDecl *> work(direct);
    while (!work.empty()) {
      const FunctionDecl *callee = work.pop_back_val();
      if (callee == function) {
        report(function->getLocation(), Id::Recursion, function,
               !llvm::is_contained(direct, function));
        break;
      }
      if (auto next = calls.find(callee); next != calls.end() && seen.insert(callee).second)
        work.append(next->second.begin(), next->second.end());
    }
  }
}

// The functions of tile code that this code may come to.
UncheckedRule::Functions UncheckedRule::reachedFrom(Caller from, const RecursionRule &rule) const {
  Functions reached;
  llvm::SmallVector<const FunctionDecl *> work;
  auto add = [&](const FunctionDecl *function) {
    if (reached.insert(function).second)
      work.push_back(function);
  };
  // Nothing says where a destructor is called.
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
      report(call.place, Id::Builtin, call.callee);
      continue;
    }
    refuseCallOfOther(call.place, call.callee, report);
  }
}

// What calls tile code alone by way of functions that all three share is no code for the others.
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
      report(call.place, Id::CallOfTile, call.callee, call.isOfDevice ? 0 : 1);
      report(call.callee->getLocation(), Id::DeclaredHere, call.callee);
    }
}

} // namespace tessera::check
