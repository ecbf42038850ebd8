// A walk over tile code as written: names are the same in all instances of a template.
//   auto x = view.load(i);        x, and the memory of the view
//   view.store(x, i);             x and the memory
//   auto q = ct::extract(x, ...); q and x
#include "frontend/edit/NamedLocations.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace tessera::frontend {
namespace {

const Expr *written(const Expr *expression) { return expression->IgnoreUnlessSpelledInSource(); }

std::string nameOf(const Expr *expression) {
  auto *reference = dyn_cast<DeclRefExpr>(written(expression));
  return reference ? reference->getDecl()->getNameAsString() : std::string();
}

// The first argument of the construction of an object.
const Expr *firstPart(const Expr *expression) {
  if (auto *call = dyn_cast<CXXConstructExpr>(expression))
    return call->getNumArgs() ? call->getArg(0) : nullptr;
  if (auto *call = dyn_cast<CXXUnresolvedConstructExpr>(expression))
    return call->getNumArgs() ? call->getArg(0) : nullptr;
  if (auto *list = dyn_cast<InitListExpr>(expression))
    return list->getNumInits() ? list->getInit(0) : nullptr;
  if (auto *list = dyn_cast<ParenListExpr>(expression))
    return list->getNumExprs() ? list->getExpr(0) : nullptr;
  if (auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return cast->getSubExpr();
  return nullptr;
}

bool isAssumption(const CallExpr *call) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  DeclarationName name;
  if (auto *reference = dyn_cast<DeclRefExpr>(callee))
    name = reference->getNameInfo().getName();
  else if (auto *lookup = dyn_cast<UnresolvedLookupExpr>(callee))
    name = lookup->getName();
  return name.isIdentifier() && name.getAsIdentifierInfo() &&
         name.getAsIdentifierInfo()->getName().starts_with("assume_");
}

// The pointer from which a view, a span or an address is made; else the name of the accessed
// object.
std::string memoryOf(const Expr *expression) {
  expression = written(expression);
  if (auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    bool hasValue = variable && !isa<ParmVarDecl>(variable) && variable->getInit();
    std::string memory = hasValue ? memoryOf(variable->getInit()) : std::string();
    return memory.empty() ? reference->getDecl()->getNameAsString() : memory;
  }
  if (auto *member = dyn_cast<MemberExpr>(expression))
    return member->getMemberDecl()->getNameAsString();
  if (auto *sum = dyn_cast<BinaryOperator>(expression); sum && sum->isAdditiveOp())
    return memoryOf(sum->getRHS()->getType()->isPointerType() ? sum->getRHS() : sum->getLHS());
  if (auto *call = dyn_cast<CallExpr>(expression))
    return call->getNumArgs() && isAssumption(call) ? memoryOf(call->getArg(0)) : std::string();
  if (auto *address = dyn_cast<UnaryOperator>(expression))
    return memoryOf(address->getSubExpr());
  const Expr *part = firstPart(expression);
  return part ? memoryOf(part) : std::string();
}

class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(const SourceManager &sources) : sources(sources) {}

  bool shouldWalkTypesOfTypeLocs() const { return false; }
  bool TraverseDecl(Decl *declaration) {
    if (!declaration)
      return true;
    if (!isa<TranslationUnitDecl>(declaration) &&
        (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())) ||
         isTileLibrary(declaration)))
      return true;
    const FunctionDecl *function = declaration->getAsFunction();
    llvm::SaveAndRestore inside(isInTileCode, isInTileCode || (function && isTile(function)));
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (const Expr *value = variable->getInit())
      results[written(value)] = variable->getNameAsString();
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    bool isAssignment = operation->getOpcode() == BO_Assign;
    if (operation->isAssignmentOp())
      results[isAssignment ? written(operation->getRHS()) : operation] =
          nameOf(operation->getLHS());
    if (!isAssignment)
      add(operation->getOperatorLoc(), {.result = results.lookup(operation)});
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    add(operation->getOperatorLoc(), {.result = results.lookup(operation)});
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    auto *operation = dyn_cast<CXXOperatorCallExpr>(call);
    if (operation && operation->isAssignmentOp())
      results[operation->getOperator() == OO_Equal ? written(operation->getArg(1)) : operation] =
          nameOf(operation->getArg(0));
    NamedLocation loc{.result = results.lookup(call)};
    if (operation) {
      add(operation->getOperatorLoc(), loc);
      return true;
    }
    auto nameOfArgument = [&](unsigned i) {
      return i < call->getNumArgs() ? nameOf(call->getArg(i)) : std::string();
    };
    auto addMember = [&](SourceLocation location, DeclarationName member, const Expr *object) {
      loc.object = memoryOf(object);
      if (!StringRef(member.getAsString()).contains("load")) // with an index operand
        loc.value = nameOfArgument(0);
      add(location, loc);
    };
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (auto *member = dyn_cast<MemberExpr>(callee)) {
      addMember(member->getMemberLoc(), member->getMemberNameInfo().getName(), member->getBase());
    } else if (auto *dependent = dyn_cast<CXXDependentScopeMemberExpr>(callee);
               dependent && !dependent->isImplicitAccess()) {
      addMember(dependent->getMemberLoc(), dependent->getMember(), dependent->getBase());
    } else if (auto *found = dyn_cast<UnresolvedMemberExpr>(callee);
               found && !found->isImplicitAccess()) {
      addMember(found->getMemberLoc(), found->getMemberName(), found->getBase());
    } else {
      loc.object = nameOfArgument(0);
      loc.value = nameOfArgument(1);
      add(call->getExprLoc(), loc);
    }
    return true;
  }

  std::vector<NamedLocation> found;

private:
  void add(SourceLocation location, NamedLocation loc) {
    if (!isInTileCode || (loc.result.empty() && loc.object.empty() && loc.value.empty()))
      return;
    PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(location));
    if (presumed.isInvalid())
      return;
    loc.file = presumed.getFilename();
    loc.line = presumed.getLine();
    loc.column = presumed.getColumn();
    found.push_back(std::move(loc));
  }

  const SourceManager &sources;
  bool isInTileCode = false;
  llvm::DenseMap<const Expr *, std::string> results; // the variable that receives a value
};

} // namespace

std::vector<NamedLocation> namedLocations(ASTContext &context) {
  Finder finder(context.getSourceManager());
  finder.TraverseDecl(context.getTranslationUnitDecl());
  return std::move(finder.found);
}

} // namespace tessera::frontend
