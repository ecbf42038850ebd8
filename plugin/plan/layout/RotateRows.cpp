// Rotates rows in their tiles by where they begin in memory, so that aligned groups of elements are
// read and written wherever that is:
//
//   %x = view_load %p ... starts(%row, 0)               rows of an odd stride
//   view_store %y, %q ... starts(%row, 0)
// becomes
//   %s = row_shift %p ... starts(%row, 0) by 8          0 to 7, or -1: all rows are aligned
//   %t = row_shift %q ... starts(%row, 0) by 8 like %s  %s, or -1: this row begins elsewhere
//   %x = view_load %p ... starts(%row, 0) shift %t
//   view_store %y, %q ... starts(%row, 0) shift %t
//
// Slot j of a tile then holds column j - shift, modulo the columns. An element-wise op, a reduction
// along the row and a broadcast along it do not see that. What numbers columns, combines them in
// order or takes the tile elsewhere does: iota, a scan, an extract, a loop that carries it. All
// tiles that are computed from each other stay as they are then.
//
// The pass runs where tiles have layouts, and before they go through shared memory. It leaves to
// plan-accesses how wide an access is, and what is proven of it.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_ROTATEROWS
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// Of one value in any shape: it has no order.
bool isUniform(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(op))
    return isUniform(op->getOperand(0));
  return isa_and_nonnull<tile::SplatOp, arith::ConstantOp>(op);
}

// A number times a constant, in elements.
struct Product {
  Value number;
  int64_t factor;

  Product(Value v, int64_t by) : number(v), factor(by) {
    while (auto product = number.getDefiningOp<arith::MulIOp>()) {
      std::optional<int64_t> constant = constantOf(product.getRhs());
      if (!constant)
        break;
      number = product.getLhs();
      factor *= *constant;
    }
  }
  bool operator==(const Product &other) const {
    return factor == other.factor &&
           (number == other.number ||
            (constantOf(number) && constantOf(number) == constantOf(other.number)));
  }
};

// What of the address of a box's first row changes from row to row: rows of arrays that agree in it
// begin at the same distance from an aligned group if the arrays do.
struct Rows {
  SmallVector<Product> terms;
  bool mayBeShifted = false; // may a row begin between groups, if the array begins at one?
  bool isKnown = true;

  Rows(const Box &box, int64_t vector) {
    auto add = [&](Product term, int64_t divisor) {
      terms.push_back(term);
      mayBeShifted |= divisor % vector != 0;
    };
    Value base = box.base;
    for (auto step = base.getDefiningOp<LLVM::GEPOp>(); step;
         step = base.getDefiningOp<LLVM::GEPOp>()) {
      base = step.getBase();
      if (step.getDynamicIndices().empty())
        continue;
      Product term(step.getDynamicIndices().front(), bytesOf(step.getElemType()));
      isKnown &= step.getDynamicIndices().size() == 1 && term.factor % box.bytes() == 0;
      term.factor /= box.bytes();
      add(term, divisorOf(term.number) * powerOfTwoIn(term.factor));
    }
    const size_t last = box.shape.size() - 1;
    for (size_t dim = 0; dim < last; ++dim) {
      const int64_t stride = divisorOf(box.strides[dim]), start = divisorOf(box.starts[dim]);
      if (box.shape[dim] == 1 && constantOf(box.starts[dim]) == 0)
        continue;
      add({box.strides[dim], 1}, box.shape[dim] == 1 ? stride * start : stride);
      terms.push_back({box.starts[dim], 1});
    }
    if (const int64_t start = divisorOf(box.starts[last]); start % vector)
      add({box.starts[last], 1}, start);
  }
};

struct Access {
  Operation *op;
  Box box;
  int64_t vector;
  Rows rows;

  explicit Access(Operation *op)
      : op(op), box(*boxOf(op)), vector(vectorOf(box)), rows(box, vector) {}
  bool isStore() const { return isa<tile::ViewStoreOp>(op); }
  // What it costs where it is made across groups, in reads: a store exchanges bytes between lanes
  // and cuts groups at both ends.
  int64_t cost() const { return vector == 1 ? 0 : isStore() ? 2 : 1; }
  bool hasRowsOf(const Access &other) const {
    return box.isContiguous && rows.isKnown && other.rows.isKnown && rows.terms == other.rows.terms;
  }
};

