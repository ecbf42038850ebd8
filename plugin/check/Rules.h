// The rules by subject. Each reports and returns nothing; Check.cpp decides what they apply to.
#pragma once

#include "check/Check.h"
#include "check/Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::check {

// The declaration of a kernel: specifiers, return type, parameters, template parameters.
void checkKernel(const clang::FunctionDecl *kernel, Reporter &report);

// An instantiation of a kernel: its template arguments.
void checkKernelInstance(const clang::FunctionDecl *kernel, Reporter &report);

// The mark of a __tile__ variable: its position, and other specifiers.
void checkMark(const clang::VarDecl *variable, Reporter &report);

// A call of printf: the format and the number of arguments.
void checkPrintf(const clang::CallExpr *call, Reporter &report);

// A reduction or scan by a function: what the function writes.
void checkCombiner(const clang::CallExpr *call, Reporter &report);

// The host constant whose object, or a part of it, an expression names: a variable, or an object
// that is a template argument.
const clang::ValueDecl *hostConstant(const clang::Expr *expression);

// Uses of __tile__ variables in code that is not only tile code: only the values of const variables
// may be read.
class TileVariableUses {
public:
  // Casts are visited before the names in them.
  void add(const clang::ImplicitCastExpr *cast);
  bool isMisused(const clang::DeclRefExpr *reference) const;

private:
  llvm::DenseSet<const clang::DeclRefExpr *> readValues;
};

// Any variable of tile code: its type and its size.
void checkObject(const clang::VarDecl *variable, Reporter &report);

// Other functions with the same signature as a function of tile code.
void checkOverloads(const clang::FunctionDecl *function, Reporter &report);

// Functions of the device or the host that tile code calls, each once: an extension.
using LentFunctions = llvm::SmallSetVector<const clang::FunctionDecl *, 8>;

class RecursionRule;

// Rules that depend on the callers. Functions for tile code and other spaces with unchecked calls
// (nv_exec_check_disable): one that calls tile-only code may be called by tile code only; one that
// calls other code may not be called by tile code. And functions that may be unused.
class UncheckedRule {
public:
  void addTileOnly(const clang::FunctionDecl *function) {
    tileOnly.insert(function->getCanonicalDecl());
  }
  // A call of a function that tile code shares, in code of the device or the host.
  void addCall(clang::SourceLocation location, const clang::FunctionDecl *callee, bool isOfDevice) {
    calls.push_back({location, callee, isOfDevice});
  }
  // A call of a function outside of tile code, and the callers that make it an error.
  enum class Caller { Any, TileCode };
  void addCallOfOther(clang::SourceLocation location, const clang::FunctionDecl *caller,
                      const clang::FunctionDecl *callee, Caller from) {
    callsOfOthers.push_back({location, caller, callee, from});
  }
  void finish(const RecursionRule &rule, Reporter &report) const;

private:
  struct Call {
    clang::SourceLocation location;
    const clang::FunctionDecl *callee;
    bool isOfDevice;
  };
  struct CallOfOther {
    clang::SourceLocation location;
    const clang::FunctionDecl *caller, *callee;
    Caller from;
  };
  using Functions = llvm::DenseSet<const clang::FunctionDecl *>;
  Functions reachedFrom(Caller from, const RecursionRule &rule) const;
  void refuseCallsOfOthers(const RecursionRule &rule, Reporter &report) const;

  Functions tileOnly;
  std::vector<Call> calls;
  std::vector<CallOfOther> callsOfOthers;
};

// Does the device read the code at a location in a function for host and device?
class SeenByDevice {
public:
  SeenByDevice(const clang::ASTContext &context,
               std::shared_ptr<const Conditionals> hostConditionals)
      : context(context), hostConditionals(std::move(hostConditionals)) {}
  bool operator()(clang::SourceLocation location) const;

private:
  const clang::ASTContext &context;
  std::shared_ptr<const Conditionals> hostConditionals;
};

// The body of a function of tile code, including its lambdas.
void checkTileBody(const clang::FunctionDecl *function, Reporter &report,
                   const SeenByDevice &isSeenByDevice, LentFunctions &lent,
                   UncheckedRule &unchecked);

// The body of a SIMT or host function: its calls of tile code, and its launches.
void checkOtherBody(const clang::FunctionDecl *function, Reporter &report,
                    const SeenByDevice &isSeenByDevice, UncheckedRule &unchecked);

// Legal code in a body of tile code that cannot be intended.
void checkSuspects(const clang::FunctionDecl *function, Reporter &report);
// A call whose value is unused.
void checkDiscarded(const clang::CallExpr *call, Reporter &report);
// A call of a view's member with constant arguments.
void checkBox(const clang::CXXMemberCallExpr *call, Reporter &report);
// Reads of uninitialized tiles.
bool isDeclaredWithoutValue(const clang::VarDecl *variable);
void checkUnwritten(const clang::FunctionDecl *function, Reporter &report);

// A variable of tile code that outlives its block: __tile__, or a static local of a tile function.
void checkTileVariable(const clang::VarDecl *variable, Reporter &report);

// Calls between tile functions. No function that a kernel reaches may be recursive, directly or
// indirectly; constant evaluation may be.
class RecursionRule {
public:
  void addCalls(const clang::FunctionDecl *function);
  void finish(Reporter &report) const;
  const auto &callsOfTileCode() const { return calls; }

private:
  using Calls =
      llvm::MapVector<const clang::FunctionDecl *, llvm::SmallVector<const clang::FunctionDecl *>>;
  llvm::DenseSet<const clang::FunctionDecl *> reachedBy(const clang::FunctionDecl *function) const;

  Calls calls, callsOfCode; // all, and the evaluated ones
};

} // namespace tessera::check
