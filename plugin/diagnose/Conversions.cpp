// Values of a wrong type: tiles as conditions and scalars, scalars as tiles, tiles of other shapes
// or elements.
#include "diagnose/Errors.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

Operand operandOf(const Error &error, QualType type, unsigned range) {
  const auto &ranges = error.main.storage.DiagRanges;
  return {type, range < ranges.size() ? ranges[range] : CharSourceRange()};
}

// The type of a tile as a program spells it.
std::string spelled(const TileType &type, const std::string &library, const ASTContext &context) {
  std::string extents;
  for (uint64_t extent : type.shape)
    extents.append(extents.empty() ? "" : ", ").append(std::to_string(extent));
  return library + "tile<" + print(type.element.type, context) + ", " + library + "shape<" +
         extents + ">>";
}

Explanation explainTileAsScalar(const Case &given, const TileType &from, const Element &to) {
  if (from.size() != 1) {
    std::string count = std::to_string(from.size());
    if (to.isBool())
      return given.say(Row::ConditionOfMany, {given.print(0), count});
    return given.say(Row::TileManyToScalar, {given.print(0), given.print(to), count});
  }
  Fix fix = given.fixes.wrap(given.operation.operands[0], "static_cast<" + given.print(to) + ">");
  return given.say(Row::TileToScalar, {given.print(0), given.print(to), fix.text}, fix.edits);
}

Explanation explainScalarAsTile(const Case &given, const TileType &to) {
  std::string type = print(to, given.context);
  if (to.shape.empty()) {
    Fix fix = given.fixes.convert(given.operation, given.operation.operands[0], to.element);
    return given.say(Row::ElementsNarrow,
                     {given.print(0), type, given.print(0), given.print(to.element), fix.text},
                     fix.edits);
  }
  std::string library = given.fixes.library(given.operation);
  Fix fix = given.fixes.wrap(given.operation.operands[0],
                             library + "full<" + spelled(to, library, given.context) + ">");
  return given.say(Row::ScalarToTile, {given.print(0), type, fix.text}, fix.edits);
}

// p = x, float *at = p + locations
Explanation explainTileAsPointer(const Case &given, const TileType &from, const TileType &to) {
  if (!to.element.isPointer())
    return std::nullopt;
  std::string pointer = given.print(to.element);
  if (from.element.isPointer() && from.size() != 1)
    return given.say(Row::TileManyToScalar, {given.print(0), pointer, std::to_string(from.size())});
  if (from.element.isPointer())
    return std::nullopt;
  return given.say(Row::TileToPointer, {given.print(0), pointer});
}

// tile x = p
Explanation explainPointerAsTile(const Case &given, const TileType &to) {
  if (!given.element(0).isPointer() || !to.element.isNumeric() || to.shape.empty())
    return std::nullopt;
  return given.say(Row::PointerToTile, {given.print(0), print(to, given.context)});
}

} // namespace

Explanation explainConverted(const Error &error, const Operand &value, QualType type) {
  Operation operation = error.operation("", {value});
  Case given(operation, error.context, error.functions);
  TileType from = given.tiles[0], to = tileTypeOf(type, error.context);
  if (!from.isTile && !to.isTile)
    return std::nullopt;
  std::vector<std::string> words = {given.print(0), print(to, error.context)};
  if (from.isTile && !to.isTile)
    return !to.isTileLike()
               ? given.say(Row::ElementsConvert, {given.print(0), print(type, error.context)})
           : to.element.isNumeric() && from.element.isNumeric()
               ? explainTileAsScalar(given, from, to.element)
               : explainTileAsPointer(given, from, to);
  if (!from.isTileLike())
    return std::nullopt;
  if (!from.isTile)
    return from.element.isNumeric() && to.element.isNumeric() ? explainScalarAsTile(given, to)
                                                              : explainPointerAsTile(given, to);
  if (from.shape != to.shape)
    return given.say(Row::TileShapes, words);
  if (fits(from.element, to.element, error.context))
    return std::nullopt;
  if (!from.element.isNumeric() || !to.element.isNumeric())
    return given.say(Row::ElementsConvert, words);
  Fix fix = given.fixes.convert(operation, operation.operands[0], to.element);
  words.insert(words.end(), {given.print(from.element), given.print(to.element), fix.text});
  return given.say(Row::ElementsNarrow, words, fix.edits);
}

