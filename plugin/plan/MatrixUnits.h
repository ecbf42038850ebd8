// Which instruction multiplies two factors, and what keeps them from a better one.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// C (M, N) += A (M, K) * B (K, N), of element types.
struct Product {
  mlir::Type a, b, c;
  int64_t rank, m, n, k; // a rank above 2 has batches
};

struct MatrixUnit {
  // Why plain multiply-add: batches, factors of two types, a tile below one instruction, factors or
  // a sum that no instruction takes.
  enum Obstacle { None, Batches, TwoTypes, Small, Factors, Sum };

  tile::MmaKind kind;
  Obstacle obstacle;
};

// m16n8k16 for half and bf16, m16n8k8 for tf32, plain multiply-add for everything else and for
// tiles below one instruction.
MatrixUnit matrixUnitFor(const Product &product);

} // namespace tessera::plan
