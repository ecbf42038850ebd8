// What the ops of the plan refuse: shared memory, copies ahead, multiplies in flight, barriers. And
// what they ask of one another.
#include "tile/Verify.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tile {

LogicalResult ConvertLayoutOp::verify() {
  if (failed(sameElements(*this, getX().getType(), getType())))
    return failure();
  return sameShape(*this, getX().getType(), getType());
}

LogicalResult SharedStoreOp::verify() {
  TypedAttr padding = getPaddingAttr();
  if (getCount() &&
      (!getStarts().empty() || !padding || padding.getType() != elementType(getValue().getType())))
    return emitOpError("pads whole tiles with one of their elements");
  return isSharedAccess(*this, cast<RankedTensorType>(getValue().getType()), getShared().getType(),
                        getStarts());
}

LogicalResult SharedLoadOp::verify() {
  return isSharedAccess(*this, cast<RankedTensorType>(getType()), getShared().getType(),
                        getStarts());
}

namespace {

// The multiply is the only use of its accumulator until it is finished.
bool isCarriedInFlight(SharedMmaOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return false;
  // From the first multiply of the iteration to the last: each adds to the result of the one
  // before.
  auto isInFlight = [&](SharedMmaOp one) {
    return one && one.getInFlight() && one.getInstruction().isTensorCore() &&
           one->getBlock() == loop.getBody() && one->hasOneUse() && one.getC().hasOneUse() &&
           (!one.getInstruction().isAsync() || one.getWait());
  };
  SharedMmaOp first = op, last = op;
  while (isInFlight(first) && !isa<BlockArgument>(first.getC()))
    first = first.getC().getDefiningOp<SharedMmaOp>();
  while (isInFlight(last) && isa<SharedMmaOp>(*last->user_begin()))
    last = cast<SharedMmaOp>(*last->user_begin());
  auto accumulator = isInFlight(first) ? dyn_cast<BlockArgument>(first.getC()) : BlockArgument();
  if (!accumulator || !isInFlight(last) || accumulator.getOwner() != loop.getBody() ||
      accumulator == loop.getInductionVar())
    return false;
  unsigned index = accumulator.getArgNumber() - loop.getNumInductionVars();
  Value finished = loop.getResult(index);
  return loop.getYieldedValues()[index] == last.getResult() &&
         loop.getInitArgs()[index].getDefiningOp<MmaBeginOp>() && finished.hasOneUse() &&
         isa<MmaFinishOp>(*finished.user_begin());
}

// A wgmma that is finished in its block: until then only further ones into its accumulator use it.
bool isFinishedInBlock(SharedMmaOp op) {
  while (op.getInFlight() && op.getInstruction().isAsync() && op->hasOneUse()) {
    Operation *user = *op->user_begin();
    if (user->getBlock() != op->getBlock())
      return false;
    if (isa<MmaFinishOp>(user))
      return true;
    auto next = dyn_cast<SharedMmaOp>(user);
    if (!next || next.getC() != op.getResult())
      return false;
    op = next;
  }
  return false;
}

} // namespace

MmaWaitOp SharedMmaOp::getWait() {
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode())
    if (isa<MmaWaitOp, SharedMmaOp>(op))
      return dyn_cast<MmaWaitOp>(op);
  return {};
}

bool SharedMmaOp::addsInPlace() {
  auto before = getC().getDefiningOp<SharedMmaOp>();
  const bool isCarried =
      isa<BlockArgument>(getC()) && getC().getParentBlock() == (*this)->getBlock();
  return getInFlight() && ((isCarried && getC().hasOneUse()) || (before && before.getInFlight()));
}

bool SharedMmaOp::startsFromZero() {
  auto splat = getC().getDefiningOp<SplatOp>();
  return getInstruction().isOfWarpgroups() && !getPromotes() && splat &&
         (matchPattern(splat.getX(), m_PosZeroFloat()) || matchPattern(splat.getX(), m_Zero()));
}

SharedMmaOp MmaBeginOp::getMultiply() {
  OpOperand &use = *getResult().use_begin();
  auto loop = cast<scf::ForOp>(use.getOwner());
  return cast<SharedMmaOp>(*loop.getTiedLoopRegionIterArg(&use).user_begin());
}

