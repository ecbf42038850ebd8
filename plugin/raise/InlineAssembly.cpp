// Straight-line PTX, executed on MLIR values instead of registers; see InlineAssembly.h.
//
// A register holds bits: those of the value last written. An instruction reads it as the type in
// its own name. A row of the table at the end defines an instruction on scalars; packed types
// (f16x2) apply it to each lane.
#include "raise/InlineAssembly.h"

#include "raise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace mlir;

namespace tessera::raising {

namespace {

// ---- names of instructions ----

// A PTX type. `lanes` is 2 for a packed type, `type` is that of a lane.
struct RegisterType {
  Type type;
  bool isUnsigned = false;
  unsigned lanes = 1;
};

// A parsed instruction name: "cvt.rn.satfinite.e4m3x2.f32".
struct Opcode {
  StringRef name;
  std::optional<arith::CmpFPredicate> predicate;
  tile::Rounding rounding = tile::Rounding::nearest;
  bool flush = false, saturate = false, relu = false, nan = false, finite = false, high = false,
       toIntegral = false;            // to an integer: rni, rzi, rmi, rpi
  SmallVector<RegisterType, 2> types; // of the result, then of the sources

  const RegisterType &to() const { return types.front(); }
  const RegisterType &from() const { return types.back(); }
};

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

// ---- instructions on scalars ----

// An instruction with its sources while its operations are built.
struct Step {
  OpBuilder &builder;
  Location loc;
  const Opcode &opcode;
  ArrayRef<Value> sources;

  Value operator[](unsigned i) const { return sources[i]; }
  Type type() const { return opcode.to().type; }
  bool isFloat() const { return isa<FloatType>(type()); }

  template <class Op, class... Args> Op create(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Value number(Type type, double value) const {
    if (isa<FloatType>(type))
      return create<arith::ConstantOp>(builder.getFloatAttr(type, value));
    return create<arith::ConstantOp>(builder.getIntegerAttr(type, static_cast<int64_t>(value)));
  }
  Value binary(tile::BinaryKind kind, Value x, Value y) const {
    return create<tile::BinaryOp>(x.getType(), kind, x, y, opcode.rounding, opcode.flush,
                                  /*isUnsigned=*/false);
  }
};

// .relu keeps NaN, .sat makes it 0.
Value clamp(const Step &step, Value x) {
  Type type = x.getType();
  if (step.opcode.relu)
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::max_nan, x, step.number(type, 0));
  if (step.opcode.saturate) {
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::max, x, step.number(type, 0));
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::min, x, step.number(type, 1));
  }
  return x;
}

Value move(const Step &step) { return step[0]; }

template <class Op> Value bits(const Step &step) {
  return step.isFloat() ? Value() : Value(step.create<Op>(step[0], step[1]));
}

template <tile::UnaryKind Kind> Value unary(const Step &step) {
  return step.isFloat() ? Value(step.create<tile::UnaryOp>(step.type(), Kind, step[0])) : Value();
}

template <tile::BinaryKind Kind> Value binary(const Step &step) {
  return step.isFloat() ? clamp(step, step.binary(Kind, step[0], step[1])) : Value();
}

// The upper half of a product of integers; tile.binary mulhi reads its operands as unsigned.
Value multiply(const Step &step) {
  if (step.isFloat())
    return binary<tile::BinaryKind::mul>(step);
  auto type = cast<IntegerType>(step.type());
  if (!step.opcode.high)
    return {};
  if (step.opcode.to().isUnsigned)
    return step.binary(tile::BinaryKind::mulhi, step[0], step[1]);
  if (type.getWidth() > 32)
    return {};
  Type wide = step.builder.getI64Type();
  Value product = step.create<arith::MulIOp>(step.create<arith::ExtSIOp>(wide, step[0]),
                                             step.create<arith::ExtSIOp>(wide, step[1]));
  return step.create<arith::TruncIOp>(
      type, step.create<arith::ShRSIOp>(product, step.number(wide, type.getWidth())));
}

template <tile::BinaryKind Number, tile::BinaryKind Nan> Value extreme(const Step &step) {
  return step.isFloat() ? step.binary(step.opcode.nan ? Nan : Number, step[0], step[1]) : Value();
}

Value reciprocal(const Step &step) {
  return step.isFloat() ? step.binary(tile::BinaryKind::div, step.number(step.type(), 1), step[0])
                        : Value();
}

Value fma(const Step &step) {
  if (!step.isFloat())
    return {};
  return clamp(step, step.create<tile::FmaOp>(step.type(), step[0], step[1], step[2],
                                              step.opcode.rounding, step.opcode.flush));
}

