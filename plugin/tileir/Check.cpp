// A row for each operation whose operands and results are tiles of one kind; see Check.h. Those
// that change shapes or access memory check the rest themselves, or leave it to the verifiers of
// tile IR.
#include "tileir/Check.h"

#include "tileir/Text.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

enum Rule : unsigned {
  OneType = 1,    // of all operands and results
  OneShape = 2,   // the same without their elements
  OneElement = 4, // the same without their shapes
  Floats = 8,     // of all operands
  Integers = 16,
  ToTruth = 32, // the result's elements are i1
  ToFloats = 64,
  ToIntegers = 128,
};

struct Row {
  Opcode opcode;
  unsigned rules;
};

constexpr Row rows[] = {
    {Opcode::AbsF, OneType | Floats},
    {Opcode::NegF, OneType | Floats},
    {Opcode::Ceil, OneType | Floats},
    {Opcode::Floor, OneType | Floats},
    {Opcode::Exp, OneType | Floats},
    {Opcode::Exp2, OneType | Floats},
    {Opcode::Log, OneType | Floats},
    {Opcode::Log2, OneType | Floats},
    {Opcode::Sqrt, OneType | Floats},
    {Opcode::RSqrt, OneType | Floats},
    {Opcode::Sin, OneType | Floats},
    {Opcode::Cos, OneType | Floats},
    {Opcode::Tan, OneType | Floats},
    {Opcode::Sinh, OneType | Floats},
    {Opcode::Cosh, OneType | Floats},
    {Opcode::Tanh, OneType | Floats},
    {Opcode::AddF, OneType | Floats},
    {Opcode::SubF, OneType | Floats},
    {Opcode::MulF, OneType | Floats},
    {Opcode::DivF, OneType | Floats},
    {Opcode::RemF, OneType | Floats},
    {Opcode::Pow, OneType | Floats},
    {Opcode::Atan2, OneType | Floats},
    {Opcode::MaxF, OneType | Floats},
    {Opcode::MinF, OneType | Floats},
    {Opcode::Fma, OneType | Floats},
    {Opcode::AbsI, OneType | Integers},
    {Opcode::NegI, OneType | Integers},
    {Opcode::AddI, OneType | Integers},
    {Opcode::SubI, OneType | Integers},
    {Opcode::MulI, OneType | Integers},
    {Opcode::MulHiI, OneType | Integers},
    {Opcode::DivI, OneType | Integers},
    {Opcode::RemI, OneType | Integers},
    {Opcode::MaxI, OneType | Integers},
    {Opcode::MinI, OneType | Integers},
    {Opcode::AndI, OneType | Integers},
    {Opcode::OrI, OneType | Integers},
    {Opcode::XOrI, OneType | Integers},
    {Opcode::ShLI, OneType | Integers},
    {Opcode::ShRI, OneType | Integers},
    {Opcode::CmpF, OneShape | Floats | ToTruth},
    {Opcode::CmpI, OneShape | Integers | ToTruth},
    {Opcode::ExtI, OneShape | Integers | ToIntegers},
    {Opcode::TruncI, OneShape | Integers | ToIntegers},
    {Opcode::IToF, OneShape | Integers | ToFloats},
    {Opcode::FToI, OneShape | Floats | ToIntegers},
    {Opcode::FToF, OneShape | Floats | ToFloats},
    {Opcode::FPowI, OneShape | ToFloats},
    {Opcode::Bitcast, OneShape},
    {Opcode::IntToPtr, OneShape | Integers},
    {Opcode::PtrToInt, OneShape | ToIntegers},
    {Opcode::PtrToPtr, OneShape},
    {Opcode::Offset, OneShape},
    {Opcode::Select, OneShape},
    {Opcode::Assume, OneType},
    {Opcode::Reshape, OneElement},
    {Opcode::Broadcast, OneElement},
    {Opcode::Permute, OneElement},
    {Opcode::Cat, OneElement},
    {Opcode::Iota, ToIntegers},
    {Opcode::Assert, Integers},
};

// What takes and gives integers of 4 bits: they convert, change places and are carried, and do not
// compute. The names of the operands that may be such tiles, of all where there is none.
struct NibbleRow {
  Opcode opcode;
  StringLiteral operands = "";
};

