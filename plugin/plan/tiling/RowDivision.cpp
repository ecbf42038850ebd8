#include "plan/tiling/RowDivision.h"

#include "plan/analysis/Chains.h"
#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"
#include "plan/Plan.h"
#include "plan/tiling/DividedTiles.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Of two warpgroups, which hold a part.
constexpr int64_t threadsOfPart = 256, minRowsOfPart = 128;
RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// A dimension that a tile has alone: the elements of the others are in order.
bool isAlone(RankedTensorType type, unsigned dim) {
  return type.getNumElements() == type.getDimSize(dim);
}

class RowDivision {
public:
  explicit RowDivision(func::FuncOp kernel) : kernel(kernel) {}

  bool find() {
    kernel.walk([&](scf::ForOp loop) {
      if (std::optional<Chain> chain = chainOf(loop))
        chains.push_back(*chain);
    });
    return !chains.empty() && chooseParts() && noteChains() && followAll() && areWritesDivided();
  }

  // The same of rows that are reduced, in a kernel without multiplies.
  bool findRows(int64_t elementsOfPart) {
    SmallVector<std::pair<Value, unsigned>> reduced;
    int64_t elements = 0;
    const bool multiplies =
        kernel
            .walk([&](Operation *op) {
              if (auto reduce = dyn_cast<tile::ReduceOp>(op))
                if (std::optional<unsigned> dim = rowsOf(reduce))
                  reduced.emplace_back(reduce.getX(), *dim);
              for (Value result : op->getResults())
                if (isTile(result))
                  elements = std::max(elements, typeOf(result).getNumElements());
              return isa<tile::MmaOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (multiplies || reduced.empty())
      return false;
    rows = typeOf(reduced.front().first).getDimSize(reduced.front().second);
    while (elements > parts * elementsOfPart && parts < rows)
      parts *= 2;
    return parts > 1 && rows % parts == 0 &&
           llvm::all_of(reduced, [&](auto tile) { return note(tile.first, tile.second); }) &&
           followAll() && areWritesDivided();
  }

  scf::ForOp rewrite() {
    Block &body = kernel.getBody().front();
    OpBuilder b(&body, body.begin());
    Location loc = kernel.getLoc();
    auto number = [&](int64_t n) {
      return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
    };
    auto loop = scf::ForOp::create(b, loc, number(0), number(parts), number(1));
    loop->setAttr(tile::partsAttr, b.getUnitAttr());
    loop.getInductionVar().setLoc(NameLoc::get(b.getStringAttr("part"), loc));
    loop.getBody()->getOperations().splice(loop.getBody()->begin(), body.getOperations(),
                                           std::next(Block::iterator(loop)), std::prev(body.end()));
    b.setInsertionPointToStart(loop.getBody());
    Value firstRow = arith::MulIOp::create(b, loc, loop.getInductionVar(), number(rows / parts),
                                           arith::IntegerOverflowFlags::nsw);
    firstRow.setLoc(NameLoc::get(b.getStringAttr("first_row"), loc));
    for (Operation *op : usersOfUniform)
      for (OpOperand &operand : op->getOpOperands())
        if (auto dim = dimOfOperand.find({op, operand.getOperandNumber()});
            dim != dimOfOperand.end()) {
          OpBuilder before(op);
          operand.set(oneValueAs(before, operand.get(), partOf(typeOf(operand.get()), dim->second),
                                 IRMapping()));
        }
    for (auto [tile, dim] : dims)
      tile.setType(partOf(typeOf(tile), dim));
    for (auto [op, dim] : starting)
      moveStart(op, dim, firstRow);
    return loop;
  }

private:
  // As few parts as two warpgroups can hold.
  bool chooseParts() {
    rows = typeOf(chains.front().second.front()->getResult(0)).getShape().front();
    int64_t words = 0;
    for (const Chain &chain : chains) {
      words = std::max(words, wordsInRegisters(chain));
      for (Operation *multiply : llvm::concat<Operation *const>(chain.first, chain.second))
        if (typeOf(multiply->getResult(0)).getRank() != 2 ||
            typeOf(multiply->getResult(0)).getShape().front() != rows)
          return false;
    }
    while (words > parts * threadsOfPart * registersOfAccumulators)
      parts *= 2;
    return parts > 1 && rows % parts == 0 && rows / parts >= minRowsOfPart;
  }

  RankedTensorType partOf(RankedTensorType type, unsigned dim) const {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= parts;
    return RankedTensorType::get(shape, type.getElementType());
  }

  // The only dimension of several elements that a reduction leaves.
  static std::optional<unsigned> rowsOf(tile::ReduceOp reduce) {
    RankedTensorType type = typeOf(reduce.getX());
    std::optional<unsigned> found;
    for (unsigned dim = 0; dim < unsigned(type.getRank()); ++dim) {
      if (dim == unsigned(reduce.getDim()) || type.getDimSize(dim) == 1)
        continue;
      if (found)
        return std::nullopt;
      found = dim;
    }
    return found;
  }

  bool noteChains() {
    return llvm::all_of(chains, [&](const Chain &chain) {
      return llvm::all_of(llvm::concat<Operation *const>(chain.first, chain.second),
                          [&](Operation *multiply) { return note(multiply->getResult(0), 0); });
    });
  }

  bool followAll() {
    while (!work.empty()) {
      Value tile = work.pop_back_val();
      if (Operation *op = tile.getDefiningOp(); op && !visit(op))
        return false;
      if (auto argument = dyn_cast<BlockArgument>(tile))
        if (!visit(argument.getOwner()->getParentOp()))
          return false;
      for (Operation *user : tile.getUsers())
        if (!visit(isa<scf::YieldOp>(user) ? user->getParentOp() : user))
          return false;
    }
    return true;
  }

  // The tile is divided along the dimension.
  bool note(Value tile, unsigned dim) {
    if (typeOf(tile).getDimSize(dim) != rows)
      return false;
    auto [known, isNew] = dims.insert({tile, dim});
    if (isNew)
      work.push_back(tile);
    return known->second == dim;
  }
  // The same of an operand, which may be uniform: then it is made anew for its user.
  bool note(OpOperand &operand, unsigned dim) {
    if (!isOfOneValue(operand.get()))
      return note(operand.get(), dim);
    usersOfUniform.insert(operand.getOwner());
    return dimOfOperand.insert({{operand.getOwner(), operand.getOperandNumber()}, dim})
               .first->second == dim;
  }
  std::optional<unsigned> dimOf(Value tile) const {
    auto found = dims.find(tile);
    return found == dims.end() ? std::nullopt : std::optional(found->second);
  }
  // That of any operand or result.
  std::optional<unsigned> anyDimOf(Operation *op) const {
    for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
      if (std::optional<unsigned> dim = dimOf(value))
        return dim;
    return std::nullopt;
  }

  // Divides what the op has beside the tiles that are known to be divided; false where it cannot.
  bool visit(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<scf::ForOp>([&](scf::ForOp loop) { return visitLoop(loop); })
        .Case<scf::IfOp>([&](scf::IfOp branch) { return visitBranch(branch); })
        .Case<tile::MmaOp>([&](tile::MmaOp multiply) { return visitMultiply(multiply); })
        .Case<tile::BroadcastOp>([&](tile::BroadcastOp broadcast) {
          std::optional<unsigned> dim = anyDimOf(broadcast);
          return typeOf(broadcast.getX()).getDimSize(*dim) == 1 // of all rows
                     ? note(broadcast.getResult(), *dim)
                     : note(broadcast->getOpOperand(0), *dim) && note(broadcast.getResult(), *dim);
        })
        .Case<tile::PermuteOp>([&](tile::PermuteOp permute) {
          if (std::optional<unsigned> dim = dimOf(permute.getResult()))
            return note(permute->getOpOperand(0), unsigned(permute.getMap()[*dim]));
          const auto *at = llvm::find(permute.getMap(), int64_t(*dimOf(permute.getX())));
          return note(permute.getResult(), unsigned(at - permute.getMap().begin()));
        })
        .Case<tile::ReshapeOp>([&](tile::ReshapeOp reshape) {
          std::optional<unsigned> of = dimOf(reshape.getX()), result = dimOf(reshape.getResult());
          std::optional<unsigned> other =
              of ? reshaped(typeOf(reshape.getX()), *of, typeOf(reshape))
                 : reshaped(typeOf(reshape), *result, typeOf(reshape.getX()));
          return other &&
                 (of ? note(reshape.getResult(), *other) : note(reshape->getOpOperand(0), *other));
        })
        .Case<tile::ReduceOp>([&](tile::ReduceOp reduce) { // one along the rows has none
          std::optional<unsigned> dim = anyDimOf(reduce);
          return !reduce.getIndices() && note(reduce->getOpOperand(0), *dim) &&
                 note(reduce.getResult(), *dim);
        })
        .Case<tile::IotaOp>([&](tile::IotaOp iota) {
          return isAlone(typeOf(iota), *dimOf(iota)) && starts(iota, *dimOf(iota));
        })
        .Case<tile::ViewLoadOp>([&](tile::ViewLoadOp load) {
          const unsigned dim = *dimOf(load);
          return divisorOf(load.getStarts()[dim]) % rows == 0 && starts(load, dim);
        })
        .Case<tile::ViewStoreOp>([&](tile::ViewStoreOp store) {
          const unsigned dim = *dimOf(store.getValue());
          return divisorOf(store.getStarts()[dim]) % rows == 0 && starts(store, dim);
        })
        .Case<tile::LoadOp, tile::StoreOp>([&](Operation *access) { return visitAll(access); })
        .Default([&](Operation *other) { return isElementwise(other) && visitAll(other); });
  }

  // All tiles of the op have one shape.
  bool visitAll(Operation *op) {
    const unsigned dim = anyDimOf(op).value_or(0);
    return llvm::all_of(
               op->getOpOperands(),
               [&](OpOperand &operand) { return !isTile(operand.get()) || note(operand, dim); }) &&
           llvm::all_of(op->getResults(), [&](Value result) { return note(result, dim); });
  }

  // Along K it would be a sum of products.
  bool visitMultiply(tile::MmaOp multiply) {
    if (typeOf(multiply).getRank() != 2)
      return false;
    std::optional<unsigned> a = dimOf(multiply.getA()), b = dimOf(multiply.getB());
    std::optional<unsigned> dim = dimOf(multiply.getResult());
    if (!dim)
      dim = dimOf(multiply.getC());
    if ((a && *a != 0) || (b && *b != 1) || (a && b))
      return false;
    if (!dim)
      dim = a ? 0 : 1;
    return note(multiply.getResult(), *dim) && note(multiply->getOpOperand(2), *dim) &&
           note(multiply->getOpOperand(*dim), *dim) && !(*dim == 0 ? b : a);
  }

  bool visitLoop(scf::ForOp loop) {
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      OpOperand &init = *loop.getTiedLoopInit(argument),
                &yielded = *loop.getTiedLoopYieldedValue(argument);
      Value result = loop.getTiedLoopResult(argument);
      for (Value value : {Value(argument), yielded.get(), result, init.get()})
        if (std::optional<unsigned> dim = isTile(value) ? dimOf(value) : std::nullopt)
          if (!note(Value(argument), *dim) || !note(yielded, *dim) || !note(result, *dim) ||
              !note(init, *dim))
            return false;
    }
    return true;
  }

  bool visitBranch(scf::IfOp branch) {
    for (OpResult result : branch.getResults()) {
      OpOperand &yes = branch.thenYield()->getOpOperand(result.getResultNumber()),
                &no = branch.elseYield()->getOpOperand(result.getResultNumber());
      for (Value value : {Value(result), yes.get(), no.get()})
        if (std::optional<unsigned> dim = isTile(value) ? dimOf(value) : std::nullopt)
          if (!note(result, *dim) || !note(yes, *dim) || !note(no, *dim))
            return false;
    }
    return true;
  }

  // The op starts at other rows in each part.
  bool starts(Operation *op, unsigned dim) {
    starting.insert({op, dim});
    return true;
  }

  // A part may not read again what the block reads once, as an atomic or a volatile read. What is
  // written twice must be written by one part, so that the order stays.
  bool areWritesDivided() {
    std::optional<GlobalAccesses> accesses = globalAccessesOf(kernel);
    if (!accesses || isOrderSeen(kernel))
      return false;
    auto alias = [](Operation *x, Operation *y) {
      return mayAlias(baseOf(addressOf(x)), baseOf(addressOf(y)));
    };
    return llvm::all_of(accesses->writes, [&](Operation *write) {
      const bool isOnce = !write->getParentOfType<LoopLikeOpInterface>();
      return isa<tile::ViewStoreOp, tile::StoreOp>(write) && anyDimOf(write) &&
             llvm::none_of(accesses->reads, [&](Operation *read) { return alias(write, read); }) &&
             llvm::all_of(accesses->writes, [&](Operation *other) {
               return (other == write && isOnce) || !alias(write, other) ||
                      areOfOneRow(write, other);
             });
    });
  }

  // Are both writes of an element of one part, whenever they are made? Rows start at multiples of
  // their number, so that an index of the view tells the part.
  bool areOfOneRow(Operation *write, Operation *other) const {
    auto store = dyn_cast<tile::ViewStoreOp>(write), another = dyn_cast<tile::ViewStoreOp>(other);
    if (!store || !another || !haveOneView(store, another) || !isViewFixed(store))
      return false;
    const std::optional<unsigned> dim = dimOf(store.getValue());
    return dim && dim == dimOf(another.getValue()) &&
           (hasOwnAddresses(store) || (store == another && mayNotOverlap(store, *dim)));
  }

  // May rows that one store writes in several iterations not overlap, whatever their stride? They
  // are lines of elements side by side from one column on. Of two lines that overlap, so do all
  // neighbours between them, two of which are in the box of the first one: the store would write an
  // element twice at a time, which is a race.
  static bool mayNotOverlap(tile::ViewStoreOp store, unsigned rowsDim) {
    const unsigned last = unsigned(store.getStarts().size()) - 1;
    return rowsDim != last && store.getStaticStrides()[last] == 1 &&
           llvm::all_of(llvm::seq(last + 1), [&](unsigned dim) {
             return dim == rowsDim ||
                    (isFixedAt(store, store.getStarts()[dim]) &&
                     (dim == last || typeOf(store.getValue()).getDimSize(dim) == 1));
           });
  }

  // Is the value the same in all iterations of the loops around the op?
  static bool isFixedAt(Operation *op, Value value) {
    for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<LoopLikeOpInterface>())
      if (!loop.isDefinedOutsideOfLoop(value))
        return false;
    return true;
  }

