// Tiles that are read before they are written.
//
// A tile that is declared without a value is uninitialized. Its reads, and all other uses, which
// may be writes, are locations in Clang's control-flow graph. A read is reported if the tile is
// uninitialized whenever the read is first reached: no path leads from the declaration over a
// possible write, and not over the read, to the read. So nothing is reported if a branch writes, or
// an earlier iteration of a loop.
#include "check/EvaluatedCode.h"
#include "check/Rules.h"
#include "diagnose/TileTypes.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tessera::check {
namespace {

// The effect of a statement on a tile that it names.
enum class Kind { Read, Write };
struct Location {
  const VarDecl *tile;
  Kind kind;
  SourceLocation location;
};
using Locations = llvm::DenseMap<const Stmt *, llvm::SmallVector<Location, 2>>;

} // namespace

bool isDeclaredWithoutValue(const VarDecl *variable) {
  if (!variable->hasLocalStorage() || isa<ParmVarDecl>(variable) ||
      !diagnose::libraryClass(variable->getType(), "tile") ||
      variable->getType()->isReferenceType())
    return false;
  auto *made = dyn_cast_or_null<CXXConstructExpr>(variable->getInit());
  return made && made->getNumArgs() == 0 && !made->requiresZeroInitialization() &&
         !made->isListInitialization();
}

namespace {

// The locations of a body. An unknown use counts as a write.
class Collector : public EvaluatedCode<Collector> {
public:
  Locations locations;
  llvm::SmallVector<const VarDecl *> tiles;

  // The body is another function's, and runs later.
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable())
        if (auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar()))
          add(lambda, variable, Kind::Write, lambda->getBeginLoc());
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (isDeclaredWithoutValue(variable))
      tiles.push_back(variable);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !frontend::isTileLibrary(callee))
      return true;
    auto *operation = dyn_cast<CXXOperatorCallExpr>(call);
    bool assigns = operation && operation->getOperator() == OO_Equal;
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (assigns && i == 0)
        take(call, call->getArg(0), Kind::Write);
      else if (isRead(callee, operation && isa<CXXMethodDecl>(callee) ? i - 1 : i))
        take(call, call->getArg(i), Kind::Read);
    if (auto *member = dyn_cast<CXXMemberCallExpr>(call))
      take(call, member->getImplicitObjectArgument(), Kind::Read);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    if (!frontend::isTileLibrary(constructor))
      return true;
    for (unsigned i = 0; i < construction->getNumArgs(); ++i)
      if (constructor->isCopyOrMoveConstructor() || isRead(constructor, i))
        take(construction, construction->getArg(i), Kind::Read);
    return true;
  }
  // `x;` and `(void)x` do nothing; a name without a recognised use may do anything.
  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_ToVoid)
      if (auto *name = dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParenImpCasts()))
        taken.insert(name);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (auto *variable = dyn_cast<VarDecl>(name->getDecl()); variable && !taken.contains(name))
      add(name, variable, Kind::Write, name->getLocation());
    return true;
  }

private:
  static bool isRead(const FunctionDecl *callee, unsigned parameter) {
    if (parameter >= callee->getNumParams())
      return false;
    QualType type = callee->getParamDecl(parameter)->getType();
    return !type->isReferenceType() || type->getPointeeType().isConstQualified();
  }
  // Calls are visited before their operands.
  void take(const Stmt *where, const Expr *operand, Kind kind) {
    auto *name = dyn_cast<DeclRefExpr>(operand->IgnoreParenImpCasts());
    auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!variable)
      return;
    taken.insert(name);
    add(where, variable, kind, name->getLocation());
  }
  void add(const Stmt *where, const VarDecl *variable, Kind kind, SourceLocation location) {
    locations[where].push_back({variable, kind, location});
  }

  llvm::DenseSet<const DeclRefExpr *> taken;
};

// The first arrivals at one read.
class Arrivals {
public:
  Arrivals(const CFG &graph, const Locations &locations, const VarDecl *tile, const Location &read)
      : locations(locations), tile(tile), read(read) {
    for (const CFGBlock *block : graph)
      for (size_t i = 0; i < block->size(); ++i)
        if (declares(statementAt(block, i)))
          follow(block, i + 1, /*isWritten=*/false);
    while (!work.empty()) {
      Step step = work.pop_back_val();
      follow(step.getPointer(), 0, step.getInt());
    }
  }

  bool areWithoutValue() const { return isReached[false] && !isReached[true]; }

private:
  using Step = llvm::PointerIntPair<const CFGBlock *, 1, bool>; // a block, entered written or not

  static const Stmt *statementAt(const CFGBlock *block, size_t index) {
    auto statement = (*block)[index].getAs<CFGStmt>();
    return statement ? statement->getStmt() : nullptr;
  }
  bool declares(const Stmt *statement) const {
    auto *declaration = dyn_cast_or_null<DeclStmt>(statement);
    return declaration && llvm::is_contained(declaration->decls(), tile);
  }

  void follow(const CFGBlock *block, size_t index, bool isWritten) {
    for (; index < block->size(); ++index) {
      const Stmt *statement = statementAt(block, index);
      if (declares(statement))
        return;
      auto found = locations.find(statement);
      if (found == locations.end())
        continue;
      for (const Location &loc : found->second)
        if (loc.kind == Kind::Read && loc.location == read.location && loc.tile == tile) {
          isReached[isWritten] = true;
          return;
        }
      isWritten |= llvm::any_of(found->second, [&](const Location &loc) {
        return loc.kind == Kind::Write && loc.tile == tile;
      });
    }
    for (const CFGBlock *next : block->succs())
      if (next && seen.insert(Step(next, isWritten)).second)
        work.push_back(Step(next, isWritten));
  }

  const Locations &locations;
  const VarDecl *tile;
  const Location &read;
  bool isReached[2] = {}; // without a previous write, with one
  llvm::SmallVector<Step> work;
  llvm::DenseSet<Step> seen;
};

} // namespace

void checkUnwritten(const FunctionDecl *function, Reporter &report) {
  Collector collector;
  collector.TraverseStmt(function->getBody());
  if (collector.tiles.empty())
    return;
  CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  std::unique_ptr<CFG> graph =
      CFG::buildCFG(function, function->getBody(), &function->getASTContext(), options);
  if (!graph)
    return;
  for (const VarDecl *tile : collector.tiles) {
    const Location *first = nullptr; // one read of each tile is reported
    for (auto &[statement, locations] : collector.locations)
      for (const Location &loc : locations)
        if (loc.tile == tile && loc.kind == Kind::Read &&
            (!first || loc.location < first->location) &&
            Arrivals(*graph, collector.locations, tile, loc).areWithoutValue())
          first = &loc;
    if (!first)
      continue;
    report(first->location, Id::ReadUnwritten, tile);
    report(tile->getLocation(), Id::DeclaredWithoutValue, tile);
  }
}

} // namespace tessera::check
