// A batched multiply becomes one multiply per matrix: tensor cores know no batches.
//   mma %a, %b, %c : 2x64x32, 2x32x64, 2x64x64
//   ->  mma %a[0], %b[0], %c[0] and mma %a[1], %b[1], %c[1], joined along dimension 0
// A batch of one is a reshape of its matrix. A larger one is split where the reads of its operands
// can be: its operands are boxes of views, which are read one matrix at a time, and a tensor core
// takes the matrices. An accumulator that a loop or a branch carries is carried in parts, and
// joined where it leaves.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/TileDialect.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITBATCHES
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }
int64_t batchesOf(Value v) { return typeOf(v).getDimSize(0); }

RankedTensorType withShape(Value v, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, typeOf(v).getElementType());
}

bool keepsBatches(tile::PermuteOp permute) { return permute.getMap().front() == 0; }

// Both operands of a square are one value.
bool hasOneUser(Operation *op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) { return user == *op->user_begin(); });
}

// A read, for this multiply alone, whose box consists of the matrices' boxes.
tile::ViewLoadOp ownReadOf(Value operand) {
  if (auto permute = operand.getDefiningOp<tile::PermuteOp>(); permute && keepsBatches(permute))
    return hasOneUser(permute) ? ownReadOf(permute.getX()) : tile::ViewLoadOp();
  auto load = operand.getDefiningOp<tile::ViewLoadOp>();
  return load && hasOneUser(load) && hasParts(load, 0) ? load : tile::ViewLoadOp();
}

bool isTransposed(Value operand) {
  auto permute = operand.getDefiningOp<tile::PermuteOp>();
  return permute && permute.getMap() == ArrayRef<int64_t>{0, 2, 1};
}

bool isApart(tile::MmaOp op) {
  int64_t batches = batchesOf(op.getC());
  if (batches == 1)
    return true;
  auto hasMatrices = [](Value v) { return batchesOf(v) == 1 || ownReadOf(v); };
  if (!hasMatrices(op.getA()) || !hasMatrices(op.getB()))
    return false;
  RankedTensorType x = typeOf(op.getA()), y = typeOf(op.getB()), c = typeOf(op.getC());
  int64_t m = c.getDimSize(1), n = c.getDimSize(2);
  int64_t threads = m * n <= elementsOfWarpgroup ? 128 : 256;
  if (batches * m * n > registersOfBatches * threads)
    return false;
  Matmul matmul{x.getElementType(),
                y.getElementType(),
                c.getElementType(),
                2,
                m,
                n,
                x.getDimSize(2),
                !isTransposed(op.getA()),
                isTransposed(op.getB()),
                op.getAUnsigned(),
                op.getBUnsigned()};
  return selectMma(matmul, targetOf(op)).instruction.isTensorCore();
}

class Splitting {
public:
  // Whether there was a batched multiply.
  bool run(func::FuncOp kernel) {
    SmallVector<tile::MmaOp> products;
    kernel.walk([&](tile::MmaOp op) {
      if (typeOf(op.getC()).getRank() == 3 && isApart(op))
        products.push_back(op);
    });
    for (tile::MmaOp op : products)
      split(op);
    // Inner ones first: what leaves a loop in parts may be what the next one carries.
    SmallVector<Operation *> carriers;
    kernel.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::IfOp>(op))
        carriers.push_back(op);
    });
    for (Operation *op : carriers)
      if (auto loop = dyn_cast<scf::ForOp>(op))
        carryParts(loop);
      else
        carryParts(cast<scf::IfOp>(op));
    return !products.empty();
  }

