// Assumptions: their arguments, and invalid numbers.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

Explanation explainBounds(const Case &given, StringRef name) {
  auto number = [&](unsigned position) {
    if (auto value = given.givenNumber(position))
      return value;
    unsigned operand = position + 1;
    return operand < given.size() ? constantOf(given.type(operand)) : std::nullopt;
  };
  auto low = number(0), high = number(1);
  if (name == "assume_bounded" && low && high && *low > *high)
    return given.say(Row::BoundsInverted,
                     {given.name(), std::to_string(*low), std::to_string(*high)});
  if (name == "assume_bounded_below" && !given.element(0).isSigned)
    return given.say(Row::AssumedOf, {given.name(), given.print(0), "signed integers"});
  if (low && given.element(0).isInteger())
    return given.say(Row::BoundOfElement,
                     {given.name(), std::to_string(*low), given.print(given.element(0))});
  return std::nullopt;
}

} // namespace

Explanation explainAssume(const Case &given) {
  StringRef name = given.operation.name;
  if (given.size() == 0)
    return std::nullopt;
  bool isAligned = name.starts_with("assume_aligned"), isBlocked = name == "assume_blocked";
  bool isRight =
      given.isTileLike(0) &&
      (isBlocked || (isAligned ? given.element(0).isPointer() : given.element(0).isInteger()));
  if (!isRight)
    return given.say(Row::AssumedOf, {given.name(), given.print(0),
                                      isAligned   ? "pointers to numbers"
                                      : isBlocked ? "tiles of integers or pointers"
                                                  : "integers"});
  if (name.starts_with("assume_bounded"))
    return explainBounds(given, name);
  if (isBlocked) {
    auto shape = given.shape(1);
    if (shape && shape->size() != given.tiles[0].shape.size())
      return given.say(Row::PieceRank, {given.name(), given.print(0), print(*shape),
                                        countOf(given.tiles[0].shape.size(), "dimension"),
                                        std::to_string(shape->size())});
    return std::nullopt;
  }
  auto number = given.number(1);
  if (!number && given.size() > 1 && given.isTileLike(1))
    return given.say(Row::AssumedNumber, {given.name(), given.print(1), given.operation.name});
  if (number && (*number <= 0 || (*number & (*number - 1)) != 0))
    return given.say(Row::AssumedPower, {given.name(), std::to_string(*number),
                                         *number > 0 ? neighbours(*number) : "the smallest is 1"});
  if (auto dimension = given.givenNumber(2); dimension && name.ends_with("strided"))
    return explainDimension(given, 0, *dimension);
  return std::nullopt;
}

} // namespace tessera::diagnose
