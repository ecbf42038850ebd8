// Calls: primitives, LLVM's intrinsics on scalars, functions of the C math library, inline
// assembly.
//
// Scalar math that LLVM or C defines becomes the operation of that name; tessera/ops.def says which
// function is which.
#include "frontend/lower/CudaInstructions.h"
#include "raise/InlineAssembly.h"
#include "raise/Primitives.h"
#include "raise/Translator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"

using namespace mlir;

namespace tessera::raising {

void Translator::call(const llvm::CallInst &instruction) {
  if (const frontend::Primitive *primitive = calledPrimitive(program, &instruction))
    return this->primitive(instruction, *primitive);
  if (instruction.isInlineAsm())
    return inlineAssembly(instruction);
  if (output(instruction))
    return;
  if (auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction); call && intrinsic(*call))
    return;
  if (mathFunction(instruction) || composedFunction(instruction) || bitsFunction(instruction) ||
      classification(instruction) || cudaFunction(instruction))
    return;
  const llvm::Function *callee = instruction.getCalledFunction();
  if (!callee)
    return unexpected(instruction, "a call through a pointer");
  unsupported(instruction, Refusal::CallOf, {llvm::demangle(callee->getName())});
}

void Translator::primitive(const llvm::CallInst &call, const frontend::Primitive &primitive) {
  if (!isKnown(primitive)) {
    bug(call, "the primitive '" + primitive.name + "' has no row in the table of primitives");
    return;
  }
  if (takesLocalAddress(call, primitive, spaces, builder.getContext()))
    return unexpected(call, "a local variable that is not in memory of the block");
  MLIRContext *context = builder.getContext();
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(call.args())) {
    Type type = operandTile(context, primitive, i);
    operands.push_back(type ? value(argument, type) : value(argument));
  }
  Type scalarResult =
      call.getType()->isVoidTy() || call.getType()->isVectorTy() ? Type() : typeOf(&call);
  if (Value built = buildPrimitive(builder, loc, primitive, operands, scalarResult))
    define(call, built);
}

// ---- intrinsics ----

namespace {

using Builder1 = Value (*)(OpBuilder &, Location, Value);
using Builder2 = Value (*)(OpBuilder &, Location, Value, Value);

template <class Op> Value build1(OpBuilder &builder, Location loc, Value x) {
  return Op::create(builder, loc, x);
}
template <class Op> Value build2(OpBuilder &builder, Location loc, Value x, Value y) {
  return Op::create(builder, loc, x, y);
}

// The operation for a name of the C math library without its float suffix, which is also the name
// of LLVM's intrinsic.
std::optional<tile::UnaryKind> unaryFunction(StringRef name) {
  return llvm::StringSwitch<std::optional<tile::UnaryKind>>(name)
#define TESSERA_FUNCTION_1(NAME, CPU) .Case(#NAME, tile::UnaryKind::NAME)
#define TESSERA_C_MATH_1(NAME, C) .Case(#NAME, tile::UnaryKind::NAME)
#define TESSERA_C_NAME_1(C, NAME) .Case(#C, tile::UnaryKind::NAME)
#include "tessera/ops.def"
      .Default(std::nullopt);
}

std::optional<tile::BinaryKind> binaryFunction(StringRef name) {
  return llvm::StringSwitch<std::optional<tile::BinaryKind>>(name)
#define TESSERA_MATH_2(NAME, CPU, C) .Case(#NAME, tile::BinaryKind::NAME)
#define TESSERA_C_MATH_2(NAME, C) .Case(#NAME, tile::BinaryKind::NAME)
#define TESSERA_C_NAME_2(C, NAME) .Case(#C, tile::BinaryKind::NAME)
#include "tessera/ops.def"
      .Default(std::nullopt);
}

// A function of one, two or three numbers of one type; null for an unknown name.
Value buildFunction(OpBuilder &builder, Location loc, StringRef name, ArrayRef<Value> operands) {
  Type type = operands.empty() ? Type() : operands.front().getType();
  auto unary = operands.size() == 1 ? unaryFunction(name) : std::nullopt;
  auto binary = operands.size() == 2 ? binaryFunction(name) : std::nullopt;
  if (unary)
    return tile::UnaryOp::create(builder, loc, type, *unary, operands[0]);
  if (binary)
    return tile::BinaryOp::create(builder, loc, type, *binary, operands[0], operands[1]);
  if (operands.size() == 3 && name == "fma")
    return tile::FmaOp::create(builder, loc, type, operands[0], operands[1], operands[2]);
  return {};
}

Builder2 integerFunction(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::smin: return build2<arith::MinSIOp>;
  case llvm::Intrinsic::smax: return build2<arith::MaxSIOp>;
  case llvm::Intrinsic::umin: return build2<arith::MinUIOp>;
  case llvm::Intrinsic::umax: return build2<arith::MaxUIOp>;
  default: return nullptr;
  }
}

