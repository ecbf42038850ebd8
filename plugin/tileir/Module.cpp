// What the data says of itself.
#include "tileir/Module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

struct ElementRow {
  StringLiteral name;
  unsigned bits;
};

// In the order of the enumerators.
constexpr ElementRow elements[] = {
    {"i1", 1},        {"i8", 8},       {"i16", 16},     {"i32", 32},
    {"i64", 64},      {"f16", 16},     {"bf16", 16},    {"f32", 32},
    {"tf32", 19},     {"f64", 64},     {"f8e4m3fn", 8}, {"f8e5m2", 8},
    {"f8e8m0fnu", 8}, {"f4e2m1fn", 4}, {"i4", 4},       {"f8e5m3fnu", 8},
};

} // namespace

StringRef nameOf(Element element) { return elements[size_t(element)].name; }
unsigned bitsOf(Element element) { return elements[size_t(element)].bits; }
bool isInteger(Element element) { return nameOf(element).starts_with("i"); }

Element Type::elementOf() const {
  const Type *type = this;
  while (type->kind != Number && type->inner)
    type = type->inner;
  return type->element;
}

const Attribute *Attribute::find(StringRef name) const {
  for (auto [key, value] : zip(names, list))
    if (key == name)
      return &value;
  return nullptr;
}

const Attribute &Op::attribute(StringRef name) const {
  for (auto [known, value] : zip(format->attributes, attributes))
    if (known.name == name)
      return value;
  llvm_unreachable("Operations.def has no such attribute of the operation");
}

ArrayRef<Value> Op::operand(StringRef name) const {
  for (auto [known, values] : zip(format->operands, operands))
    if (known.name == name)
      return values;
  llvm_unreachable("Operations.def has no such operand of the operation");
}

const Global *Module::findGlobal(StringRef name) const {
  auto found = find_if(globals, [&](const Global &global) { return global.name == name; });
  return found == globals.end() ? nullptr : &*found;
}

bool isTerminator(Opcode opcode) {
  switch (opcode) {
  case Opcode::Return:
  case Opcode::Yield:
  case Opcode::Continue:
  case Opcode::Break: return true;
  default: return false;
  }
}

} // namespace tessera::tileir
