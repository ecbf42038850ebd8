// Operators and functions of two operands: element types, broadcasting of shapes, narrowing of an
// operand.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

enum class Takes { Arithmetic, Integers, Shift, Comparable, Logical, Nothing };

Takes operandsOf(StringRef token) {
  return llvm::StringSwitch<Takes>(token)
      .Cases({"+", "-", "*", "/"}, Takes::Arithmetic)
      .Cases({"%", "&", "|", "^"}, Takes::Integers)
      .Cases({"<<", ">>"}, Takes::Shift)
      .Cases({"==", "!=", "<", "<=", ">", ">="}, Takes::Comparable)
      .Cases({"&&", "||"}, Takes::Logical)
      .Default(Takes::Nothing);
}

uint64_t alignedExtent(const Extents &shape, size_t rank, size_t k) {
  return k + shape.size() < rank ? 1 : shape[k + shape.size() - rank];
}

// An operand that is neither a tile nor a scalar.
Explanation explainNoOperand(const Case &given) {
  for (unsigned i : {0u, 1u}) {
    if (given.tiles[i].isTileLike())
      continue;
    QualType type = given.operation.operands[i].type.getCanonicalType();
    if (type->isDependentType() || type->isVoidType())
      return std::nullopt;
    std::string other = type->isEnumeralType() ? "convert an enumeration with static_cast"
                                               : "operands must be tiles, numbers or pointers";
    if (libraryClass(type, "integral_constant"))
      return given.say(Row::ConstantOperand,
                       {given.name(), given.print(0), given.print(1), given.print(i)},
                       given.fixes.behind(given.operation.operands[i], "()"));
    return given.say(Row::NoOperand,
                     {given.name(), given.print(0), given.print(1), given.print(i), other});
  }
  return std::nullopt;
}

bool isVoidPointer(const TileType &type) {
  return type.element.isPointer() && type.element.pointee()->isVoidType();
}

Explanation explainPointers(const Case &given, Takes takes) {
  const TileType &l = given.tiles[0], &r = given.tiles[1];
  bool isSum = given.operation.name == "+", isDifference = given.operation.name == "-";
  bool areBoth = l.element.isPointer() && r.element.isPointer();
  const Element &number = l.element.isPointer() ? r.element : l.element;
  std::vector<std::string> types = {given.name(), given.print(0), given.print(1)};
  auto say = [&](Row row) { return given.say(row, types); };
  if (areBoth && (isDifference || takes == Takes::Comparable)) {
    bool isSame = given.context.hasSameUnqualifiedType(l.element.pointee(), r.element.pointee());
    bool isVoid = isVoidPointer(l) || isVoidPointer(r);
    if (isDifference && isVoid)
      return say(Row::VoidPointer);
    if (!isSame && !isVoid)
      return say(Row::PointeesDiffer);
    return explainBroadcast(given, 0, 1);
  }
  if (areBoth || !(isSum || isDifference) || (isDifference && r.element.isPointer()))
    return say(Row::PointerArithmetic);
  if (isVoidPointer(l) || isVoidPointer(r))
    return say(Row::VoidPointer);
  if (!number.isInteger())
    return say(Row::PointerOffset);
  return explainBroadcast(given, 0, 1);
}

// The first operand whose elements are of a kind that the operation does not take.
Explanation explainKinds(const Case &given, bool areIntegers, StringRef instead) {
  for (unsigned i = 0; i < 2; ++i) {
    const Element &element = given.tiles[i].element;
    if (element.kind == Element::RestrictedFloat)
      return given.say(Row::NotArithmetic, {given.name(), given.print(i), given.print(element)});
    if (areIntegers && !element.isInteger())
      return given.say(Row::IntegersOnly, {given.name(), given.print(i), instead.str()});
  }
  return std::nullopt;
}

Explanation explainNumbers(const Case &given, bool areIntegers, StringRef instead) {
  if (auto found = explainKinds(given, areIntegers, instead))
    return found;
  if (auto found = explainBroadcast(given, 0, 1))
    return found;
  return explainConversion(given, 0, 1);
}

} // namespace

Explanation explainBroadcast(const Case &given, unsigned left, unsigned right) {
  const Extents &l = given.tiles[left].shape, &r = given.tiles[right].shape;
  size_t rank = std::max(l.size(), r.size());
  for (size_t k = 0; k < rank; ++k) {
    uint64_t a = alignedExtent(l, rank, k), b = alignedExtent(r, rank, k);
    if (a != b && a != 1 && b != 1)
      return given.say(Row::ShapesDoNotBroadcast,
                       {given.name(), given.print(left), given.print(right), std::to_string(k),
                        std::to_string(a), std::to_string(b)});
  }
  return std::nullopt;
}