Builder1 bitFunction(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::abs: return build1<math::AbsIOp>;
  case llvm::Intrinsic::ctpop: return build1<math::CtPopOp>;
  case llvm::Intrinsic::ctlz: return build1<math::CountLeadingZerosOp>;
  case llvm::Intrinsic::cttz: return build1<math::CountTrailingZerosOp>;
  default: return nullptr;
  }
}

// Intrinsics without effect on what a program computes.
bool isHint(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::invariant_start:
  case llvm::Intrinsic::invariant_end:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::sideeffect: return true;
  default: return false;
  }
}

// "llvm.fma.f32" -> "fma"
StringRef intrinsicName(const llvm::IntrinsicInst &call) {
  return call.getCalledFunction()->getName().drop_front(StringRef("llvm.").size()).split('.').first;
}

} // namespace

bool Translator::intrinsic(const llvm::IntrinsicInst &call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (isHint(id) || isa<llvm::DbgInfoIntrinsic>(call))
    return true;
  if (auto *transfer = dyn_cast<llvm::MemTransferInst>(&call)) {
    copy(*transfer);
    return true;
  }
  if (auto *set = dyn_cast<llvm::MemSetInst>(&call)) {
    fill(*set);
    return true;
  }
  if (call.getType()->isVectorTy())
    return false;
  auto operand = [&](unsigned i) { return value(call.getArgOperand(i)); };
  if (id == llvm::Intrinsic::expect || id == llvm::Intrinsic::expect_with_probability ||
      id == llvm::Intrinsic::launder_invariant_group)
    define(call, operand(0));
  else if (id == llvm::Intrinsic::fmuladd)
    define(call, create<arith::AddFOp>(create<arith::MulFOp>(operand(0), operand(1)), operand(2)));
  else if (id == llvm::Intrinsic::is_fpclass)
    return isOfClass(call);
  else if (Builder1 build = bitFunction(id))
    define(call, build(builder, loc, operand(0)));
  else if (Builder2 build = integerFunction(id))
    define(call, build(builder, loc, operand(0), operand(1)));
  else
    return namedFunction(call, intrinsicName(call));
  return true;
}

// A floating-point function by its name; false for an unknown name.
bool Translator::namedFunction(const llvm::CallInst &call, StringRef name) {
  SmallVector<Value> operands;
  for (const llvm::Value *argument : call.args()) {
    if (argument->getType() != call.getType() || !argument->getType()->isFloatingPointTy())
      return false;
    operands.push_back(value(argument));
  }
  Value result = buildFunction(builder, loc, name, operands);
  if (result)
    define(call, result);
  return bool(result);
}

// A function of the C math library, or of CUDA's that carries its name: expf, __nv_expf,
// __nv_fmaf_rn.
bool Translator::mathFunction(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  Type type = callee && !call.getType()->isVoidTy() ? typeOf(&call) : Type();
  if (!type || !isa<FloatType>(type))
    return false;
  StringRef name = callee->getName();
  name.consume_front("__nv_");
  name.consume_back("_rn");
  name.consume_back("_ieee");
  if (type.isF32())
    name.consume_back("f");
  return namedFunction(call, name);
}

// CUDA's reinterpretation of a scalar's bits: __nv_uint_as_float.
bool Translator::bitsFunction(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  static constexpr StringLiteral names[] = {"__nv_uint_as_float", "__nv_int_as_float",
                                            "__nv_float_as_uint", "__nv_float_as_int"};
  if (!callee || !llvm::is_contained(names, callee->getName()))
    return false;
  define(call, create<arith::BitcastOp>(typeOf(&call), value(call.getArgOperand(0))));
  return true;
}

