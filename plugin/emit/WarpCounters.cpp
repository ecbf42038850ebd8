// Host code that counts the warps that a launch starts.
#include "emit/KernelPrinter.h"

using namespace mlir;

namespace tessera::emit {

// The computation of the operands is printed as in the kernel, with the same spelling.
std::string KernelPrinter::warpCounter(StringRef name) {
  auto warps = *kernel.getOps<tile::LaunchedWarpsOp>().begin();
  llvm::SetVector<Operation *> needed;
  needed.insert(warps);
  addOperands(needed);

  std::string list = parameters();
  const std::string count = names.fresh("count");
  for (Operation &op : kernel.getBody().front())
    if (&op != warps && needed.contains(&op))
      printValue(op);
  std::string from = use(warps.getColumns(), /*asUnsigned=*/true);
  for (Value aligned : warps.getAligned())
    from +=
        ", " + (isa<LLVM::LLVMPointerType>(aligned.getType()) ? pointer(aligned, Type())
                                                              : use(aligned, /*asUnsigned=*/true));
  const std::string multiple =
      warps.getMultiple() == 1 ? "" : ", " + std::to_string(warps.getMultiple());
  line(count + " = host::warps_of_row<" + llvm::Twine(warps.getPerWarp()) + multiple + ">(" + from +
       ");");
  return "static void " + name.str() + "(unsigned &" + count + (list.empty() ? "" : ", ") + list +
         ") {\n" + body + "}\n";
}

} // namespace tessera::emit