SharedMmaOp MmaFinishOp::getMultiply() {
  if (auto multiply = getX().getDefiningOp<SharedMmaOp>())
    return multiply;
  auto result = cast<OpResult>(getX());
  auto loop = cast<scf::ForOp>(result.getOwner());
  return loop.getYieldedValues()[result.getResultNumber()].getDefiningOp<SharedMmaOp>();
}

LogicalResult SharedMmaOp::verify() {
  auto shared = dyn_cast<SharedType>(getA().getType());
  Shape a = shared ? shared.getShape() : shapeOf(getA().getType()), b = getB().getType().getShape();
  if (a.size() < 2 || b.size() < 2)
    return emitOpError() << "multiplies matrices";
  const bool readsPanels = getInstruction().readsPanels();
  if ((shared && shared.getPanels() != readsPanels) || getB().getType().getPanels() != readsPanels)
    return emitOpError() << "has operands in panels for wgmma, and for nothing else";
  if (!shared &&
      (!readsPanels || getATransposed() || !isa<FloatType>(elementType(getA().getType())) ||
       storageBits(elementType(getA().getType())) > 32))
    return emitOpError()
           << "has an operand in registers for wgmma, of floats of 32 bits at most, as "
              "it is";
  if (getInFlight() && !isCarriedInFlight(*this) && !isFinishedInBlock(*this))
    return emitOpError()
           << "is left in flight by a loop that carries nothing but its accumulator from "
              "mma_begin to mma_finish, and waits for the one before, or is finished in its block";
  return multiplies(*this, transposed(a, getATransposed()), transposed(b, getBTransposed()),
                    shapeOf(getType()));
}

// 16 bytes for each row of a box.
// 16 bytes for what each warp copies of a row: 32 chunks of 16 bytes at most.
static bool areEndsOf(SharedType ends, SharedType tile, Shape box) {
  const int64_t most = 32 * 16 * 8 / storageBits(tile.getElementType());
  return ends.getElementType().isInteger(32) &&
         ShapedType::getNumElements(ends.getShape()) * std::min(box.back(), most) ==
             4 * ShapedType::getNumElements(box);
}

LogicalResult CopyAsyncOp::verify() {
  Shape box = getBoxShape(), tile = getShared().getType().getShape();
  if (ShapedType::getNumElements(box) != ShapedType::getNumElements(tile))
    return emitOpError() << "copies as many elements as the tile has";
  if (getRounds() && (!getMap() || !isa<FloatTF32Type>(getShared().getType().getElementType())))
    return emitOpError() << "rounds to tf32, by a map";
  if (getEnds() && !areEndsOf(getEnds().getType(), getShared().getType(), box))
    return emitOpError() << "has ends of 16 bytes for each row";
  if (getMap() && !getBarriers())
    return emitOpError() << "arrives at barriers if it goes by a map";
  if (isRowOfProducer()) {
    auto barriers = getBarriers().getDefiningOp<InitBarriersOp>();
    SharedType row = getShared().getType();
    if (!barriers || !barriers.getReaders() || !getShared().getDefiningOp<SharedSlotOp>() ||
        row.getPanels() || ShapedType::getNumElements(row.getShape()) != box.back() ||
        box.back() * storageBits(row.getElementType()) % (int64_t(16) * 8) != 0)
      return emitOpError()
             << "copies a row of whole chunks to the slot of a ring that a warp fills "
                "if it has barriers and no map";
  }
  if (getMap()) {
    auto map = getMap().getDefiningOp<MakeTensorMapOp>();
    auto barriers = getBarriers().getDefiningOp<InitBarriersOp>();
    auto slot = getShared().getDefiningOp<SharedSlotOp>();
    if (!map || map.getTile() != getShared().getType() || map.getBoxShape() != box ||
        map.getBase() != getBase() || map.getRounds() != getRounds())
      return emitOpError() << "has a map for other boxes";
    if (!barriers || !slot || !llvm::is_contained(barriers.getMaps(), getMap()))
      return emitOpError() << "arrives at the slot of a ring that knows its map";
  }
  return isBox(*this, box, getExtents(), getStrides(), getStarts());
}

