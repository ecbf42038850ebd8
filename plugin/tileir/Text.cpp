// Types, attributes, then operations; see Text.h.
#include "tileir/Text.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

std::string quoted(StringRef text) {
  std::string out;
  raw_string_ostream(out) << json::Value(text);
  return out;
}

std::string dimension(int64_t n) { return n == dynamic ? "?" : std::to_string(n); }

template <class Range> std::string listed(const Range &range, StringRef separator = ", ") {
  return join(map_range(range, dimension), separator);
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string out;
  for (int64_t n : shape)
    out += dimension(n) + "x";
  return out;
}

StringRef wordOf(Padding padding) {
  static constexpr StringLiteral words[] = {"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};
  return words[size_t(padding)];
}

std::string viewText(const Type &type) {
  static constexpr StringLiteral names[] = {"partition_view", "strided_view",
                                            "gather_scatter_view"};
  std::string out = names[type.kind - Type::PartitionView].str() + "<tile=(" +
                    listed(type.shape, "x") + "), " + textOf(*type.inner);
  if (type.padding)
    out += (", padding=" + wordOf(*type.padding)).str();
  if (!equal(type.dimMap, seq<int64_t>(0, int64_t(type.dimMap.size()))))
    out += ", dim_map=[" + listed(type.dimMap) + "]";
  if (!type.steps.empty())
    out += ", steps=[" + listed(type.steps) + "]";
  if (type.sparse)
    out += ", sparse=" + std::to_string(*type.sparse);
  return out + ">";
}

// The shortest decimal number that reads as the same one of its format.
std::string floatText(const fltSemantics &semantics, const APInt &bits) {
  APFloat value(semantics, bits);
  if (value.isNaN())
    return "nan";
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  SmallString<32> digits;
  value.toString(digits);
  bool isWhole = digits.find_first_of(".E") == StringRef::npos;
  return (Twine(digits) + (isWhole ? ".0" : "")).str();
}

// A number of an element type, from its bytes, or from bits that stand for them.
std::string numberText(Element element, const APInt &bits) {
  switch (element) {
  case Element::F16: return floatText(APFloat::IEEEhalf(), bits);
  case Element::F32: return floatText(APFloat::IEEEsingle(), bits);
  case Element::F64: return floatText(APFloat::IEEEdouble(), bits);
  case Element::I1: return toString(bits, 10, /*Signed=*/false);
  default: break;
  }
  if (isInteger(element))
    return toString(bits, 10, /*Signed=*/true);
  return "0x" + utohexstr(bits.getZExtValue(), /*LowerCase=*/true, bits.getBitWidth() / 4);
}

APInt numberOf(StringRef bytes) {
  APInt bits(unsigned(8 * bytes.size()), 0);
  for (size_t i = 0; i < bytes.size(); ++i)
    bits.insertBits(uint8_t(bytes[i]), unsigned(8 * i), 8);
  return bits;
}

std::string constantText(const Type &type, StringRef bytes) {
  size_t size = type.inner->kind == Type::Pointer ? 8 : (bitsOf(type.elementOf()) + 7) / 8;
  Element element = type.inner->kind == Type::Pointer ? Element::I64 : type.elementOf();
  if (bytes.size() == size)
    return numberText(element, numberOf(bytes));
  if (element == Element::I1)
    return "bits 0x" + toHex(bytes, /*LowerCase=*/true);
  std::string out;
  for (; bytes.size() >= size; bytes = bytes.drop_front(size))
    out += (out.empty() ? "" : ", ") + numberText(element, numberOf(bytes.take_front(size)));
  return "[" + out + "]";
}

std::string taggedText(const Attribute &value);

std::string dictionaryText(const Attribute &value) {
  std::string out;
  for (auto [name, inner] : zip(value.names, value.list))
    out += (out.empty() ? "" : ", ") + name.str() + "=" + taggedText(inner);
  return "{" + out + "}";
}

std::string optionalText(std::optional<int64_t> n) { return n ? std::to_string(*n) : "?"; }

std::string taggedText(const Attribute &value) {
  switch (value.tag) {
  case Attribute::Integer: return std::to_string(value.number);
  case Attribute::Float: {
    unsigned bits = (bitsOf(value.type->elementOf()) + 7) / 8 * 8;
    return numberText(value.type->elementOf(),
                      APInt(bits, value.number, /*isSigned=*/false, /*implicitTrunc=*/true));
  }
  case Attribute::Boolean: return value.number ? "true" : "false";
  case Attribute::OfType: return textOf(*value.type);
  case Attribute::Text: return quoted(value.text);
  case Attribute::List: return "[" + join(map_range(value.list, taggedText), ", ") + "]";
  case Attribute::Dense: return "dense<" + toHex(value.text, /*LowerCase=*/true) + ">";
  case Attribute::DivBy:
    return "div_by<" + std::to_string(value.number) +
           (value.first
                ? ", every " + optionalText(value.first) + " along " + optionalText(value.second)
                : std::string()) +
           ">";
  case Attribute::SameElements: return "same_elements<" + listed(value.numbers) + ">";
  case Attribute::Dictionary: return dictionaryText(value);
  case Attribute::Bounded:
    return "bounded<" + optionalText(value.first) + ", " + optionalText(value.second) + ">";
  default: return "";
  }
}

class Printer {
public:
  Printer(const Function &function, raw_ostream &out) : function(function), out(out) {}

  void run() {
    out << (function.isEntry ? "entry" : "func") << " @" << function.name << '('
        << arguments(function.body) << ')';
    for (auto [name, value] : zip(function.hints.names, function.hints.list))
      out << ' ' << name << '=' << taggedText(value);
    out << " {\n";
    printBlock(function.body, "  ");
    out << "}\n";
  }

private:
  std::string name(Value value) const {
    return "%" + std::to_string(function.values[value].number);
  }
  std::string names(ArrayRef<Value> values) const {
    return join(map_range(values, [&](Value value) { return name(value); }), ", ");
  }
  std::string arguments(const Block &block) const {
    return join(map_range(block.arguments,
                          [&](Value value) {
                            return name(value) + ": " + textOf(*function.typeOf(value));
                          }),
                ", ");
  }

  // Which operand it is, unless that is obvious.
  std::string operandText(const OperandFormat &operand, ArrayRef<Value> values) const {
    static constexpr StringLiteral plain[] = {"a", "b", "c", "x", "view", "pointers", "index"};
    bool isList = operand.how == OperandFormat::Counted || operand.how == OperandFormat::Rest;
    std::string text = isList ? "[" + names(values) + "]" : names(values);
    return is_contained(plain, operand.name) ? text : operand.name.str() + "=" + text;
  }

  std::string attributeText(const Op &op, const AttributeFormat &format,
                            const Attribute &value) const {
    switch (format.kind) {
    case Kind::Unit:
    case Kind::Bool: return value.number ? format.name.str() : "";
    case Kind::Int: return format.name.str() + "=" + std::to_string(value.number);
    case Kind::String: return quoted(value.text);
    case Kind::Constant:
      return function.typeOf(op.results[0])->isTile()
                 ? constantText(*function.typeOf(op.results[0]), value.text)
                 : "";
    case Kind::Ints: return format.name.str() + "=[" + listed(value.numbers) + "]";
    case Kind::Bools:
      return format.name.str() + "=[" +
             join(map_range(value.numbers, [](int64_t n) { return n ? "true" : "false"; }), ", ") +
             "]";
    case Kind::Tagged: return taggedText(value);
    case Kind::Array: return format.name.str() + "=" + taggedText(value);
    case Kind::Hints: return "hints" + dictionaryText(value);
    default: return wordsOf(format.kind)[value.number].str();
    }
  }

  void printOp(const Op &op, const std::string &indent) {
    out << indent << names(op.results) << (op.results.empty() ? "" : " = ") << op.format->name;
    std::string separator = " ";
    for (auto [format, values] : zip(op.format->operands, op.operands)) {
      if (values.empty() && format.how == OperandFormat::Optional)
        continue;
      out << separator << operandText(format, values);
      separator = ", ";
    }
    for (auto [format, value] : zip(op.format->attributes, op.attributes))
      if (value.tag != Attribute::Absent)
        if (std::string text = attributeText(op, format, value); !text.empty())
          out << ' ' << text;
    if (!op.results.empty())
      out << " : "
          << join(map_range(op.results, [&](Value v) { return textOf(*function.typeOf(v)); }),
                  ", ");
    if (!op.frames->empty())
      out << "    // " << op.frames->front().line << ':' << op.frames->front().column;
    out << '\n';
    for (const Block &region : op.regions) {
      out << indent << '(' << arguments(region) << ") {\n";
      printBlock(region, indent + "  ");
      out << indent << "}\n";
    }
  }

  void printBlock(const Block &block, const std::string &indent) {
    for (const Op &op : block.ops)
      printOp(op, indent);
  }

  const Function &function;
  raw_ostream &out;
};

} // namespace

std::string textOf(const Type &type) {
  switch (type.kind) {
  case Type::Number: return nameOf(type.element).str();
  case Type::Pointer: return "ptr<" + textOf(*type.inner) + ">";
  case Type::Tile: return "tile<" + shapeText(type.shape) + textOf(*type.inner) + ">";
  case Type::TensorView:
    return "tensor_view<" + shapeText(type.shape) + textOf(*type.inner) + ", strides=[" +
           listed(type.strides) + "]>";
  case Type::PartitionView:
  case Type::StridedView:
  case Type::GatherScatterView: return viewText(type);
  case Type::Token: return "token";
  case Type::Function:
    return "(" + join(map_range(type.parameters, [](const Type *t) { return textOf(*t); }), ", ") +
           ")";
  }
  return "";
}

void print(const Module &module, raw_ostream &out) {
  out << "// Tile IR 13." << module.minor;
  if (!module.producer.empty())
    out << ", by " << module.producer;
  out << '\n';
  for (const Global &global : module.globals)
    out << "global " << global.name << ": " << textOf(*global.type) << " = "
        << constantText(*global.type, global.bytes) << " alignment " << global.alignment << '\n';
  for (const Function &function : module.functions)
    Printer(function, out).run();
}

} // namespace tessera::tileir
