#include "plan/tiling/SecondKernel.h"

#include "tile/Attributes.h"
#include "tile/FreeName.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tessera::plan {

void insertBeside(func::FuncOp kernel, func::FuncOp other, StringRef symbolSuffix,
                  StringRef nameSuffix, int64_t columns, int64_t rows) {
  OpBuilder b(kernel->getContext());
  const std::string symbol = kernel.getName().str(),
                    name = kernel->getAttrOfType<StringAttr>(tile::kernelAttr).str();
  other.setName(symbol + symbolSuffix.str());
  auto module = kernel->getParentOfType<ModuleOp>();
  other->setAttr(tile::kernelAttr,
                 b.getStringAttr(tile::freeName(module, tile::kernelAttr, name + nameSuffix.str(),
                                                /*first=*/2)));
  other->setAttr(tile::coarsenedFromAttr, b.getStringAttr(symbol));
  other->setAttr(tile::coarseningAttr, b.getDenseI64ArrayAttr({columns, rows}));
  module.insert(std::next(Block::iterator(kernel)), other);
}

} // namespace tessera::plan
