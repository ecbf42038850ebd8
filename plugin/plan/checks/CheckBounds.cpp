// Run-time checks of what a program promises about coordinates.
//   view_load %p extents(%n) starts(%i) {tile.unmasked}  ->  check %i + size <= %n; view_load ...
// The language leaves these cases undefined, and each check reports one:
// * a load or store without a mask of a box that is not inside its view, and one with a mask of a
//   box that is outside altogether: its index is none of the view's
// * elements outside the view in accesses that gather, scatter or are atomic (tile.inside); a
//   reduction, which drops them by itself, and an atomic with a mask need one element inside
// * parts outside a tile (extract, insert), and tiles outside an array of tiles
// * a false assumption
// Pointers have no extents: the emulator and compute-sanitizer check their accesses.
//
// The pass runs first: values are still the programmer's, and dimensions in the programmer's order.
#include "plan/checks/CheckMessages.h"
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CHECKBOUNDS
#include "plan/Passes.h.inc"

namespace {

Value compare(OpBuilder &builder, Location loc, arith::CmpIPredicate predicate, Value x, Value y) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
}

// Starts and extents are unsigned; a start below 0 is printed as the program has it.
template <class Op> void checkBox(Op op, RankedTensorType box, const std::string &what) {
  OpBuilder builder(op);
  Location loc = locationOf(op);
  bool isMasked = !op->hasAttr(tile::unmaskedAttr);
  Value holds;
  SmallVector<Value> values;
  for (auto [start, extent, size] : llvm::zip(op.getStarts(), op.getExtents(), box.getShape())) {
    Value first = widened(builder, loc, start, /*isUnsigned=*/true);
    Value whole = widened(builder, loc, extent, /*isUnsigned=*/true);
    using P = arith::CmpIPredicate;
    if (isMasked) {
      holds = both(builder, loc, holds, compare(builder, loc, P::ult, first, whole));
      continue;
    }
    Value length = constant(builder, loc, builder.getI64Type(), size);
    Value last = builder.createOrFold<arith::SubIOp>(loc, whole, length);
    holds = both(builder, loc, holds, compare(builder, loc, P::uge, whole, length));
    holds = both(builder, loc, holds, compare(builder, loc, P::ule, first, last));
  }
  for (Value start : op.getStarts())
    values.push_back(widened(builder, loc, start));
  for (Value extent : op.getExtents())
    values.push_back(widened(builder, loc, extent, /*isUnsigned=*/true));
  std::string starts = indicesFor(box.getRank());
  createCheck(builder, loc, holds,
              what + ": the box of " + listOf(box.getShape()) + " elements at " + starts +
                  (isMasked ? " is outside of the extents " : " is not inside the extents ") +
                  starts,
              values);
}

void checkInside(tile::InsideOp op) {
  OpBuilder builder(op);
  std::string tile = "a tile";
  for (Operation *user : op->getUsers())
    if (auto store = dyn_cast<tile::StoreOp>(user))
      tile = namedOr(store.getValue(), tile);
    else if (auto store = dyn_cast<tile::AtomicStoreOp>(user))
      tile = namedOr(store.getValue(), tile);
    else if (auto update = dyn_cast<tile::AtomicRmwOp>(user))
      tile = namedOr(update.getValue(), tile);
    else if (user->getNumResults())
      tile = namedOr(user->getResult(0), tile);
  // One condition for the whole tile: the mask must leave some of it.
  auto splat = op.getMask().getDefiningOp<tile::SplatOp>();
  createCheck(builder, locationOf(op), splat ? splat.getX() : op.getMask(),
              "access of " + tile + " in " + memoryOf(op.getPointers()) +
                  (splat ? ": all of the tile is outside of the extents"
                         : ": an element is outside of the extents"));
  op.getResult().replaceAllUsesWith(op.getPointers());
  op.erase();
}

// An index into the parts of a tile, or into an array of tiles.
void checkIndex(Operation *op, ValueRange index, ArrayRef<int64_t> counts,
                const std::string &what) {
  OpBuilder builder(op);
  Location loc = locationOf(op);
  Value holds;
  SmallVector<Value> values;
  for (auto [i, count] : llvm::zip(index, counts)) {
    holds = both(builder, loc, holds,
                 compare(builder, loc, arith::CmpIPredicate::ult, i,
                         constant(builder, loc, i.getType(), count)));
    values.push_back(widened(builder, loc, i));
  }
  createCheck(builder, loc, holds,
              what + ": the index " + indicesFor(counts.size()) + " is outside of " +
                  listOf(counts),
              values);
}

