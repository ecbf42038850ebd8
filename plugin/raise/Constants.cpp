// LLVM constants: numbers, splat tiles, undefined values, constant expressions, and addresses of globals.
#include "raise/Translator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Target/LLVMIR/TypeFromLLVM.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

using namespace mlir;

namespace tessera::raising {

Value Translator::integer(int64_t value, unsigned width) {
  return create<arith::ConstantOp>(builder.getIntegerAttr(builder.getIntegerType(width), value));
}

namespace {

// The bits of a number; a null pointer is 0.
std::optional<APInt> bitsOf(const llvm::Constant *constant) {
  if (auto *number = dyn_cast<llvm::ConstantInt>(constant))
    return number->getValue();
  if (auto *number = dyn_cast<llvm::ConstantFP>(constant))
    return number->getValueAPF().bitcastToAPInt();
  if (isa<llvm::ConstantPointerNull>(constant))
    return APInt(64, 0);
  return {};
}

// The element that a lane with these bits holds. A tf32 is the upper part of its lane.
TypedAttr elementOfLane(Type element, const APInt &lane) {
  if (element.isInteger(1))
    return IntegerAttr::get(element, lane.isZero() ? 0 : 1);
  if (auto type = dyn_cast<IntegerType>(element))
    return IntegerAttr::get(type, lane.zextOrTrunc(type.getWidth()));
  auto type = cast<FloatType>(element);
  unsigned width = type.getWidth();
  APInt bits = isa<FloatTF32Type>(type) ? lane.extractBits(width, lane.getBitWidth() - width) : lane.zextOrTrunc(width);
  return FloatAttr::get(type, APFloat(type.getFloatSemantics(), bits));
}

} // namespace

Value Translator::scalarConstant(const llvm::Constant *literal, Type type) {
  if (isa<llvm::UndefValue>(literal))
    return create<ub::PoisonOp>(type);
  std::optional<APInt> bits = bitsOf(literal);
  if (bits && isa<LLVM::LLVMPointerType>(type)) {
    if (bits->isZero())
      return create<LLVM::ZeroOp>(type);
    return create<LLVM::IntToPtrOp>(type, integer(bits->getZExtValue()));
  }
  if (bits)
    return create<arith::ConstantOp>(elementOfLane(type, *bits));
  if (auto *global = dyn_cast<llvm::GlobalVariable>(literal))
    return addressOf(*global);
  if (auto *expression = dyn_cast<llvm::ConstantExpr>(literal)) {
    llvm::Instruction *instruction = expression->getAsInstruction();
    translate(*instruction);
    Value result = value(instruction);
    valueMap.erase(instruction);
    instruction->deleteValue();
    return result;
  }
  report(*literal, Diagnostic::Unsupported,
         isa<llvm::Function>(literal) ? "a pointer to a function in tile code" : "a constant of this kind in tile code");
  return create<ub::PoisonOp>(type);
}

// Lanes that are all equal.
Value Translator::tileConstant(const llvm::Constant *literal, RankedTensorType type) {
  if (isa<llvm::UndefValue>(literal))
    return create<ub::PoisonOp>(type);
  const llvm::Constant *lane = literal->getSplatValue(/*AllowPoison=*/true);
  if (!lane) {
    report(*literal, Diagnostic::Unsupported, "a constant tile whose elements differ");
    return create<ub::PoisonOp>(type);
  }
  return create<tile::SplatOp>(type, scalarConstant(lane, type.getElementType()));
}

Value Translator::constant(const llvm::Constant *literal, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tileConstant(literal, tensor);
  if (literal->getType()->isVectorTy() && !isa<llvm::UndefValue>(literal))
    literal = literal->getAggregateElement(0u);
  return scalarConstant(literal, type);
}

SmallVector<Value> Translator::constants(const llvm::Constant *literal, ArrayRef<Type> types) {
  llvm::Type *type = literal->getType();
  if (!isa<llvm::StructType, llvm::ArrayType>(type))
    return {constant(literal, types.front())};
  SmallVector<Value> leaves;
  unsigned count = isa<llvm::StructType>(type) ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    llvm::append_range(leaves, values(literal->getAggregateElement(i)));
  return leaves;
}

namespace {

// What a global holds, as far as an attribute can say it: numbers and arrays of numbers.
Attribute initializer(Builder &builder, const llvm::Constant &constant, Type type) {
  if (constant.isNullValue())
    return LLVM::ZeroAttr::get(builder.getContext());
  if (std::optional<APInt> bits = bitsOf(&constant); bits && type.isIntOrFloat())
    return elementOfLane(type, *bits);
  auto *data = dyn_cast<llvm::ConstantDataSequential>(&constant);
  Type element = data ? scalarType(builder.getContext(), data->getElementType()) : Type();
  if (!element)
    return {};
  SmallVector<Attribute> elements;
  for (unsigned i = 0; i < data->getNumElements(); ++i)
    elements.push_back(elementOfLane(element, *bitsOf(data->getElementAsConstant(i))));
  return DenseElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(elements.size())}, element), elements);
}

} // namespace

// A global of the program is declared in the module under its symbol; `tile.name` is how C++ spells it. Constants come with their value.
Value Translator::addressOf(const llvm::GlobalVariable &global) {
  if (!module.lookupSymbol(global.getName())) {
    LLVM::TypeFromLLVMIRTranslator types(*builder.getContext());
    Type type = types.translateType(global.getValueType());
    Attribute value = global.isConstant() && global.hasInitializer() ? initializer(builder, *global.getInitializer(), type) : Attribute();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto declared = create<LLVM::GlobalOp>(type, global.isConstant(), value ? LLVM::Linkage::Internal : LLVM::Linkage::External,
                                           global.getName(), value);
    declared->setAttr("tile.name", builder.getStringAttr(llvm::demangle(global.getName())));
  }
  return create<LLVM::AddressOfOp>(LLVM::LLVMPointerType::get(builder.getContext()), global.getName());
}

} // namespace tessera::raising
