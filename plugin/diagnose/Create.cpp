// Tile creation and conversion: full, zeros, ones, iota, element_cast, element_bitcast, select.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// full<float, shape<64>>(x): element and shape instead of the tile type of both.
Explanation explainParts(const Case &given) {
  const SourceManager &sources = given.context.getSourceManager();
  SourceLocation open = given.operation.given.getLAngleLoc();
  SourceLocation close = sources.getSpellingLoc(given.operation.given.getRAngleLoc());
  std::string tile = given.fixes.library(given.operation) + "tile<";
  std::string parts;
  std::vector<FixItHint> edits;
  if (open.isFileID() && close.isFileID()) {
    SourceLocation begin = open.getLocWithOffset(1);
    parts = given.fixes.textOf({{}, CharSourceRange::getCharRange(begin, close)});
    edits = {FixItHint::CreateInsertion(begin, tile), FixItHint::CreateInsertion(close, ">")};
  }
  std::string whole = given.operation.name + "<" + tile + (parts.empty() ? "..." : parts) + ">>";
  return given.say(Row::MadeOfParts, {given.name(), given.printGiven(), whole}, edits);
}

// The template argument must be a tile or a scalar type.
Explanation explainMade(const Case &given) {
  QualType type = given.givenType(0), second = given.givenType(1);
  if (type.isNull())
    return std::nullopt;
  if (!second.isNull() && extentsOf(second) && elementOf(type, given.context).isScalar())
    return explainParts(given);
  if (tileTypeOf(type, given.context).isTileLike())
    return std::nullopt;
  return given.say(Row::MadeOfNoTile, {given.name(), print(type, given.context)});
}

} // namespace

Explanation explainFull(const Case &given) {
  if (auto found = explainMade(given))
    return found;
  QualType type = given.givenType(0);
  if (type.isNull() || given.size() != 1)
    return std::nullopt;
  TileType made = tileTypeOf(type, given.context);
  std::string element = given.print(made.element);
  if (given.isTile(0) || !given.isTileLike(0))
    return given.say(Row::FullOfTile, {given.name(), element, given.print(0)});
  Fix fix = given.fixes.convert(given.operation, given.operation.operands[0], made.element);
  return given.say(Row::FullValue, {given.name(), element, given.print(0), fix.text}, fix.edits);
}

Explanation explainFilled(const Case &given) {
  if (auto found = explainMade(given))
    return found;
  QualType type = given.givenType(0);
  if (type.isNull() || given.size() != 0)
    return std::nullopt;
  TileType made = tileTypeOf(type, given.context);
  bool isIota = given.operation.name == "iota";
  if (isIota && !made.element.isInteger())
    return given.say(Row::IntegersOnly, {given.name(), print(made, given.context), ""});
  if (isIota)
    return given.say(Row::IotaRange, {given.name(), print(made, given.context),
                                      std::to_string(made.size() - 1), given.print(made.element)});
  if (made.element.isPointer())
    return given.say(Row::FilledPointers, {given.name(), print(made, given.context)});
  return std::nullopt;
}

Explanation explainElementCast(const Case &given) {
  QualType type = given.givenType(0);
  if (type.isNull() || given.size() == 0 || !given.isTileLike(0))
    return std::nullopt;
  Element from = given.element(0), to = elementOf(type, given.context);
  std::vector<std::string> words = {given.name(), given.print(0), print(type, given.context)};
  TileType tile = tileTypeOf(type, given.context);
  if (tile.isTile && tile.shape == given.tiles[0].shape) {
    words.push_back("element_cast<" + given.print(tile.element) + ">");
    return given.say(Row::CastToTile, words,
                     {FixItHint::CreateReplacement(given.operation.given[0].getSourceRange(),
                                                   given.print(tile.element))});
  }
  if (!to.isScalar())
    return given.say(Row::CastToNoScalar, words);
  if (auto mode = given.size() > 1 ? modeOf(given.type(1)) : std::nullopt) {
    words.push_back(mode->name);
    return given.say(from.isFloat() && to.isFloat() ? Row::CastMode : Row::CastModeOfIntegers,
                     words);
  }
  if (from.isPointer() || to.isPointer())
    return given.say(Row::CastOfPointers, words);
  return std::nullopt;
}

Explanation explainElementBitcast(const Case &given) {
  QualType type = given.givenType(0);
  if (type.isNull() || given.size() != 1 || !given.isTileLike(0))
    return std::nullopt;
  Element from = given.element(0), to = elementOf(type, given.context);
  std::vector<std::string> words = {given.name(), given.print(0), print(type, given.context)};
  for (const Element &element : {from, to})
    if (element.type->isRecordType() &&
        element.type->getAsCXXRecordDecl()->getName() == "__nv_tf32")
      return given.say(Row::BitcastOfTf32, words);
  if (!to.isScalar() || from.bits == to.bits)
    return std::nullopt;
  words.push_back(std::to_string(from.isBool() ? 8 : from.bits));
  words.push_back(std::to_string(to.isBool() ? 8 : to.bits));
  return given.say(Row::BitcastSize, words);
}

Explanation explainSelect(const Case &given) {
  if (given.size() != 3)
    return std::nullopt;
  for (unsigned i : {0u, 1u, 2u})
    if (!given.isTileLike(i))
      return std::nullopt;
  const TileType &x = given.tiles[1], &y = given.tiles[2];
  if (x.isTile != y.isTile) {
    unsigned scalar = x.isTile ? 2 : 1, tile = x.isTile ? 1 : 2;
    return given.say(Row::SelectScalar, {given.name(), given.print(1), given.print(2),
                                         given.print(tile), given.print(scalar)});
  }
  if (x.shape != y.shape || x.element.type != y.element.type)
    return given.say(Row::SelectTypes, {given.name(), given.print(1), given.print(2)});
  return explainBroadcastTo(given, 0, x.shape);
}

} // namespace tessera::diagnose
