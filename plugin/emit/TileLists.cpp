// Host code that lists the tiles of a launch: the program's computation from a block's index, its
// arguments and the grid, once for each block.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"
#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::emit {

// Operations for which C++ has no operator, or one that ends a process where a GPU continues.
std::optional<std::string> KernelPrinter::listedExpression(Operation *op) {
  auto on = [&](StringRef function, bool asUnsigned) {
    Value result = op->getResult(0);
    std::string text = tileList + "." + function.str() + "(" + use(op->getOperand(0), asUnsigned) +
                       ", " + use(op->getOperand(1), asUnsigned) + ")";
    bool isOther = asUnsigned != isUnsigned(result);
    return isOther ? variableType(result) + "(" + text + ")" : text;
  };
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([&](arith::DivSIOp) { return on("quotient", false); })
      .Case([&](arith::DivUIOp) { return on("quotient", true); })
      .Case([&](arith::RemSIOp) { return on("remainder", false); })
      .Case([&](arith::RemUIOp) { return on("remainder", true); })
      .Case([&](arith::MinSIOp) { return on("min", false); })
      .Case([&](arith::MinUIOp) { return on("min", true); })
      .Case([&](arith::MaxSIOp) { return on("max", false); })
      .Case([&](arith::MaxUIOp) { return on("max", true); })
      .Case([&](tile::BinaryOp o) {
        return on(tile::stringifyBinaryKind(o.getKind()), o.getIsUnsigned());
      })
      .Case([&](tile::BlockIndexOp o) -> std::string {
        return "int(" + block + "." + "xyz"[o.getAxis()] + ")";
      })
      .Case([&](tile::GridSizeOp o) -> std::string {
        return "int(" + grid + "." + "xyz"[o.getAxis()] + ")";
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::string KernelPrinter::tileLister(StringRef name) {
  std::string list = parameters();
  tileList = names.fresh("tiles");
  block = names.fresh("block");
  grid = names.fresh("grid");
  viewScopes.emplace_back();
  printBlock(kernel.getBody().front());
  return "static void " + name.str() + "(host::tile_list &" + tileList + ", dim3 " + block +
         ", dim3 " + grid + (list.empty() ? "" : ", ") + list + ") {\n" + body + "}\n";
}

TileLister listTiles(func::FuncOp list, const Options &options) {
  TileLister result;
  result.name = list->getAttrOfType<StringAttr>(tile::kernelAttr).str() + "_tiles_for_" +
                options.target->name.str();
  for (BlockArgument argument : list.getArguments())
    if (!argument.use_empty() && argument.getArgNumber() < 64)
      result.needed |= uint64_t(1) << argument.getArgNumber();
  result.text = KernelPrinter(list, options, nullptr).tileLister(result.name);
  return result;
}

} // namespace tessera::emit