private:
  // Matrix `index` of a tile of batches; of a batch of one, its matrix.
  static Value matrixOf(OpBuilder &b, Location loc, Value v, int64_t index) {
    ArrayRef<int64_t> shape = typeOf(v).getShape();
    if (shape[0] > 1) {
      SmallVector<Value> coordinates;
      for (int64_t i : {index, int64_t(0), int64_t(0)})
        coordinates.push_back(arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(i)));
      v = tile::ExtractOp::create(b, loc, withShape(v, {1, shape[1], shape[2]}), v, coordinates);
    }
    return b.createOrFold<tile::ReshapeOp>(loc, withShape(v, shape.drop_front()), v);
  }

  static Value matrixOfOperand(OpBuilder &b, Value operand, int64_t index) {
    if (batchesOf(operand) == 1)
      return matrixOf(b, operand.getLoc(), operand, 0);
    tile::ViewLoadOp load = ownReadOf(operand);
    OpBuilder atLoad(load);
    Location loc = load.getLoc();
    Value part = readPart(atLoad, load, 0, index, batchesOf(load));
    if (auto permute = operand.getDefiningOp<tile::PermuteOp>()) {
      SmallVector<int64_t> permuted(typeOf(operand).getShape());
      permuted[0] = 1;
      part = tile::PermuteOp::create(b, loc, withShape(load, permuted), part, permute.getMap());
    }
    return matrixOf(b, loc, part, 0);
  }

  // Joins the matrices, one after the other, to one tile of batches.
  Value join(OpBuilder &b, Location loc, ArrayRef<Value> matrices) {
    SmallVector<Value> parts;
    for (Value matrix : matrices) {
      SmallVector<int64_t> shape(typeOf(matrix).getShape());
      shape.insert(shape.begin(), 1);
      parts.push_back(tile::ReshapeOp::create(b, loc, withShape(matrix, shape), matrix));
    }
    while (parts.size() > 1) {
      SmallVector<Value> pairs;
      for (size_t i = 0; i < parts.size(); i += 2) {
        SmallVector<int64_t> shape(typeOf(parts[i]).getShape());
        shape[0] *= 2;
        pairs.push_back(
            tile::CatOp::create(b, loc, withShape(parts[i], shape), parts[i], parts[i + 1], 0));
      }
      parts = pairs;
    }
    joined.insert(parts.front());
    return parts.front();
  }

  // The matrices that a tile was joined from.
  static void collectMatrices(Value v, SmallVectorImpl<Value> &matrices) {
    if (auto cat = v.getDefiningOp<tile::CatOp>()) {
      collectMatrices(cat.getX(), matrices);
      collectMatrices(cat.getY(), matrices);
    } else {
      matrices.push_back(v.getDefiningOp<tile::ReshapeOp>().getX());
    }
  }

  SmallVector<Value> matricesOf(OpBuilder &b, Value v) const {
    SmallVector<Value> matrices;
    if (joined.contains(v))
      collectMatrices(v, matrices);
    else
      for (int64_t i = 0; i < batchesOf(v); ++i)
        matrices.push_back(matrixOf(b, v.getLoc(), v, i));
    return matrices;
  }

  void split(tile::MmaOp op) {
    OpBuilder b(op);
    SmallVector<Value> accumulators;
    for (auto [i, c] : llvm::enumerate(matricesOf(b, op.getC()))) {
      Value x = matrixOfOperand(b, op.getA(), i), y = matrixOfOperand(b, op.getB(), i);
      accumulators.push_back(tile::MmaOp::create(b, op.getLoc(), c.getType(), x, y, c,
                                                 op.getAUnsigned(), op.getBUnsigned(),
                                                 op.getFastAccumulation()));
    }
    op.replaceAllUsesWith(join(b, op.getLoc(), accumulators));
    op.erase();
  }

  void carryParts(scf::ForOp loop) {
    SmallVector<unsigned> indices;
    SmallVector<Value> inits;
    OpBuilder before(loop);
    for (auto [i, yielded] : llvm::enumerate(loop.getYieldedValues()))
      if (joined.contains(yielded)) {
        indices.push_back(i);
        llvm::append_range(inits, matricesOf(before, loop.getInitArgs()[i]));
      }
    if (indices.empty())
      return;
    auto yields = [&](OpBuilder &b, Location, ArrayRef<BlockArgument>) {
      SmallVector<Value> values;
      for (unsigned index : indices)
        llvm::append_range(values, matricesOf(b, loop.getYieldedValues()[index]));
      return values;
    };
    unsigned next = loop.getNumResults();
    scf::ForOp wider = carryMore(loop, inits, yields);
    OpBuilder within = OpBuilder::atBlockBegin(wider.getBody()), behind(wider);
    behind.setInsertionPointAfter(wider);
    for (unsigned index : indices) {
      BlockArgument carried = wider.getRegionIterArgs()[index];
      unsigned count = batchesOf(carried);
      ArrayRef<BlockArgument> all = wider.getRegionIterArgs();
      SmallVector<Value> arguments(all.slice(next, count));
      carried.replaceAllUsesWith(join(within, wider.getLoc(), arguments));
      SmallVector<Value> results(wider.getResults().slice(next, count));
      wider.getResult(index).replaceAllUsesWith(join(behind, wider.getLoc(), results));
      // Nothing uses the whole carried value any more.
      wider.getBody()->getTerminator()->setOperand(index, carried);
      next += count;
    }
  }

  void carryParts(scf::IfOp branch) {
    if (branch.getNumResults() == 0)
      return;
    SmallVector<unsigned> indices;
    SmallVector<Type> types(branch.getResultTypes());
    for (auto [i, a, b] :
         llvm::enumerate(branch.thenYield().getOperands(), branch.elseYield().getOperands()))
      if (joined.contains(a) || joined.contains(b)) {
        indices.push_back(i);
        ArrayRef<int64_t> shape = typeOf(a).getShape();
        types.append(shape[0], withShape(a, shape.drop_front()));
      }
    if (indices.empty())
      return;
    OpBuilder b(branch);
    auto wider = scf::IfOp::create(b, branch.getLoc(), types, branch.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
    for (auto [from, to] : llvm::zip_equal(branch->getRegions(), wider->getRegions())) {
      to.takeBody(from);
      Operation *yield = to.front().getTerminator();
      OpBuilder atEnd(yield);
      SmallVector<Value> values(yield->getOperands());
      for (unsigned index : indices)
        llvm::append_range(values, matricesOf(atEnd, values[index]));
      yield->setOperands(values);
    }
    unsigned before = branch.getNumResults();
    b.setInsertionPointAfter(wider);
    SmallVector<Value> replacements(wider.getResults().take_front(before));
    for (unsigned index : indices) {
      unsigned count = batchesOf(replacements[index]);
      SmallVector<Value> results(wider.getResults().slice(before, count));
      replacements[index] = join(b, branch.getLoc(), results);
      before += count;
    }
    branch.replaceAllUsesWith(replacements);
    branch.erase();
  }

  // Tiles of batches that were joined here from their matrices.
  SmallPtrSet<Value, 16> joined;
};

struct SplitBatches : impl::SplitBatchesBase<SplitBatches> {
  void runOnOperation() override {
    if (!Splitting().run(getOperation()))
      return;
    // Removes unused loop-carried values, and joins that are split again.
    RewritePatternSet patterns(&getContext());
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, &getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
} // namespace tessera::plan
