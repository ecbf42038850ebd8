// Operations by their names.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

constexpr struct {
  llvm::StringLiteral name;
  Explanation (*explain)(const Case &);
} families[] = {
#define TESSERA_FAMILY(name, family) {#name, explain##family},
#include "diagnose/Families.def"
#undef TESSERA_FAMILY
};

Explanation explainOperation(const Case &given) {
  if (given.operation.kind == Operation::Operator)
    return explainOperator(given);
  for (auto &family : families)
    if (family.name == given.operation.name)
      return family.explain(given);
  return std::nullopt;
}

} // namespace

Case::Case(const Operation &operation, const ASTContext &context,
           ArrayRef<const FunctionDecl *> functions)
    : operation(operation), context(context), fixes(context, functions) {
  for (const Operand &operand : operation.operands)
    tiles.push_back(tileTypeOf(operand.type, context));
}

std::string Case::print(unsigned operand) const {
  return diagnose::print(operation.operands[operand].type, context);
}

std::string Case::print(const Element &element) const {
  return diagnose::print(element.type, context);
}

Sentence Case::say(Row row, std::vector<std::string> arguments,
                   std::vector<FixItHint> fixes) const {
  Sentence sentence{row, operation.place, std::move(arguments), {}, std::move(fixes)};
  for (const Operand &operand : operation.operands)
    sentence.ranges.push_back(operand.range);
  return sentence;
}

Explanation explain(const Message &error, ArrayRef<const FunctionDecl *> functions,
                    const ASTContext &context) {
  auto operation = operationOf(error, functions, context);
  if (!operation)
    return std::nullopt;
  return explainOperation(Case(*operation, context, functions));
}

} // namespace tessera::diagnose
