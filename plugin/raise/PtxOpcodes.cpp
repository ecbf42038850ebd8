// Each word of a name is a flag, a rounding, a comparison or a type. The words are those that
// CUDA's headers use.
#include "raise/PtxOpcodes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tessera::raising::ptx {
namespace {

std::optional<RegisterType> parseType(MLIRContext *context, StringRef name) {
  RegisterType result;
  if (name.consume_back("x2"))
    result.lanes = 2;
  unsigned width;
  if (name.empty())
    return std::nullopt;
  if (name == "pred")
    result.type = IntegerType::get(context, 1);
  else if (StringRef("sub").contains(name.front()) && !name.drop_front().getAsInteger(10, width))
    result = {IntegerType::get(context, width), name.front() != 's', result.lanes};
  else
    result.type = llvm::StringSwitch<Type>(name)
                      .Case("f16", Float16Type::get(context))
                      .Case("bf16", BFloat16Type::get(context))
                      .Case("f32", Float32Type::get(context))
                      .Case("f64", Float64Type::get(context))
                      .Case("e4m3", Float8E4M3FNType::get(context))
                      .Case("e5m2", Float8E5M2Type::get(context))
                      .Default(nullptr);
  return result.type ? std::optional(result) : std::nullopt;
}

std::optional<tile::Rounding> parseRounding(StringRef name) {
  using R = std::optional<tile::Rounding>;
  return llvm::StringSwitch<R>(name)
      .Cases({"rn", "rni"}, tile::Rounding::nearest)
      .Cases({"rz", "rzi"}, tile::Rounding::toward_zero)
      .Cases({"rm", "rmi"}, tile::Rounding::toward_negative)
      .Cases({"rp", "rpi"}, tile::Rounding::toward_positive)
      .Case("approx", tile::Rounding::approximate)
      .Default(std::nullopt);
}

std::optional<arith::CmpFPredicate> parsePredicate(StringRef name) {
  using P = arith::CmpFPredicate;
  return llvm::StringSwitch<std::optional<P>>(name)
      .Case("eq", P::OEQ)
      .Case("ne", P::ONE)
      .Case("lt", P::OLT)
      .Case("le", P::OLE)
      .Case("gt", P::OGT)
      .Case("ge", P::OGE)
      .Case("equ", P::UEQ)
      .Case("neu", P::UNE)
      .Case("ltu", P::ULT)
      .Case("leu", P::ULE)
      .Case("gtu", P::UGT)
      .Case("geu", P::UGE)
      .Case("num", P::ORD)
      .Case("nan", P::UNO)
      .Default(std::nullopt);
}

bool *flagNamed(Opcode &opcode, StringRef name) {
  return llvm::StringSwitch<bool *>(name)
      .Case("ftz", &opcode.flush)
      .Case("sat", &opcode.saturate)
      .Case("relu", &opcode.relu)
      .Case("NaN", &opcode.nan)
      .Case("satfinite", &opcode.finite)
      .Case("hi", &opcode.high)
      .Default(nullptr);
}

} // namespace

std::optional<Opcode> parseOpcode(MLIRContext *context, StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, '.');
  Opcode opcode;
  opcode.name = words.front();
  for (StringRef word : llvm::drop_begin(words)) {
    if (bool *flag = flagNamed(opcode, word))
      *flag = true;
    else if (auto rounding = parseRounding(word))
      opcode.rounding = *rounding, opcode.toIntegral = word.size() == 3;
    else if (auto predicate = parsePredicate(word))
      opcode.predicate = predicate;
    else if (auto type = parseType(context, word))
      opcode.types.push_back(*type);
    else
      return std::nullopt;
  }
  return opcode.types.empty() ? std::nullopt : std::optional(std::move(opcode));
}

} // namespace tessera::raising::ptx