  static bool isViewFixed(tile::ViewStoreOp store) {
    auto isFixed = [&](Value value) { return isFixedAt(store, value); };
    return isFixed(store.getBase()) && llvm::all_of(store.getExtents(), isFixed) &&
           llvm::all_of(store.getStrides(), isFixed);
  }

  static void moveStart(Operation *op, unsigned dim, Value firstRow) {
    OpBuilder b(op);
    if (auto iota = dyn_cast<tile::IotaOp>(op)) {
      b.setInsertionPointAfter(op);
      Value moved = iotaFrom(b, iota, firstRow);
      iota.getResult().replaceAllUsesExcept(moved, moved.getDefiningOp());
      return;
    }
    auto starts = isa<tile::ViewLoadOp>(op) ? cast<tile::ViewLoadOp>(op).getStartsMutable()
                                            : cast<tile::ViewStoreOp>(op).getStartsMutable();
    startLater(b, starts[dim], firstRow);
  }

  func::FuncOp kernel;
  SmallVector<Chain> chains;
  int64_t rows = 0, parts = 1;
  llvm::MapVector<Value, unsigned> dims;                                   // of divided tiles
  llvm::DenseMap<std::pair<Operation *, unsigned>, unsigned> dimOfOperand; // of uniform ones
  llvm::SetVector<Operation *> usersOfUniform;
  llvm::MapVector<Operation *, unsigned> starting;
  SmallVector<Value> work;
};

} // namespace

scf::ForOp divideRowsOfChains(func::FuncOp kernel) {
  RowDivision division(kernel);
  return division.find() ? division.rewrite() : nullptr;
}

scf::ForOp divideRows(func::FuncOp kernel, int64_t elementsOfPart) {
  RowDivision division(kernel);
  return division.findRows(elementsOfPart) ? division.rewrite() : nullptr;
}

} // namespace tessera::plan