LogicalResult ShiftRowsOp::verify() {
  Shape box = getBoxShape(), tile = getShared().getType().getShape();
  if (ShapedType::getNumElements(box) != ShapedType::getNumElements(tile) ||
      !areEndsOf(getEnds().getType(), getShared().getType(), box))
    return emitOpError() << "has the tile's elements, and ends of 16 bytes for each row";
  return isBox(*this, box, getExtents(), getStrides(), getStarts());
}

LogicalResult GatherAsyncOp::verify() {
  SharedType tile = getShared().getType();
  Shape shape = shapeOf(getPointers().getType());
  if (ShapedType::getNumElements(shape) != ShapedType::getNumElements(tile.getShape()))
    return emitOpError() << "copies as many elements as the tile has";
  return isMaskedAccess(*this, getPointers().getType(),
                        withElementType(getPointers().getType(), tile.getElementType()), getMask());
}

LogicalResult WaitGroupOp::verify() {
  if (bool(getBarriers()) != bool(getSlot()))
    return emitOpError() << "waits for a slot of its barriers";
  return success();
}

LogicalResult MakeTensorMapOp::verify() {
  constexpr int64_t maxOfBox = 256, maxDimensions = 5;
  auto tile = cast<SharedType>(getTile());
  Shape box = getBoxShape();
  if (!tile.getPanels() || box.size() < 2 || int64_t(box.size()) > maxDimensions ||
      box.back() != tile.getShape().back() ||
      ShapedType::getNumElements(box) != ShapedType::getNumElements(tile.getShape()))
    return emitOpError() << "is for tiles in panels, and boxes with their rows";
  if (llvm::any_of(box.drop_back(), [](int64_t extent) { return extent > maxOfBox; }))
    return emitOpError() << "has boxes of up to " << maxOfBox << " elements along a dimension";
  if (getExtents().size() != box.size() || getStrides().size() != box.size())
    return emitOpError() << "has an extent and a stride for each dimension of its boxes";
  if (bool(getScratch()) == bool(getGiven()))
    return emitOpError() << "is made in scratch memory or given by the launch";
  if (getFinder() && !(getScratch() && getNeeded()))
    return emitOpError() << "has a finder where the kernel makes it for a producer warp";
  return success();
}

int64_t StorePartsOp::getWarpgroups() {
  return getPanels().getType().getShape()[getTransposed() ? 1 : 0] / rowsOfWarpgroup;
}

// A warpgroup's rows of the accumulator are consecutive.
uint32_t StorePartsOp::getMask() {
  Shape whole = cast<RankedTensorType>(getValue().getType()).getShape();
  const int64_t warpgroups = getWarpgroups();
  SmallVector<int64_t> box = getBoxOfWarpgroup();
  auto bitsBeyond = [](int64_t extent, int64_t part) {
    return uint32_t((extent - 1) & ~(part - 1));
  };
  auto bitsAlong = [&](int dim, bool isOfWarpgroups) {
    return bitsBeyond(whole[dim] / (isOfWarpgroups ? warpgroups : 1), box[box.size() - 2 + dim]);
  };
  return bitsAlong(1, getTransposed()) | bitsAlong(0, !getTransposed()) * uint32_t(whole[1]);
}

SmallVector<int64_t> StorePartsOp::getBoxShape() {
  SmallVector<int64_t> box(getStarts().size(), 1);
  llvm::copy(getPanels().getType().getShape(), box.end() - 2);
  return box;
}

SmallVector<int64_t> StorePartsOp::boxOfWarpgroup(Shape panel, bool isTransposed) {
  SmallVector<int64_t> box(panel);
  box[box.size() - (isTransposed ? 1 : 2)] = rowsOfWarpgroup;
  return box;
}

SmallVector<int64_t> StorePartsOp::getBoxOfWarpgroup() {
  return boxOfWarpgroup(getBoxShape(), getTransposed());
}

