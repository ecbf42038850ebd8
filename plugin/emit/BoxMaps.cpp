// The maps of bulk copies: those that a kernel makes, those that its launches give it, and the host
// code that makes these.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tessera::emit {

// What a copy by a map says more: the map, and where it arrives.
std::string KernelPrinter::ringArguments(tile::CopyAsyncOp op) {
  if (!op.getMap())
    return "";
  auto slot = op.getShared().getDefiningOp<tile::SharedSlotOp>();
  return ", " + text[op.getMap()] + ", " + text[op.getArrivals()] + ", " + use(slot.getIndex());
}

std::string KernelPrinter::mapArguments(ValueRange maps) {
  std::string list;
  for (Value map : maps)
    list += ", " + text[map];
  return list;
}

std::string KernelPrinter::boxOf(tile::MakeBoxMapOp op) {
  auto type = cast<tile::SharedType>(op.getTile());
  return sharedAlias(type, elementName(type.getElementType()), op.getBoxShape());
}

std::string KernelPrinter::mappedView(tile::MakeBoxMapOp op) {
  Type element = op.getRounds() ? Float32Type::get(op.getContext())
                                : cast<tile::SharedType>(op.getTile()).getElementType();
  return viewOf(op.getBase(), op.getExtents(), op.getStrides(), element, true);
}

void KernelPrinter::printBoxMap(tile::MakeBoxMapOp op) {
  auto named = [&] {
    return text[op.getResult()] = names.fresh(rootName(op.getBase()).value_or("memory") + "_map");
  };
  if (std::optional<int64_t> given = op.getGiven()) {
    // Whoever reads operands: a warp of its own, if there is one.
    int64_t warp = op.getNeeded() && hasCopyingWarp() ? warps : int64_t(op.getWarp());
    return line("const auto " + named() + (op.getNeeded() ? " = needed_map<" : " = given_map<") +
                llvm::Twine(warp) + ", " + llvm::Twine(*given) + ">(" + maps + ");");
  }
  auto scratch = op.getScratch().getDefiningOp<tile::SharedAllocOp>();
  std::string from = mappedView(op), box = boxOf(op);
  line("const auto " + named() + " = make_box_map<" + llvm::Twine(op.getWarp()) + ", " + box +
       ">(" + from + ", " + llvm::Twine(scratch.getOffset().value_or(0)) + ");");
}

unsigned KernelPrinter::givenMaps() {
  int64_t count = 0;
  kernel.walk([&](tile::MakeBoxMapOp op) {
    if (op.getGiven())
      count = std::max(count, int64_t(*op.getGiven()) + 1);
  });
  return unsigned(count);
}

unsigned KernelPrinter::neededMaps() {
  unsigned needed = 0;
  kernel.walk([&](tile::MakeBoxMapOp op) {
    if (op.getNeeded())
      needed |= 1u << *op.getGiven();
  });
  return needed;
}

// What the views are computed of comes as it stands in the kernel, so that there is one spelling
// for both.
std::string KernelPrinter::mapMaker(StringRef name) {
  llvm::SmallSetVector<Operation *, 16> needed;
  SmallVector<tile::MakeBoxMapOp> given;
  llvm::SmallDenseSet<int64_t> numbers;
  kernel.walk([&](tile::MakeBoxMapOp op) {
    if (op.getGiven() && numbers.insert(*op.getGiven()).second) {
      given.push_back(op);
      needed.insert(op);
    }
  });
  for (size_t i = 0; i < needed.size(); ++i)
    for (Value operand : needed[i]->getOperands())
      if (Operation *from = operand.getDefiningOp())
        needed.insert(from);

  std::string list = parameters();
  maps = names.fresh("maps");
  viewScopes.emplace_back();
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto map = dyn_cast<tile::MakeBoxMapOp>(op);
    if (map && needed.contains(op)) {
      std::string from = mappedView(map), box = boxOf(map);
      line("host::make_box_map<" + llvm::Twine(*map.getGiven()) + ", " + box + ">(" + maps + ", " +
           from + ");");
    } else if (needed.contains(op)) {
      printValue(*op);
    }
  });
  std::string head = "static void " + name.str() + "(box_maps<" + std::to_string(givenMaps()) +
                     "> &" + maps + (list.empty() ? "" : ", ") + list + ") {\n";
  for (auto &[alias, type] : aliases)
    head.append("  using ").append(alias).append(" = ").append(type).append(";\n");
  return head + body + "}\n";
}

} // namespace tessera::emit
