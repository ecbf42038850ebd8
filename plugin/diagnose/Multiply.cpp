// mma and matmul: ranks, the inner extents, the accumulator's shape, compatible elements.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// The right and accumulator types for a left operand's elements.
StringRef partnersOf(const Element &element) {
  if (element.isInteger())
    return element.bits <= 8 ? "8-bit integers accumulate in int" : "";
  std::string name = element.type->isRecordType()
                         ? element.type->getAsCXXRecordDecl()->getName().str()
                     : element.bits == 64 ? "double"
                                          : "float";
  return llvm::StringSwitch<StringRef>(name)
      .Case("__half", "__half accumulates in __half or float")
      .Cases({"__nv_fp8_e4m3", "__nv_fp8_e5m2"}, "fp8 accumulates in __half or float")
      .Case("__nv_bfloat16", "__nv_bfloat16 accumulates in float")
      .Case("__nv_tf32", "__nv_tf32 accumulates in float")
      .Case("float", "float accumulates in float")
      .Case("double", "double accumulates in double")
      .Default("");
}

bool accumulates(const Element &left, const Element &accumulator) {
  std::string name =
      accumulator.type->isRecordType() ? accumulator.type->getAsCXXRecordDecl()->getName().str()
      : accumulator.isInteger() ? (accumulator.bits == 32 && accumulator.isSigned ? "int" : "")
      : accumulator.bits == 64  ? "double"
                                : "float";
  StringRef rule = partnersOf(left);
  return !name.empty() && rule.split("accumulate").second.contains(name);
}

Explanation explainOperands(const Case &given) {
  const Extents &l = given.tiles[0].shape, &r = given.tiles[1].shape;
  std::vector<std::string> types = {given.name(), given.print(0), given.print(1)};
  auto say = [&](Row row, std::vector<std::string> more) {
    std::vector<std::string> words = types;
    words.insert(words.end(), more.begin(), more.end());
    return given.say(row, words);
  };
  if (l.size() != r.size() || l.size() < 2 || l.size() > 3)
    return say(Row::MmaRank, {});
  uint64_t k = l.back(), n = r[r.size() - 2];
  if (k != n)
    return say(Row::MmaInner, {std::to_string(k), std::to_string(n)});
  if (l.size() == 3 && l[0] != r[0] && l[0] != 1 && r[0] != 1)
    return say(Row::MmaBatch, {std::to_string(l[0]), std::to_string(r[0])});
  if (given.element(0).isInteger() && given.element(1).isInteger()
          ? given.element(0).bits > 8 || given.element(1).bits > 8
          : given.element(0).type != given.element(1).type)
    return say(Row::MmaOperands, {});
  if (partnersOf(given.element(0)).empty())
    return say(Row::MmaElements, {given.Case::print(given.element(0))});
  return std::nullopt;
}

} // namespace

Explanation explainMma(const Case &given) {
  bool hasAccumulator = given.operation.name == "mma";
  if (given.size() != (hasAccumulator ? 3 : 2))
    return std::nullopt;
  for (unsigned i = 0; i < given.size(); ++i)
    if (!given.isTile(i))
      return given.say(Row::MmaNoTile, {given.name(), given.print(i)});
  if (auto found = explainOperands(given))
    return found;
  if (!hasAccumulator)
    return std::nullopt;
  const Extents &l = given.tiles[0].shape, &r = given.tiles[1].shape;
  Extents product = {l[l.size() - 2], r.back()};
  bool hasAnyBatch = l.size() == 3 && l[0] == 1 && r[0] == 1;
  if (l.size() == 3)
    product.insert(product.begin(), std::max(l[0], r[0]));
  Extents accumulator = given.tiles[2].shape;
  if (hasAnyBatch && accumulator.size() == 3)
    accumulator[0] = 1;
  std::vector<std::string> words = {given.name(), given.print(0), given.print(1), given.print(2)};
  if (accumulator != product) {
    words.push_back(print(product));
    return given.say(Row::MmaAccumulator, words);
  }
  if (accumulates(given.element(0), given.element(2)))
    return std::nullopt;
  words.push_back(partnersOf(given.element(0)).str());
  return given.say(Row::MmaAccumulatorType, words);
}

} // namespace tessera::diagnose
