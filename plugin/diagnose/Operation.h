// What the user wrote where Clang gave an error: an operation, its operands and their types.
//
// Types come from the error's own arguments where it has them; for calls, from the expression that
// Clang leaves in the function's body in place of the call that failed (a RecoveryExpr).
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

// What Clang hands out is not kept: this is.
Message copyOf(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic);

struct Operand {
  clang::QualType type;
  clang::CharSourceRange range;
  const clang::Expr *expression = nullptr; // where it is known
};

struct Operation {
  enum Kind { Operator, Call, Member } kind = Call;
  std::string name; // without its namespace; of an operator its token
  clang::SourceLocation place;
  std::vector<Operand> operands;
  clang::TemplateArgumentListInfo given; // explicit template arguments
  clang::QualType object;                // of a member
  std::string qualifier;                 // as written: "ct::"
};

// The operation that an error is about. `functions` are those whose bodies it stands in, the
// innermost first.
std::optional<Operation> operationOf(const Message &error,
                                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                     const clang::ASTContext &context);

// A call of a function of the program.
std::optional<Operation> callOfUsers(const Message &error,
                                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                     const clang::ASTContext &context);

// `x += y`, whose types the error does not have.
std::optional<Operation> assignmentOf(const Message &error,
                                      llvm::ArrayRef<const clang::FunctionDecl *> functions);

// The variable that an assignment of a template names on its left.
const clang::ValueDecl *assignedOf(const Message &error,
                                   llvm::ArrayRef<const clang::FunctionDecl *> functions);

} // namespace tessera::diagnose
