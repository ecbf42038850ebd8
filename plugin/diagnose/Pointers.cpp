// Loads and stores through pointer tiles: the pointee, the value's shape and element type, masks.
#include "diagnose/Pointers.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::diagnose {

// load(view, index...), as in Python.
static Explanation explainViewAsPointer(const Case &given, bool isWritten) {
  if (!viewTypeOf(given.type(0)))
    return std::nullopt;
  std::string view = given.fixes.textOf(given.operation.operands[0]);
  return given.say(Row::ViewIsAsked, {given.name(), given.print(0),
                                      (view.empty() ? "view" : view) + "." + given.operation.name +
                                          (isWritten ? "(value, index...)" : "(index...)")});
}

Explanation explainPointee(const Case &given, bool isWritten) {
  if (auto found = explainViewAsPointer(given, isWritten))
    return found;
  if (!given.isTileLike(0) || !given.element(0).isPointer())
    return given.say(Row::NoPointers, {given.name(), given.print(0)});
  QualType pointee = given.element(0).pointee();
  if (pointee->isVoidType())
    return given.say(Row::VoidPointee, {given.name(), given.print(0)});
  if (pointee.isVolatileQualified())
    return given.say(Row::VolatilePointee, {given.name(), given.print(0)});
  if (isWritten && pointee.isConstQualified())
    return given.say(Row::ConstPointee, {given.name(), given.print(0)});
  return std::nullopt;
}

Explanation explainNarrowing(const Case &given, unsigned operand, const Element &to,
                             const std::string &of) {
  const Element &from = given.element(operand);
  if (fits(from, to, given.context))
    return std::nullopt;
  std::vector<std::string> words = {given.name(), given.print(from), given.print(to), of};
  if (!from.isNumeric() || !to.isNumeric())
    return given.say(Row::ValueConverts, words);
  Fix fix = given.fixes.convert(given.operation, given.operation.operands[operand], to);
  words.push_back(fix.text);
  return given.say(Row::ValueNarrows, words, fix.edits);
}

Explanation explainValue(const Case &given, unsigned operand) {
  if (operand >= given.size())
    return std::nullopt;
  if (!given.isTileLike(operand))
    return given.say(Row::ValueOfNoTile, {given.name(), given.print(operand)});
  if (given.tiles[operand].shape != given.tiles[0].shape ||
      given.isTile(operand) != given.isTile(0)) {
    bool isRankZero = given.tiles[operand].shape.empty() && given.tiles[0].shape.empty();
    if (!isRankZero)
      return given.say(Row::ValueShape, {given.name(), given.print(operand), given.print(0)});
  }
  Element to = elementOf(given.element(0).pointee().getUnqualifiedType(), given.context);
  return explainNarrowing(given, operand, to, given.print(0));
}

Explanation explainMask(const Case &given, unsigned operand) {
  if (operand >= given.size())
    return std::nullopt;
  if (!given.isTileLike(operand))
    return given.say(Row::MaskOfNoTile, {given.name(), given.print(operand)});
  return explainBroadcastTo(given, operand, given.tiles[0].shape);
}

bool isMask(const Case &given, unsigned operand) {
  return operand < given.size() && given.isTileLike(operand) && given.element(operand).isBool();
}

namespace {

Explanation explainOrderOfPlain(const Case &given) {
  for (unsigned i = 0; i < given.size(); ++i)
    if (auto mode = modeOf(given.type(i)); mode && mode->kind.starts_with("memory_order"))
      return given.say(Row::PlainOrder, {given.name(), given.operation.name});
  return std::nullopt;
}

} // namespace

Explanation explainLoad(const Case &given) {
  if (given.size() == 0)
    return std::nullopt;
  if (auto found = explainPointee(given, /*isWritten=*/false))
    return found;
  if (auto found = explainOrderOfPlain(given))
    return found;
  if (given.operation.name == "load" || given.size() < 2 || given.size() > 3)
    return std::nullopt;
  if (auto found = explainMask(given, 1))
    return found;
  if (given.size() < 3 || !given.isTileLike(2))
    return std::nullopt;
  if (auto found = explainBroadcastTo(given, 2, given.tiles[0].shape))
    return found;
  Element to = elementOf(given.element(0).pointee().getUnqualifiedType(), given.context);
  return explainNarrowing(given, 2, to, given.print(0));
}

Explanation explainStore(const Case &given) {
  if (given.size() == 0)
    return std::nullopt;
  if (auto found = explainPointee(given, /*isWritten=*/true))
    return found;
  if (auto found = explainOrderOfPlain(given))
    return found;
  bool isMasked = given.operation.name == "store_masked";
  if (given.size() != (isMasked ? 3 : 2))
    return std::nullopt;
  if (isMasked && isMask(given, 1) && !isMask(given, 2))
    return given.say(Row::MaskPosition, {given.name(), "value"});
  if (auto found = explainValue(given, 1))
    return found;
  return isMasked ? explainMask(given, 2) : std::nullopt;
}

} // namespace tessera::diagnose
