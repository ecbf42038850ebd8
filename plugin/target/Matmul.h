// A matmul of one block, and the instruction that computes it on a GPU.
#pragma once

#include "target/MmaInstruction.h"
#include "target/Target.h"

#include "mlir/IR/Types.h"

namespace tessera {

// C (M, N) += A (M, K) * B (K, N), of element types.
struct Matmul {
  mlir::Type a, b, c;
  int64_t rank, m, n, k; // a rank above 2 has batches
  // Whether rows of a, and of b, run along K in shared memory.
  bool isAByK = true, isBByK = false;
  bool isAUnsigned = false, isBUnsigned = false;
  // Whether it is computed in registers, from where rows are stored in either order.
  bool isAComputed = false, isBComputed = false;

  int64_t bytesOfElement() const; // of an operand
};

// Why an instruction does not take a matmul: its operands or accumulator; fewer rows than one
// instruction has; an accumulator larger than two scopes hold; K or a row in shared memory
// narrower than one instruction, or than a panel.
enum class MmaObstacle { None, Elements, Rows, Large, Narrow };

struct MmaSelection {
  // Why no tensor core: batches, operands of two types, a tile smaller than one instruction,
  // operands or an accumulator that no instruction takes.
  enum Obstacle { None, Batches, TwoTypes, Small, Operands, Accumulator };

  const MmaInstruction &instruction;
  Obstacle obstacle;
  int64_t minK = 0; // where the tile is smaller than one instruction
};

// The instruction of the first row of MmaInstructions.def that takes a matmul on a target; plain
// multiply-add where there is none.
MmaSelection selectMma(const Matmul &matmul, const GpuTarget &target);

// Why not wgmma, where the target has it and another instruction was chosen.
MmaObstacle warpgroupObstacle(const Matmul &matmul);

// Must an operand's rows of `columns` elements, which run across K, be stored along K for wgmma?
bool isNarrowerThanPanel(mlir::Type element, int64_t columns);

// Does wgmma read rows of these elements that run across K? Rows of other elements are transposed
// on the way to shared memory. ldmatrix transposes all.
bool takesEitherOrder(mlir::Type element);

} // namespace tessera