Value compare(const Step &step) {
  if (!step.opcode.predicate || step.opcode.flush || !isa<FloatType>(step[0].getType()))
    return {};
  return step.create<arith::CmpFOp>(*step.opcode.predicate, step[0], step[1]);
}

// The comparison as 1 or 0 of the result's type; for integer types PTX gives all ones.
Value compareAsNumber(const Step &step) {
  Value isTrue = step.isFloat() ? compare(step) : Value();
  if (!isTrue)
    return {};
  return step.create<arith::SelectOp>(isTrue, step.number(step.type(), 1),
                                      step.number(step.type(), 0));
}

Value select(const Step &step) { return step.create<arith::SelectOp>(step[2], step[0], step[1]); }

// ---- conversions ----

// Conversions saturate; below 32 bits the bounds are the type's own.
Value narrowInteger(const Step &step, Value x, IntegerType to) {
  Type wide = x.getType();
  unsigned width = to.getWidth();
  auto bound = [&](int64_t value) {
    return step.create<arith::ConstantOp>(step.builder.getIntegerAttr(wide, value));
  };
  if (step.opcode.to().isUnsigned) {
    x = step.create<arith::MinUIOp>(x, bound((int64_t(1) << width) - 1));
  } else {
    x = step.create<arith::MinSIOp>(x, bound((int64_t(1) << (width - 1)) - 1));
    x = step.create<arith::MaxSIOp>(x, bound(-(int64_t(1) << (width - 1))));
  }
  return step.create<arith::TruncIOp>(to, x);
}

// A number rounded to an integer, in the instruction's direction.
Value integral(const Step &step, Value x) {
  if (x.getType().getIntOrFloatBitWidth() < 32)
    x = step.create<tile::CastOp>(step.builder.getF32Type(), x);
  if (step.opcode.rounding == tile::Rounding::toward_zero && !step.isFloat())
    return x; // a conversion to an integer rounds by itself
  auto kind = step.opcode.rounding == tile::Rounding::nearest           ? tile::UnaryKind::roundeven
              : step.opcode.rounding == tile::Rounding::toward_negative ? tile::UnaryKind::floor
              : step.opcode.rounding == tile::Rounding::toward_positive ? tile::UnaryKind::ceil
                                                                        : tile::UnaryKind::trunc;
  return step.create<tile::UnaryOp>(x.getType(), kind, x);
}

Value floatToInteger(const Step &step) {
  Value x = integral(step, step[0]);
  auto to = cast<IntegerType>(step.type());
  Type wide = step.builder.getIntegerType(std::max(to.getWidth(), 32u));
  x = step.create<tile::CastOp>(wide, x, tile::Rounding::nearest, /*fromUnsigned=*/false,
                                step.opcode.to().isUnsigned);
  return to.getWidth() < 32 ? narrowInteger(step, x, to) : x;
}

// tile.cast rounds unsigned numbers only to nearest, and for 64 bits there is no wider signed type.
// From 2^63 on, it is twice the half, rounded to odd: the lost bit is kept in the last place, which
// is all that directed rounding needs.
Value unsignedInDirection(const Step &step, Value x) {
  Value zero = step.number(x.getType(), 0), one = step.number(x.getType(), 1);
  Value isLarge = step.create<arith::CmpIOp>(arith::CmpIPredicate::slt, x, zero);
  Value half = step.create<arith::OrIOp>(step.create<arith::ShRUIOp>(x, one),
                                         step.create<arith::AndIOp>(x, one));
  Value number = step.create<arith::SelectOp>(isLarge, half, x);
  number = step.create<tile::CastOp>(step.type(), number, step.opcode.rounding);
  Value twice = step.create<arith::AddFOp>(number, number);
  return step.create<arith::SelectOp>(isLarge, twice, number);
}

Value integerToFloat(const Step &step) {
  if (step.opcode.relu || step.opcode.saturate)
    return {};
  Value x = step[0];
  bool isUnsigned = step.opcode.from().isUnsigned;
  if (isUnsigned && x.getType().getIntOrFloatBitWidth() < 64) {
    x = step.create<arith::ExtUIOp>(step.builder.getI64Type(), x);
    isUnsigned = false;
  }
  if (isUnsigned && step.opcode.rounding != tile::Rounding::nearest)
    return unsignedInDirection(step, x);
  return step.create<tile::CastOp>(step.type(), x, step.opcode.rounding, isUnsigned,
                                   /*toUnsigned=*/false);
}

