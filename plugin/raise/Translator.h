// One kernel, from llvm::Function to func.func with the same control flow graph (cf), instruction
// by instruction.
//
// Every LLVM value maps to MLIR values: a scalar to one, a tile to one, a struct to one for each of
// its leaves. Unsupported values are reported at their line and become poison, so that one run
// reports all of them. The member functions are spread over files by concern, see the sections.
#pragma once

#include "support/Refusals.h"
#include "raise/BlockMemory.h"
#include "raise/LocalTiles.h"
#include "raise/Locations.h"
#include "raise/MemorySpaces.h"
#include "raise/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace tessera::raising {

class Translator {
public:
  Translator(const frontend::TileProgram &program, const frontend::Kernel &kernel,
             const llvm::Function &function, mlir::ModuleOp module, const DiagnosticSink &diagnose);

  // Appends the kernel to the module; null after an error has been reported.
  mlir::func::FuncOp translate();

private:
  // ---- Translator.cpp: the function, its blocks, the values
  void declareArguments();
  void declareBlocks();
  void translateBlock(const llvm::BasicBlock &block);
  void translateTerminator(const llvm::Instruction &terminator);
  void translateSwitch(const llvm::SwitchInst &instruction);
  llvm::SmallVector<mlir::Value> edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  llvm::SmallVector<mlir::Type> typesOf(const llvm::Value *value);
  mlir::Type typeOf(const llvm::Value *value);
  llvm::SmallVector<mlir::Value> values(const llvm::Value *value);
  mlir::Value value(const llvm::Value *value);
  // The value as `type`: a tile is reinterpreted if another tile type is needed.
  mlir::Value value(const llvm::Value *value, mlir::Type type);
  void define(const llvm::Value &instruction, mlir::ValueRange results);
  void define(const llvm::Value &instruction, mlir::Value result) {
    define(instruction, mlir::ValueRange(result));
  }
  void refuse(const llvm::Value &at, Refusal id, llvm::ArrayRef<std::string> arguments = {});
  void bug(const llvm::Value &at, const llvm::Twine &message);
  void poison(const llvm::Instruction &instruction);
  // Refuses an instruction, or reports it as an internal error, and uses poison for its results.
  void unsupported(const llvm::Instruction &instruction, Refusal id,
                   llvm::ArrayRef<std::string> arguments = {}) {
    refuse(instruction, id, arguments);
    poison(instruction);
  }
  void unexpected(const llvm::Instruction &instruction, const llvm::Twine &message) {
    bug(instruction, message);
    poison(instruction);
  }

  template <class Op, class... Args> Op create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  // ---- Constants.cpp
  llvm::SmallVector<mlir::Value> constants(const llvm::Constant *constant,
                                           llvm::ArrayRef<mlir::Type> types);
  mlir::Value constant(const llvm::Constant *constant, mlir::Type type);
  mlir::Value scalarConstant(const llvm::Constant *constant, mlir::Type type);
  mlir::Value tileConstant(const llvm::Constant *constant, mlir::RankedTensorType type);
  mlir::Value addressOf(const llvm::GlobalVariable &global);
  mlir::Value integer(int64_t value, unsigned width = 64);

  // ---- Instructions.cpp: arithmetic, comparisons, casts, aggregates
  void translate(const llvm::Instruction &instruction);
  mlir::Value binary(const llvm::BinaryOperator &instruction);
  mlir::Value compare(const llvm::CmpInst &instruction);
  mlir::Value cast(const llvm::CastInst &instruction);
  mlir::Value castVector(const llvm::CastInst &instruction);
  void select(const llvm::SelectInst &instruction);
  void extractValue(const llvm::ExtractValueInst &instruction);
  void insertValue(const llvm::InsertValueInst &instruction);
  void lanes(const llvm::Instruction &instruction);

  // ---- Memory.cpp: addresses, loads, stores, copies
  void allocateBlockMemory();
  void allocate(const llvm::AllocaInst &instruction);
  mlir::Value address(const llvm::GEPOperator &gep);
  mlir::Value step(mlir::Value base, int64_t bytes, mlir::Type element);
  mlir::Value load(const llvm::LoadInst &instruction);
  mlir::Value field(const llvm::LoadInst &instruction);
  void store(const llvm::StoreInst &instruction);
  struct Contiguous;
  mlir::Value loadTile(const llvm::Value &pointer, mlir::Type type);
  void storeTile(const llvm::Value &pointer, mlir::Value tile);
  mlir::Value localIndex(const LocalAccess &access);
  mlir::Value loadScalar(mlir::Type type, mlir::Value address, int64_t alignment, bool isVolatile,
                         bool isLocal);
  void storeScalar(mlir::Value value, mlir::Value address, int64_t alignment, bool isVolatile,
                   bool isLocal);
  void copy(const llvm::MemTransferInst &instruction);
  void fill(const llvm::MemSetInst &instruction);

  // ---- Intrinsics.cpp: calls
  void call(const llvm::CallInst &instruction);
  void primitive(const llvm::CallInst &call, const frontend::Primitive &primitive);
  bool intrinsic(const llvm::IntrinsicInst &call);
  bool mathFunction(const llvm::CallInst &call);
  bool namedFunction(const llvm::CallInst &call, llvm::StringRef name);
  bool composedFunction(const llvm::CallInst &call);
  bool bitsFunction(const llvm::CallInst &call);
  bool isOfClass(const llvm::IntrinsicInst &call);
  bool classification(const llvm::CallInst &call);
  bool cudaFunction(const llvm::CallInst &call);
  void inlineAssembly(const llvm::CallInst &call);

  // ---- Messages.cpp: printf, assert, trap
  bool output(const llvm::CallInst &call);
  void print(const llvm::CallInst &call);

  const frontend::TileProgram &program;
  const frontend::Kernel &kernel;
  const llvm::Function &function;
  mlir::ModuleOp module;
  const DiagnosticSink &diagnose;
  mlir::OpBuilder builder;
  mlir::Location loc; // of the current instruction
  Locations locations;
  TileTypes tileTypes;
  BlockMemory blockMemory;
  LocalTiles localTiles;
  MemorySpaces spaces;
  mlir::Value addressOfBlockMemory; // i64
  mlir::func::FuncOp result;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<mlir::Value, 1>> valueMap;
  llvm::DenseMap<const llvm::BasicBlock *, mlir::Block *> blocks;
  bool failed = false;
};

} // namespace tessera::raising
