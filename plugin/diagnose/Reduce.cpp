// Reductions and scans: the dimension, and the operands.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace tessera::diagnose {

namespace {

// A floating-point mode that functions take after the dimension, and its default.
struct Slot {
  StringRef kind, otherwise;
};
constexpr Slot rounding{"rounding_mode", "round_ties_to_even_t"},
    nan{"nan_propagation_mode", "suppress_nan_t"},
    subnormals{"subnormals_rounding_mode", "preserve_subnormals_t"},
    direction{"scan_direction", "scan_forward_t"};

// Those of a function, in order.
SmallVector<Slot> slotsOf(StringRef function) {
  if (function.starts_with("partial_"))
    return {rounding, subnormals, direction};
  if (function == "sum" || function == "prod")
    return {rounding, subnormals};
  if (function == "reduce_max" || function == "reduce_min")
    return {nan, subnormals};
  return {};
}

// The modes among the operands from this one on, in the function's order: ", scan_backward_t{}".
// Defaults in front of a given mode are printed, too, except in front of a direction alone.
std::string modesOf(const Case &given, unsigned first) {
  std::string text, skipped;
  for (const Slot &slot : slotsOf(given.operation.name)) {
    std::string name;
    for (unsigned i = first; i < given.size(); ++i)
      if (auto mode = modeOf(given.type(i)); mode && mode->kind == slot.kind)
        name = mode->name;
    if (name.empty()) {
      skipped += ", " + slot.otherwise.str() + "{}";
      continue;
    }
    bool isAlone = slot.kind == direction.kind && text.empty();
    text += (isAlone ? "" : skipped) + ", " + name + "{}";
    skipped.clear();
  }
  return text;
}

// A dimension written as a number; 0 if it is none.
int64_t constantIn(const Operand &operand, const ASTContext &context) {
  const Expr *expression = operand.expression;
  if (!expression || expression->isValueDependent())
    return 0;
  auto value = expression->getIntegerConstantExpr(context);
  return value ? value->getExtValue() : 0;
}

// The tiles of a reduction by a function: one, or those of a pack. None if there is anything else.
SmallVector<TileType> foldedTiles(const Case &given) {
  SmallVector<TileType> tiles;
  if (const ClassTemplateSpecializationDecl *pack = libraryClass(given.type(0), "pack"))
    for (const TemplateArgument &one : pack->getTemplateArgs()[0].pack_elements())
      tiles.push_back(tileTypeOf(one.getAsType(), given.context));
  else
    tiles.push_back(given.tiles[0]);
  if (!llvm::all_of(tiles, [](const TileType &tile) { return tile.isTile; }))
    tiles.clear();
  return tiles;
}

} // namespace

Explanation explainFold(const Case &given) {
  if (given.size() == 0)
    return std::nullopt;
  SmallVector<TileType> tiles = foldedTiles(given);
  if (tiles.empty())
    return given.say(Row::ReductionOfNoTile, {given.name(), given.print(0)});
  auto dimension = given.number(1);
  if (!dimension)
    return given.say(Row::ReductionWithoutDimension,
                     {given.name(), given.print(0), given.operation.name + "(x, 0_ic, function)"});
  std::string operands = print(tiles.front(), given.context), taken;
  for (const TileType &tile : tiles) {
    if (tile.shape != tiles.front().shape)
      return given.say(Row::ShapesOfFold, {given.name(), operands, print(tile, given.context)});
    taken += (taken.empty() ? "" : ", ") + given.print(tile.element);
  }
  if (given.isTile(0))
    if (auto found = explainDimension(given, 0, *dimension))
      return found;
  return given.say(Row::FunctionOfFold,
                   {given.name(), given.print(0), taken + ", " + taken,
                    tiles.size() == 1 ? "a number" : "a pack of as many numbers"});
}

Explanation explainReduction(const Case &given) {
  StringRef name = given.operation.name;
  if (given.size() == 0)
    return std::nullopt;
  if (!given.isTile(0))
    return given.say(Row::ReductionOfNoTile, {given.name(), given.print(0)});
  auto dimension = given.number(1);
  if (!dimension && given.operation.given.size() == 0 && !given.isTileLike(1)) {
    std::string modes = modesOf(given, 1);
    return given.say(
        Row::ReductionWithoutDimension,
        {given.name(), given.print(0),
         given.operation.name + (modes.empty() ? "<0>(...)" : "(x, 0_ic" + modes + ")")});
  }
  if (!dimension && given.isTileLike(1)) {
    std::string number = std::to_string(constantIn(given.operation.operands[1], given.context));
    std::string modes = modesOf(given, 2), named = given.operation.name;
    std::string constant = named + "(x, " + number + "_ic" + modes + ")";
    return given.say(Row::DimensionIsNoConstant,
                     {given.name(), given.print(1),
                      modes.empty() ? named + "<" + number + ">(x) or " + constant : constant});
  }
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
  if (std::string modes = modesOf(given, 1);
      dimension && given.operation.given.size() == 1 && !modes.empty())
    return given.say(Row::ModeBehindDimension,
                     {given.name(), given.operation.name + "(x, " + std::to_string(*dimension) +
                                        "_ic" + modes + ")"});
  return std::nullopt;
}

} // namespace tessera::diagnose
