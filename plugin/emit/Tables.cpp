// Constant arrays that the kernel's text cannot name: string literals, static locals, what local arrays start from. They are defined again in front
// of the kernel that reads them.
#include "emit/KernelPrinter.h"

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
  bool isReal = (element.isF32() || element.isF64()) && llvm::all_of(elements.getValues<APFloat>(), [](const APFloat &x) { return x.isFinite(); });
  unsigned width = element.getIntOrFloatBitWidth();
  if (isReal) {
    result.type = width == 32 ? "float" : "double";
    for (const APFloat &x : elements.getValues<APFloat>()) {
      char digits[64];
      unsigned length = x.convertToHexString(digits, 0, /*upperCase=*/false, APFloat::rmNearestTiesToEven);
      result.numbers.push_back(std::string(digits, length) + (width == 32 ? "f" : ""));
    }
    return result;
  }
  result.type = "unsigned " + std::string(width == 8 ? "char" : width == 16 ? "short" : width == 32 ? "int" : "long long");
  auto add = [&](const APInt &bits) { result.numbers.push_back(llvm::toString(bits, 10, /*Signed=*/false) + (width == 64 ? "u" : "")); };
  if (isa<FloatType>(element))
    for (const APFloat &x : elements.getValues<APFloat>())
      add(x.bitcastToAPInt());
  else
    for (const APInt &x : elements.getValues<APInt>())
      add(x);
  return result;
}

} // namespace

std::string KernelPrinter::table(LLVM::GlobalOp global) {
  auto [found, isNew] = tableNames.try_emplace(global.getSymName().str());
  if (!isNew)
    return found->second;
  std::string prefix = kernel->getAttrOfType<StringAttr>("tile.kernel").str() + "_", name = prefix + global->getAttrOfType<StringAttr>("tile.table").str();
  auto isTaken = [&](const std::string &candidate) {
    return llvm::any_of(tableNames, [&](const auto &entry) { return entry.second == candidate; });
  };
  std::string unique = name;
  for (unsigned n = 1; isTaken(unique); ++n)
    unique = name + "_" + std::to_string(n);

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
  tables += "static __device__ const " + type + " " + unique + "[" + std::to_string(elements.getNumElements()) + "] = {\n" + list + line + "\n};\n";
  return found->second = unique;
}

} // namespace tessera::emit
