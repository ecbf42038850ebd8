// Members of views: indices, one for each dimension; the tile that is stored; paddings.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace tessera::diagnose {

Explanation explainAtomicTarget(const Case &given, const Element &target); // Atomics.cpp

namespace {

// The indices are the operands from `first` on.
Explanation explainIndices(const Case &given, const ViewType &view, unsigned first) {
  unsigned count = given.size() - std::min(first, given.size()), rank = view.shape.size();
  if (count != rank)
    return given.say(Row::ViewIndexCount,
                     {given.name(), print(given.operation.object, given.context),
                      countOf(rank, "dimension"), countOf(count, "index")});
  for (unsigned i = 0; i < count; ++i) {
    unsigned operand = first + i;
    std::string number = std::to_string(i);
    if (auto value = constantOf(given.type(operand)))
      return given.say(Row::ViewIndexConstant,
                       {given.name(), number, given.print(operand), std::to_string(*value)},
                       given.fixes.behind(given.operation.operands[operand], "()"));
    if (view.gathered == i) {
      Extents line = {view.shape[i]};
      if (!given.isTile(operand) || given.tiles[operand].shape != line)
        return given.say(Row::GatherIndex,
                         {given.name(), number, print(line), given.print(operand)});
    } else if (auto found = explainBlockIndex(given, operand)) {
      return found;
    } else if (!given.isTileLike(operand) || given.isTile(operand) ||
               !given.element(operand).isArithmetic()) {
      return given.say(Row::ViewIndex, {given.name(), number, given.print(operand)});
    }
  }
  return std::nullopt;
}

// store(i, j, x): the tile follows the indices.
Explanation explainOrder(const Case &given, unsigned last) {
  const Operand &first = given.operation.operands[0], &tile = given.operation.operands[last];
  CharSourceRange between(
      SourceRange(first.range.getBegin(), given.operation.operands[last - 1].range.getEnd()), true);
  std::string value = given.fixes.textOf(tile), indices = given.fixes.textOf({{}, between});
  std::vector<FixItHint> edits;
  if (!value.empty() && !indices.empty())
    edits = {FixItHint::CreateReplacement(between, value),
             FixItHint::CreateReplacement(tile.range, indices)};
  return given.say(Row::ViewStoreOrder, {given.name(), given.print(last)}, edits);
}

Explanation explainStored(const Case &given, const ViewType &view) {
  if (view.element.isConstQualified())
    return given.say(Row::ViewIsConst, {given.name(), print(view.element, given.context)});
  unsigned last = given.size() - 1;
  if (last && !given.isTile(0) && given.isTile(last) && given.tiles[last].shape == view.shape)
    return explainOrder(given, last);
  if (!given.isTile(0))
    return given.say(Row::ViewStoreNoTile, {given.name(), given.print(0), print(view.shape)});
  if (given.tiles[0].shape != view.shape)
    return given.say(Row::ViewStoreShape, {given.name(), given.print(0), print(view.shape)});
  Element to = elementOf(view.element.getUnqualifiedType(), given.context);
  return explainNarrowing(given, 0, to, "the view");
}

} // namespace

Explanation explainViewLoad(const Case &given) {
  auto view = viewTypeOf(given.operation.object);
  if (!view)
    return std::nullopt;
  auto padding = given.size() ? modeOf(given.type(0)) : std::nullopt;
  unsigned first = padding ? 1 : 0;
  if (!padding && given.operation.name == "load_masked" && given.size() == view->shape.size() + 1 &&
      given.isTileLike(0))
    return given.say(Row::PaddingIsValue, {given.name(), given.print(0)});
  if (auto found = explainIndices(given, *view, first))
    return found;
  if (padding && !elementOf(view->element, given.context).isFloat())
    return given.say(Row::PaddingOfIntegers,
                     {given.name(), print(view->element, given.context), padding->name});
  return std::nullopt;
}

Explanation explainViewStore(const Case &given) {
  auto view = viewTypeOf(given.operation.object);
  if (!view || given.size() == 0)
    return std::nullopt;
  if (auto found = explainStored(given, *view))
    return found;
  return explainIndices(given, *view, 1);
}

Explanation explainViewAtomic(const Case &given) {
  auto view = viewTypeOf(given.operation.object);
  if (!view || given.size() == 0)
    return std::nullopt;
  StringRef name = given.operation.name;
  bool isLoad = name.starts_with("atomic_load"), isStore = name.starts_with("atomic_store");
  if (!isLoad)
    if (auto found = explainStored(given, *view))
      return found;
  if (auto found =
          explainAtomicTarget(given, elementOf(view->element.getUnqualifiedType(), given.context)))
    return found;
  if (isLoad || isStore)
    return std::nullopt;
  auto modeAt = [&](unsigned i) { return i < given.size() ? modeOf(given.type(i)) : std::nullopt; };
  if (given.operation.given.size())
    return given.say(Row::ViewReductionArguments, {given.name()});
  auto order = modeAt(1), scope = modeAt(2);
  if (!order || order->name != "memory_order_relaxed_t")
    return given.say(Row::ViewReductionOrder, {given.name()});
  if (!scope || scope->kind != "thread_scope" || scope->name == "thread_scope_system_t")
    return given.say(Row::ViewReductionScope, {given.name()});
  return explainIndices(given, *view, 3);
}

} // namespace tessera::diagnose
