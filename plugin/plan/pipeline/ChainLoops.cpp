#include "plan/pipeline/ChainLoops.h"

#include "plan/analysis/Accesses.h"
#include "plan/analysis/Chains.h"
#include "plan/analysis/Layouts.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/mma/PermuteK.h"
#include "plan/pipeline/ProducerWarp.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Of a row as it is in memory.
tile::SharedType typeOfRow(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return tile::SharedType::get(load.getContext(), type.getShape(), type.getElementType(), 0, 0, 0);
}

// Is the tile one row, of elements that are bytes of memory?
bool isRow(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return type.getNumElements() == type.getShape().back() && type.getElementType().isIntOrFloat() &&
         tile::storageBits(type.getElementType()) % 8 == 0;
}

// The load of a row from its stage.
Operation *loadOf(PipelinedLoad row) {
  return *llvm::find_if(row.buffer->getUsers(), llvm::IsaPred<tile::SharedLoadOp>);
}

// The wait for a stage stands in front of what reads it first: not earlier than there is a use.
void sinkToUse(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (isa<tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp>(user) &&
        user->getBlock() == op->getBlock())
      sinkToUse(user);
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (first)
    op->moveBefore(first);
}

// Is all of the tile read for nothing but these ops of a loop's body?
bool isReadBy(Value tile, const llvm::SetVector<Operation *> &ops, Block *body) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    Operation *inBody = body->findAncestorOpInBlock(*user);
    return inBody && ops.contains(inBody) && !isa<tile::ExtractOp>(user) &&
           (!isa<tile::ReshapeOp, tile::BroadcastOp, tile::PermuteOp, tile::CastOp>(user) ||
            isReadBy(user->getResult(0), ops, body));
  });
}

// The warpgroup multiplies of the loop's body that read an operand; none if anything else reads it,
// too.
Multiplies readersOf(StoredOperand operand, scf::ForOp loop) {
  Multiplies readers;
  for (Operation *user : operand.buffer->getUsers()) {
    if (user == operand.store)
      continue;
    auto reader = dyn_cast<tile::SharedMmaOp>(user);
    if (!reader || reader->getBlock() != loop.getBody() ||
        !reader.getInstruction().isOfWarpgroups())
      return {};
    readers.push_back(reader);
  }
  llvm::sort(readers, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return readers;
}

// A read that is stored transposed, in the order of K of pass permute-k, and for nothing else.
std::optional<PipelinedLoad> throughRawTile(tile::SharedStoreOp store, scf::ForOp loop) {
  auto transpose = store.getValue().getDefiningOp<tile::PermuteOp>();
  Value inOrder = transpose && transpose->hasOneUse() ? transpose.getX() : Value();
  Value tile = inOrder && inOrder.hasOneUse() && transpose.getMap() == ArrayRef<int64_t>{1, 0}
                   ? beforeOrderOfAccumulators(inOrder, /*dim=*/0)
                   : Value();
  Value read = tile;
  while (read && read.hasOneUse() && read.getDefiningOp<tile::ReshapeOp>())
    read = read.getDefiningOp()->getOperand(0);
  auto load = read ? read.getDefiningOp<tile::ViewLoadOp>() : tile::ViewLoadOp();
  if (!load || !read.hasOneUse() || !tile.hasOneUse() || load->getBlock() != loop.getBody() ||
      waitOfRead(load, loop))
    return std::nullopt;
  auto type = cast<RankedTensorType>(inOrder.getType());
  if (type.getShape().back() < minBytesOfPanel)
    return std::nullopt;
  auto raw = tile::SharedType::get(type.getContext(), type.getShape(), type.getElementType(), 0, 0,
                                   0, /*panels=*/true);
  if (tile.getType() != type) {
    OpBuilder b(load->getContext());
    b.setInsertionPointAfterValue(tile);
    Operation *user = *tile.user_begin();
    tile = tile::ReshapeOp::create(b, load.getLoc(), type, tile);
    user->setOperand(0, tile);
  }
  return throughShared(load, tile, raw);
}

} // namespace

tile::SharedType typeOf(const PipelinedLoad &load) {
  return load.isRow ? typeOfRow(load.load)
                    : cast<tile::SharedType>(PipelinedLoad(load).buffer.getType());
}

tile::SharedType typeOf(StoredOperand operand) {
  return cast<tile::SharedType>(operand.buffer.getType());
}

SmallVector<PipelinedLoad> ChainLoop::loadsOf(size_t ring) const {
  SmallVector<PipelinedLoad> ofStage = {loads[ring]};
  for (const Row &row : rows)
    if (row.ring == ring)
      ofStage.push_back(row.load);
  return ofStage;
}

SmallVector<PipelinedLoad> ChainLoop::copied() const {
  SmallVector<PipelinedLoad> all(loads);
  for (const Row &row : rows)
    all.push_back(row.load);
  return all;
}

int64_t ChainLoop::bytesOfRows() const {
  int64_t bytes = 0;
  for (const Row &row : rows)
    bytes += int64_t(llvm::alignTo(bytesOf(typeOf(row.load)), alignmentOf(typeOf(row.load))));
  return bytes;
}

