// The spelling of memory accesses in statements and expressions: views, boxes, tiles in shared
// memory, access modes.
#include "emit/KernelPrinter.h"

#include "emit/CTypes.h"
#include "plan/analysis/Facts.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::emit {

std::string KernelPrinter::sharedTile(Value shared) {
  return sharedTile(shared, cast<tile::SharedType>(shared.getType()).getShape());
}

// The name of a shared tile's type, in the shape of its element indices.
std::string KernelPrinter::sharedAlias(tile::SharedType type, const std::string &element,
                                       ArrayRef<int64_t> shape) {
  std::string spelled = sharedName(type, shape, element);
  std::string &alias = aliasOf[spelled];
  if (alias.empty()) {
    alias = names.freshForFunction(
        "shared_" +
        llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x"));
    aliases.emplace_back(alias, spelled);
  }
  return alias;
}

// A slot that is read often already has a variable for its index; the tile itself is spelled at
// each use, in the shape of its element indices there.
std::string KernelPrinter::sharedTile(Value shared, ArrayRef<int64_t> shape) {
  std::string index;
  auto type = cast<tile::SharedType>(shared.getType());
  if (auto slot = shared.getDefiningOp<tile::SharedSlotOp>()) {
    index = operand(slot.getIndex());
    shared = slot.getRing();
  }
  auto alloc = shared.getDefiningOp<tile::SharedAllocOp>();
  std::string alias = sharedAlias(type,
                                  isa<LLVM::LLVMPointerType>(type.getElementType())
                                      ? pointers.of(shared).pointer()
                                      : elementName(type.getElementType()),
                                  shape);
  std::string offset = std::to_string(alloc.getOffset().value_or(0));
  return alloc.getStages() > 1 ? "shared_slot<" + alias + ">(" + offset + ", " + index + ")"
                               : "shared_at<" + alias + ">(" + offset + ")";
}

std::string KernelPrinter::copiedTile(Value shared, ArrayRef<int64_t> shape, Value ends) {
  std::string tile = sharedTile(shared, shape);
  return ends ? "with_ends(" + tile + ", " + sharedTile(ends) + ")" : tile;
}

// The variable that a pointer is based on, as a prefix of another name: "a_rows_0" of a.rows[0].
std::optional<std::string> KernelPrinter::rootName(Value pointer) {
  Value root = plan::baseOf(pointer);
  if (!root || !text.count(root))
    return std::nullopt;
  auto field = root.getDefiningOp<tile::FieldOp>();
  if (!field)
    return text[root];
  std::string name = objects.at(field.getObject());
  for (char c : field.getPath())
    if (llvm::isAlnum(c) || c == '_')
      name += c;
    else if (name.back() != '_' && c != ']')
      name += '_';
  return name;
}

std::string KernelPrinter::viewOf(Value base, ValueRange extents, ValueRange strides, Type element,
                                  bool readOnly) {
  auto numbers = [&](ValueRange values) {
    std::string list;
    for (Value v : values)
      list += (list.empty() ? "" : ", ") + extent(v);
    return "{" + list + "}";
  };
  // A tile of pointers is loaded as pointers to char and cast at its uses.
  std::string spelled = Pointee{element, readOnly}.spelled();
  std::string type = "view<" + spelled + ", " + std::to_string(extents.size()) + ">";
  std::string init = "{" + pointer(base, element, readOnly) + ", " + numbers(extents) + ", " +
                     numbers(strides) + "}";
  for (auto &scope : viewScopes)
    if (auto found = scope.find(type + init); found != scope.end())
      return found->second;
  std::string name = names.fresh(rootName(base).value_or("memory") + "_view");
  line("const " + type + " " + name + init + ";");
  viewScopes.back()[type + init] = name;
  return name;
}

std::string KernelPrinter::viewOf(tile::CopyAsyncOp copy) {
  Type element = copy.getRounds() ? Float32Type::get(copy.getContext())
                                  : copy.getShared().getType().getElementType();
  return viewOf(copy.getBase(), copy.getExtents(), copy.getStrides(), element, true);
}

// Structs are bytes, and copies of objects move words whatever their members are: an access of
// local memory in a type other than its elements' is explicit.
std::string KernelPrinter::scalarAddress(Value address, Type type, bool isLocal, bool readOnly) {
  if (!isLocal || isDeclaredAs(address, type))
    return pointer(address, type, readOnly);
  return "(raw<" + Pointee{type}.spelled() + "> *)" + operand(address);
}

// Is the local variable at an address, whichever it is, an array of that type?
bool KernelPrinter::isDeclaredAs(Value address, Type type) {
  auto isOfType = [&](LLVM::AllocaOp variable) {
    return scalarElement(variable.getElemType()) == type;
  };
  Value base = plan::baseOf(address);
  if (auto variable = base ? base.getDefiningOp<LLVM::AllocaOp>() : LLVM::AllocaOp())
    return isOfType(variable);
  bool hasObject = llvm::any_of(kernel.getArguments(), [&](BlockArgument parameter) {
    return kernel.getArgAttr(parameter.getArgNumber(), tile::byvalAttr);
  });
  return !hasObject && !kernel
                            .walk([&](LLVM::AllocaOp variable) {
                              return isOfType(variable) ? WalkResult::advance()
                                                        : WalkResult::interrupt();
                            })
                            .wasInterrupted();
}

// Extents, strides and starts are unsigned; a constant needs no suffix.
std::string KernelPrinter::extent(Value v) {
  std::optional<int64_t> constant = plan::constantOf(v);
  if (constant)
    return std::to_string(*constant);
  return use(v, v.getType().getIntOrFloatBitWidth() < 64);
}

std::string KernelPrinter::box(ValueRange starts) {
  std::string list;
  for (Value v : starts)
    list += (list.empty() ? "" : ", ") + extent(v);
  return "{" + list + "}";
}

// Whole tiles have no access attribute: what is outside of the extents is found in the access.
std::string KernelPrinter::accessArgument(tile::AccessAttr access) {
  return access ? ", " + accessName(access) : "";
}

std::string KernelPrinter::accessName(tile::AccessAttr access) {
  std::string type = "access_by<" + std::to_string(access.getVector()) + ", " +
                     std::to_string(access.getAlong()) +
                     ", alignment::" + (access.getAligned() ? "proven" : "guarded");
  // One argument for all dimensions if they are equal.
  ArrayRef<tile::Bounds> bounds = access.getBounds();
  for (tile::Bounds along : llvm::all_equal(bounds) ? bounds.take_front() : bounds)
    type += ", bounds::" + tile::stringifyBounds(along).str();
  type += ">";
  std::string &alias = aliasOf[type];
  if (alias.empty()) {
    alias = names.freshForFunction("by_" + std::to_string(access.getVector()));
    aliases.emplace_back(alias, type);
  }
  return alias;
}

// The template arguments of an access by a tile of pointers.
std::string KernelPrinter::runName(std::optional<tile::RunAttr> access) {
  if (!access)
    return "";
  std::string arguments = std::to_string(access->getVector());
  if (access->getShareMask())
    arguments += access->getAligned() ? ", alignment::proven" : ", alignment::guarded";
  else if (!access->getAligned())
    arguments += ", alignment::guarded";
  return "<" + arguments + (access->getShareMask() ? ", masks::shared>" : ">");
}

} // namespace tessera::emit