// Tiles that are computed from each other, element by element, and where they come from and go.
class RotatedTiles {
public:
  explicit RotatedTiles(Value tile) : columns(typeOf(tile).getShape().back()) { add(tile); }

  // False if an op sees the order of columns.
  bool follow() {
    for (size_t i = 0; i < tiles.size(); ++i)
      if (Value tile = tiles[i];
          !followMaker(tile) ||
          !llvm::all_of(tile.getUses(), [&](auto &use) { return followUser(use); }))
        return false;
    return true;
  }

  // By which rows the tiles are best rotated; null if by none.
  const Access *findLead(ArrayRef<Access> accesses) const {
    const Access *best = nullptr;
    int64_t most = 0;
    for (const Access &lead : accesses) {
      if (!lead.rows.mayBeShifted || !lead.hasRowsOf(lead))
        continue;
      int64_t gain = 0;
      bool isPossible = true;
      for (const Access &other : accesses) {
        const bool isSame = other.hasRowsOf(lead);
        gain += isSame ? other.cost() : -other.cost();
        isPossible &= isSame || (!other.isStore() && other.box.isContiguous && isOneRow(other));
        isPossible &= !isSame || isOneRow(other) || !repeatsRows;
      }
      if (isPossible && (gain > most || (best && gain == most && lead.vector > best->vector))) {
        best = &lead;
        most = gain;
      }
    }
    return best && columns % best->vector == 0 ? best : nullptr;
  }

  bool contains(Value tile) const { return tiles.contains(tile); }
  // Does it read one of the tiles, or write one?
  bool endsAt(Operation *access) const { return accesses.contains(access); }

private:
  static bool isOneRow(const Access &access) {
    return ShapedType::getNumElements(access.box.shape) == access.box.shape.back();
  }

  bool add(Value tile) {
    if (isUniform(tile))
      return true;
    ArrayRef<int64_t> shape = typeOf(tile).getShape();
    return !shape.empty() && shape.back() == columns && (tiles.insert(tile), true);
  }
  bool addAll(ValueRange values) {
    return llvm::all_of(values, [&](Value v) { return !isTile(v) || add(v); });
  }

  bool followMaker(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op)
      return false;
    if (isElementwise(op))
      return addAll(op->getOperands());
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](tile::ViewLoadOp) { return accesses.insert(op), true; })
        .Case([&](tile::BroadcastOp broadcast) {
          if (typeOf(broadcast.getX()).getShape().back() == 1)
            return true;
          repeatsRows |= typeOf(broadcast.getX()).getNumElements() != typeOf(tile).getNumElements();
          return add(broadcast.getX());
        })
        .Case<tile::ReshapeOp, tile::ConvertLayoutOp>([&](auto same) { return add(same.getX()); })
        .Default([](Operation *) { return false; });
  }

  bool followUser(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isElementwise(op))
      return addAll(op->getResults());
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](tile::ViewStoreOp) { return accesses.insert(op), true; })
        .Case<tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(
            [&](auto same) { return add(same.getResult()); })
        .Case([&](tile::ReduceOp reduce) {
          return !reduce.getIndices() && reduce.getKind() != tile::ReduceKind::argmax &&
                 reduce.getKind() != tile::ReduceKind::argmin &&
                 int64_t(reduce.getDim()) == typeOf(use.get()).getRank() - 1;
        })
        .Default([](Operation *) { return false; });
  }

  int64_t columns;
  SetVector<Value> tiles;
  SetVector<Operation *> accesses;
  bool repeatsRows = false; // is one row of a tile several of another one?
};

// The first op of the innermost block with all accesses that has one of them.
Operation *firstOf(ArrayRef<Access> accesses) {
  Block *block = accesses.front().op->getBlock();
  auto here = [&](const Access &access) { return block->findAncestorOpInBlock(*access.op); };
  while (!llvm::all_of(accesses, here))
    block = block->getParentOp()->getBlock();
  return here(accesses.front());
}