ChainLoop chainLoopOf(scf::ForOp loop) {
  ChainLoop chain{loop, findPipelinedLoads(loop), {}, {}, {}};
  for (PipelinedLoad load : chain.loads)
    chain.operands.push_back({load.buffer, load.store});
  for (auto store : llvm::to_vector(loop.getBody()->getOps<tile::SharedStoreOp>())) {
    auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>();
    std::optional<PipelinedLoad> load =
        buffer && store.getStarts().empty() ? throughRawTile(store, loop) : std::nullopt;
    if (!load)
      continue;
    chain.loads.push_back(*load);
    chain.operands.push_back({buffer, store});
  }
  for (const StoredOperand &operand : chain.operands)
    chain.readers.push_back(readersOf(operand, loop));
  return chain;
}

bool areAllLoaded(const ChainLoop &chain) {
  scf::ForOp loop = chain.loop;
  return llvm::none_of(chain.readers, [](const Multiplies &readers) { return readers.empty(); }) &&
         llvm::all_of(loop.getBody()->getOps<tile::SharedMmaOp>(), [&](tile::SharedMmaOp multiply) {
           return llvm::any_of(chain.operands, [&](StoredOperand operand) {
             return operand.buffer.getResult() == multiply.getB();
           });
         });
}

bool shareRings(const ChainLoop &chain, const ChainLoop &other) {
  auto haveOneType = [](const auto &x, const auto &y) { return typeOf(x) == typeOf(y); };
  return llvm::equal(chain.loads, other.loads, haveOneType) &&
         llvm::equal(chain.operands, other.operands, haveOneType) &&
         llvm::all_of(llvm::seq(chain.loads.size()), [&](size_t ring) {
           return chain.isTransposed(ring) == other.isTransposed(ring);
         });
}

bool hasAlignedRows(const PipelinedLoad &load) {
  const Box box = boxBeforeLayouts(load.load);
  return !load.rounding && box.isContiguous &&
         llvm::none_of(unprovenOf(box, bytesPerInstruction / box.bytes(), tile::Bounds::inside),
                       [](const Unproven &u) {
                         return u.kind == Unproven::Base || u.kind == Unproven::Stride;
                       });
}

void findRows(ChainLoop &chain, TensorMapMaker maker) {
  scf::ForOp loop = chain.loop;
  Block *body = loop.getBody();
  SmallVector<llvm::SetVector<Operation *>> last;
  for (auto [ring, readers] : llvm::enumerate(chain.readers)) // rows are not transposed
    last.push_back(chain.isTransposed(ring) ? llvm::SetVector<Operation *>()
                                            : opsBehind(readers.back()));
  for (auto load : body->getOps<tile::ViewLoadOp>()) {
    const bool isOperand = llvm::any_of(
        chain.loads, [&](const PipelinedLoad &operand) { return operand.load == load; });
    if (isOperand || !isRow(load) || waitOfRead(load, loop))
      continue;
    const auto *reader = llvm::find_if(
        last, [&](const llvm::SetVector<Operation *> &ops) { return isReadBy(load, ops, body); });
    PipelinedLoad row{load, {}, {}};
    row.isRow = true;
    FilledLoop alone(loop);
    alone.fills.push_back({{row}, 0});
    if (reader != last.end() && canProduce(alone) &&
        makerOfTensorMaps(loop, SmallVector<PipelinedLoad>{chain.loads.front(), row}) == maker)
      chain.rows.push_back({row, size_t(reader - last.begin())});
  }
}

void sendRowsThroughShared(ChainLoop &chain) {
  for (Row &row : chain.rows) {
    tile::ViewLoadOp load = row.load.load;
    row.load = throughShared(load, load.getResult(), typeOfRow(load));
    row.load.isRow = true;
    sinkToUse(loadOf(row.load));
  }
}

Operation *firstReadOf(ArrayRef<PipelinedLoad> loads, const Multiplies &readers) {
  Operation *first = readers.front();
  for (const PipelinedLoad &row : loads.drop_front())
    if (Operation *load = loadOf(row); load->isBeforeInBlock(first))
      first = load;
  return first;
}

SmallVector<StoredOperand> operandsFromBefore(scf::ForOp loop) {
  SmallVector<StoredOperand> found;
  for (auto buffer : loop.getBody()->getOps<tile::SharedAllocOp>()) {
    tile::SharedStoreOp only;
    const bool isRead = llvm::all_of(buffer->getUsers(), [&](Operation *user) {
      auto store = dyn_cast<tile::SharedStoreOp>(user);
      if (!store || only)
        return isa<tile::SharedMmaOp>(user);
      only = store;
      return store.getStarts().empty() && store->getBlock() == loop.getBody() &&
             loop.isDefinedOutsideOfLoop(store.getValue());
    });
    if (isRead && only)
      found.push_back({buffer, only});
  }
  return found;
}

} // namespace tessera::plan