static Explanation explainAsSpan(const Error &error, QualType from, QualType to) {
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions)
      .say(Row::SpanConversion, {print(from, error.context), print(to, error.context)});
}

// Also of a cast.
Explanation explainImplicitConversion(const Error &error) {
  QualType from = error.main.type(1), to = error.main.type(2);
  if (from.isNull() || to.isNull())
    return std::nullopt;
  if (libraryClass(to, "tensor_span"))
    return explainAsSpan(error, from, to);
  if (isBlockIndex(from) && to->isArithmeticType() && error.isInTileCode()) {
    Operation operation = error.operation("", {operandOf(error, from, 0)});
    return explainBlockIndex(Case(operation, error.context, error.functions), 0);
  }
  return explainConverted(error, operandOf(error, from, 0), to);
}

// A scalar is assigned, passed, returned, ...; for an assignment and an initialization the target
// type comes first.
Explanation explainIncompatible(const Error &error) {
  enum Action { Assigning = 0, Initializing = 4 };
  QualType from = error.main.type(0), to = error.main.type(1);
  std::optional<unsigned> action = error.main.number(2);
  if (from.isNull() || to.isNull() || !action)
    return std::nullopt;
  if (*action == Assigning || *action == Initializing)
    std::swap(from, to);
  return explainConverted(error, operandOf(error, from, 0), to);
}

// `x = y` if x takes its type from its initializer.
static Explanation explainFirstValue(const Error &error, QualType from, QualType to) {
  auto operation = assignmentOf(error.main, error.functions);
  if (!operation)
    return std::nullopt;
  auto *name = operation->operands[0].expression
                   ? dyn_cast<DeclRefExpr>(operation->operands[0].expression->IgnoreParenImpCasts())
                   : nullptr;
  auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!variable || !variable->getTypeSourceInfo() ||
      !variable->getTypeSourceInfo()->getType()->getContainedAutoType())
    return std::nullopt;
  return Case(*operation, error.context, error.functions)
      .say(Row::FirstValue, {print(from, error.context), variable->getName().str(),
                             print(to.getNonReferenceType(), error.context)});
}

// `x = y`: the notes name the types. For compound assignments the operands are searched.
Explanation explainAssignment(const Error &error) {
  const auto &ranges = error.main.storage.DiagRanges;
  std::string name = error.main.string(0).str();
  QualType from = error.typeInNote(diag::note_ovl_candidate_bad_conv, 3),
           to = error.typeInNote(diag::note_ovl_candidate_bad_conv, 4);
  if (ranges.size() < 2)
    return std::nullopt;
  if (name == "=" && !from.isNull() && tileTypeOf(to, error.context).isTile) {
    auto found = explainConverted(error, {from, ranges[1]}, to.getNonReferenceType());
    if (found && found->row == Row::TileShapes)
      if (auto first = explainFirstValue(error, from, to))
        return first;
    return found;
  }
  if (name == "=" && !from.isNull() && libraryClass(to.getNonReferenceType(), "tensor_span"))
    return explainAsSpan(error, from, to);
  auto operation = assignmentOf(error.main, error.functions);
  if (!operation || name.size() < 2)
    return std::nullopt;
  if (operation->operands[0].type->isDependentType())
    operation->operands[0].type = error.assigned;
  Case given(*operation, error.context, error.functions);
  if (name == "=" || !given.isTile(0))
    return std::nullopt;
  std::string left = given.fixes.textOf(operation->operands[0]);
  std::string right = given.fixes.textOf(operation->operands[1]);
  std::string op = name.substr(0, name.size() - 1);
  if (left.empty() || right.empty())
    return given.say(Row::CompoundAssignment, {given.name(), given.print(0), "x = x " + op + " y"});
  bool isPlain = right.find_first_of(" \n") == std::string::npos;
  std::string text = left + " = " + left + " " + op + " " + (isPlain ? right : "(" + right + ")");
  SourceRange whole(operation->operands[0].range.getBegin(), operation->operands[1].range.getEnd());
  std::vector<FixItHint> edits;
  if (whole.getBegin().isFileID() && whole.getEnd().isFileID())
    edits = {FixItHint::CreateReplacement(CharSourceRange::getTokenRange(whole), text)};
  return given.say(Row::CompoundAssignment, {given.name(), given.print(0), text}, edits);
}

