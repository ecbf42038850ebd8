// The user's code at a Clang error: an operation, its operands and their types.
//
// Types come from the error's own arguments if it has them; for calls, from the expression that
// Clang keeps in the function's body in place of the failed call (a RecoveryExpr).
#pragma once

#include "diagnose/TileTypes.h"

#include "clang/AST/DeclarationName.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TemplateBase.h"
#include "clang/Basic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::diagnose {

// An error with its notes, kept until the whole program is parsed.
struct Message {
  clang::DiagnosticsEngine::Level level;
  unsigned id;
  clang::SourceLocation location;
  clang::DiagnosticStorage storage;
  std::string text;

  clang::QualType type(unsigned argument) const; // null if it is none
  std::optional<unsigned> number(unsigned argument) const;
  clang::StringRef string(unsigned argument) const;
  clang::DeclarationName name(unsigned argument) const;
  const clang::NamedDecl *declaration(unsigned argument) const;
  const clang::DeclContext *scope(unsigned argument) const;
};

// Copies a diagnostic, since Clang's object does not live longer.
Message copyOf(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic);

struct Operand {
  clang::QualType type;
  clang::CharSourceRange range;
  const clang::Expr *expression = nullptr; // if known
};

struct Operation {
  enum Kind { Operator, Call, Member } kind = Call;
  std::string name; // without its namespace; of an operator its token
  clang::SourceLocation location;
  std::vector<Operand> operands;
  clang::TemplateArgumentListInfo given; // explicit template arguments
  clang::QualType object;                // of a member
  std::string qualifier;                 // as written: "ct::"
};

// The operation of an error. `functions` are the enclosing ones, the innermost first.
std::optional<Operation> operationOf(const Message &error,
                                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                     const clang::ASTContext &context);

// A call of a function of the program.
std::optional<Operation> callOfUsers(const Message &error,
                                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                     const clang::ASTContext &context);

// `x += y`, whose types the error lacks.
std::optional<Operation> assignmentOf(const Message &error,
                                      llvm::ArrayRef<const clang::FunctionDecl *> functions);

// The variable on the left side of an assignment in a template.
const clang::ValueDecl *assignedOf(const Message &error,
                                   llvm::ArrayRef<const clang::FunctionDecl *> functions);

} // namespace tessera::diagnose
