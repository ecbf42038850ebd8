// Tensor maps: those that a kernel makes, those that its launches pass, and the host code that
// makes the latter.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"

using namespace mlir;

namespace tessera::emit {

// The additional arguments of a bulk copy: the tensor map, if it goes by one, and the barriers.
std::string KernelPrinter::ringArguments(tile::CopyAsyncOp op) {
  if (!op.getBarriers())
    return "";
  auto slot = op.getShared().getDefiningOp<tile::SharedSlotOp>();
  return (op.getMap() ? ", " + text[op.getMap()] : std::string()) + ", " + text[op.getBarriers()] +
         ", " + use(slot.getIndex());
}

std::string KernelPrinter::tensorMapArguments(ValueRange maps) {
  std::string list;
  for (Value map : maps)
    list += ", " + text[map];
  return list;
}

std::string KernelPrinter::boxOf(tile::MakeTensorMapOp op) {
  auto type = cast<tile::SharedType>(op.getTile());
  return sharedAlias(type, elementName(type.getElementType()), op.getBoxShape());
}

std::string KernelPrinter::mappedView(tile::MakeTensorMapOp op) {
  Type element = op.getRounds() ? Float32Type::get(op.getContext())
                                : cast<tile::SharedType>(op.getTile()).getElementType();
  return viewOf(op.getBase(), op.getExtents(), op.getStrides(), element, true);
}

void KernelPrinter::print(tile::MakeTensorMapOp op) {
  auto named = [&] {
    return text[op.getResult()] =
               names.fresh(rootName(op.getBase()).value_or("memory") + "_tensor_map");
  };
  if (std::optional<int64_t> given = op.getGiven()) {
    return line("const auto " + named() +
                (op.getNeeded() ? " = get_required_tensor_map<" : " = get_tensor_map<") +
                llvm::Twine(op.getWarp()) + ", " + llvm::Twine(*given) + ">(" + maps + ");");
  }
  auto scratch = op.getScratch().getDefiningOp<tile::SharedAllocOp>();
  std::string from = mappedView(op), box = boxOf(op);
  const bool isProducers = op.getNeeded(); // who knows it when the ring's barriers are there
  std::string maker = std::to_string(op.getWarp());
  if (isProducers)
    maker += ", " + std::to_string(op.getFinder().value_or(op.getWarp()));
  line((isProducers ? "auto " : "const auto ") + named() +
       (isProducers ? " = make_producer_tensor_map<" : " = make_tensor_map<") + maker + ", " + box +
       ">(" + from + ", " + llvm::Twine(scratch.getOffset().value_or(0)) + ");");
}

unsigned KernelPrinter::launchedTensorMaps() {
  int64_t count = 0;
  kernel.walk([&](tile::MakeTensorMapOp op) {
    if (op.getGiven())
      count = std::max(count, int64_t(*op.getGiven()) + 1);
  });
  return unsigned(count);
}

unsigned KernelPrinter::requiredTensorMaps() {
  unsigned needed = 0;
  kernel.walk([&](tile::MakeTensorMapOp op) {
    if (op.getNeeded() && op.getGiven())
      needed |= 1u << *op.getGiven();
  });
  return needed;
}

void addOperands(llvm::SetVector<Operation *> &ops) {
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *from = operand.getDefiningOp())
        ops.insert(from);
}

// The computation of the views is printed as in the kernel, with the same spelling.
std::string KernelPrinter::tensorMapMaker(StringRef name) {
  llvm::SetVector<Operation *> needed;
  llvm::SmallDenseSet<int64_t> numbers;
  kernel.walk([&](tile::MakeTensorMapOp op) {
    if (op.getGiven() && numbers.insert(*op.getGiven()).second)
      needed.insert(op);
  });
  addOperands(needed);

  std::string list = parameters();
  maps = names.fresh("tensor_maps");
  viewScopes.emplace_back();
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto map = dyn_cast<tile::MakeTensorMapOp>(op);
    if (map && needed.contains(op)) {
      std::string from = mappedView(map), box = boxOf(map);
      line("host::encode_tensor_map<" + llvm::Twine(*map.getGiven()) + ", " + box + ">(" + maps +
           ", " + from + ");");
    } else if (needed.contains(op)) {
      printValue(*op);
    }
  });
  std::string head = "static void " + name.str() + "(tensor_maps<" +
                     std::to_string(launchedTensorMaps()) + "> &" + maps +
                     (list.empty() ? "" : ", ") + list + ") {\n";
  for (auto &[alias, type] : aliases)
    head.append("  using ").append(alias).append(" = ").append(type).append(";\n");
  return head + body + "}\n";
}

} // namespace tessera::emit
