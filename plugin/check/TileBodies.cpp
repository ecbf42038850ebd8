// Rules for bodies of tile code. A Visit function is one rule, or two that apply to the same node.
#include "check/EvaluatedCode.h"
#include "check/Rules.h"
#include "check/Spaces.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace tessera::check {
namespace {

class TileBody : public EvaluatedCode<TileBody> {
public:
  TileBody(const FunctionDecl *function, Reporter &report, const SeenByDevice &isSeenByDevice,
           LentFunctions &lent, UncheckedRule &unchecked)
      : context(function->getASTContext()), function(function), isShared(!isTileCodeOnly(function)),
        isOfDevice(frontend::isTileAndDevice(function)), isConstexpr(function->isConstexpr()),
        mayBeUnused(isDiscardable(function)), report(report), isSeenByDevice(isSeenByDevice),
        lent(lent), unchecked(unchecked) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseVarDecl(VarDecl *variable) {
    bool wasConstant = std::exchange(isInConstant, isInConstant || variable->isConstexpr());
    bool result = RecursiveASTVisitor::TraverseVarDecl(variable);
    isInConstant = wasConstant;
    return result;
  }

  // No other rule applies to it, or to its arguments.
  bool TraverseCUDAKernelCallExpr(CUDAKernelCallExpr *launch) {
    if (!isShared || isSeenByDevice(launch->getBeginLoc()))
      report(launch->getBeginLoc(), Id::LaunchFromDevice);
    return true;
  }
  // Reported once per body: a type of wide variables appears in all computations with them.
  bool VisitExpr(Expr *expression) {
    QualType type = expression->getType(); // lists have none
    bool isWide = !type.isNull() && type->isFloat128Type();
    if (isWide && !hasWideFloat)
      report(expression->getExprLoc(), Id::WideInteger, "a value", type);
    hasWideFloat |= isWide;
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    checkPrintf(call, report);
    checkCombiner(call, report);
    auto *member = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens());
    bool isOfMember = member && member->isPtrMemOp();
    if (const FunctionDecl *callee = call->getDirectCallee(); callee && !isOfMember) {
      checkOperands(call, callee);
      checkCallee(call->getExprLoc(), callee, call);
    } else if (isOfMember || (!call->isTypeDependent() &&
                              !isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens())))
      report(call->getExprLoc(), Id::FunctionPointer, 1, "");
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    if (constructor->getParent()->getNumVBases())
      report(construction->getLocation(), Id::VirtualBase, constructor->getParent());
    if (!isInConstant)
      checkCallee(construction->getLocation(), constructor, construction);
    if (!constructor->isCopyOrMoveConstructor() || !constructor->isTrivial())
      checkArguments(constructor,
                     llvm::ArrayRef(construction->getArgs(), construction->getNumArgs()), false);
    return true;
  }

  bool VisitMemberExpr(MemberExpr *member) {
    auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field)
      return true;
    if (field->isBitField())
      report(member->getMemberLoc(), Id::BitField, field);
    if (field->getName() == "__x" && isExtendedScalar(field))
      report(member->getMemberLoc(), Id::PrivateStorage, field, field->getParent());
    if (auto *record = dyn_cast<CXXRecordDecl>(field->getParent());
        record && record->hasDefinition() && record->getNumVBases())
      report(member->getMemberLoc(), Id::VirtualBase, record);
    const CXXRecordDecl *object =
        member->getBase()->IgnoreParenImpCasts()->getType()->getPointeeCXXRecordDecl();
    if (object && object->hasDefinition() && object->getNumVBases())
      report(member->getMemberLoc(), Id::VirtualBase, object);
    return true;
  }

  // A function that is a template argument is known at instantiation.
  bool TraverseSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr *use) {
    const Expr *argument = use->getReplacement()->IgnoreParenImpCasts();
    if (auto *address = dyn_cast<UnaryOperator>(argument))
      argument = address->getSubExpr()->IgnoreParenImpCasts();
    auto *reference = dyn_cast<DeclRefExpr>(argument);
    return (reference && isa<FunctionDecl>(reference->getDecl())) ||
           RecursiveASTVisitor::TraverseSubstNonTypeTemplateParmExpr(use);
  }
  // Arguments are written in the user's code; their meaning is checked at their use. A function is
  // an argument by its name, not by its address.
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &argument) {
    auto *address = argument.getArgument().getKind() == TemplateArgument::Expression
                        ? dyn_cast<UnaryOperator>(argument.getSourceExpression()->IgnoreParens())
                        : nullptr;
    auto *reference = address && address->getOpcode() == UO_AddrOf
                          ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens())
                          : nullptr;
    if (auto *named = reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr;
        named && !isa<CXXMethodDecl>(named) && !named->isTemplateInstantiation())
      report(address->getOperatorLoc(), Id::FunctionPointer, 0, named);
    return true;
  }

  // The callees in an expression that Clang could not resolve.
  bool VisitRecoveryExpr(RecoveryExpr *broken) {
    for (const Expr *part : broken->subExpressions())
      callees.insert(part->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (isOfDevice && variableUses.isMisused(reference))
      report(reference->getLocation(), Id::VariableOfTile, reference->getDecl(), 1);
    else if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      checkVariable(reference->getLocation(), variable);
    else if (isa<FunctionDecl>(reference->getDecl()) && !callees.count(reference) &&
             !isa<CXXMethodDecl>(reference->getDecl()))
      report(reference->getLocation(), Id::FunctionPointer, 0,
             cast<FunctionDecl>(reference->getDecl()));
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    checkObject(variable, report);
    hasWideFloat |= variable->getType()->isFloat128Type();
    if (!variable->isReferenced() && isOfOtherSpace(variable))
      report(variable->getLocation(), Id::VariableOfOther, variable); // else where it is named
    if (variable->getType()->isReferenceType() && variable->getInit())
      checkReference(variable->getInit());
    return true;
  }

  // An element access uses the array's address; an element of a class, or of a static member, is a
  // constant if the index is one, and may be if the function is.
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) {
    auto *array = dyn_cast<ImplicitCastExpr>(element->getBase());
    auto *variable = array ? dyn_cast_or_null<VarDecl>(hostConstant(array->getSubExpr())) : nullptr;
    const Expr *index = element->getIdx();
    if (variable && (variable->isStaticDataMember() || element->getType()->isRecordType()) &&
        (isConstexpr || (!index->isValueDependent() && index->isEvaluatable(context))))
      constantElements.insert(array);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    variableUses.add(cast);
    const ValueDecl *variable = hostConstant(cast->getSubExpr());
    if (cast->getCastKind() == CK_ArrayToPointerDecay && variable && !isInConstant &&
        !constantElements.contains(cast))
      report(cast->getExprLoc(), Id::VariableOfOther, variable);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *expression) {
    if (expression->getOpcode() != UO_AddrOf)
      return true;
    checkReference(expression->getSubExpr());
    if (auto *reference = dyn_cast<DeclRefExpr>(expression->getSubExpr()->IgnoreParens());
        reference && isa<CXXMethodDecl>(reference->getDecl()) && !callees.contains(reference))
      report(expression->getOperatorLoc(), Id::FunctionPointer, 0,
             cast<FunctionDecl>(reference->getDecl()));
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) {
    const CXXMethodDecl *call = lambda->getCallOperator();
    if (frontend::isTile(call))
      report(lambda->getBeginLoc(), Id::LambdaSpecifier, 1);
    else if (auto *device = call->getAttr<CUDADeviceAttr>(); device && !device->isImplicit())
      report(lambda->getBeginLoc(), Id::LambdaSpecifier, 0);
    return true;
  }

  bool VisitAtomicExpr(AtomicExpr *expression) {
    return report(expression->getBeginLoc(), Id::Builtin, "an atomic builtin"), true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *allocation) {
    if (!allocation->getOperatorNew()->isReservedGlobalPlacementOperator())
      report(allocation->getBeginLoc(), Id::Allocation, 0);
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *release) {
    return report(release->getBeginLoc(), Id::Allocation, 1), true;
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *statement) {
    return report(statement->getBeginLoc(), Id::Exceptions, 0), true;
  }
  bool VisitCXXTryStmt(CXXTryStmt *statement) {
    return report(statement->getBeginLoc(), Id::Exceptions, 1), true;
  }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *expression) {
    return report(expression->getBeginLoc(), Id::Identification, 0), true;
  }
  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr *expression) {
    return report(expression->getBeginLoc(), Id::Identification, 1), true;
  }
  bool VisitGotoStmt(GotoStmt *statement) {
    return report(statement->getBeginLoc(), Id::Goto), true;
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *statement) {
    return report(statement->getBeginLoc(), Id::Goto), true;
  }
  bool VisitAddrLabelExpr(AddrLabelExpr *expression) {
    return report(expression->getBeginLoc(), Id::Goto), true;
  }
  bool VisitAsmStmt(AsmStmt *statement) {
    return report(statement->getAsmLoc(), Id::Assembly), true;
  }

  // Default arguments of a call that is itself refused.
  bool TraverseCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    auto *callee = dyn_cast<FunctionDecl>(argument->getParam()->getDeclContext());
    bool isRefused =
        callee && !report.allowsExtensions && !isCallableFromTile(callee) &&
        context.getSourceManager().isInSystemHeader(argument->getParam()->getLocation());
    return isRefused || RecursiveASTVisitor::TraverseCXXDefaultArgExpr(argument);
  }

  bool TraverseSwitchStmt(SwitchStmt *statement) {
    checkLabels(statement->getBody(), /*isTop=*/true);
    bool wasInSwitch = std::exchange(isInSwitch, true);
    bool result = RecursiveASTVisitor::TraverseSwitchStmt(statement);
    isInSwitch = wasInSwitch;
    return result;
  }
  bool TraverseForStmt(ForStmt *loop) {
    return inLoop([&] { return RecursiveASTVisitor::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(WhileStmt *loop) {
    return inLoop([&] { return RecursiveASTVisitor::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(DoStmt *loop) {
    return inLoop([&] { return RecursiveASTVisitor::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) {
    return inLoop([&] { return RecursiveASTVisitor::TraverseCXXForRangeStmt(loop); });
  }

  bool VisitContinueStmt(ContinueStmt *statement) {
    if (isInSwitch)
      report(statement->getBeginLoc(), Id::SwitchContinue);
    return true;
  }

private:
  template <class Body> bool inLoop(Body body) {
    bool wasInSwitch = std::exchange(isInSwitch, false);
    bool result = body();
    isInSwitch = wasInSwitch;
    return result;
  }

  // Labels are in the switch's own block, or after another label.
  void checkLabels(Stmt *statement, bool isTop) {
    if (!statement || isa<Expr, SwitchStmt>(statement))
      return;
    if (auto *label = dyn_cast<SwitchCase>(statement)) {
      if (!isTop)
        report(label->getBeginLoc(), Id::SwitchNestedLabel);
      return checkLabels(label->getSubStmt(), isTop && isa<SwitchCase>(label->getSubStmt()));
    }
    bool isOwnBlock = isTop && isa<CompoundStmt>(statement);
    for (Stmt *child : statement->children())
      checkLabels(child, isOwnBlock);
  }

  // A call, or a construction.
  void checkCallee(SourceLocation location, const FunctionDecl *callee, const Expr *expression) {
    auto *call = dyn_cast<CallExpr>(expression);
    if (call)
      callees.insert(call->getCallee()->IgnoreParenImpCasts());
    if (auto *method = dyn_cast<CXXMethodDecl>(callee); method && method->isVirtual())
      report(location, Id::VirtualFunction, callee);
    if (callee->isVariadic() && isTileCode(callee))
      report(location, Id::Variadic, callee);
    if (isStackAllocation(callee))
      return report(location, Id::Allocation, 2);
    if (auto *conversion = dyn_cast<CXXConversionDecl>(callee);
        conversion && conversion->getParent()->isLambda() && !isInConstant)
      return report(location, Id::FunctionPointer, 0,
                    conversion->getParent()->getLambdaCallOperator());
    if (callee->getBuiltinID() && isSimtBuiltin(callee) && !(call && isConstant(call))) {
      if (mayBeUnused)
        unchecked.addCallOfOther(location, function, callee, UncheckedRule::Caller::Any);
      else
        report(location, Id::Builtin, callee);
      return;
    }
    bool isThreadVariable =
        callee->getNameAsString().starts_with("__fetch_builtin_"); // reported as its variable
    if (isShared && isTileCodeOnly(callee)) {
      if (frontend::isUnchecked(function))
        return unchecked.addTileOnly(function);
      report(location, Id::CallOfTile, callee, 1);
      report(callee->getLocation(), Id::DeclaredHere, callee);
    } else if (!isThreadVariable && !isCallableFromTile(callee) &&
               !(call && isConstantFunction(callee) && hasConstantArguments(call)) &&
               !(isFoldable(callee) && isConstant(expression))) {
      if (isLendable(callee) && report.allowsExtensions) {
        lent.insert(callee);
        return;
      }
      if (isShared && frontend::isUnchecked(function))
        return unchecked.addCallOfOther(location, function, callee,
                                        UncheckedRule::Caller::TileCode);
      // The library has one such function for the host and one for the device.
      bool isOfHost = callee->hasAttr<CUDAHostAttr>() ||
                      context.getSourceManager().isInSystemHeader(callee->getLocation());
      if (mayBeUnused && isOfHost)
        return unchecked.addCallOfOther(location, function, callee, UncheckedRule::Caller::Any);
      refuseCallOfOther(location, callee, report);
    }
  }

  void checkVariable(SourceLocation location, const VarDecl *variable) {
    if (llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"},
                           variable->getName()) &&
        variable->hasGlobalStorage()) {
      report(location, Id::ThreadVariable, variable);
      return;
    }
    bool isShared = variable->hasAttr<CUDASharedAttr>(); // which makes a local variable static
    bool isDevice = variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>();
    bool isConstant = variable->isConstexpr() || variable->getType().isConstQualified();
    bool isReference = variable->getType()->isReferenceType() && !variable->isConstexpr();
    bool isVolatile = variable->getType().isVolatileQualified();
    bool isOther = variable->hasGlobalStorage() && !variable->isStaticLocal() &&
                   !frontend::isTile(variable) &&
                   ((isDevice && !isConstant) || isReference || isVolatile);
    if (isShared || isOther)
      report(location, Id::VariableOfOther, variable);
    else if (frontend::isTile(variable) && variable->hasGlobalStorage() &&
             !variable->isStaticLocal() && !variable->hasDefinition())
      report(location, Id::VariableUndefined, variable);
  }

  // Tile code may read and copy a constant of the host; it has no address there.
  void checkReference(const Expr *object) {
    const ValueDecl *constant = hostConstant(object);
    QualType type = object->getType();
    if (constant &&
        (type->isScalarType() || ((type->isArrayType() || type->isRecordType()) && !isInConstant)))
      report(object->getExprLoc(), Id::VariableOfOther, constant);
  }
  // The object of a member function is a reference, too.
  void checkOperands(const CallExpr *call, const FunctionDecl *callee) {
    if (frontend::isTileLibrary(callee) || isConstant(call))
      return;
    if (auto *assigned = dyn_cast<CXXMethodDecl>(callee);
        assigned && assigned->isTrivial() &&
        (assigned->isCopyAssignmentOperator() || assigned->isMoveAssignmentOperator()))
      return;
    auto *memberCall = dyn_cast<CXXMemberCallExpr>(call);
    bool hasObject = isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee);
    const Expr *object = memberCall  ? memberCall->getImplicitObjectArgument()
                         : hasObject ? call->getArg(0)
                                     : nullptr;
    if (object && !cast<CXXMethodDecl>(callee)->isStatic())
      checkReference(object->IgnoreImpCasts());
    checkArguments(callee, llvm::ArrayRef(call->getArgs(), call->getNumArgs()), hasObject);
  }
  void checkArguments(const FunctionDecl *callee, llvm::ArrayRef<const Expr *> arguments,
                      bool hasObject) {
    if (frontend::isTileLibrary(callee))
      return;
    for (auto [argument, parameter] :
         llvm::zip(arguments.drop_front(hasObject), callee->parameters()))
      if (parameter->getType()->isReferenceType())
        checkReference(argument);
  }

  bool isConstant(const Expr *expression) const {
    Expr::EvalResult result;
    return !expression->isValueDependent() && !expression->getType()->isVoidType() &&
           expression->EvaluateAsRValue(result, context) && !result.HasSideEffects;
  }

  static bool isOfOtherSpace(const VarDecl *variable) {
    auto *device = variable->getAttr<CUDADeviceAttr>();
    return variable->hasAttr<CUDASharedAttr>() || variable->hasAttr<CUDAConstantAttr>() ||
           (device && !device->isImplicit() && !frontend::isTile(variable));
  }

  static bool isStackAllocation(const FunctionDecl *callee) {
    return callee->getBuiltinID() && callee->getName().contains("alloca");
  }

  // A function of the device is evaluated if its value is a constant.
  static bool isFoldable(const FunctionDecl *callee) {
    auto *device = callee->getAttr<CUDADeviceAttr>();
    return callee->isConstexpr() && device && !device->isImplicit();
  }

  bool hasConstantArguments(const CallExpr *call) const {
    return llvm::all_of(call->arguments(), [&](const Expr *argument) {
      return !argument->isValueDependent() && argument->isEvaluatable(context);
    });
  }

  static bool isExtendedScalar(const FieldDecl *field) {
    return field->getParent()->getName().starts_with("__half") ||
           field->getParent()->getName().starts_with("__nv_");
  }

  ASTContext &context;
  const FunctionDecl *function;
  bool isShared;   // with SIMT code or the host's
  bool isOfDevice; // SIMT code, too
  bool isConstexpr;
  bool mayBeUnused;
  Reporter &report;
  const SeenByDevice &isSeenByDevice;
  LentFunctions &lent;
  UncheckedRule &unchecked;
  TileVariableUses variableUses;
  llvm::DenseSet<const Expr *> callees, constantElements;
  bool isInSwitch = false, isInConstant = false, hasWideFloat = false;
};

} // namespace

void checkTileBody(const FunctionDecl *function, Reporter &report,
                   const SeenByDevice &isSeenByDevice, LentFunctions &lent,
                   UncheckedRule &unchecked) {
  if (function->isVariadic() && !frontend::isTileKernel(function))
    report(function->getLocation(), Id::Variadic, function);
  if (auto *method = dyn_cast<CXXMethodDecl>(function); method && method->isVirtual())
    report(function->getLocation(), Id::VirtualFunction, function);
  TileBody(function, report, isSeenByDevice, lent, unchecked)
      .TraverseDecl(const_cast<FunctionDecl *>(function));
}

} // namespace tessera::check
