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
// along the row and a broadcast along it do not see that; an iota of the columns is rotated, too.
// What combines columns in their order or takes the tile elsewhere does: a scan, an extract. All
// tiles that are computed from each other stay as they are then, and where a loop carries one of
// them from row to row.
//
// The pass runs where tiles have layouts, and before they go through shared memory. It leaves to
// plan-accesses how wide an access is, and what is proven of it.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/RowShifts.h"
#include "plan/analysis/TileClosure.h"
#include "plan/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_ROTATEROWS
#include "plan/Passes.h.inc"

namespace {

// About half the instructions that an element costs: in chunks across groups, and the number of its
// column where that is rotated.
constexpr int64_t costOfRead = 2, costOfStore = 4, costOfNumbers = 1;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// Of one value in any shape: it has no order.
bool isUniform(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(op))
    return isUniform(op->getOperand(0));
  return isa_and_nonnull<tile::SplatOp, arith::ConstantOp>(op);
}

bool isSame(Value x, Value y) {
  std::optional<int64_t> constant = constantOf(x);
  return x == y || (constant && constant == constantOf(y));
}

// A number times a constant, in elements.
struct Product {
  Value number;
  int64_t coefficient;

  Product(Value v, int64_t by) : number(v), coefficient(by) {
    while (auto product = number.getDefiningOp<arith::MulIOp>()) {
      std::optional<int64_t> constant = constantOf(product.getRhs());
      if (!constant)
        break;
      number = product.getLhs();
      coefficient *= *constant;
    }
  }
  bool operator==(const Product &other) const {
    return coefficient == other.coefficient && isSame(number, other.number);
  }
};

// What of the address of a box's first row changes from row to row: rows of arrays that agree in it
// begin at the same distance from an aligned group if the arrays do.
struct Rows {
  SmallVector<Product> terms;
  SmallVector<int64_t> shape; // of the rows
  bool mayBeShifted = false;  // may a row begin between groups, if the array begins at one?
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
      isKnown &= step.getDynamicIndices().size() == 1 && term.coefficient % box.bytes() == 0;
      term.coefficient /= box.bytes();
      add(term, divisorOf(term.number) * powerOfTwoIn(term.coefficient));
    }
    const size_t last = box.shape.size() - 1;
    for (size_t dim = 0; dim < last; ++dim) {
      const int64_t stride = divisorOf(box.strides[dim]), start = divisorOf(box.starts[dim]);
      if (box.shape[dim] == 1 && constantOf(box.starts[dim]) == 0)
        continue;
      add({box.strides[dim], 1}, box.shape[dim] == 1 ? stride * start : stride);
      terms.push_back({box.starts[dim], 1});
      if (box.shape[dim] > 1)
        shape.push_back(box.shape[dim]);
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

  Access(Operation *op, const Box &box)
      : op(op), box(box), vector(vectorOf(box)), rows(box, vector) {}
  bool isStore() const { return isa<tile::ViewStoreOp>(op); }
  // What it costs across groups: a store exchanges bytes between lanes and cuts groups twice.
  int64_t cost() const { return vector == 1 ? 0 : isStore() ? costOfStore : costOfRead; }
  bool hasRowsOf(const Access &other) const {
    return box.isContiguous && rows.isKnown && other.rows.isKnown &&
           rows.terms == other.rows.terms && rows.shape == other.rows.shape;
  }
};

// Tiles none of whose ops sees the order of columns.
class RotatedTiles final : public TileClosure {
public:
  explicit RotatedTiles(Value tile) : columns(typeOf(tile).getShape().back()) { add(tile); }

