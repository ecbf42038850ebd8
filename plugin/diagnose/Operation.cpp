// Errors by their identifier; failed calls are searched in the enclosing bodies.
#include "diagnose/Operation.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace tessera::diagnose {

namespace {

// Clang stores most arguments as integers.
template <class T>
T *pointerIn(const Message &message, unsigned argument, DiagnosticsEngine::ArgumentKind kind) {
  if (argument >= message.storage.NumDiagArgs ||
      message.storage.DiagArgumentsKind[argument] != kind)
    return nullptr;
  return reinterpret_cast<T *>( // NOLINT(performance-no-int-to-ptr)
      message.storage.DiagArgumentsVal[argument]);
}

} // namespace

Message copyOf(DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) {
  Message message{level, diagnostic.getID(), diagnostic.getLocation(), {}, {}};
  DiagnosticStorage &storage = message.storage;
  storage.NumDiagArgs = diagnostic.getNumArgs();
  for (unsigned i = 0; i < diagnostic.getNumArgs(); ++i) {
    storage.DiagArgumentsKind[i] = diagnostic.getArgKind(i);
    if (diagnostic.getArgKind(i) == DiagnosticsEngine::ak_std_string)
      storage.DiagArgumentsStr[i] = diagnostic.getArgStdStr(i);
    else
      storage.DiagArgumentsVal[i] = diagnostic.getRawArg(i);
  }
  storage.DiagRanges.append(diagnostic.getRanges().begin(), diagnostic.getRanges().end());
  storage.FixItHints.append(diagnostic.getFixItHints().begin(), diagnostic.getFixItHints().end());
  SmallString<256> text;
  diagnostic.FormatDiagnostic(text);
  message.text = text.str().str();
  return message;
}

QualType Message::type(unsigned argument) const {
  void *type = pointerIn<void>(*this, argument, DiagnosticsEngine::ak_qualtype);
  return type ? QualType::getFromOpaquePtr(type) : QualType();
}

DeclarationName Message::name(unsigned argument) const {
  if (auto *id = pointerIn<IdentifierInfo>(*this, argument, DiagnosticsEngine::ak_identifierinfo))
    return id;
  void *name = pointerIn<void>(*this, argument, DiagnosticsEngine::ak_declarationname);
  return name ? DeclarationName::getFromOpaquePtr(name) : DeclarationName();
}

const NamedDecl *Message::declaration(unsigned argument) const {
  return pointerIn<NamedDecl>(*this, argument, DiagnosticsEngine::ak_nameddecl);
}

const DeclContext *Message::scope(unsigned argument) const {
  return pointerIn<DeclContext>(*this, argument, DiagnosticsEngine::ak_declcontext);
}

std::optional<unsigned> Message::number(unsigned argument) const {
  bool isNumber = argument < storage.NumDiagArgs &&
                  (storage.DiagArgumentsKind[argument] == DiagnosticsEngine::ak_uint ||
                   storage.DiagArgumentsKind[argument] == DiagnosticsEngine::ak_sint);
  return isNumber ? std::optional<unsigned>(storage.DiagArgumentsVal[argument]) : std::nullopt;
}

StringRef Message::string(unsigned argument) const {
  bool isString = argument < storage.NumDiagArgs &&
                  storage.DiagArgumentsKind[argument] == DiagnosticsEngine::ak_std_string;
  return isString ? StringRef(storage.DiagArgumentsStr[argument]) : StringRef();
}

namespace {

// Finds the failed expression of two operands by the location of the first.
class FailedAssignment : public RecursiveASTVisitor<FailedAssignment> {
public:
  explicit FailedAssignment(SourceLocation begin) : begin(begin) {}

  RecoveryExpr *found = nullptr;

  bool VisitRecoveryExpr(RecoveryExpr *expression) {
    if (expression->subExpressions().size() == 2 && expression->getBeginLoc() == begin)
      found = expression;
    return !found;
  }

private:
  SourceLocation begin;
};

// Finds the failed call: Clang reports the start of a call's function, or a member's name.
class FailedCall : public RecursiveASTVisitor<FailedCall> {
public:
  FailedCall(SourceLocation loc, bool isMember) : loc(loc), isMember(isMember) {}