LogicalResult StorePartsOp::verify() {
  auto map = getMap().getDefiningOp<MakeTensorMapOp>();
  SharedType panels = getPanels().getType();
  auto value = cast<RankedTensorType>(getValue().getType());
  if (!map || !map.getGiven())
    return emitOpError() << "goes by a map that the launch gives";
  if (value.getRank() != 2 || panels.getShape().size() != 2 || !panels.getPanels() ||
      value.getElementType() != panels.getElementType() || getStarts().size() < 2 ||
      value.getDimSize(0) % panels.getShape()[0] != 0 ||
      value.getDimSize(1) % panels.getShape()[1] != 0)
    return emitOpError() << "has rows and columns, of which panels hold a part";
  if (map.getBoxShape() != Shape(getBoxOfWarpgroup()) || map.getBase() != getBase() ||
      panels.getShape()[getTransposed() ? 1 : 0] % rowsOfWarpgroup != 0)
    return emitOpError() << "has a map for other boxes";
  return isBox(*this, getBoxShape(), getExtents(), getStrides(), getStarts());
}

InitBarriersOp WaitGroupOp::getRing() {
  return getBarriers() ? getBarriers().getDefiningOp<InitBarriersOp>() : InitBarriersOp();
}

bool WaitGroupOp::isFilledByProducerWarp() {
  InitBarriersOp ring = getRing();
  return ring && ring.getReaders();
}

bool InitBarriersOp::isBulkOnly() {
  return llvm::all_of(getMaps(), [](Value map) {
    auto made = map.getDefiningOp<MakeTensorMapOp>();
    return made && made.getNeeded();
  });
}

bool InitBarriersOp::isReadByTransposingWarps() {
  return llvm::any_of(getResult().getUsers(), [](Operation *user) {
    return isa<WaitGroupOp>(user) && user->getParentOfType<TransposingWarpsOp>();
  });
}

LogicalResult TransposeStageOp::verify() {
  auto from = cast<SharedType>(getFrom().getType()), to = cast<SharedType>(getTo().getType());
  Shape shape = from.getShape(), transposed = to.getShape();
  constexpr int64_t rowsOfBlock = 32, columnsOfBlock = 16;
  if (storageBits(from.getElementType()) != 8 || from.getElementType() != to.getElementType() ||
      shape.size() != 2 || transposed.size() != 2 || shape[0] != transposed[1] ||
      shape[1] != transposed[0] || shape[0] % rowsOfBlock || shape[1] % columnsOfBlock)
    return emitOpError() << "takes two tiles of bytes of which one is the transpose of the other, "
                            "in blocks of "
                         << rowsOfBlock << " rows and " << columnsOfBlock << " columns";
  return success();
}

LogicalResult BulkStoreOp::verify() {
  auto map = getMap().getDefiningOp<MakeTensorMapOp>();
  if (!map || !map.getGiven())
    return emitOpError() << "goes by a map that the launch gives";
  if (map.getTile() != getShared().getType() || map.getBoxShape() != Shape(getBoxShape()) ||
      map.getBase() != getBase())
    return emitOpError() << "has a map for other boxes";
  return isBox(*this, getBoxShape(), getExtents(), getStrides(), getStarts());
}

LogicalResult InitBarriersOp::verify() {
  if ((getMaps().empty() && !getReaders()) || getStages() < 1 || getCopies() < 1)
    return emitOpError() << "has maps or readers, stages and copies";
  if (getReaders() && !isBulkOnly())
    return emitOpError() << "is filled by a warp where bulk copies do all of it";
  return success();
}

// Of a ring that a producer warp fills.
static LogicalResult hasReaders(Operation *op, Value barriers) {
  auto ring = barriers.getDefiningOp<InitBarriersOp>();
  if (ring && !ring.getReaders())
    return op->emitOpError() << "is for a ring that a warp of its own fills";
  return success();
}

LogicalResult ProducerAcquireOp::verify() { return hasReaders(*this, getBarriers()); }
LogicalResult ConsumerReleaseOp::verify() { return hasReaders(*this, getBarriers()); }

} // namespace tessera::tile
