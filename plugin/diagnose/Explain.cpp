// Operations by name.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

struct Family {
  llvm::StringLiteral name;
  Explanation (*explain)(const Case &);
  llvm::StringLiteral usage;
};

constexpr Family functions[] = {
#define TESSERA_FAMILY(name, family, usage) {#name, explain##family, usage},
#include "diagnose/Families.def"
#define TESSERA_MATH_1(NAME, CPU, C) {#NAME, explainMath, #NAME "(x)"},
#include "tessera/ops.def"
};
constexpr Family members[] = {
#define TESSERA_MEMBER(name, family, usage) {#name, explain##family, usage},
#include "diagnose/Families.def"
};

// If a family finds no broken rule, the call's form differs from the function's.
Sentence formOf(const Case &given, const Family &family) {
  SmallVector<std::string> types;
  for (unsigned i = 0; i < given.size(); ++i)
    types.push_back(given.print(i));
  std::string taken = llvm::join(types, ", "), angles = given.printGiven();
  if (!angles.empty())
    taken = types.empty() ? angles : angles + "(" + taken + ")";
  else if (types.empty())
    taken = "no argument";
  return given.say(Row::Form, {given.name(), taken, family.usage.str()});
}

} // namespace

StringRef usageOfFunction(StringRef name) {
  for (const Family &family : functions)
    if (family.name == name)
      return family.usage;
  return "";
}

Explanation explain(const Case &given) {
  if (given.operation.kind == Operation::Operator)
    return explainOperator(given);
  bool isMember = given.operation.kind == Operation::Member;
  for (const Family &family : isMember ? ArrayRef(members) : ArrayRef(functions))
    if (family.name == given.operation.name) {
      if (auto found = family.explain(given))
        return found;
      return formOf(given, family);
    }
  return std::nullopt;
}

QualType Case::givenType(unsigned position) const {
  if (position >= operation.given.size())
    return {};
  const TemplateArgument &argument = operation.given[position].getArgument();
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType() : QualType();
}

std::optional<int64_t> Case::givenNumber(unsigned position) const {
  if (position >= operation.given.size())
    return std::nullopt;
  const TemplateArgument &argument = operation.given[position].getArgument();
  if (argument.getKind() == TemplateArgument::Integral)
    return argument.getAsIntegral().getExtValue();
  if (argument.getKind() != TemplateArgument::Expression ||
      argument.getAsExpr()->isValueDependent())
    return std::nullopt;
  auto value = argument.getAsExpr()->getIntegerConstantExpr(context);
  return value ? std::optional(value->getExtValue()) : std::nullopt;
}

std::optional<int64_t> Case::number(unsigned operand) const {
  if (auto value = givenNumber(0))
    return value;
  return operand < size() ? constantOf(type(operand)) : std::nullopt;
}

std::optional<Extents> Case::shape(unsigned operand) const {
  if (QualType type = givenType(0); !type.isNull())
    return extentsOf(type);
  return operand < size() ? extentsOf(type(operand)) : std::nullopt;
}

Explanation explainForm(const Case &) { return std::nullopt; }

Case::Case(const Operation &operation, const ASTContext &context,
           ArrayRef<const FunctionDecl *> functions)
    : operation(operation), context(context), fixes(context, functions) {
  for (const Operand &operand : operation.operands)
    tiles.push_back(tileTypeOf(operand.type, context));
}

Explanation explainBlockIndex(const Case &given, unsigned operand) {
  if (!isBlockIndex(given.type(operand)))
    return std::nullopt;
  const Operand &location = given.operation.operands[operand];
  std::string text = given.fixes.textOf(location);
  return given.say(Row::BlockIndexIsNoNumber,
                   {given.print(operand), (text.empty() ? "location" : text) + ".x"},
                   given.fixes.behind(location, ".x"));
}

// A braced list has no type.
std::string Case::print(unsigned operand) const {
  const Expr *expression = operation.operands[operand].expression;
  if (expression && isa<InitListExpr>(expression->IgnoreImplicit()))
    return "{...}";
  return diagnose::print(type(operand), context);
}

std::string Case::printGiven() const {
  SmallVector<std::string> texts;
  for (unsigned i = 0; i < operation.given.size(); ++i)
    if (QualType type = givenType(i); !type.isNull())
      texts.push_back(diagnose::print(type, context));
    else if (auto value = givenNumber(i))
      texts.push_back(std::to_string(*value));
    else
      texts.push_back("...");
  return texts.empty() ? "" : "<" + llvm::join(texts, ", ") + ">";
}

std::string Case::print(const Element &element) const {
  return diagnose::print(element.type, context);
}

Sentence Case::say(Row row, std::vector<std::string> arguments,
                   std::vector<FixItHint> fixes) const {
  Sentence sentence{row, operation.location, std::move(arguments), {}, std::move(fixes)};
  for (const Operand &operand : operation.operands)
    sentence.ranges.push_back(operand.range);
  return sentence;
}

} // namespace tessera::diagnose
