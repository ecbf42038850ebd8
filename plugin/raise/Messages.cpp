// A kernel's messages: printf, failed assertions, traps.
//
// Clang packs the arguments of printf into a struct in local memory and passes its address: the
// stores to that struct, in the order of their offsets, are the arguments.
#include "raise/Translator.h"

#include "support/PrintfFormat.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace mlir;

namespace tessera::raising {

namespace {

std::optional<StringRef> literalText(const llvm::Value *pointer) {
  StringRef text;
  if (llvm::getConstantStringInfo(pointer->stripPointerCasts(), text))
    return text;
  return {};
}

// "x.cu:12: void f(int): Assertion `x > 0' failed.", as the C library has it.
std::string assertionText(const llvm::CallInst &call) {
  auto text = [&](unsigned i) { return literalText(call.getArgOperand(i)).value_or("").str(); };
  std::string location;
  if (auto *line = dyn_cast<llvm::ConstantInt>(call.getArgOperand(2)))
    location = text(1) + ":" + std::to_string(line->getZExtValue()) + ": ";
  return location + text(3) + ": Assertion `" + text(0) + "' failed.";
}

// The values stored to the buffer that a vprintf reads, by offset; the stores precede the call in
// its block.
std::map<int64_t, const llvm::Value *> packedArguments(const llvm::CallInst &call) {
  std::map<int64_t, const llvm::Value *> arguments;
  const llvm::DataLayout &layout = call.getDataLayout();
  const llvm::Value *buffer = call.getArgOperand(1)->stripPointerCasts();
  for (const llvm::Instruction *at = call.getPrevNode(); at; at = at->getPrevNode()) {
    auto *store = dyn_cast<llvm::StoreInst>(at);
    if (!store)
      continue;
    int64_t offset = 0;
    const llvm::Value *base =
        llvm::GetPointerBaseWithConstantOffset(store->getPointerOperand(), offset, layout);
    if (base->stripPointerCasts() == buffer)
      arguments.try_emplace(offset, store->getValueOperand());
  }
  return arguments;
}

// A format without the length modifier of a byte, which a GPU's printf does not know (it would read
// the next argument), and for each conversion its letter if it had that modifier, else 0.
std::pair<std::string, std::string> withoutBytes(StringRef format) {
  std::string plain, letters;
  for (StringRef conversion; !(conversion = nextConversion(format)).empty();) {
    bool isByte = conversion.drop_back().ends_with("hh");
    plain += format.take_front(conversion.begin() - format.begin());
    plain += conversion.drop_back(isByte ? 3 : 1);
    plain += conversion.back();
    letters += isByte ? conversion.back() : '\0';
    format = format.drop_front(conversion.end() - format.begin());
  }
  return {plain + format.str(), letters};
}

// The low byte of every element, which a signed or unsigned conversion prints.
Value byteOf(OpBuilder &builder, Location loc, Value x, bool isSigned) {
  auto to = [&](unsigned width) {
    Type element = builder.getIntegerType(width);
    auto tensor = dyn_cast<RankedTensorType>(x.getType());
    Type type = tensor ? tensor.clone(element) : element;
    if (type != x.getType())
      x = tile::CastOp::create(builder, loc, type, x, tile::Rounding::nearest,
                               /*fromUnsigned=*/!isSigned);
  };
  to(8);
  to(32);
  return x;
}

} // namespace

void Translator::print(const llvm::CallInst &call) {
  std::optional<StringRef> format = literalText(call.getArgOperand(0));
  if (!format)
    return unsupported(call, Refusal::PrintFormat);
  SmallVector<Value> arguments;
  for (auto [offset, argument] : packedArguments(call))
    arguments.push_back(value(argument));
  define(call, integer(0, 32));
  auto [plain, byteLetters] = withoutBytes(*format);
  for (auto [letter, argument] : llvm::zip(byteLetters, arguments))
    if (letter && isa<IntegerType>(getElementTypeOrSelf(argument.getType())))
      argument = byteOf(builder, loc, argument, StringRef("di").contains(letter));
  create<tile::PrintOp>(plain, arguments);
}

bool Translator::output(const llvm::CallInst &call) {
  if (call.getIntrinsicID() == llvm::Intrinsic::trap ||
      call.getIntrinsicID() == llvm::Intrinsic::ubsantrap) {
    create<tile::TrapOp>("trap");
    return true;
  }
  StringRef callee = call.getCalledFunction() ? call.getCalledFunction()->getName() : StringRef();
  if (callee == "__assertfail" || callee == "__assert_fail") {
    create<tile::TrapOp>(assertionText(call));
    return true;
  }
  if (callee == "vprintf") {
    print(call);
    return true;
  }
  return false;
}

} // namespace tessera::raising
