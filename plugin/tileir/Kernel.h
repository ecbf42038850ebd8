// One entry on its way to tile IR: the values that are known so far, and the builder. Each topic of
// operations is a file with a table of handlers (Arithmetic.cpp, Views.cpp, ...).
#pragma once

#include "support/Report.h"
#include "tileir/Module.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "tile/TileDialect.h"

#include <functional>

namespace tessera::tileir {

using MlirValue = mlir::Value;

// A tensor view: a value of the bytecode that exists in the translator alone.
struct View {
  MlirValue base;
  llvm::SmallVector<MlirValue, 4> extents, strides;
  llvm::SmallVector<int64_t, 4> staticExtents, staticStrides; // -1: not known
};

// The end of a function that has said what is wrong.
struct Refused {
  operator llvm::LogicalResult() const { return llvm::failure(); }
  template <class T> operator std::optional<T>() const { return std::nullopt; }
};

class Kernel {
public:
  Kernel(const Module &module, const Function &function, mlir::ModuleOp output, Reports &reports)
      : module(module), function(function), output(output), reports(reports),
        builder(output.getLoc(), output.getContext()) {}

  // Says what is wrong at an op's place. Refused: it is legal, but not supported yet.
  Refused refuse(const Op &op, const llvm::Twine &message);
  Refused reject(const Op &op, const llvm::Twine &message);

  // ---- types ----

  // The MLIR type of a tile: of rank 0 its element. Null if it has none, which is reported.
  mlir::Type typeOf(const Type &type, const Op &op);
  mlir::Type elementOf(const Type &type, const Op &op);
  const Type &typeOf(Value value) const { return *function.typeOf(value); }
  const Type &resultOf(const Op &op, unsigned i = 0) const { return typeOf(op.results[i]); }
  const Type &operandType(const Op &op, llvm::StringRef name) const {
    return typeOf(op.operand(name)[0]);
  }

  // ---- values ----

  MlirValue value(Value value) const { return values[value]; }
  MlirValue operand(const Op &op, llvm::StringRef name) const {
    return values[op.operand(name)[0]];
  }
  void define(Value value, MlirValue is) { values[value] = is; }
  void define(const Op &op, MlirValue is) { values[op.results[0]] = is; }
  // Those that exist in MLIR: tokens and views do not.
  bool isKept(Value value) const { return typeOf(value).isTile(); }
  llvm::SmallVector<MlirValue> kept(llvm::ArrayRef<Value> values) const;
  llvm::LogicalResult keptTypes(const Op &op, llvm::ArrayRef<Value> values,
                                llvm::SmallVectorImpl<mlir::Type> &types);
  llvm::DenseMap<Value, View> views;

  MlirValue constant(mlir::Type type, int64_t number); // of integers, also of tiles
  MlirValue constantFloat(mlir::Type type, double number);
  MlirValue allTrue(llvm::ArrayRef<int64_t> shape);
  MlirValue complement(MlirValue truth);
  MlirValue lowNibble(MlirValue bytes); // without its sign
  // The same elements in another shape, from and to rank 0, too.
  MlirValue reshaped(MlirValue value, mlir::Type type);
  // A scalar in each element.
  MlirValue splat(MlirValue scalar, llvm::ArrayRef<int64_t> shape);
  mlir::Type tileOf(mlir::Type element, llvm::ArrayRef<int64_t> shape) const;
  MlirValue binary(tile::BinaryKind kind, MlirValue x, MlirValue y, bool isUnsigned = false);
  MlirValue compare(tile::CompareKind kind, MlirValue x, MlirValue y, bool isUnsigned = false);
  MlirValue cast(MlirValue x, mlir::Type element, bool fromUnsigned = false,
                 bool toUnsigned = false);

  // ---- structure ----

  llvm::LogicalResult translateOps(const Block &block);
  mlir::Location locationOf(const Frames &frames);

  const Module &module;
  const Function &function;
  mlir::ModuleOp output;
  Reports &reports;
  mlir::ImplicitLocOpBuilder builder;
  std::vector<MlirValue> values;
  // What all `alloca` of the entry share: its address, null without one, and where each lies in it.
  MlirValue blockMemory, blockMemoryStart;
  llvm::DenseMap<const Op *, int64_t> offsetsInBlockMemory;
  // Where yield, continue and break lead from here, innermost last; see Control.cpp.
  struct Exit {
    Opcode terminator;
    std::function<llvm::LogicalResult(const Op &, llvm::ArrayRef<Value>)> leave;
  };
  std::vector<Exit> exits;
};

using Handler = llvm::LogicalResult (*)(Kernel &, const Op &);
struct HandlerRow {
  Opcode opcode;
  Handler translate;
};
llvm::ArrayRef<HandlerRow> arithmeticHandlers();
llvm::ArrayRef<HandlerRow> conversionHandlers();
llvm::ArrayRef<HandlerRow> shapeHandlers();
llvm::ArrayRef<HandlerRow> foldHandlers();
llvm::ArrayRef<HandlerRow> memoryHandlers();
llvm::ArrayRef<HandlerRow> viewHandlers();
llvm::ArrayRef<HandlerRow> controlHandlers();
llvm::ArrayRef<HandlerRow> gridHandlers();

// Is an op, or one inside of it, left early, so that it becomes branches?
bool needsBranches(const Op &op);

// At the start of an entry: memory for the `alloca` in it; freed where it returns.
llvm::LogicalResult allocateBlockMemory(Kernel &kernel);

// The mode of an op's attribute `rounding`; nothing for one that tile IR has not.
std::optional<tile::Rounding> roundingOf(const Op &op);

// An array of numbers in the GPU's memory, with the address of its first one; of a constant's
// bytes, or of a global's.
MlirValue addressOfArray(Kernel &kernel, llvm::StringRef name, const Type &type,
                         llvm::StringRef bytes, bool isConstant, uint64_t alignment);

} // namespace tessera::tileir