constexpr NibbleRow nibbleRows[] = {
    {Opcode::Pack},
    {Opcode::Unpack},
    {Opcode::ExtI},
    {Opcode::TruncI},
    {Opcode::Select},
    {Opcode::Reshape},
    {Opcode::Cat},
    {Opcode::Broadcast},
    {Opcode::Permute},
    {Opcode::Extract, "x"},
    {Opcode::Insert, "x into"},
    {Opcode::For, "initial"},
    {Opcode::Loop},
    {Opcode::If},
    {Opcode::Yield},
    {Opcode::Continue},
    {Opcode::Break},
    {Opcode::PrintTko},
    {Opcode::Assume},
};

bool isOf(const Type &type, bool floats) {
  return type.isNumberTile() && isInteger(type.elementOf()) != floats;
}

// Control flow carries tokens beside tiles, and token operands are tokens.
bool mayBeToken(const Op &op, StringRef operand) {
  switch (op.opcode()) {
  case Opcode::JoinTokens:
  case Opcode::Yield:
  case Opcode::Continue:
  case Opcode::Break:
  case Opcode::For:
  case Opcode::Loop: return true;
  default: return operand == "token";
  }
}

LogicalResult checkOperand(Kernel &kernel, const Op &op, StringRef name, const Type &type) {
  if (name == "view" || name == "tensor")
    return type.isView() ? success() : kernel.reject(op, "needs a view, but has " + textOf(type));
  if (type.isTile() || (type.kind == Type::Token && mayBeToken(op, name)))
    return success();
  return kernel.reject(op, "has an operand of type " + textOf(type));
}

LogicalResult checkRules(Kernel &kernel, const Op &op, unsigned rules) {
  const Type *first = op.results.empty() ? nullptr : &kernel.resultOf(op);
  if (first && !first->isTile())
    return kernel.reject(op, "has a result of type " + textOf(*first));
  auto wrong = [&](const Type &type) {
    return kernel.reject(op, "has an operand of type " + textOf(type) +
                                 (first ? " and a result of type " + textOf(*first) : ""));
  };
  for (const std::vector<Value> &operands : op.operands)
    for (Value value : operands) {
      const Type &type = kernel.typeOf(value);
      bool isSameShape = !first || type.shape == first->shape;
      bool isSameElement = !first || textOf(*type.inner) == textOf(*first->inner);
      if ((rules & (OneType | OneShape) && !isSameShape) ||
          (rules & (OneType | OneElement) && !isSameElement) ||
          (rules & Floats && !isOf(type, true)) || (rules & Integers && !isOf(type, false)))
        return wrong(type);
      // They convert, and compute in no other way.
      bool isSmall = rules & Floats && type.elementOf() == Element::F4E2M1FN;
      if (isSmall && op.opcode() != Opcode::FToF)
        return wrong(type);
    }
  bool isResultWrong =
      first &&
      ((rules & ToTruth && !(first->isNumberTile() && first->elementOf() == Element::I1)) ||
       (rules & ToFloats && !isOf(*first, true)) || (rules & ToIntegers && !isOf(*first, false)));
  return isResultWrong ? kernel.reject(op, "has a result of type " + textOf(*first)) : success();
}

LogicalResult checkNibbles(Kernel &kernel, const Op &op) {
  const NibbleRow *row =
      find_if(nibbleRows, [&](const NibbleRow &row) { return row.opcode == op.opcode(); });
  bool isKnown = row != std::end(nibbleRows);
  for (auto [format, values] : zip(op.format->operands, op.operands)) {
    bool isAllowed =
        isKnown && (row->operands.empty() || is_contained(split(row->operands, " "), format.name));
    for (Value value : values)
      if (!isAllowed && kernel.typeOf(value).isNibbleTile())
        return kernel.reject(op, "has an operand of type " + textOf(kernel.typeOf(value)));
  }
  for (Value result : op.results)
    if (!isKnown && kernel.typeOf(result).isNibbleTile())
      return kernel.reject(op, "has a result of type " + textOf(kernel.typeOf(result)));
  return success();
}

} // namespace

LogicalResult checkTypes(Kernel &kernel, const Op &op) {
  if (failed(checkNibbles(kernel, op)))
    return failure();
  for (auto [format, values] : zip(op.format->operands, op.operands))
    for (Value value : values)
      if (failed(checkOperand(kernel, op, format.name, kernel.typeOf(value))))
        return failure();
  for (const Row &row : rows)
    if (row.opcode == op.opcode())
      return checkRules(kernel, op, row.rules);
  return success();
}

} // namespace tessera::tileir
