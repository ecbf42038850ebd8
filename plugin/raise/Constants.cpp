// LLVM constants: numbers, splat tiles, undefined values, constant expressions, and addresses of
// globals.
#include "raise/Translator.h"
#include "tile/Attributes.h"
#include "tile/FreeName.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Target/LLVMIR/TypeFromLLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tessera::raising {

Value Translator::integer(int64_t value, unsigned width) {
  return create<arith::ConstantOp>(builder.getIntegerAttr(builder.getIntegerType(width), value));
}

namespace {

// The number as tile code represents it: a long double as double.
APInt bitsOf(APFloat number) {
  bool losesInfo = false;
  if (&number.getSemantics() == &APFloat::x87DoubleExtended())
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt();
}

// The bits of a number; a null pointer is 0.
std::optional<APInt> bitsOf(const llvm::Constant *constant) {
  if (auto *number = dyn_cast<llvm::ConstantInt>(constant))
    return number->getValue();
  if (auto *number = dyn_cast<llvm::ConstantFP>(constant))
    return bitsOf(number->getValueAPF());
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
  APInt bits = isa<FloatTF32Type>(type) ? lane.extractBits(width, lane.getBitWidth() - width)
                                        : lane.zextOrTrunc(width);
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
  bug(*literal, "a constant of this kind");
  return create<ub::PoisonOp>(type);
}

// Lanes that are all equal.
Value Translator::tileConstant(const llvm::Constant *literal, RankedTensorType type) {
  if (isa<llvm::UndefValue>(literal))
    return create<ub::PoisonOp>(type);
  const llvm::Constant *lane = literal->getSplatValue(/*AllowPoison=*/true);
  if (!lane) {
    bug(*literal, "a constant tile whose elements differ");
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
  unsigned count =
      isa<llvm::StructType>(type) ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    llvm::append_range(leaves, values(literal->getAggregateElement(i)));
  return leaves;
}

namespace {

// The type of all numbers in a constant's type; null if there are several, or other members.
llvm::Type *leafType(llvm::Type *type) {
  if (auto *array = dyn_cast<llvm::ArrayType>(type))
    return leafType(array->getElementType());
  auto *record = dyn_cast<llvm::StructType>(type);
  if (!record)
    return type->isIntegerTy() || type->isFloatingPointTy() ? type : nullptr;
  llvm::Type *leaf = nullptr;
  for (llvm::Type *member : record->elements()) {
    llvm::Type *other = leafType(member);
    if (!other || (leaf && other != leaf))
      return nullptr;
    leaf = other;
  }
  return leaf;
}

// Writes a constant's bytes, little-endian, over zeros; false if it contains an address.
bool writeBytes(const llvm::Constant &constant, const llvm::DataLayout &layout,
                MutableArrayRef<char> bytes) {
  if (constant.isNullValue() || isa<llvm::UndefValue>(constant))
    return true;
  llvm::Type *type = constant.getType();
  if (std::optional<APInt> bits = bitsOf(&constant)) {
    for (unsigned i = 0; 8 * i < bits->getBitWidth(); ++i)
      bytes[i] = bits->extractBitsAsZExtValue(std::min(8u, bits->getBitWidth() - 8 * i), 8 * i);
    return !type->isPointerTy();
  }
  auto *record = dyn_cast<llvm::StructType>(type);
  if (!record && !type->isArrayTy())
    return false;
  uint64_t count = record ? record->getNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    uint64_t offset = record ? layout.getStructLayout(record)->getElementOffset(i).getFixedValue()
                             : i * layout.getTypeAllocSize(type->getArrayElementType());
    if (!writeBytes(*constant.getAggregateElement(i), layout, bytes.drop_front(offset)))
      return false;
  }
  return true;
}

// The initial value of a global as a flat array of its numbers, or of bytes if their types differ;
// null if it contains an address.
DenseElementsAttr valueOf(const llvm::GlobalVariable &global, MLIRContext *context) {
  const llvm::DataLayout &layout = global.getParent()->getDataLayout();
  int64_t size = layout.getTypeAllocSize(global.getValueType());
  SmallVector<char> bytes(size, 0);
  if (!size || !writeBytes(*global.getInitializer(), layout, bytes))
    return {};
  llvm::Type *leaf = leafType(global.getValueType());
  Type element = leaf ? scalarType(context, leaf) : Type();
  int64_t width = element ? element.getIntOrFloatBitWidth() : 0;
  bool isWholeBytes = width >= 8 && llvm::isPowerOf2_64(width) && size % (width / 8) == 0;
  if (!isWholeBytes)
    element = IntegerType::get(context, width = 8);
  return DenseElementsAttr::getFromRawBuffer(RankedTensorType::get({size / (width / 8)}, element),
                                             bytes);
}

// Names that code outside of tile code cannot use: string literals, initializers of local arrays,
// static locals.
bool isNameless(const llvm::GlobalVariable &global) {
  return global.hasPrivateLinkage() || global.getName().starts_with("_ZZ");
}

// A unique identifier for a nameless global: "next_10_c" for `next<10>()::c`,
// "const_kernel_weights" for the initializer of a local array.
std::string nameOfVariable(const llvm::GlobalVariable &global, ModuleOp module) {
  std::string name;
  for (char c : llvm::demangle(global.getName()))
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  return tile::freeName(module, tile::variableAttr, name, /*first=*/1);
}

} // namespace

// The C++ spelling: an unnamed namespace has no name.
static std::string spelledName(const llvm::GlobalVariable &global) {
  std::string name = llvm::demangle(global.getName());
  constexpr llvm::StringLiteral unnamed("(anonymous namespace)::");
  for (size_t at; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  return name;
}

// A global of the program is declared in the module under its symbol; `tile.name` is its C++
// spelling. A global that the kernel's code cannot name carries its value instead, and
// `tile.variable` is its new name.
Value Translator::addressOf(const llvm::GlobalVariable &global) {
  if (!module.lookupSymbol(global.getName())) {
    MLIRContext *context = builder.getContext();
    LLVM::TypeFromLLVMIRTranslator types(*context);
    Type type = types.translateType(global.getValueType());
    DenseElementsAttr value;
    if (global.hasInitializer() && isNameless(global))
      value = valueOf(global, context);
    if (value)
      type = LLVM::LLVMArrayType::get(value.getElementType(), value.getNumElements());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto name = builder.getStringAttr(value ? nameOfVariable(global, module) : spelledName(global));
    auto declared = create<LLVM::GlobalOp>(
        type, global.isConstant(), value ? LLVM::Linkage::Internal : LLVM::Linkage::External,
        global.getName(), value, global.getAlign().valueOrOne().value());
    declared->setAttr(value ? tile::variableAttr : tile::globalNameAttr, name);
  }
  return create<LLVM::AddressOfOp>(LLVM::LLVMPointerType::get(builder.getContext()),
                                   global.getName());
}

} // namespace tessera::raising
