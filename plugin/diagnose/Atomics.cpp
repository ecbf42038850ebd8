// Atomics through pointer tiles: values, mask, order and scope, in this order, and their targets.
#include "diagnose/Pointers.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

std::optional<unsigned> firstOfKind(const Case &given, StringRef kind) {
  for (unsigned i = 0; i < given.size(); ++i)
    if (auto mode = modeOf(given.type(i)); mode && mode->kind == kind)
      return i;
  return std::nullopt;
}

// The targets of an operation, if they are fewer than those of a store.
StringRef targetsOf(StringRef base) {
  return llvm::StringSwitch<StringRef>(base)
      .Cases({"atomic_add", "atomic_sub"},
             "integers of 32 and 64 bits, __half, __nv_bfloat16, float and double")
      .Cases({"atomic_and", "atomic_or", "atomic_xor", "atomic_max", "atomic_min"},
             "integers of 32 and 64 bits")
      .Cases({"atomic_xchg", "atomic_compare_exchange"},
             "integers of 32 and 64 bits, float and double")
      .Default("");
}

Explanation explainOrders(const Case &given, StringRef base) {
  auto order = firstOfKind(given, "memory_order"), scope = firstOfKind(given, "thread_scope");
  if (!order && given.operation.given.size() == 0)
    return given.say(Row::NoOrder, {given.name()});
  if (!order)
    return std::nullopt;
  if (scope && *scope < *order)
    return given.say(Row::ScopeBeforeOrder, {given.name()});
  if (*order + 1 < given.size())
    if (auto next = modeOf(given.type(*order + 1)); next && next->kind == "memory_order")
      return given.say(Row::OneOrder, {given.name()});
  std::string name = modeOf(given.type(*order))->name; // NOLINT(bugprone-unchecked-optional-access)
  bool isRead = base == "atomic_load", isWrite = base == "atomic_store";
  bool isWrong =
      (isRead && (name == "memory_order_release_t" || name == "memory_order_acq_rel_t")) ||
      (isWrite && (name == "memory_order_acquire_t" || name == "memory_order_acq_rel_t"));
  if (isWrong)
    return given.say(Row::OrderOfAccess, {given.name(), name,
                                          isRead ? "a load must be relaxed or acquire"
                                                 : "a store must be relaxed or release"});
  return std::nullopt;
}

} // namespace

bool isAtomicTarget(StringRef base, const Element &target) {
  bool isInteger = target.isInteger() && target.bits >= 32;
  return llvm::StringSwitch<bool>(base)
      .Cases({"atomic_add", "atomic_sub"}, isInteger || target.kind == Element::BasicFloat)
      .Cases({"atomic_and", "atomic_or", "atomic_xor", "atomic_max", "atomic_min"}, isInteger)
      .Cases({"atomic_xchg", "atomic_compare_exchange"},
             isInteger || (target.kind == Element::BasicFloat && target.bits >= 32))
      .Default(true);
}

Explanation explainAtomicTarget(const Case &given, const Element &target) {
  StringRef base = given.operation.name;
  base.consume_back("_masked");
  if (isAtomicTarget(base, target))
    return std::nullopt;
  return given.say(Row::AtomicTarget, {given.name(), given.print(target), targetsOf(base).str()});
}

Explanation explainAtomic(const Case &given) {
  StringRef base = given.operation.name;
  bool isMasked = base.consume_back("_masked");
  if (given.size() == 0)
    return std::nullopt;
  if (auto found = explainPointee(given, base != "atomic_load"))
    return found;
  unsigned values = base == "atomic_load" ? 0 : base == "atomic_compare_exchange" ? 2 : 1;
  Element target = elementOf(given.element(0).pointee().getUnqualifiedType(), given.context);
  if (auto found = explainAtomicTarget(given, target))
    return found;
  auto order = firstOfKind(given, "memory_order");
  if (isMasked && order && *order < values + 2)
    return given.say(Row::MaskPosition, {given.name(), "values and precede the order"});
  for (unsigned i = 1; i <= values && i < given.size(); ++i)
    if (!modeOf(given.type(i)))
      if (auto found = explainValue(given, i))
        return found;
  if (isMasked)
    if (auto found = explainMask(given, values + 1))
      return found;
  return explainOrders(given, base);
}

} // namespace tessera::diagnose
