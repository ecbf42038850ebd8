// Arrays in the GPU's memory: what a constant that is no splat, or a global, consists of.
#include "tileir/Kernel.h"

#include "tile/Attributes.h"
#include "tile/FreeName.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

std::string identifierOf(StringRef name) {
  std::string spelled;
  for (char c : name)
    spelled.push_back(llvm::isAlnum(c) ? c : '_');
  return spelled;
}

// The numbers as their bits: a list of truth values has a byte for each.
DenseElementsAttr numbersOf(MLIRContext *context, unsigned bits, int64_t count, StringRef bytes) {
  auto type = RankedTensorType::get({count}, IntegerType::get(context, bits));
  SmallVector<APInt> numbers;
  size_t size = bits / 8, splat = bytes.size() == size;
  for (size_t i = 0; i < size_t(count); ++i) {
    StringRef one = bytes.substr(splat ? 0 : i * size, size);
    APInt number(bits, 0);
    for (auto [k, byte] : llvm::enumerate(one))
      number.insertBits(uint8_t(byte), unsigned(8 * k), 8);
    numbers.push_back(number);
  }
  return DenseElementsAttr::get(type, numbers);
}

} // namespace

MlirValue addressOfArray(Kernel &kernel, StringRef name, const Type &type, StringRef bytes,
                         bool isConstant, uint64_t alignment) {
  MLIRContext *context = kernel.output.getContext();
  unsigned bits = std::max(8u, bitsOf(type.elementOf()));
  int64_t count = ShapedType::getNumElements(type.shape);
  DenseElementsAttr numbers = numbersOf(context, bits, count, bytes);
  // One array for what is constant and the same.
  std::string symbol = identifierOf(name);
  for (auto known : kernel.output.getOps<LLVM::GlobalOp>())
    if (isConstant ? known.getConstant() && known.getValueAttr() == numbers
                   : known.getName() == symbol)
      return LLVM::AddressOfOp::create(kernel.builder, LLVM::LLVMPointerType::get(context),
                                       known.getSymName());
  symbol = tile::freeName(kernel.output, tile::variableAttr, symbol, 1);
  OpBuilder::InsertionGuard guard(kernel.builder);
  OpBuilder outside(context);
  outside.setInsertionPointToStart(kernel.output.getBody());
  auto array = LLVM::LLVMArrayType::get(IntegerType::get(context, bits), uint64_t(count));
  auto global = LLVM::GlobalOp::create(outside, kernel.builder.getLoc(), array, isConstant,
                                       LLVM::Linkage::Internal, symbol, numbers, alignment);
  global->setAttr(tile::variableAttr, StringAttr::get(context, symbol));
  return LLVM::AddressOfOp::create(kernel.builder, LLVM::LLVMPointerType::get(context), symbol);
}

} // namespace tessera::tileir
