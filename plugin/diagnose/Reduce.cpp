// Reductions and scans: the dimension, and what they compute with.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::diagnose {

Explanation explainReduction(const Case &given) {
  StringRef name = given.operation.name;
  if (given.size() == 0)
    return std::nullopt;
  if (!given.isTile(0))
    return given.say(Row::ReductionOfNoTile, {given.name(), given.print(0)});
  auto dimension = given.number(1);
  if (!dimension && given.operation.given.size() == 0 && given.size() == 1)
    return given.say(Row::ReductionWithoutDimension,
                     {given.name(), given.print(0), given.operation.name});
  if (!dimension && given.size() > 1 && given.isTileLike(1))
    return given.say(Row::DimensionIsNoConstant,
                     {given.name(), given.print(1), given.operation.name});
  if (auto found = dimension ? explainDimension(given, 0, *dimension) : std::nullopt)
    return found;
  const Element &element = given.element(0);
  if (name.starts_with("reduce_bit") && !element.isInteger())
    return given.say(Row::IntegersOnly, {given.name(), given.print(0), ""});
  bool takesBool = name == "all_of" || name == "any_of";
  if (!takesBool && !element.isArithmetic())
    return given.say(Row::NotArithmetic, {given.name(), given.print(0), given.print(element)});
  for (unsigned i = 1; i < given.size(); ++i)
    if (auto mode = modeOf(given.type(i));
        mode && StringRef(mode->kind).ends_with("_mode") && !element.isFloat())
      return given.say(Row::ModeOfIntegers, {given.name(), given.print(0), mode->name});
  return std::nullopt;
}

} // namespace tessera::diagnose
