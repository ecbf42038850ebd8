// Straight-line PTX, executed on MLIR values instead of registers; see InlineAssembly.h.
//
// A register holds bits: those of the value last written. An instruction reads it as the type in
// its own name. PtxInstructions.h defines an instruction on scalars; packed types (f16x2) apply it
// to each lane.
#include "raise/InlineAssembly.h"

#include "raise/Elements.h"
#include "raise/PtxInstructions.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tessera::raising {

using namespace ptx;

namespace {

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