Explanation explainConversion(const Case &given, unsigned left, unsigned right) {
  const TileType &l = given.tiles[left], &r = given.tiles[right];
  bool isComparison = operandsOf(given.operation.name) == Takes::Comparable;
  auto fit = [&](const TileType &from, const Element &to) {
    return fitsInArithmetic(from.element, to, given.context);
  };
  std::vector<std::string> words = {given.name(), given.print(left), given.print(right)};
  unsigned scalar = l.isTile ? right : left, tile = l.isTile ? left : right;
  const Element &kept = given.tiles[tile].element;
  if (l.isTile != r.isTile && !isComparison) {
    if (fit(given.tiles[scalar], kept))
      return std::nullopt;
    // A fraction was not meant to become an integer, nor a number a bool: the tile is converted.
    const Element &lost = given.tiles[scalar].element;
    bool givesWay = (kept.isInteger() && lost.isFloat()) || kept.isBool();
    Fix fix =
        given.fixes.convert(given.operation, given.operation.operands[givesWay ? tile : scalar],
                            givesWay ? lost : kept);
    words.insert(words.end(),
                 {given.print(given.tiles[scalar].element), given.print(kept), fix.text});
    return given.say(Row::ScalarNarrows, words, fix.edits);
  }
  Element common = commonElement(l.element, r.element, given.context);
  if (!common.isScalar()) {
    words.insert(words.end(), {given.print(l.element), given.print(r.element)});
    return given.say(Row::NoCommonType, words);
  }
  for (const TileType &type : {l, r})
    if (!fit(type, common)) {
      words.insert(words.end(), {given.print(common), given.print(type.element)});
      if (l.isTile == r.isTile)
        return given.say(Row::CommonTypeNarrows, words);
      Fix fix = given.fixes.convert(given.operation, given.operation.operands[scalar], kept);
      words.push_back(fix.text);
      return given.say(Row::CommonTypeNarrowsTile, words, fix.edits);
    }
  return std::nullopt;
}

Explanation explainOperator(const Case &given) {
  Takes takes = operandsOf(given.operation.name);
  if (given.operation.operands.size() != 2)
    return std::nullopt;
  bool hasTile = llvm::any_of(given.tiles, [](auto &tile) { return tile.isTile; });
  if (!hasTile)
    return std::nullopt;
  if (takes == Takes::Nothing && !given.isTile(0) && given.element(0).isNumeric())
    return given.say(Row::TileManyToScalar,
                     {given.print(1), given.print(0), std::to_string(given.tiles[1].size())});
  if (takes == Takes::Nothing)
    return given.say(Row::NoOperator, {given.name(), given.print(0), given.print(1)});
  if (!given.tiles[0].isTileLike() || !given.tiles[1].isTileLike())
    return explainNoOperand(given);
  if (takes == Takes::Logical)
    return explainBroadcast(given, 0, 1);
  if (given.tiles[0].element.isPointer() || given.tiles[1].element.isPointer())
    return explainPointers(given, takes);
  if (takes != Takes::Shift)
    return explainNumbers(given, takes == Takes::Integers,
                          given.operation.name == "%" ? "; ct::remainder takes floating point"
                                                      : "");
  if (auto found = explainKinds(given, /*areIntegers=*/true, ""))
    return found;
  return explainBroadcast(given, 0, 1);
}

// max<0>(x), max(x): the function of one tile has another name.
static Explanation explainOneTile(const Case &given) {
  bool hasConstant = given.size() == 2 && constantOf(given.type(1));
  StringRef name = given.operation.name;
  if (!given.isTile(0) || (given.size() != 1 && !hasConstant) || (name != "max" && name != "min"))
    return std::nullopt;
  std::string other = "reduce_" + name.str();
  auto dimension = given.number(1);
  std::vector<FixItHint> edits;
  SourceLocation location =
      given.operation.location.getLocWithOffset(static_cast<int>(given.operation.qualifier.size()));
  if (dimension && location.isFileID() && given.fixes.tokenAt(location) == name)
    edits = {FixItHint::CreateInsertion(location, "reduce_")};
  return given.say(
      Row::OneTile,
      {given.name(), given.print(0), other + "<" + std::to_string(dimension.value_or(0)) + ">"},
      edits);
}

Explanation explainBinaryFunction(const Case &given) {
  if (auto found = explainOneTile(given))
    return found;
  if (!given.isTileLike(0) || !given.isTileLike(1))
    return std::nullopt;
  StringRef name = given.operation.name;
  for (unsigned i : {0u, 1u})
    if (given.element(i).isPointer())
      return given.say(Row::FunctionOfPointers, {given.name(), given.print(i)});
  bool areIntegers =
      llvm::StringSwitch<bool>(name).Cases({"floordiv", "ceildiv", "mulhi"}, true).Default(false);
  bool areFloat = name == "atan2" || name == "pow";
  if (areFloat && !given.element(0).isFloat())
    return given.say(Row::NotFloat, {given.name(), given.print(0), ""});
  if (name == "pow" && given.element(1).isInteger())
    return explainBroadcast(given, 0, 1);
  if (auto found = explainNumbers(given, areIntegers, ""))
    return found;
  bool isMixed = given.isTile(0) != given.isTile(1);
  return explainModes(given,
                      isMixed ? given.element(given.isTile(0) ? 0 : 1)
                              : commonElement(given.element(0), given.element(1), given.context));
}

} // namespace tessera::diagnose
