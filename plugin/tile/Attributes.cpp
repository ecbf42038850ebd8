// Which attributes `tile.NAME` may stand on which ops: Attributes.def.
#include "tile/Attributes.h"

#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tessera::tile {

namespace {

bool isString(Attribute value) { return isa<StringAttr>(value); }
bool isUnit(Attribute value) { return isa<UnitAttr>(value); }
bool isI64(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isInteger(64);
}
bool isI64Array(Attribute value) { return isa<DenseI64ArrayAttr>(value); }
bool isType(Attribute value) { return isa<TypeAttr>(value); }
bool isTarget(Attribute value) { return isa<TargetAttr>(value); }
bool isConfig(Attribute value) { return isa<ConfigAttr>(value); }

bool onModule(Operation *op) { return isa<ModuleOp>(op); }
bool onKernel(Operation *op) { return isa<func::FuncOp>(op); }
bool onModuleOrKernel(Operation *op) { return onModule(op) || onKernel(op); }
bool onArgument(Operation *) { return false; }
bool onLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }
bool onBranch(Operation *op) { return isa<scf::IfOp>(op); }
bool onGlobal(Operation *op) { return isa<LLVM::GlobalOp>(op); }
bool onValue(Operation *op) { return op->getNumResults() == 1; }
// Accesses are many, and some belong to other dialects.
bool onAccess(Operation *op) {
  return !onModuleOrKernel(op) && !onLoop(op) && !onGlobal(op) && !isa<MmaBeginOp>(op);
}
bool onAccumulator(Operation *op) { return isa<MmaBeginOp>(op); }

struct Row {
  StringLiteral name;
  bool (*isOfType)(Attribute);
  bool (*mayBeOn)(Operation *);
};

constexpr Row rows[] = {
#define TILE_ATTRIBUTE(CONSTANT, NAME, TYPE, ON, MEANING) {CONSTANT, is##TYPE, on##ON},
#include "tile/Attributes.def"
};

LogicalResult verify(Operation *op, NamedAttribute attribute,
                     llvm::function_ref<bool(const Row &)> isHere) {
  bool isKnown = false, isThere = false;
  for (const Row &row : rows) {
    if (row.name != attribute.getName())
      continue;
    isKnown = true;
    if (!isHere(row))
      continue;
    isThere = true;
    if (row.isOfType(attribute.getValue()))
      return success();
  }
  InFlightDiagnostic error = op->emitError() << "attribute '" << attribute.getName().getValue();
  if (!isKnown)
    return error << "' is not in Attributes.def";
  return error << (isThere ? "' has a value of another type" : "' belongs to another op");
}

} // namespace

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verify(op, attribute, [&](const Row &row) { return row.mayBeOn(op); });
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                    NamedAttribute attribute) {
  return verify(op, attribute, [](const Row &row) { return row.mayBeOn == onArgument; });
}

} // namespace tessera::tile