// Ops that must be in front of another one for a value to be known there, in order; false: it
// cannot be.
bool findNeeded(Value v, Operation *point, SetVector<Operation *> &needed) {
  Operation *here = v.getParentBlock()->findAncestorOpInBlock(*point);
  Operation *op = v.getDefiningOp();
  if (!here)
    return false;
  if (!op || op->isBeforeInBlock(here) || needed.contains(op))
    return true;
  if (!isPure(op) || op->getNumRegions() || llvm::any_of(op->getOperands(), isTile) ||
      !llvm::all_of(op->getOperands(),
                    [&](Value operand) { return findNeeded(operand, point, needed); }))
    return false;
  return needed.insert(op), true;
}

bool rotate(ArrayRef<Access> accesses, const Access &lead) {
  SmallVector<const Access *> same = {&lead};
  for (const Access &access : accesses)
    if (&access != &lead && access.hasRowsOf(lead))
      same.push_back(&access);
  llvm::stable_sort(same, [](auto *x, auto *y) { return x->vector > y->vector; });
  const int64_t multiple = same.front()->vector;

  Operation *first = firstOf(accesses);
  SetVector<Operation *> needed;
  for (const Access *access : same)
    for (ValueRange values : {ValueRange(access->box.base), access->box.extents,
                              access->box.strides, access->box.starts})
      for (Value v : values)
        if (!findNeeded(v, first, needed))
          return false;
  for (Operation *op : needed)
    op->moveBefore(op->getBlock()->findAncestorOpInBlock(*first));

  OpBuilder b(first);
  Value shift;
  SmallVector<const Access *> asked;
  for (const Access *access : same) {
    const Box &box = access->box;
    const bool isAsked = llvm::any_of(asked, [&](const Access *other) {
      return other->box.base == box.base && other->box.strides == box.strides &&
             other->box.starts == box.starts && other->vector == access->vector;
    });
    if (isAsked)
      continue;
    asked.push_back(access);
    const bool isWritten = llvm::any_of(
        same, [&](const Access *other) { return other->isStore() && other->box.base == box.base; });
    Location loc = NameLoc::get(b.getStringAttr("shift"), access->op->getLoc());
    shift = tile::RowShiftOp::create(b, loc, b.getI32Type(), box.base, box.element, box.extents,
                                     box.strides, box.starts, shift, access->vector, isWritten);
  }
  for (const Access &access : accesses) {
    auto rotation = tile::RotationAttr::get(b.getContext(), multiple, access.hasRowsOf(lead));
    if (auto load = dyn_cast<tile::ViewLoadOp>(access.op)) {
      load.getShiftMutable().assign(shift);
      load.setRotationAttr(rotation);
    } else {
      auto store = cast<tile::ViewStoreOp>(access.op);
      store.getShiftMutable().assign(shift);
      store.setRotationAttr(rotation);
    }
  }
  return true;
}

struct RotateRows : impl::RotateRowsBase<RotateRows> {
  void runOnOperation() override {
    SmallVector<Value> begins;
    SmallVector<Operation *> ordered; // accesses, as in the program
    getOperation().walk([&](Operation *op) {
      if (isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
        ordered.push_back(op);
      if (auto load = dyn_cast<tile::ViewLoadOp>(op))
        begins.push_back(load.getResult());
      else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
        begins.push_back(store.getValue());
    });
    llvm::DenseSet<Value> seen;
    for (Value begin : begins) {
      if (typeOf(begin).getRank() == 0 || isUniform(begin) || seen.contains(begin))
        continue;
      RotatedTiles tiles(begin);
      const bool areRotatable = tiles.follow();
      for (Value other : begins)
        if (tiles.contains(other))
          seen.insert(other);
      if (!areRotatable)
        continue;
      std::vector<Access> accesses;
      for (Operation *op : ordered)
        if (tiles.endsAt(op))
          accesses.emplace_back(op);
      if (const Access *lead = tiles.findLead(accesses))
        rotate(accesses, *lead);
    }
  }
};

} // namespace
} // namespace tessera::plan
