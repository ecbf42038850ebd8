// Statements that neither write tiles nor belong to a pipeline.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "support/PrintfFormat.h"
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
  bool hasTiles = llvm::any_of(o.getValues(), isTile);
  std::string text, scalars;
  auto printText = [&] {
    if (!text.empty())
      line(hasTiles ? "print_text(" + quoted(text) + scalars + ");"
                    : "if (thread_index() == 0) printf(" + quoted(text) + scalars + ");");
    text.clear(), scalars.clear();
  };
  // A message of one printf is printed as a whole anyway.
  if (hasTiles)
    line("begin_message();");
  ValueRange rest = o.getValues();
  for (const PrintfPiece &piece : piecesOfFormat(o.getFormat())) {
    bool hasValue = piece.isConversion && !rest.empty();
    if (hasValue && isTile(rest.front())) {
      printText();
      line("print_tile(" + quoted(piece.text) + ", " + memoryValue(rest.front()) + ");");
    } else {
      text += piece.text;
      if (hasValue)
        scalars += ", " + bits(rest.front());
    }
    if (hasValue)
      rest = rest.drop_front();
  }
  printText();
  if (hasTiles)
    line("end_message();");
}

} // namespace tessera::emit
