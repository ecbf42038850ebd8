#include "explain/Shared.h"

#include "emit/Names.h"
#include "explain/Study.h"
#include "explain/Words.h"
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/SharedLifetimes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::explain {
namespace {

using llvm::json::Array;
using llvm::json::Object;

// The lines of a kernel's ops: an op that is no statement has the line of the previous one.
class Lines {
public:
  Lines(func::FuncOp kernel, const emit::Listing &listing) {
    DenseMap<Operation *, unsigned> statements;
    for (auto [i, line] : llvm::enumerate(listing.lines))
      if (!line.ops.empty())
        statements.try_emplace(line.ops.front(), i);
    unsigned line = 0;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto own = statements.find(op); own != statements.end())
        line = own->second;
      lines.push_back(line);
      lineOf[op] = line;
    });
  }

  unsigned at(int64_t position) const { return lines[position]; }
  unsigned at(Operation *op) const { return lineOf.at(op); }
  unsigned lastIn(Operation *loop) const {
    unsigned last = at(loop);
    loop->walk([&](Operation *op) { last = std::max(last, at(op)); });
    return last;
  }

private:
  std::vector<unsigned> lines; // by the number of the op in program order
  DenseMap<Operation *, unsigned> lineOf;
};

// The tile itself, or the slots of a ring.
void collectAccesses(Value shared, SmallVectorImpl<Operation *> &accesses) {
  for (Operation *user : shared.getUsers())
    if (auto slot = dyn_cast<tile::SharedSlotOp>(user))
      collectAccesses(slot.getResult(), accesses);
    else
      accesses.push_back(user);
}

// The kind of an access, and the tile that is stored or loaded.
struct Access {
  StringRef kind;
  Value tile; // in registers
  std::optional<std::string> name;
};

Access accessOf(Operation *op) {
  if (auto copy = dyn_cast<tile::CopyAsyncOp>(op))
    return {"copy", {}, memoryName(copy.getBase())};
  if (isa<tile::GatherAsyncOp>(op))
    return {"copy", {}, std::nullopt};
  if (auto store = dyn_cast<tile::SharedStoreOp>(op)) {
    tile::ViewLoadOp load = plan::readOf(store.getValue());
    std::optional<std::string> name = emit::sourceName(store.getValue().getLoc());
    return {"store", store.getValue(), !name && load ? memoryName(load.getBase()) : name};
  }
  if (auto load = dyn_cast<tile::SharedLoadOp>(op))
    return {"load", load.getResult(), std::nullopt};
  if (auto load = dyn_cast<tile::SharedLoadPartOp>(op))
    return {"load", {}, std::nullopt};
  if (auto store = dyn_cast<tile::BulkStoreOp>(op))
    return {"bulk store", {}, memoryName(store.getBase())};
  if (isa<tile::ShiftRowsOp>(op))
    return {"shift", {}, std::nullopt};
  if (isa<tile::RoundCopiedOp>(op))
    return {"round", {}, std::nullopt};
  return {"multiply", {}, std::nullopt};
}

// The maximum bank conflict of a warp's access; 0 if the tile's own layout does not determine it:
// multiply and copy instructions, for which the swizzle is made, and boxes.
int64_t repeats(const Access &access, tile::SharedType type) {
  auto tensor = access.tile ? dyn_cast<RankedTensorType>(access.tile.getType()) : nullptr;
  if (!tensor || tensor.getShape() != type.getShape() || type.getPanels())
    return 0;
  Swizzle swizzle{type.getBits(), type.getBase(), type.getShift()};
  return bankConflicts(plan::toLinear(tensor), swizzle, plan::bytesOf(type.getElementType()));
}

Object tileData(const plan::SharedLifetime &lifetime, const Lines &lines) {
  tile::SharedAllocOp alloc = lifetime.op;
  auto type = cast<tile::SharedType>(alloc.getType());
  SmallVector<Operation *> ops;
  collectAccesses(alloc.getResult(), ops);
  llvm::sort(ops, [&](Operation *x, Operation *y) { return lines.at(x) < lines.at(y); });
  Array accesses;
  std::optional<std::string> name;
  for (Operation *op : ops) {
    Access access = accessOf(op);
    if (!name)
      name = access.name;
    Object data{
        {"kind", access.kind}, {"line", lines.at(op)}, {"location", locationData(locationOf(op))}};
    if (int64_t times = repeats(access, type))
      data["repeats"] = times;
    accesses.push_back(std::move(data));
  }
  Object data{{"element", elementWords(type.getElementType())},
              {"elementBytes", plan::bytesOf(type.getElementType())},
              {"shape", Array(type.getShape())},
              {"swizzle", Array{type.getBits(), type.getBase(), type.getShift()}},
              {"stages", int64_t(alloc.getStages())},
              {"offset", int64_t(alloc.getOffset().value_or(0))},
              {"bytes", lifetime.bytes},
              {"first", lines.at(ops.empty() ? alloc : ops.front())},
              {"last", lines.at(lifetime.last)},
              {"location", locationData(locationOf(alloc))},
              {"accesses", std::move(accesses)}};
  if (name)
    data["name"] = llvm::json::fixUTF8(*name);
  return data;
}

} // namespace

Array sharedData(func::FuncOp kernel, const emit::Listing &listing) {
  Lines lines(kernel, listing);
  Array data;
  for (const plan::SharedLifetime &lifetime : plan::sharedLifetimes(kernel))
    data.push_back(tileData(lifetime, lines));
  return data;
}

Array loopsData(func::FuncOp kernel, const emit::Listing &listing) {
  Lines lines(kernel, listing);
  Array data;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      data.push_back(Object{{"first", lines.at(op)},
                            {"last", lines.lastIn(op)},
                            {"location", locationData(locationOf(op))}});
  });
  return data;
}

} // namespace tessera::explain
