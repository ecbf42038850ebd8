// Reductions and scans by a region: a lambda that computes the region, and a call of the runtime
// with it. What the region reads from outside the lambda has by reference. Folds of one text in
// one scope, as those within warps and over them, share a lambda.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

using namespace mlir;

namespace tessera::emit {

// Prints the lambda, unless there is one of this text, and gives its name.
std::string KernelPrinter::foldFunction(Region &region) {
  const unsigned tiles = region.getNumArguments() / 2;
  const size_t listed = listing ? listing->lines.size() : 0;
  std::string before = std::exchange(body, std::string()), parameters, types, values;
  lastLine = 0, lastMark = 0; // the text of a lambda does not depend on what is before it
  lastFile = {};
  names.openScope();
  for (BlockArgument argument : region.getArguments()) {
    const bool isElement = argument.getArgNumber() < tiles;
    text[argument] =
        names.fresh(sourceName(argument.getLoc()).value_or(isElement ? "element" : "accumulator"));
    parameters += (parameters.empty() ? "" : ", ") + variableType(argument) + " " + text[argument];
    if (isElement)
      types += (types.empty() ? "" : ", ") + elementName(argument.getType());
  }
  openScope();
  printBlock(region.front());
  for (Value value : region.front().getTerminator()->getOperands())
    values += (values.empty() ? "" : ", ") + use(value);
  line(tiles == 1 ? "return " + values + ";" : "return {" + values + "};");
  closeScope();
  names.closeScope();
  const std::string head = "[&](" + parameters + ") -> " +
                           (tiles == 1 ? types : "pack<" + types + ">") + " {",
                    inside = std::exchange(body, before), key = head + inside;
  lastLine = 0, lastMark = body.size();
  for (const auto &scope : viewScopes)
    if (auto found = scope.find(key); found != scope.end()) {
      if (listing)
        listing->lines.resize(listed);
      return found->second;
    }
  const std::string name = names.fresh("combine");
  std::vector<Listing::Line> lines;
  if (listing) {
    lines.assign(listing->lines.begin() + long(listed), listing->lines.end());
    listing->lines.resize(listed);
  }
  line("const auto " + name + " = " + head);
  body += inside;
  if (listing)
    llvm::append_range(listing->lines, lines);
  line("};");
  return viewScopes.back()[key] = name;
}

// "reduce<1, rows>(combine, " with the tiles, as one or as a structured binding.
void KernelPrinter::printFold(Operation *op, StringRef name, const std::string &call) {
  markLocation(op->getLoc());
  std::string results;
  for (Value result : op->getResults()) {
    text[result] = names.fresh(
        op->getNumResults() == 1 ? sourceName(op->getLoc()).value_or(name.str()) : name.str());
    results += (results.empty() ? "" : ", ") + text[result];
  }
  line("const auto " + (op->getNumResults() == 1 ? results : "[" + results + "]") + " = " + call +
       ";");
}

void KernelPrinter::print(tile::FoldOp o) {
  if (o.use_empty())
    return;
  const std::string combine = foldFunction(o.getCombine()), dim = std::to_string(o.getDim()),
                    direction = o.getBackward() ? "true" : "false";
  std::string function = "scan<" + dim + ", " + direction;
  if (!o.getScan())
    function = (o.isInOrder() ? "reduce_in_order<" + dim + ", " + direction : "reduce<" + dim) +
               ", " + layoutOf(o.getResult(0));
  const bool isPartial = !o.getScan() && tile::shapeOf(o.getResult(0).getType())[o.getDim()] > 1;
  std::string tiles;
  for (Value x : o.getX())
    tiles += ", " + use(x);
  printFold(o,
            o.getScan() ? "scanned"
            : isPartial ? "partial"
                        : "reduced",
            function + ">(" + combine + tiles + ")");
}

void KernelPrinter::print(tile::FoldCarryOp o) {
  if (o.use_empty())
    return;
  const std::string combine = foldFunction(o.getCombine());
  auto packed = [&](ValueRange tiles) {
    std::string list;
    for (Value x : tiles)
      list += (list.empty() ? "" : ", ") + use(x);
    return "pack{" + list + "}";
  };
  printFold(o, "scanned",
            "scan_carry<" + std::to_string(o.getDim()) + ", " +
                (o.getBackward() ? "true" : "false") + ">(" + combine + ", " + packed(o.getX()) +
                ", " + packed(o.getTotals()) + ")");
}

} // namespace tessera::emit
