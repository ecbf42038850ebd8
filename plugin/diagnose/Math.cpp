// Floating-point functions: fma, and those of one number; their modes.
#include "diagnose/Explain.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// The modes of a function, in addition to those of floating point.
StringRef modesOf(StringRef function) {
  return llvm::StringSwitch<StringRef>(function)
      .Cases({"exp", "tanh"}, "its modes are round_full_t, and round_approximate_t for float")
      .Cases({"exp2", "rsqrt"}, "only float takes round_subnormals_to_zero_t")
      .Case("sqrt", "its modes are the rounding modes, and round_approximate_t for float")
      .Case("div",
            "its modes are the rounding modes, and for float round_approximate_t and round_full_t")
      .Cases({"min", "max"}, "its modes are suppress_nan_t and propagate_nan_t")
      .Cases({"add", "sub", "mul", "fma"},
             "its modes are round_ties_to_even_t and round_toward_zero_t, _positive_t, _negative_t")
      .Default("");
}

} // namespace

Explanation explainModes(const Case &given, const Element &result) {
  for (unsigned i = 0; i < given.size(); ++i)
    if (auto mode = modeOf(given.type(i))) {
      if (!result.isFloat())
        return given.say(Row::ModeOfIntegers, {given.name(), given.print(0), mode->name});
      StringRef modes = modesOf(given.operation.name);
      if (!modes.empty())
        return given.say(Row::NoMode, {given.name(), given.print(result), mode->name, modes.str()});
    }
  return std::nullopt;
}

Explanation explainMath(const Case &given) {
  if (given.size() == 0 || !given.isTileLike(0))
    return std::nullopt;
  const Element &element = given.element(0);
  if (!given.givenType(0).isNull())
    return std::nullopt; // only modes are given
  bool isClass = given.operation.name == "isnan" || given.operation.name == "isinf";
  if (element.isPointer())
    return given.say(Row::NotFloat, {given.name(), given.print(0), ""});
  if (element.kind == Element::RestrictedFloat && !isClass)
    return given.say(Row::NotArithmetic, {given.name(), given.print(0), given.print(element)});
  if (element.isInteger()) {
    Element to = elementOf(given.context.FloatTy, given.context);
    Fix fix = given.fixes.convert(given.operation, given.operation.operands[0], to);
    return given.say(Row::NotFloat, {given.name(), given.print(0), "; write " + fix.text},
                     fix.edits);
  }
  return explainModes(given, element);
}

Explanation explainFma(const Case &given) {
  if (given.size() < 3)
    return std::nullopt;
  for (unsigned i : {0u, 1u, 2u}) {
    if (!given.isTileLike(i))
      return std::nullopt;
    if (given.element(i).kind != Element::BasicFloat)
      return given.say(Row::NotFloat, {given.name(), given.print(i), ""});
  }
  for (unsigned i : {0u, 1u}) {
    if (given.isTile(i) && !given.isTile(2))
      return given.say(Row::FmaAddend, {given.name(), given.print(i), given.print(2)});
    if (auto found = explainBroadcastTo(given, i, given.tiles[2].shape))
      return found;
    if (fits(given.element(i), given.element(2), given.context))
      continue;
    Fix fix = given.fixes.convert(given.operation, given.operation.operands[2], given.element(i));
    return given.say(Row::FmaNarrows,
                     {given.name(), given.print(2), given.print(given.element(i)),
                      given.print(given.element(2)), fix.text},
                     fix.edits);
  }
  return explainModes(given, given.element(2));
}

} // namespace tessera::diagnose