Value convert(const Step &step) {
  bool fromFloat = isa<FloatType>(step[0].getType());
  bool toByte = step.isFloat() && step.type().getIntOrFloatBitWidth() == 8;
  // A conversion to 8 bits always saturates in the tile dialect.
  if (step.opcode.flush || step.opcode.finite != toByte || (!fromFloat && !step.isFloat()))
    return {};
  if (!step.isFloat())
    return floatToInteger(step);
  if (!fromFloat)
    return integerToFloat(step);
  Value x = step.opcode.toIntegral ? integral(step, step[0]) : step[0];
  return clamp(step, step.create<tile::CastOp>(step.type(), x, step.opcode.rounding));
}

struct Row {
  StringLiteral name;
  unsigned sources;
  Value (*build)(const Step &);
};

constexpr Row rows[] = {
    {"mov", 1, move},
    {"neg", 1, unary<tile::UnaryKind::neg>},
    {"abs", 1, unary<tile::UnaryKind::abs>},
    {"rcp", 1, reciprocal},
    {"sqrt", 1, unary<tile::UnaryKind::sqrt>},
    {"rsqrt", 1, unary<tile::UnaryKind::rsqrt>},
    {"ex2", 1, unary<tile::UnaryKind::exp2>},
    {"lg2", 1, unary<tile::UnaryKind::log2>},
    {"sin", 1, unary<tile::UnaryKind::sin>},
    {"cos", 1, unary<tile::UnaryKind::cos>},
    {"tanh", 1, unary<tile::UnaryKind::tanh>},
    {"cvt", 1, convert},
    {"and", 2, bits<arith::AndIOp>},
    {"or", 2, bits<arith::OrIOp>},
    {"add", 2, binary<tile::BinaryKind::add>},
    {"sub", 2, binary<tile::BinaryKind::sub>},
    {"mul", 2, multiply},
    {"div", 2, binary<tile::BinaryKind::div>},
    {"min", 2, extreme<tile::BinaryKind::min, tile::BinaryKind::min_nan>},
    {"max", 2, extreme<tile::BinaryKind::max, tile::BinaryKind::max_nan>},
    {"setp", 2, compare},
    {"set", 2, compareAsNumber},
    {"selp", 3, select},
    {"fma", 3, fma},
};

const Row *findRow(StringRef name) {
  const Row *row =
      llvm::find_if(rows, [&](const Row &candidate) { return candidate.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

// ---- registers ----

// "a, {b, c}" -> "a", "{b, c}"
SmallVector<StringRef> splitOperands(StringRef text) {
  SmallVector<StringRef> operands;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '{') - (text[i] == '}');
    if (text[i] != ',' || depth)
      continue;
    operands.push_back(text.slice(begin, i).trim());
    begin = i + 1;
  }
  operands.push_back(text.substr(begin).trim());
  return operands;
}

class Machine {
public:
  Machine(OpBuilder &builder, Location loc, ValueRange operands, Type result, Value before)
      : builder(builder), loc(loc), result(result) {
    for (auto [i, operand] : llvm::enumerate(operands))
      registers["$" + std::to_string(i + 1)] = operand;
    if (before)
      registers["$0"] = before;
  }

  Value run(StringRef code);

private:
  bool execute(StringRef statement);
  SmallVector<Value> laneSources(const Opcode &opcode, ArrayRef<StringRef> sources, unsigned lane);
  void write(StringRef name, Value value, bool isUnsigned);
  Value read(StringRef name, Type type);
  Value literal(StringRef text, Type type);
  Value pack(Value low, Value high);
  Value half(Value value, unsigned index);

  template <class Op, class... Args> Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  IntegerType bitsOf(Type type) { return builder.getIntegerType(type.getIntOrFloatBitWidth()); }

  OpBuilder &builder;
  Location loc;
  Type result;
  llvm::StringMap<Value> registers;
};

Value Machine::run(StringRef code) {
  // Blocks scope the declared names, and no block of CUDA's hides a name of an enclosing one.
  SmallVector<StringRef> statements;
  code.split(statements, ';');
  for (StringRef statement : statements)
    if (!execute(statement.ltrim("{} \t\n").rtrim()))
      return {};
  return read("$0", result);
}

bool Machine::execute(StringRef statement) {
  if (statement.empty() || statement.starts_with(".reg"))
    return true;
  auto [text, arguments] = statement.split(' ');
  std::optional<Opcode> opcode = parseOpcode(builder.getContext(), text);
  if (!opcode)
    return false;
  const Row *row = findRow(opcode->name);
  if (!row)
    return false;
  SmallVector<StringRef> operands = splitOperands(arguments);
  ArrayRef<StringRef> sources = ArrayRef<StringRef>(operands).drop_front();
  unsigned lanes = opcode->to().lanes;
  bool packs = lanes == 2 && opcode->from().lanes == 1; // cvt.rn.f16x2.f32 d, high, low
  if (sources.size() != (packs ? 2 : row->sources) || (packs && opcode->name != "cvt"))
    return false;
  SmallVector<Value, 2> results;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> values = laneSources(*opcode, packs ? sources[1 - lane] : sources, lane);
    Value value = llvm::all_of(values, [](Value v) { return bool(v); })
                      ? row->build({builder, loc, *opcode, values})
                      : Value();
    if (!value)
      return false;
    results.push_back(value);
  }
  write(operands.front(), lanes == 1 ? results[0] : pack(results[0], results[1]),
        opcode->to().isUnsigned);
  return true;
}

