// Errors by their identity; failed calls are looked for in the bodies that they stand in.
#include "diagnose/Operation.h"
#include "frontend/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::diagnose {

QualType Message::type(unsigned argument) const {
  if (argument >= storage.NumDiagArgs ||
      storage.DiagArgumentsKind[argument] != DiagnosticsEngine::ak_qualtype)
    return {};
  // Clang hands types on as numbers.
  uint64_t value = storage.DiagArgumentsVal[argument];
  return QualType::getFromOpaquePtr(
      reinterpret_cast<void *>(value)); // NOLINT(performance-no-int-to-ptr)
}

StringRef Message::string(unsigned argument) const {
  bool isString = argument < storage.NumDiagArgs &&
                  storage.DiagArgumentsKind[argument] == DiagnosticsEngine::ak_std_string;
  return isString ? StringRef(storage.DiagArgumentsStr[argument]) : StringRef();
}

namespace {

// Finds the call that failed: Clang names the beginning of a call's function, or a member's name.
class FailedCall : public RecursiveASTVisitor<FailedCall> {
public:
  FailedCall(SourceLocation place, bool isMember) : place(place), isMember(isMember) {}

  RecoveryExpr *found = nullptr;

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitRecoveryExpr(RecoveryExpr *expression) {
    ArrayRef<Expr *> parts = expression->subExpressions();
    auto *callee = parts.empty() ? nullptr : dyn_cast<OverloadExpr>(parts.front());
    if (callee && (isMember ? callee->getNameLoc() : callee->getBeginLoc()) == place)
      found = expression;
    return !found;
  }

private:
  SourceLocation place;
  bool isMember;
};

Operand operandOf(const Expr *expression) {
  return {expression->getType(), CharSourceRange::getTokenRange(expression->getSourceRange()),
          expression};
}

std::optional<Operation> binaryOperation(const Message &error, const ASTContext &context) {
  const auto &ranges = error.storage.DiagRanges;
  if (error.type(0).isNull() || error.type(1).isNull() || ranges.size() < 2)
    return std::nullopt;
  Operation operation;
  operation.kind = Operation::Operator;
  operation.place = error.location;
  operation.operands = {{error.type(0), ranges[0]}, {error.type(1), ranges[1]}};
  const SourceManager &sources = context.getSourceManager();
  SourceLocation spelling = sources.getSpellingLoc(error.location);
  unsigned length = Lexer::MeasureTokenLength(spelling, sources, context.getLangOpts());
  operation.name = std::string(sources.getCharacterData(spelling), length);
  return operation;
}

bool isOfLibrary(const OverloadExpr *callee) {
  return llvm::any_of(callee->decls(), [](const NamedDecl *declaration) {
    return frontend::isTileLibrary(declaration->getUnderlyingDecl());
  });
}

std::optional<Operation> call(const Message &error, ArrayRef<const FunctionDecl *> functions,
                              const ASTContext &context) {
  FailedCall search(error.location, error.id == diag::err_ovl_no_viable_member_function_in_call);
  for (const FunctionDecl *function : functions)
    if (Stmt *body = function->getBody(); body && !search.found)
      search.TraverseStmt(body);
  if (!search.found)
    return std::nullopt;
  ArrayRef<Expr *> parts = search.found->subExpressions();
  auto *callee = cast<OverloadExpr>(parts.front());
  if (!isOfLibrary(callee))
    return std::nullopt;
  Operation operation;
  operation.name = callee->getName().getAsString();
  operation.place = error.location;
  callee->copyTemplateArgumentsInto(operation.given);
  for (const Expr *argument : parts.drop_front())
    operation.operands.push_back(operandOf(argument));
  if (auto *member = dyn_cast<UnresolvedMemberExpr>(callee)) {
    operation.kind = Operation::Member;
    operation.object = member->getBaseType();
    if (member->isArrow())
      operation.object = operation.object->getPointeeType();
  }
  if (NestedNameSpecifierLoc qualifier = callee->getQualifierLoc())
    operation.qualifier =
        Lexer::getSourceText(CharSourceRange::getTokenRange(qualifier.getSourceRange()),
                             context.getSourceManager(), context.getLangOpts())
            .str();
  return operation;
}

} // namespace

bool mayBeExplained(unsigned id) {
  return llvm::is_contained(
      {diag::err_typecheck_invalid_operands, diag::err_typecheck_nonviable_condition,
       diag::err_ovl_no_viable_function_in_call, diag::err_ovl_no_viable_member_function_in_call},
      id);
}

std::optional<Operation> operationOf(const Message &error, ArrayRef<const FunctionDecl *> functions,
                                     const ASTContext &context) {
  switch (error.id) {
  case diag::err_typecheck_invalid_operands: return binaryOperation(error, context);
  case diag::err_ovl_no_viable_function_in_call:
  case diag::err_ovl_no_viable_member_function_in_call: return call(error, functions, context);
  default: return std::nullopt;
  }
}

} // namespace tessera::diagnose
