// PTX instructions on scalars as operations of MLIR and the tile dialect.
#pragma once

#include "raise/PtxOpcodes.h"

#include "mlir/IR/Builders.h"

namespace tessera::raising::ptx {

// An instruction with its sources while its operations are built.
struct Step {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Opcode &opcode;
  llvm::ArrayRef<mlir::Value> sources;

  mlir::Value operator[](unsigned i) const { return sources[i]; }
  mlir::Type type() const { return opcode.to().type; }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type()); }

  template <class Op, class... Args> Op create(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::Value number(mlir::Type type, double value) const {
    if (llvm::isa<mlir::FloatType>(type))
      return create<mlir::arith::ConstantOp>(builder.getFloatAttr(type, value));
    return create<mlir::arith::ConstantOp>(
        builder.getIntegerAttr(type, static_cast<int64_t>(value)));
  }
  mlir::Value binary(tile::BinaryKind kind, mlir::Value x, mlir::Value y) const {
    return create<tile::BinaryOp>(x.getType(), kind, x, y, opcode.rounding, opcode.flush,
                                  /*isUnsigned=*/false);
  }
};

// An instruction and its operations. `build` returns null if it does not know a part of the name.
struct Row {
  llvm::StringLiteral name;
  unsigned sources;
  mlir::Value (*build)(const Step &);
};

// Null if the instruction is unknown.
const Row *findRow(llvm::StringRef name);

} // namespace tessera::raising::ptx