// An instruction's operands for one lane of its result; the third operand of selp is a predicate.
SmallVector<Value> Machine::laneSources(const Opcode &opcode, ArrayRef<StringRef> sources,
                                        unsigned lane) {
  const RegisterType &from = opcode.from();
  SmallVector<Value> values;
  for (auto [i, source] : llvm::enumerate(sources)) {
    bool isPredicate = opcode.name == "selp" && i == 2;
    Type type = isPredicate ? builder.getI1Type() : from.type;
    if (from.lanes == 1) {
      values.push_back(read(source, type));
      continue;
    }
    Value both = read(source, builder.getIntegerType(2 * from.type.getIntOrFloatBitWidth()));
    values.push_back(both && opcode.to().lanes == 2
                         ? reinterpret(builder, loc, half(both, lane), type)
                         : Value());
  }
  return values;
}

void Machine::write(StringRef name, Value value, bool isUnsigned) {
  if (name.consume_front("{") && name.consume_back("}")) {
    auto [low, high] = name.split(',');
    registers[low.trim()] = half(value, 0);
    registers[high.trim()] = half(value, 1);
    return;
  }
  auto type = dyn_cast<IntegerType>(value.getType());
  // A conversion to 8 bits fills the given register.
  if (name == "$0" && type && isa<IntegerType>(result) &&
      type.getWidth() < result.getIntOrFloatBitWidth())
    value =
        isUnsigned ? create<arith::ExtUIOp>(result, value) : create<arith::ExtSIOp>(result, value);
  registers[name] = value;
}

Value Machine::read(StringRef name, Type type) {
  if (name.consume_front("{") && name.consume_back("}")) {
    auto [low, high] = name.split(',');
    IntegerType bits = builder.getIntegerType(type.getIntOrFloatBitWidth() / 2);
    Value first = read(low.trim(), bits), second = read(high.trim(), bits);
    return first && second ? reinterpret(builder, loc, pack(first, second), type) : Value();
  }
  auto found = registers.find(name);
  if (found == registers.end())
    return literal(name, type);
  Type held = found->second.getType();
  if (held == type)
    return found->second;
  bool hasBits = held.isIntOrFloat() && type.isIntOrFloat() &&
                 held.getIntOrFloatBitWidth() == type.getIntOrFloatBitWidth();
  return hasBits ? reinterpret(builder, loc, found->second, type) : Value();
}

// "1", "0x3f80U": the bits of a register.
Value Machine::literal(StringRef text, Type type) {
  text.consume_back("U");
  uint64_t bits;
  if (text.getAsInteger(0, bits) || !llvm::isUIntN(type.getIntOrFloatBitWidth(), bits))
    return {};
  IntegerType integer = bitsOf(type);
  Value value =
      create<arith::ConstantOp>(builder.getIntegerAttr(integer, APInt(integer.getWidth(), bits)));
  return reinterpret(builder, loc, value, type);
}

Value Machine::pack(Value low, Value high) {
  IntegerType lane = bitsOf(low.getType()), both = builder.getIntegerType(2 * lane.getWidth());
  low = create<arith::ExtUIOp>(both, reinterpret(builder, loc, low, lane));
  high = create<arith::ExtUIOp>(both, reinterpret(builder, loc, high, lane));
  Value shift = create<arith::ConstantOp>(builder.getIntegerAttr(both, lane.getWidth()));
  return create<arith::OrIOp>(low, create<arith::ShLIOp>(high, shift));
}

Value Machine::half(Value value, unsigned index) {
  IntegerType both = bitsOf(value.getType()), lane = builder.getIntegerType(both.getWidth() / 2);
  value = reinterpret(builder, loc, value, both);
  if (index) {
    Value shift = create<arith::ConstantOp>(builder.getIntegerAttr(both, lane.getWidth()));
    value = create<arith::ShRUIOp>(value, shift);
  }
  return create<arith::TruncIOp>(lane, value);
}

} // namespace

Value raiseAssembly(OpBuilder &builder, Location loc, StringRef code, ValueRange operands,
                    Type result, Value before) {
  return Machine(builder, loc, operands, result, before).run(code);
}

} // namespace tessera::raising
