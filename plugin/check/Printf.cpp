// printf is compiled: its format is known, and its conversions are counted. Their types are not
// checked against the arguments.
#include "check/Rules.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tessera::check {
namespace {

// A literal, or a constexpr pointer to one.
const StringLiteral *findLiteral(const Expr *format) {
  format = format->IgnoreParenImpCasts();
  auto *reference = dyn_cast<DeclRefExpr>(format);
  auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->isConstexpr() && variable->getType()->isPointerType() &&
      variable->getInit())
    format = variable->getInit()->IgnoreParenImpCasts();
  return dyn_cast<StringLiteral>(format);
}

} // namespace

void checkPrintf(const CallExpr *call, Reporter &report) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getDeclName().isIdentifier() || callee->getName() != "printf" ||
      call->getNumArgs() == 0 || call->getArg(0)->isTypeDependent())
    return;
  const StringLiteral *literal = findLiteral(call->getArg(0));
  if (!literal)
    return report(call->getArg(0)->getExprLoc(), Id::PrintfFormat, 0);
  unsigned conversions = 0;
  for (StringRef rest = literal->getString();
       !(rest = rest.drop_until([](char c) { return c == '%'; })).empty();) {
    rest = rest.drop_front();
    if (rest.consume_front("%"))
      continue;
    StringRef flags = rest.take_while([](char c) { return !llvm::isAlpha(c) && c != '%'; });
    if (flags.contains('*'))
      return report(call->getArg(0)->getExprLoc(), Id::PrintfFormat, 1);
    rest = rest.drop_front(flags.size());
    conversions += !rest.empty();
  }
  if (unsigned given = call->getNumArgs() - 1; given != conversions)
    report(call->getArg(0)->getExprLoc(), Id::PrintfArguments, std::to_string(conversions),
           std::to_string(given));
}

} // namespace tessera::check