  RecoveryExpr *found = nullptr;

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitRecoveryExpr(RecoveryExpr *expression) {
    ArrayRef<Expr *> parts = expression->subExpressions();
    auto *callee = parts.empty() ? nullptr : dyn_cast<OverloadExpr>(parts.front());
    if (callee && (isMember ? callee->getNameLoc() : callee->getBeginLoc()) == loc)
      found = expression;
    return !found;
  }

private:
  SourceLocation loc;
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
  operation.location = error.location;
  operation.operands = {{error.type(0), ranges[0]}, {error.type(1), ranges[1]}};
  const SourceManager &sources = context.getSourceManager();
  SourceLocation spelling = sources.getSpellingLoc(error.location);
  unsigned length = Lexer::MeasureTokenLength(spelling, sources, context.getLangOpts());
  operation.name = std::string(sources.getCharacterData(spelling), length);
  return operation;
}

// Is it a function of the library? If the program has one of the same name, the arguments decide.
bool isOfLibrary(const OverloadExpr *callee, ArrayRef<Expr *> arguments,
                 const ASTContext &context) {
  auto isLibrarys = [](const NamedDecl *declaration) {
    return frontend::isTileLibrary(declaration->getUnderlyingDecl());
  };
  auto isTile = [&](const Expr *argument) {
    return tileTypeOf(argument->getType(), context).isTile;
  };
  return llvm::any_of(callee->decls(), isLibrarys) &&
         (llvm::all_of(callee->decls(), isLibrarys) || llvm::any_of(arguments, isTile));
}

std::optional<Operation> call(const Message &error, ArrayRef<const FunctionDecl *> functions,
                              const ASTContext &context, bool areUsers) {
  FailedCall search(error.location, error.id == diag::err_ovl_no_viable_member_function_in_call);
  for (const FunctionDecl *function : functions)
    if (Stmt *body = function->getBody(); body && !search.found)
      search.TraverseStmt(body);
  if (!search.found)
    return std::nullopt;
  ArrayRef<Expr *> parts = search.found->subExpressions();
  auto *callee = cast<OverloadExpr>(parts.front());
  if (isOfLibrary(callee, parts.drop_front(), context) == areUsers)
    return std::nullopt;
  Operation operation;
  operation.name = callee->getName().getAsString();
  operation.location = error.location;
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

std::optional<Operation> operationOf(const Message &error, ArrayRef<const FunctionDecl *> functions,
                                     const ASTContext &context) {
  switch (error.id) {
  case diag::err_typecheck_invalid_operands: return binaryOperation(error, context);
  case diag::err_ovl_no_viable_function_in_call:
  case diag::err_ovl_no_viable_member_function_in_call:
    return call(error, functions, context, /*areUsers=*/false);
  default: return std::nullopt;
  }
}

std::optional<Operation> callOfUsers(const Message &error, ArrayRef<const FunctionDecl *> functions,
                                     const ASTContext &context) {
  return call(error, functions, context, /*areUsers=*/true);
}

namespace {

// Finds a binary operation of a template by the location of its operator.
class DependentOperation : public RecursiveASTVisitor<DependentOperation> {
public:
  explicit DependentOperation(SourceLocation loc) : loc(loc) {}

  Expr *left = nullptr, *right = nullptr;

  bool VisitBinaryOperator(BinaryOperator *expression) {
    if (expression->getOperatorLoc() == loc)
      left = expression->getLHS(), right = expression->getRHS();
    return !left;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) {
    if (call->getOperatorLoc() == loc && call->getNumArgs() == 2)
      left = call->getArg(0), right = call->getArg(1);
    return !left;
  }

private:
  SourceLocation loc;
};

// An instance does not keep a failed assignment: the template has it.
std::optional<Operation> dependentAssignment(const Message &error,
                                             ArrayRef<const FunctionDecl *> functions) {
  for (const FunctionDecl *function : functions) {
    const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
    DependentOperation search(error.location);
    if (pattern && pattern->getBody())
      search.TraverseStmt(pattern->getBody());
    if (!search.left)
      continue;
    Operation operation;
    operation.operands = {operandOf(search.left), operandOf(search.right)};
    return operation;
  }
  return std::nullopt;
}

std::optional<Operation> failedAssignment(const Message &error,
                                          ArrayRef<const FunctionDecl *> functions) {
  FailedAssignment search(error.storage.DiagRanges[0].getBegin());
  for (const FunctionDecl *function : functions)
    if (Stmt *body = function->getBody(); body && !search.found)
      search.TraverseStmt(body);
  if (!search.found)
    return std::nullopt;
  Operation operation;
  for (const Expr *side : search.found->subExpressions())
    operation.operands.push_back(operandOf(side));
  return operation;
}

} // namespace

const ValueDecl *assignedOf(const Message &error, ArrayRef<const FunctionDecl *> functions) {
  auto operation = error.id == diag::err_ovl_no_viable_oper ? dependentAssignment(error, functions)
                                                            : std::nullopt;
  auto *name = operation
                   ? dyn_cast<DeclRefExpr>(operation->operands[0].expression->IgnoreParenImpCasts())
                   : nullptr;
  return name ? name->getDecl() : nullptr;
}

std::optional<Operation> assignmentOf(const Message &error,
                                      ArrayRef<const FunctionDecl *> functions) {
  if (error.storage.DiagRanges.empty())
    return std::nullopt;
  std::optional<Operation> operation = failedAssignment(error, functions);
  if (!operation)
    operation = dependentAssignment(error, functions);
  if (!operation)
    return std::nullopt;
  operation->kind = Operation::Operator;
  operation->name = error.string(0).str();
  operation->location = error.location;
  return operation;
}

} // namespace tessera::diagnose
