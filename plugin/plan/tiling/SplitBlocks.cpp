// A block of several rows has more warps than one row needs, and all of them wait for each other at
// each reduction: rows of 4096 bf16 were at 0.6 of the speed with 8 of them in a tile. Where the
// rows are computed independently, blocks of their own compute them as fast as a program with one
// row a tile:
//
//   func @k (blocks of 8x4096)  ->  func @k, and func @k.split {tile.coarsened_from = "k",
//                                   tile.block_parts = 8} (blocks of 1x4096)
//
// A launch runs the second kernel with 8 blocks for each of the program's. The program's grid is a
// parameter of it, and its blocks are numbered so that the parts of one are side by side. What
// launches by other calls than that, as a graph's node does, runs the first one.
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/tiling/RowDivision.h"
#include "plan/tiling/SecondKernel.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITBLOCKS
#include "plan/Passes.h.inc"

namespace {

// The elements of a block: two warps, which have 32 for each thread. One row of 4096 is as fast as
// two of 1024, four of 1024 are slower (bench/results/2026-11-30-rows-of-blocks-h200.txt).
constexpr int64_t elementsOfBlock = 2048;

// Rows of fewer elements are reduced within a warp, or by two: nothing waits.
constexpr int64_t fewestColumns = 256;

// Are rows reduced along the last dimension? Parts of columns would be pieces of lines.
bool reducesRows(func::FuncOp kernel) {
  bool isLast = true;
  int64_t columns = 0;
  kernel.walk([&](tile::ReduceOp reduce) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(reduce.getX().getType()).getShape();
    isLast &= llvm::all_of(shape.drop_front(reduce.getDim() + 1),
                           [](int64_t extent) { return extent == 1; });
    columns = std::max(columns, shape[reduce.getDim()]);
  });
  return isLast && columns >= fewestColumns;
}

// How much each access of a view takes of its lines, in program order; nothing where memory does
// not run along the last dimension of one.
std::optional<SmallVector<int64_t>> widthsOf(func::FuncOp kernel) {
  SmallVector<int64_t> widths;
  bool areContiguous = true;
  auto note = [&](auto access, Type tile) {
    ArrayRef<int64_t> strides = access.getStaticStrides(), shape = tile::shapeOf(tile);
    areContiguous &= strides.size() < 2 || strides.back() == 1;
    widths.push_back(shape.empty() ? 1 : shape.back());
  };
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      note(load, load.getType());
    else if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      note(store, store.getValue().getType());
  });
  return areContiguous ? std::optional(widths) : std::nullopt;
}

// The loop's iterations become blocks, side by side along x.
void distribute(func::FuncOp kernel, scf::ForOp loop, int64_t parts) {
  SmallVector<tile::BlockIndexOp> indices;
  kernel.walk([&](tile::BlockIndexOp index) {
    if (index.getAxis() == 0)
      indices.push_back(index);
  });
  OpBuilder b(&kernel.getBody().front(), kernel.getBody().front().begin());
  Location loc = kernel.getLoc();
  auto named = [&](StringRef name) { return NameLoc::get(b.getStringAttr(name), loc); };
  Value own = tile::BlockIndexOp::create(b, named("own_block"), b.getI32Type(), 0, false),
        count = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(parts))),
        block = arith::DivUIOp::create(b, named("block"), own, count),
        part = arith::RemUIOp::create(b, named("part"), own, count);
  for (tile::BlockIndexOp index : indices) {
    index.replaceAllUsesWith(block);
    index.erase();
  }
  loop.getInductionVar().replaceAllUsesWith(part);
  auto &body = loop.getBody()->getOperations();
  loop->getBlock()->getOperations().splice(Block::iterator(loop), body, body.begin(),
                                           std::prev(body.end()));
  loop.erase();
}

struct SplitBlocks : impl::SplitBlocksBase<SplitBlocks> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr(tile::launchedAttr))
      return;
    for (func::FuncOp kernel : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (!kernel.isExternal() && policyOf(kernel).split_blocks)
        split(kernel);
  }

  static void split(func::FuncOp kernel) {
    const std::optional<SmallVector<int64_t>> widths = widthsOf(kernel);
    if (!widths || !reducesRows(kernel))
      return;
    OwningOpRef<func::FuncOp> other = kernel.clone();
    scf::ForOp loop = divideRows(*other, elementsOfBlock);
    // A result that is stored transposed has its rows along lines.
    if (!loop || widthsOf(*other) != widths)
      return;
    const std::optional<APInt> count = loop.getStaticTripCount();
    const int64_t parts = count->getSExtValue(); // NOLINT(bugprone-unchecked-optional-access)
    distribute(*other, loop, parts);
    other.get()->setAttr(tile::blockPartsAttr, OpBuilder(kernel).getI64IntegerAttr(parts));
    insertBeside(kernel, other.release(), ".split", "_split", /*columns=*/1, /*rows=*/1);
  }
};

} // namespace
} // namespace tessera::plan