  // By which rows the tiles are best rotated; null if by none.
  const Access *findLead(ArrayRef<Access> accesses) const {
    const Access *best = nullptr;
    int64_t most = 0;
    for (const Access &lead : accesses) {
      if (!lead.rows.mayBeShifted || !lead.hasRowsOf(lead))
        continue;
      int64_t gain = -costOfNumbers * int64_t(iotas.size());
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

  // Those that number columns.
  ArrayRef<Operation *> columnNumbers() const { return iotas.getArrayRef(); }
  // In front of these ops the shift must be known: a loop that carries a tile has one shift.
  SmallVector<Operation *> users() const {
    SmallVector<Operation *> users(accesses.begin(), accesses.end());
    users.append(iotas.begin(), iotas.end());
    for (Value tile : tiles)
      if (auto variable = dyn_cast<BlockArgument>(tile))
        users.push_back(variable.getOwner()->getParentOp());
    return users;
  }

private:
  static bool isOneRow(const Access &access) {
    return ShapedType::getNumElements(access.box.shape) == access.box.shape.back();
  }

  bool add(Value tile) override {
    if (isUniform(tile))
      return true;
    ArrayRef<int64_t> shape = typeOf(tile).getShape();
    return !shape.empty() && shape.back() == columns && (tiles.insert(tile), true);
  }

  bool followMaker(Operation *maker, Value tile) override {
    if (isa<tile::IotaOp>(maker))
      return typeOf(tile).getNumElements() == columns && (iotas.insert(maker), true);
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(maker)) {
      auto rows = typeOf(broadcast.getX());
      repeatsRows |=
          rows.getShape().back() != 1 && rows.getNumElements() != typeOf(tile).getNumElements();
    }
    return TileClosure::followMaker(maker, tile);
  }

  bool followUser(OpOperand &use) override {
    if (auto reduce = dyn_cast<tile::ReduceOp>(use.getOwner()))
      return !reduce.getIndices() && reduce.getKind() != tile::ReduceKind::argmax &&
             reduce.getKind() != tile::ReduceKind::argmin &&
             int64_t(reduce.getDim()) == typeOf(use.get()).getRank() - 1;
    return TileClosure::followUser(use);
  }

  int64_t columns;
  SetVector<Operation *> iotas;
  bool repeatsRows = false; // is one row of a tile several of another one?
};

// The first op of the innermost block that has all of them, of those in which they are.
Operation *firstOf(ArrayRef<Operation *> ops) {
  Block *block = ops.front()->getBlock();
  auto here = [&](Operation *op) { return block->findAncestorOpInBlock(*op); };
  while (!llvm::all_of(ops, here))
    block = block->getParentOp()->getBlock();
  return here(*llvm::min_element(
      ops, [&](Operation *x, Operation *y) { return here(x)->isBeforeInBlock(here(y)); }));
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

// Nothing where the shift cannot be known in front of all that needs it.
void rotate(const RotatedTiles &tiles, ArrayRef<Access> accesses, const Access &lead) {
  SmallVector<const Access *> same = {&lead};
  for (const Access &access : accesses)
    if (&access != &lead && access.hasRowsOf(lead))
      same.push_back(&access);
  llvm::stable_sort(same, [](auto *x, auto *y) { return x->vector > y->vector; });
  const int64_t multiple = same.front()->vector;

  Operation *first = firstOf(tiles.users());
  OpBuilder b(first);
  // A box that starts at a multiple is shifted as its row is.
  auto startsOf = [&](const Box &box) {
    SmallVector<Value> starts(box.starts);
    if (divisorOf(starts.back()) % multiple == 0)
      starts.back() = arith::ConstantOp::create(b, lead.op->getLoc(),
                                                b.getIntegerAttr(starts.back().getType(), 0));
    return starts;
  };
  SmallVector<SmallVector<Value>> starts;
  SetVector<Operation *> needed;
  for (const Access *access : same) {
    const Box &box = access->box;
    starts.push_back(startsOf(box));
    for (ValueRange values :
         {ValueRange(box.base), box.extents, box.strides, ValueRange(starts.back())})
      for (Value v : values)
        if (!findNeeded(v, first, needed))
          return;
  }
  for (Operation *op : needed)
    op->moveBefore(op->getBlock()->findAncestorOpInBlock(*first));

  Value shift;
  SmallVector<size_t> asked;
  for (size_t i = 0; i < same.size(); ++i) {
    const Box &box = same[i]->box;
    const bool isAsked = llvm::any_of(asked, [&](size_t other) {
      return same[other]->box.base == box.base && same[other]->box.strides == box.strides &&
             llvm::equal(starts[other], starts[i], isSame) &&
             same[other]->vector == same[i]->vector;
    });
    if (isAsked)
      continue;
    asked.push_back(i);
    const bool isWritten = llvm::any_of(
        same, [&](const Access *other) { return other->isStore() && other->box.base == box.base; });
    Location loc = NameLoc::get(b.getStringAttr("shift"), same[i]->op->getLoc());
    shift = tile::RowShiftOp::create(b, loc, b.getI32Type(), box.base, box.element, box.extents,
                                     box.strides, starts[i], shift, same[i]->vector, isWritten);
  }
  for (const Access &access : accesses) {
    auto rotation = tile::RotationAttr::get(b.getContext(), multiple, access.hasRowsOf(lead));
    llvm::TypeSwitch<Operation *>(access.op).Case<tile::ViewLoadOp, tile::ViewStoreOp>(
        [&](auto it) {
          it.getShiftMutable().assign(shift);
          it.setRotationAttr(rotation);
        });
  }
  for (Operation *iota : tiles.columnNumbers())
    rotateColumns(cast<tile::IotaOp>(iota), shift);
}

struct RotateRows : impl::RotateRowsBase<RotateRows> {
  void runOnOperation() override {
    SmallVector<Value> begins;        // what accesses read and write
    SmallVector<Operation *> ordered; // accesses, as in the program
    getOperation().walk([&](Operation *op) {
      auto load = dyn_cast<tile::ViewLoadOp>(op);
      auto store = dyn_cast<tile::ViewStoreOp>(op);
      if (!load && !store)
        return;
      ordered.push_back(op);
      begins.push_back(load ? load.getResult() : store.getValue());
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
        if (std::optional<Box> box = boxOf(op); box && tiles.endsAt(op))
          accesses.emplace_back(op, *box);
      if (const Access *lead = tiles.findLead(accesses))
        rotate(tiles, accesses, *lead);
    }
  }
};

} // namespace
} // namespace tessera::plan
