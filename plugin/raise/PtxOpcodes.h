// The names of PTX instructions: "cvt.rn.satfinite.e4m3x2.f32".
#pragma once

#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace tessera::raising::ptx {

// A PTX type. `lanes` is 2 for a packed type, `type` is that of a lane.
struct RegisterType {
  mlir::Type type;
  bool isUnsigned = false;
  unsigned lanes = 1;
};

// A parsed instruction name: "cvt.rn.satfinite.e4m3x2.f32".
struct Opcode {
  llvm::StringRef name;
  std::optional<mlir::arith::CmpFPredicate> predicate;
  tile::Rounding rounding = tile::Rounding::nearest;
  bool flush = false, saturate = false, relu = false, nan = false, finite = false, high = false,
       toIntegral = false;                  // to an integer: rni, rzi, rmi, rpi
  llvm::SmallVector<RegisterType, 2> types; // of the result, then of the sources

  const RegisterType &to() const { return types.front(); }
  const RegisterType &from() const { return types.back(); }
};

// Nothing if a part of the name is unknown.
std::optional<Opcode> parseOpcode(mlir::MLIRContext *context, llvm::StringRef text);

} // namespace tessera::raising::ptx
