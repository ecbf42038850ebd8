#include "frontend/lower/CudaInstructions.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tessera::frontend {

std::string cudaInstruction(StringRef function) {
  if (!function.consume_front("__nv_"))
    return {};
  StringRef binary = StringSwitch<StringRef>(function)
                         .Case("fadd_rn", "add.rn.f32")
                         .Case("fsub_rn", "sub.rn.f32")
                         .Case("fmul_rn", "mul.rn.f32")
                         .Case("mulhi", "mul.hi.s32")
                         .Case("umulhi", "mul.hi.u32")
                         .Case("umul64hi", "mul.hi.u64")
                         .Default("");
  if (!binary.empty())
    return (binary + " $0, $1, $2").str();
  auto [types, direction] = function.split("_r");
  auto [from, to] = types.split('2');
  auto typeOf = [](StringRef name) {
    return StringSwitch<StringRef>(name)
        .Case("int", "s32")
        .Case("uint", "u32")
        .Case("ll", "s64")
        .Case("ull", "u64")
        .Case("float", "f32")
        .Case("double", "f64")
        .Default("");
  };
  // CUDA's function names say down and up, PTX minus and plus.
  StringRef rounding = StringSwitch<StringRef>(direction)
                           .Case("n", "rn")
                           .Case("z", "rz")
                           .Case("d", "rm")
                           .Case("u", "rp")
                           .Default("");
  StringRef source = typeOf(from), result = typeOf(to);
  bool toInteger = !result.starts_with("f");
  if (source.empty() || result.empty() || rounding.empty() || source.starts_with("f") != toInteger)
    return {};
  return ("cvt." + rounding + (toInteger ? "i." : ".") + result + "." + source + " $0, $1").str();
}

} // namespace tessera::frontend