// A tile from a list, or from a value that does not convert.
Explanation explainConstruction(const Error &error) {
  TileType made = tileTypeOf(error.main.type(0), error.context);
  if (auto *span = libraryClass(error.main.type(0), "tensor_span"); span && !made.isTile) {
    Operation operation = error.operation("", {});
    return Case(operation, error.context, error.functions)
        .say(Row::SpanConstruction, {print(error.main.type(0), error.context)});
  }
  if (!made.isTile)
    return explainClass(error, error.main.type(0));
  Operation operation = error.operation("", {});
  Case given(operation, error.context, error.functions);
  QualType from = error.typeInNote(diag::note_ovl_candidate_bad_conv, 3);
  if (!from.isNull() && tileTypeOf(from, error.context).isTileLike())
    if (auto found = explainConverted(error, operandOf(error, from, 1), error.main.type(0)))
      return found;
  return given.say(Row::TileOfList, {print(made, error.context)});
}

Explanation explainBranches(const Error &error) {
  QualType x = error.main.type(0), y = error.main.type(1);
  if (x.isNull() || y.isNull())
    return std::nullopt;
  Operation operation = error.operation("?:", {operandOf(error, x, 0), operandOf(error, y, 1)});
  Case given(operation, error.context, error.functions);
  if (!given.isTile(0) && !given.isTile(1))
    return std::nullopt;
  return given.say(Row::Branches, {given.print(0), given.print(1)});
}

// auto a = row, b = column;
Explanation explainOneAuto(const Error &error) {
  constexpr unsigned firstType = 1, firstName = 2, secondType = 3, secondName = 4;
  QualType first = error.main.type(firstType), second = error.main.type(secondType);
  if (first.isNull() || second.isNull())
    return std::nullopt;
  Operation operation =
      error.operation("", {operandOf(error, first, 0), operandOf(error, second, 1)});
  Case given(operation, error.context, error.functions);
  if (!given.isTile(0) && !given.isTile(1))
    return std::nullopt;
  return given.say(Row::OneAuto, {error.main.name(firstName).getAsString(), given.print(0),
                                  error.main.name(secondName).getAsString(), given.print(1)});
}

// For a function, the kind of its auto precedes the types; for a lambda it follows them.
Explanation explainOneResult(const Error &error) {
  const unsigned here = error.main.id == diag::err_auto_fn_different_deductions ? 1 : 0;
  QualType first = error.main.type(here), second = error.main.type(here + 1);
  if (first.isNull() || second.isNull())
    return std::nullopt;
  Operation operation = error.operation("", {operandOf(error, first, 0), {second, {}}});
  Case given(operation, error.context, error.functions);
  if (!given.isTile(0) && !given.isTile(1))
    return std::nullopt;
  return given.say(Row::OneResult, {given.print(0), given.print(1)});
}

// auto x = row; auto x = column;
Explanation explainDeclaredAgain(const Error &error) {
  constexpr unsigned laterType = 1, earlierType = 2;
  QualType later = error.main.type(laterType), earlier = error.main.type(earlierType);
  if (later.isNull() || earlier.isNull())
    return std::nullopt;
  Operation operation = error.operation("", {{later, {}}, {earlier, {}}});
  Case given(operation, error.context, error.functions);
  if (!error.isInTileCode() || (!given.isTile(0) && !given.isTile(1)))
    return std::nullopt;
  return given.say(Row::DeclaredAgain,
                   {error.main.name(0).getAsString(), given.print(1), given.print(0)});
}

Explanation explainSwitch(const Error &error) {
  Operation operation = error.operation("switch", {operandOf(error, error.main.type(0), 0)});
  Case given(operation, error.context, error.functions);
  if (!given.isTile(0))
    return std::nullopt;
  if (given.tiles[0].size() != 1)
    return given.say(Row::ConditionOfMany, {given.print(0), std::to_string(given.tiles[0].size())});
  std::string element = given.print(given.element(0));
  Fix fix = given.fixes.wrap(operation.operands[0], "static_cast<" + element + ">");
  return given.say(Row::TileToScalar, {given.print(0), element, fix.text}, fix.edits);
}

} // namespace tessera::diagnose
