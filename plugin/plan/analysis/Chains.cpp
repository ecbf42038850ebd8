#include "plan/analysis/Chains.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/Matmuls.h"
#include "target/RegisterBudgets.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isMultiply(Operation *op) { return isa<tile::MmaOp, tile::SharedMmaOp>(op); }

// What an op takes in its iteration: operands, what is stored to the shared tiles that it reads,
// and what its regions use.
void collectInputs(Operation *op, SmallVectorImpl<Value> &values) {
  op->walk([&](Operation *inner) { llvm::append_range(values, inner->getOperands()); });
  if (isa<tile::SharedAllocOp>(op))
    for (Operation *user : op->getUsers())
      if (auto store = dyn_cast<tile::SharedStoreOp>(user))
        values.push_back(store.getValue());
}

// The multiplies of the loop's body from whose results the values are computed in the same
// iteration.
llvm::SmallPtrSet<Operation *, 4> multipliesBehind(ArrayRef<Value> values, scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 4> multiplies;
  llvm::SetVector<Operation *> ops;
  auto visit = [&](Value v) {
    Operation *op = v.getDefiningOp();
    Operation *inBody = op ? loop.getBody()->findAncestorOpInBlock(*op) : nullptr;
    if (inBody && isMultiply(inBody))
      multiplies.insert(inBody);
    else if (inBody)
      ops.insert(inBody);
  };
  llvm::for_each(values, visit);
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<Value> inputs;
    collectInputs(ops[i], inputs);
    llvm::for_each(inputs, visit);
  }
  return multiplies;
}

} // namespace

llvm::SetVector<Operation *> opsBehind(Operation *op) {
  Block *body = op->getBlock();
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<Value> inputs;
    collectInputs(ops[i], inputs);
    for (Value input : inputs)
      if (Operation *made = input.getDefiningOp())
        if (Operation *inBody = body->findAncestorOpInBlock(*made))
          ops.insert(inBody);
  }
  return ops;
}

std::optional<Chain> chainOf(scf::ForOp loop) {
  Chain chain;
  bool isWhole = true;
  loop.walk([&](Operation *op) {
    if (!isMultiply(op))
      return;
    isWhole &= op->getBlock() == loop.getBody();
    // Operands A and B; the accumulator stays in the tensor core's registers.
    auto before = multipliesBehind({op->getOperand(0), op->getOperand(1)}, loop);
    isWhole &= llvm::none_of(
        before, [&](Operation *other) { return llvm::is_contained(chain.second, other); });
    (before.empty() ? chain.first : chain.second).push_back(op);
  });
  return isWhole && !chain.first.empty() && !chain.second.empty() ? std::optional(chain)
                                                                  : std::nullopt;
}

// Is an operand loaded, and not computed?
static bool isLoaded(Value operand) {
  auto buffer = operand.getDefiningOp<tile::SharedAllocOp>();
  return llvm::any_of(operand.getUsers(), [&](Operation *user) {
    auto store = dyn_cast<tile::SharedStoreOp>(user);
    return buffer && store && store.getValue().getDefiningOp<tile::ViewLoadOp>();
  });
}

int64_t wordsInRegisters(const Chain &chain) {
  auto wordsOf = [](Value tile) {
    if (auto shared = dyn_cast<tile::SharedType>(tile.getType()))
      return bytesOf(shared) / 4;
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getNumElements() * tile::storageBits(type.getElementType()) / 32;
  };
  // Multiplies in a row add to one accumulator.
  int64_t words = 0;
  for (Operation *multiply : llvm::concat<Operation *const>(chain.first, chain.second)) {
    Operation *before = multiply->getOperand(2).getDefiningOp();
    if (!before || !isMultiply(before))
      words += wordsOf(multiply->getResult(0));
  }
  for (Operation *multiply : chain.second)
    if (!isLoaded(multiply->getOperand(0)))
      words += wordsOf(multiply->getOperand(0));
  return words;
}

bool fillsRegisters(const Chain &chain, int64_t threads, const GpuTarget &target) {
  return 2 * (wordsInRegisters(chain) + registersBesidesChain * threads) >
         target.registersOfMultiprocessor;
}

bool multipliesMost(const Chain &chain) {
  constexpr int64_t minProductsOfElement = 192;
  auto matmulOfMultiply = [](Operation *op) {
    auto shared = dyn_cast<tile::SharedMmaOp>(op);
    return shared ? matmulOf(shared) : matmulFormOf(cast<tile::MmaOp>(op)).matmul;
  };
  int64_t products = 0, elements = 0;
  for (Operation *op : chain.first) {
    const Matmul matmul = matmulOfMultiply(op);
    elements = std::max(elements, matmul.m * matmul.n);
  }
  for (Operation *op : llvm::concat<Operation *const>(chain.first, chain.second)) {
    const Matmul matmul = matmulOfMultiply(op);
    products += matmul.m * matmul.n * matmul.k;
  }
  return products >= minProductsOfElement * elements;
}

} // namespace tessera::plan
