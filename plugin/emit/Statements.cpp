// Statements that neither write tiles nor belong to a pipeline.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "support/Quoted.h"
#include "layout/LinearLayout.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Occupancy.h"
#include "tile/Attributes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

void KernelPrinter::print(tile::ListTileOp o) {
  markLocation(o.getLoc());
  line(call(tileList + ".add", o.getCoordinates()) + ";");
}

void KernelPrinter::print(tile::TrapOp o) {
  markLocation(o.getLoc());
  line("trap(" + quoted(o.getMessage()) + ");");
}

void KernelPrinter::print(tile::PrintOp o) {
  markLocation(o.getLoc());
  if (o.getValues().size() == 1 && isTile(o.getValues().front()))
    return line("print_tile(" + quoted(o.getFormat()) + ", " + memoryValue(o.getValues().front()) +
                ");");
  std::string arguments;
  for (Value v : o.getValues())
    arguments += ", " + bits(v);
  line("if (thread_index() == 0) printf(" + quoted(o.getFormat()) + arguments + ");");
}

} // namespace tessera::emit
