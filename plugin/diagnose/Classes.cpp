// Library classes with invalid arguments: tiles of wrong shapes and elements, views of spans of
// another rank, ranges of types that are not integers.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// A failed concept of the library for a type: the note names both.
Explanation explainConcept(const Error &error, const Case &given) {
  constexpr unsigned note =
      diag::note_single_arg_concept_specialization_constraint_evaluated_to_false;
  for (const Message &one : error.notes) {
    auto *concept_ = one.id == note ? dyn_cast_or_null<NamedDecl>(one.declaration(2)) : nullptr;
    if (!concept_ || one.type(1).isNull())
      continue;
    QualType type = one.type(1);
    if (concept_->getName() == "tile_shape") {
      auto shape = extentsOf(type);
      if (shape && !shape->empty() && llvm::all_equal(*shape) && shape->front() == dynamicExtent)
        shape.reset(); // extents{n}
      auto found = shape ? explainTileShape(given, *shape) : std::nullopt;
      return found ? found : given.say(Row::NoShape, {print(type, error.context)});
    }
    if (concept_->getName() == "scalar")
      return given.say(Row::NoElement, {print(type, error.context)});
    if (concept_->getName() == "integral")
      return given.say(Row::NoInteger, {given.operation.name, print(type, error.context)});
  }
  return std::nullopt;
}

// Two numbers that Clang compares in a note: the ranks of a span and of a shape.
std::optional<std::pair<std::string, std::string>> ranksIn(const Error &error) {
  for (const Message &note : error.notes)
    if (note.id == diag::note_atomic_constraint_evaluated_to_false_elaborated &&
        StringRef(note.text).contains("rank()") && note.string(3) == "==")
      return std::pair(note.string(2).str(), note.string(4).str());
  return std::nullopt;
}

Explanation explainRanks(const Error &error, const Case &given) {
  auto ranks = ranksIn(error);
  if (!ranks || ranks->second == "0")
    return std::nullopt;
  return given.say(Row::ViewRank, {given.operation.name, ranks->first, ranks->second});
}

} // namespace

StringRef usageOf(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("partition_view", "partition_view{span, shape<...>{}}")
      .Case("strided_view", "strided_view{span, shape<...>{}, strides<...>{}}, with positive "
                            "strides of the span's index type")
      .Case("gather_scatter_view", "gather_scatter_view{span, shape<...>{}, 0_ic}")
      .Case("tensor_span", "tensor_span{pointer, extents} or tensor_span{pointer, mapping}")
      .Case("irange", "irange(lower, upper) or irange(lower, upper, step), of integers")
      .Case("extents", "extents{4_ic, n}")
      .Case("shape", "shape{4_ic, 8_ic}")
      .Case("dimension_map", "dimension_map{1_ic, 0_ic}")
      .Default("");
}

Explanation explainConstraint(const Error &error) {
  auto *pattern = dyn_cast_or_null<TemplateDecl>(error.main.declaration(1));
  if (!pattern || !frontend::isTileLibrary(pattern))
    return std::nullopt;
  Operation operation = error.operation(pattern->getName().str(), {});
  operation.location = error.location();
  Case given(operation, error.context, error.functions);
  if (auto found = explainConcept(error, given))
    return found;
  if (auto found = explainRanks(error, given))
    return found;
  if (pattern->getName() != "dimension_map")
    return std::nullopt;
  StringRef map = error.main.string(2);
  map.consume_front(" [with D = <");
  map.consume_back(">]");
  return given.say(Row::NoPermutation, {map.str()});
}

Explanation explainClass(const Error &error, QualType type) {
  auto *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (!record || !frontend::isTileLibrary(record))
    return std::nullopt;
  std::string name = record->getNameAsString(), usage = usageOf(name).str();
  if (usage.empty())
    return std::nullopt;
  Operation operation = error.operation(name, {});
  return Case(operation, error.context, error.functions).say(Row::NotMadeOf, {name, usage});
}

Explanation explainDeduction(const Error &error) {
  StringRef name = error.main.string(0);
  name = name.trim('\'');
  name = name.substr(name.rfind(':') + 1);
  std::string usage = usageOf(name).str();
  if (usage.empty())
    return std::nullopt;
  Operation operation = error.operation(name.str(), {});
  Case given(operation, error.context, error.functions);
  if (auto found = explainConcept(error, given))
    return found;
  if (auto found = explainRanks(error, given))
    return found;
  QualType x = error.typeInNote(diag::note_ovl_candidate_inconsistent_deduction, 2),
           y = error.typeInNote(diag::note_ovl_candidate_inconsistent_deduction, 3);
  if (name == "irange" && !x.isNull() && !y.isNull())
    return given.say(Row::RangeTypes,
                     {operation.name, print(x, error.context), print(y, error.context)});
  return given.say(Row::NotMadeOf, {operation.name, usage});
}

Explanation explainStaticAssertion(const Error &error) {
  Operation operation = error.operation("", {});
  operation.location = error.location();
  if (operation.location == error.main.location)
    return std::nullopt; // an assertion of the user's
  Case given(operation, error.context, error.functions);
  StringRef text = error.main.text;
  if (text.contains("_ic literal"))
    return given.say(Row::LiteralDigits, {});
  if (text.contains("cv-qualified"))
    return given.say(Row::QualifiedElement, {});
  const Message *ranks = error.onlyNote(diag::note_expr_evaluates_to);
  if (text.contains("one stride per dimension") && ranks)
    return given.say(Row::StrideCount, {ranks->string(0).str(), ranks->string(2).str()});
  return std::nullopt;
}

} // namespace tessera::diagnose
