// The rules by what they look at. Each reports and returns nothing; Check.cpp decides what is
// looked at.
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

// The mark of a __tile__ variable: where it stands, and beside what.
void checkMark(const clang::VarDecl *variable, Reporter &report);

// A call of printf: the format and the number of arguments.
void checkPrintf(const clang::CallExpr *call, Reporter &report);

// The constant of the host whose object, or a part of it, an expression names: a variable, or the
// object that is a template argument.
const clang::ValueDecl *hostConstant(const clang::Expr *expression);

// Uses of __tile__ variables where code is not tile code alone: their values may be read where they
// are const, and that is all.
class TileVariableUses {
public:
  // Casts are seen before the names in them.
  void add(const clang::ImplicitCastExpr *cast);
  bool isMisused(const clang::DeclRefExpr *reference) const;

private:
  llvm::DenseSet<const clang::DeclRefExpr *> readValues;
};

// Any variable of tile code: its type and its size.
void checkObject(const clang::VarDecl *variable, Reporter &report);

// What else of the same signature a function of tile code has beside it.
void checkOverloads(const clang::FunctionDecl *function, Reporter &report);

// Functions of the device or the host that tile code calls, each once: an extension.
using LentFunctions = llvm::SmallSetVector<const clang::FunctionDecl *, 8>;

class RecursionRule;

// What is refused only where other code comes to it. Functions for tile code and others whose calls
// are not checked (nv_exec_check_disable): where one calls tile code alone, tile code alone may
// call it; where one calls what is no tile code, tile code may not. And functions that may be
// unused.
class UncheckedRule {
public:
  void addTileOnly(const clang::FunctionDecl *function) {
    tileOnly.insert(function->getCanonicalDecl());
  }
  // A call of a function that tile code shares, in code of the device or the host.
  void addCall(clang::SourceLocation place, const clang::FunctionDecl *callee, bool isOfDevice) {
    calls.push_back({place, callee, isOfDevice});
  }
  // A call of what is no tile code; who must come to it to make it a mistake.
  enum class Caller { Any, TileCode };
  void addCallOfOther(clang::SourceLocation place, const clang::FunctionDecl *caller,
                      const clang::FunctionDecl *callee, Caller from) {
    callsOfOthers.push_back({place, caller, callee, from});
  }
  void finish(const RecursionRule &rule, Reporter &report) const;

private:
  struct Call {
    clang::SourceLocation place;
    const clang::FunctionDecl *callee;
    bool isOfDevice;
  };
  struct CallOfOther {
    clang::SourceLocation place;
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

// Whether the device reads what stands at a place in a function for host and device, too.
class SeenByDevice {
public:
  SeenByDevice(const clang::ASTContext &context, std::shared_ptr<const Conditionals> ofHost)
      : context(context), ofHost(std::move(ofHost)) {}
  bool operator()(clang::SourceLocation place) const;

private:
  const clang::ASTContext &context;
  std::shared_ptr<const Conditionals> ofHost;
};

// The body of a function of tile code, lambdas in it included.
void checkTileBody(const clang::FunctionDecl *function, Reporter &report,
                   const SeenByDevice &isSeenByDevice, LentFunctions &lent,
                   UncheckedRule &unchecked);

// The body of a SIMT or host function: what it calls of tile code, and what it launches.
void checkOtherBody(const clang::FunctionDecl *function, Reporter &report,
                    const SeenByDevice &isSeenByDevice, UncheckedRule &unchecked);

// What is legal in a body of tile code and cannot be meant.
void checkSuspects(const clang::FunctionDecl *function, Reporter &report);
// A call whose value nobody has.
void checkDiscarded(const clang::CallExpr *call, Reporter &report);
// A call of a view's member by constants.
void checkBox(const clang::CXXMemberCallExpr *call, Reporter &report);
// Reads of tiles that are declared without a value.
bool isDeclaredWithoutValue(const clang::VarDecl *variable);
void checkUnwritten(const clang::FunctionDecl *function, Reporter &report);

// A variable of tile code that outlives its block: __tile__, or a static local of a tile function.
void checkTileVariable(const clang::VarDecl *variable, Reporter &report);

// Calls of tile functions among each other. No function that a kernel comes to calls itself,
// directly or not; what is computed while the program is compiled may.
class RecursionRule {
public:
  void addCalls(const clang::FunctionDecl *function);
  void finish(Reporter &report) const;
  const auto &callsOfTileCode() const { return calls; }

private:
  using Calls =
      llvm::MapVector<const clang::FunctionDecl *, llvm::SmallVector<const clang::FunctionDecl *>>;
  llvm::DenseSet<const clang::FunctionDecl *> reachedBy(const clang::FunctionDecl *function) const;

  Calls calls, callsOfCode; // all, and those that are run
};

} // namespace tessera::check