namespace {

using OptionalPredicate = std::optional<arith::CmpFPredicate>;

// The comparison of the magnitude with infinity that tests for these classes of numbers.
OptionalPredicate comparisonFor(unsigned classes) {
  switch (classes) {
  case llvm::fcNan: return arith::CmpFPredicate::UNO;
  case llvm::fcInf: return arith::CmpFPredicate::OEQ;
  case llvm::fcFinite: return arith::CmpFPredicate::OLT;
  case llvm::fcAllFlags & ~llvm::fcNan: return arith::CmpFPredicate::ORD;
  case llvm::fcAllFlags & ~llvm::fcInf: return arith::CmpFPredicate::UNE;
  case llvm::fcAllFlags & ~llvm::fcFinite: return arith::CmpFPredicate::UGE;
  default: return {};
  }
}

Value compareWithInfinity(OpBuilder &builder, Location loc, arith::CmpFPredicate question,
                          Value x) {
  auto type = cast<FloatType>(x.getType());
  Value infinity = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type, llvm::APFloat::getInf(type.getFloatSemantics())));
  Value magnitude = tile::UnaryOp::create(builder, loc, type, tile::UnaryKind::abs, x);
  return arith::CmpFOp::create(builder, loc, question, magnitude, infinity);
}

} // namespace

// `llvm.is.fpclass` if one comparison implements it.
bool Translator::isOfClass(const llvm::IntrinsicInst &call) {
  auto *classes = dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  OptionalPredicate question = classes ? comparisonFor(classes->getZExtValue()) : std::nullopt;
  if (!question)
    return false;
  define(call, compareWithInfinity(builder, loc, *question, value(call.getArgOperand(0))));
  return true;
}

// CUDA's integer abs and float classification, with the type's letter after the name.
bool Translator::classification(const llvm::CallInst &call) {
  StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : StringRef();
  if (!name.consume_front("__nv_") || call.arg_size() != 1)
    return false;
  auto operand = [&] { return value(call.getArgOperand(0)); };
  if (name == "abs")
    return define(call, create<math::AbsIOp>(operand())), true;
  auto question = llvm::StringSwitch<OptionalPredicate>(name)
                      .Cases({"isnanf", "isnand"}, arith::CmpFPredicate::UNO)
                      .Cases({"isinff", "isinfd"}, arith::CmpFPredicate::OEQ)
                      .Cases({"finitef", "isfinited"}, arith::CmpFPredicate::OLT)
                      .Default(std::nullopt);
  Value answer;
  if (question) {
    answer = compareWithInfinity(builder, loc, *question, operand());
  } else if (name == "signbitf" || name == "signbitd") {
    Type bits = builder.getIntegerType(operand().getType().getIntOrFloatBitWidth());
    Value zero = create<arith::ConstantOp>(builder.getIntegerAttr(bits, 0));
    answer = create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                   create<arith::BitcastOp>(bits, operand()), zero);
  } else {
    return false;
  }
  return define(call, create<arith::ExtUIOp>(typeOf(&call), answer)), true;
}

// A CUDA function that is one instruction: __nv_float2int_rz.
bool Translator::cudaFunction(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  std::string code = callee ? frontend::cudaInstruction(callee->getName()) : std::string();
  if (code.empty())
    return false;
  SmallVector<Value> operands;
  for (const llvm::Value *argument : call.args())
    operands.push_back(value(argument));
  Value result = raiseAssembly(builder, loc, code, operands, typeOf(&call));
  if (result)
    define(call, result);
  return bool(result);
}

// As operations if known, else carried through: the emitter prints it back. Several results are a
// struct, as in LLVM.
void Translator::inlineAssembly(const llvm::CallInst &call) {
  auto *code = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  SmallVector<Value> operands;
  for (const llvm::Value *argument : call.args())
    operands.push_back(value(argument));
  SmallVector<Type> types = typesOf(&call);
  bool isTile = llvm::any_of(operands, [](Value x) { return isa<RankedTensorType>(x.getType()); });
  if (isTile || llvm::any_of(types, [](Type type) { return isa<RankedTensorType>(type); }))
    return unexpected(call, "inline assembly on tiles");
  if (types.size() == 1) {
    const llvm::InlineAsm::ConstraintInfo output = code->ParseConstraints().front();
    Value before = output.hasMatchingInput() ? operands[output.MatchingInput - 1] : Value();
    if (Value known =
            raiseAssembly(builder, loc, code->getAsmString(), operands, types.front(), before))
      return define(call, known);
  }
  MLIRContext *context = builder.getContext();
  Type result = types.empty() ? Type() : types.front();
  if (types.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(context, types);
  auto assembly = create<LLVM::InlineAsmOp>(
      result ? TypeRange(result) : TypeRange(), operands, code->getAsmString(),
      code->getConstraintString(), code->hasSideEffects(), code->isAlignStack(),
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (types.size() <= 1)
    return define(call, assembly->getResults());
  SmallVector<Value> leaves;
  for (int64_t i = 0; i < static_cast<int64_t>(types.size()); ++i)
    leaves.push_back(create<LLVM::ExtractValueOp>(assembly->getResult(0), i));
  define(call, leaves);
}

} // namespace tessera::raising
