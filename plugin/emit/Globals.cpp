// Variables that a kernel's code cannot name: string literals, static locals, initializers of local
// arrays. They are defined again in front of all kernels, which share them.
#include "emit/KernelPrinter.h"
#include "tile/Attributes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::emit {

namespace {

struct Literals {
  std::string type;
  std::vector<std::string> numbers;
};

// Finite float and double as hexadecimal literals, which are exact; every other number as its bits.
Literals literals(DenseElementsAttr elements) {
  Literals result;
  Type element = elements.getElementType();
  bool isReal =
      (element.isF32() || element.isF64()) &&
      llvm::all_of(elements.getValues<APFloat>(), [](const APFloat &x) { return x.isFinite(); });
  unsigned width = element.getIntOrFloatBitWidth();
  if (isReal) {
    result.type = width == 32 ? "float" : "double";
    for (const APFloat &x : elements.getValues<APFloat>()) {
      char digits[64];
      unsigned length =
          x.convertToHexString(digits, 0, /*upperCase=*/false, APFloat::rmNearestTiesToEven);
      result.numbers.push_back(std::string(digits, length) + (width == 32 ? "f" : ""));
    }
    return result;
  }
  result.type = "unsigned " + std::string(width == 8    ? "char"
                                          : width == 16 ? "short"
                                          : width == 32 ? "int"
                                                        : "long long");
  auto add = [&](const APInt &bits) {
    result.numbers.push_back(llvm::toString(bits, 10, /*Signed=*/false) + (width == 64 ? "u" : ""));
  };
  if (isa<FloatType>(element))
    for (const APFloat &x : elements.getValues<APFloat>())
      add(x.bitcastToAPInt());
  else
    for (const APInt &x : elements.getValues<APInt>())
      add(x);
  return result;
}

} // namespace

std::string KernelPrinter::variable(LLVM::GlobalOp global) {
  std::string name = global->getAttrOfType<StringAttr>(tile::variableAttr).str();
  auto [found, isNew] = variables.try_emplace(name);
  std::string use = "variables::" + name;
  if (!isNew)
    return use;
  auto elements = cast<DenseElementsAttr>(global.getValueAttr());
  auto [type, numbers] = literals(elements);
  std::string list, line = "   ";
  for (const std::string &number : numbers) {
    constexpr size_t lineLength = 120;
    if (line.size() + number.size() + 2 > lineLength) {
      list += line + "\n";
      line = "   ";
    }
    line += " " + number + ",";
  }
  std::string alignment = "alignas(" + std::to_string(global.getAlignment().value_or(1)) + ") ";
  found->second = alignment + "static __device__ " + (global.getConstant() ? "const " : "") + type +
                  " " + name + "[" + std::to_string(numbers.size()) + "] = {\n" + list + line +
                  "\n};\n";
  return use;
}

} // namespace tessera::emit
