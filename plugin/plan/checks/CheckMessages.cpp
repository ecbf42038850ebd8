#include "plan/checks/CheckMessages.h"

#include "plan/analysis/Facts.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

std::string namedOr(Value value, StringRef words) {
  std::optional<std::string> name = tile::sourceName(value.getLoc());
  return name ? "'" + *name + "'" : words.str();
}

std::string memoryOf(Value pointer) {
  Value base = baseOf(pointer);
  auto argument = dyn_cast_if_present<BlockArgument>(base);
  auto kernel =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (kernel)
    if (auto name =
            kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::parameterNameAttr))
      return "'" + name.str() + "'";
  return base ? namedOr(base, "memory") : "memory";
}

std::string listOf(ArrayRef<int64_t> numbers) {
  return "[" +
         llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }), ", ") +
         "]";
}

std::string indicesFor(size_t count) {
  return "[" + llvm::join(SmallVector<StringRef>(count, "%lld"), ", ") + "]";
}

Value widened(OpBuilder &builder, Location loc, Value value, bool isUnsigned) {
  Type wide = builder.getI64Type();
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, wide, value);
  if (value.getType() == wide)
    return value;
  return isUnsigned ? builder.createOrFold<arith::ExtUIOp>(loc, wide, value)
                    : builder.createOrFold<arith::ExtSIOp>(loc, wide, value);
}

Value constant(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value both(OpBuilder &builder, Location loc, Value x, Value y) {
  return x ? builder.createOrFold<arith::AndIOp>(loc, x, y) : y;
}

Location locationOf(Operation *op) {
  FileLineColLoc location = tile::sourceLocation(op->getLoc());
  return location ? Location(location) : op->getLoc();
}

void createCheck(OpBuilder &builder, Location loc, Value holds, const std::string &message,
                 ValueRange values) {
  if (!matchPattern(holds, m_One()))
    tile::CheckOp::create(builder, loc, holds, message, values);
}

} // namespace tessera::plan