SmallVector<int64_t> partsOf(Type whole, Type part) {
  SmallVector<int64_t> counts;
  for (auto [extent, size] : llvm::zip(tile::shapeOf(whole), tile::shapeOf(part)))
    counts.push_back(extent / size);
  return counts;
}

void checkAssumption(tile::AssumeOp op) {
  OpBuilder builder(op);
  Location loc = locationOf(op);
  Value x = op.getX();
  Type wide = builder.getI64Type();
  if (!isa<LLVM::LLVMPointerType, IntegerType>(x.getType()))
    return;
  Value value = widened(builder, loc, x, op->hasAttr(tile::unsignedAssumptionAttr));
  std::string who = isa<LLVM::LLVMPointerType>(x.getType()) ? memoryOf(x) : namedOr(x, "a value");
  if (auto divisor = op.getAligned() ? op.getAligned() : op.getDivisible()) {
    Value rest = builder.createOrFold<arith::AndIOp>(
        loc, value, constant(builder, loc, wide, int64_t(*divisor) - 1));
    std::string name = op.getAligned() ? "assume_aligned" : "assume_divisible";
    createCheck(
        builder, loc,
        compare(builder, loc, arith::CmpIPredicate::eq, rest, constant(builder, loc, wide, 0)),
        name + ": " + who + " is " + (op.getAligned() ? "the address 0x%llx" : "%lld") +
            ", which is not a multiple of " + std::to_string(*divisor),
        value);
  }
  std::optional<uint64_t> low = op.getLow(), high = op.getHigh();
  if (!low || !high)
    return;
  auto bound = [&](uint64_t limit, arith::CmpIPredicate predicate) {
    return compare(builder, loc, predicate, value, constant(builder, loc, wide, int64_t(limit)));
  };
  createCheck(builder, loc,
              both(builder, loc, bound(*low, arith::CmpIPredicate::sge),
                   bound(*high, arith::CmpIPredicate::sle)),
              "assume_bounded: " + who + " is %lld, which is not between " +
                  std::to_string(int64_t(*low)) + " and " + std::to_string(int64_t(*high)),
              value);
}

void checkArray(Operation *op, Value array, Value index) {
  if (auto tiles = array.getDefiningOp<tile::LocalAllocOp>())
    checkIndex(op, index, int64_t(tiles.getCount()),
               "access of the array " + namedOr(array, "of tiles"));
}

struct CheckBounds : impl::CheckBoundsBase<CheckBounds> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      TypeSwitch<Operation *>(op)
          .Case([&](tile::ViewLoadOp o) {
            checkBox(o, cast<RankedTensorType>(o.getType()),
                     "load of " + namedOr(o.getResult(), "a tile") + " from " +
                         memoryOf(o.getBase()));
          })
          .Case([&](tile::ViewStoreOp o) {
            checkBox(o, cast<RankedTensorType>(o.getValue().getType()),
                     "store of " + namedOr(o.getValue(), "a tile") + " to " +
                         memoryOf(o.getBase()));
          })
          .Case([&](tile::InsideOp o) { checkInside(o); })
          .Case([&](tile::ExtractOp o) {
            checkIndex(o, o.getIndex(), partsOf(o.getX().getType(), o.getType()),
                       "extract of " + namedOr(o.getResult(), "a part") + " from " +
                           namedOr(o.getX(), "a tile"));
          })
          .Case([&](tile::InsertOp o) {
            checkIndex(o, o.getIndex(), partsOf(o.getType(), o.getPart().getType()),
                       "insert of " + namedOr(o.getPart(), "a part") + " into " +
                           namedOr(o.getX(), "a tile"));
          })
          .Case([&](tile::AssumeOp o) { checkAssumption(o); })
          .Case([&](tile::LocalLoadOp o) { checkArray(o, o.getArray(), o.getIndex()); })
          .Case([&](tile::LocalStoreOp o) { checkArray(o, o.getArray(), o.getIndex()); });
    });
  }
};

} // namespace
} // namespace tessera::plan
