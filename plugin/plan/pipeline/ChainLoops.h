// The loops of a chain as a producer warp sees them: what it copies in an iteration, where that
// goes, and which multiplies read it.
#pragma once

#include "plan/pipeline/BulkRings.h"

namespace tessera::plan {

using Multiplies = llvm::SmallVector<tile::SharedMmaOp>;

// A row that arrives in the stages of a ring beside its tile.
struct Row {
  PipelinedLoad load;
  size_t ring;
};

// What multiplies read, and what is stored there.
struct StoredOperand {
  tile::SharedAllocOp buffer;
  tile::SharedStoreOp store;
};

// A loop of a chain, with a load for each ring.
struct ChainLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<PipelinedLoad> loads;
  llvm::SmallVector<StoredOperand> operands; // of the loads: their own tiles, or transposed ones
  llvm::SmallVector<Multiplies> readers;     // of the operands, in program order
  llvm::SmallVector<Row> rows;

  bool isTransposed(size_t ring) const {
    return operands[ring].buffer != PipelinedLoad(loads[ring]).buffer;
  }
  // What a stage of a ring has: a tile, and rows.
  llvm::SmallVector<PipelinedLoad> loadsOf(size_t ring) const;
  // All that the producer warp copies in an iteration.
  llvm::SmallVector<PipelinedLoad> copied() const;
  // The rows in a stage of each of the rings, in bytes.
  int64_t bytesOfRows() const;
};

// The loads of a loop and what reads them; of an operand that is transposed, its load goes through
// a shared tile of its own, which withoutShared takes back. Without rows.
ChainLoop chainLoopOf(mlir::scf::ForOp loop);

// Do multiplies alone read what is loaded, and is operand B of each multiply loaded?
bool areAllLoaded(const ChainLoop &chain);

// Can two loops have the same rings? A square operand has one type as it is loaded and transposed.
bool shareRings(const ChainLoop &chain, const ChainLoop &other);

// Do bulk copies of its boxes start at multiples of 16 bytes? Else the producer warp would copy
// element by element, where all threads copy faster.
bool hasAlignedRows(const PipelinedLoad &load);

// Finds the rows that the producer warp can copy into the stages of an operand.
void findRows(ChainLoop &chain, TensorMapMaker maker);

// The rows go through shared memory, and are loaded where they are used first.
void sendRowsThroughShared(ChainLoop &chain);

// What reads the loads of a stage first: a multiply, or where a row is loaded.
mlir::Operation *firstReadOf(llvm::ArrayRef<PipelinedLoad> loads, const Multiplies &readers);

// The operands of a loop's multiplies that are stored from a tile from before the loop.
llvm::SmallVector<StoredOperand> operandsFromBefore(mlir::scf::ForOp loop);

tile::SharedType typeOf(const PipelinedLoad &load);
tile::SharedType typeOf(StoredOperand operand);

} // namespace tessera::plan
