// Prints one kernel: statements in order, pure single-use expressions inside the statement that
// uses them.
//
// KernelPrinter.cpp has the frame and the statements, ControlFlow.cpp loops and branches,
// MemoryOperands.cpp what accesses name, Globals.cpp variables in front of the kernels;
// Expressions.cpp has operands, Scalars.cpp and Tiles.cpp the expressions over them.
#pragma once

#include "emit/Emit.h"
#include "emit/Names.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tessera::emit {

inline bool isTile(mlir::Value v) { return mlir::isa<mlir::RankedTensorType>(v.getType()); }
inline bool isFloat(mlir::Value v) {
  return mlir::isa<mlir::FloatType>(tile::elementType(v.getType()));
}
// Text that needs no parentheses as an operand: a name, a literal, a call.
bool isPrimary(llvm::StringRef text);

class KernelPrinter {
public:
  KernelPrinter(mlir::func::FuncOp kernel, const PipelineOptions &options);
  EmittedKernel print();

private:
  // ---- The frame ----
  std::string headerComment();
  std::string signature();
  void line(const llvm::Twine &text);
  void markPlace(mlir::Location location);

  // ---- Statements ----
  void printBlock(mlir::Block &block);
  void printStatement(mlir::Operation &op);
  void printFor(mlir::scf::ForOp loop);
  void printWhile(mlir::scf::WhileOp loop);
  void printIf(mlir::scf::IfOp branch);
  void printSwitch(mlir::scf::IndexSwitchOp branch);
  // One arm of a branch, and a last statement.
  void printArm(mlir::Region &region, llvm::ArrayRef<std::string> results,
                llvm::StringRef last = "");
  llvm::SmallVector<std::string> declareResults(mlir::Operation *branch);
  void assign(llvm::ArrayRef<std::string> targets, mlir::ValueRange values);
  void declareResult(mlir::Value v, llvm::StringRef wish);
  std::string initializedVariable(mlir::Value variable, mlir::Value init, llvm::StringRef wish);
  void printValue(mlir::Operation &op);
  std::string carriedVariable(mlir::Value result);
  std::string describe(mlir::Operation &op);
  void printInlineAsm(mlir::LLVM::InlineAsmOp op);

  // ---- Expressions ----
  // The text that computes the op's result, or nothing if it is no expression.
  std::optional<std::string> expression(mlir::Operation *op);
  std::optional<std::string> tileExpression(mlir::Operation *op);
  std::optional<std::string> scalarExpression(mlir::Operation *op);
  std::string use(mlir::Value v);
  // An integer scalar read as signed or unsigned.
  std::string use(mlir::Value v, bool asUnsigned);
  // Ready to stand as an operand of an operator.
  std::string operand(mlir::Value v);
  std::string operand(mlir::Value v, bool asUnsigned);
  std::string infix(mlir::Value x, llvm::StringRef symbol, mlir::Value y,
                    std::optional<bool> asUnsigned = std::nullopt);
  std::string call(llvm::StringRef function, mlir::ValueRange arguments);
  std::string binary(tile::BinaryOp op);
  std::string unary(tile::UnaryOp op);
  std::string castText(tile::CastOp op);
  std::string pointer(mlir::Value v, mlir::Type pointee, bool readOnly = false);
  // Where a scalar lies, ready to be dereferenced.
  std::string scalarAddress(mlir::Value address, mlir::Type type);
  std::string variableType(mlir::Value v);
  // The name of a global that is defined in front of the kernels.
  std::string variable(mlir::LLVM::GlobalOp global);
  std::string layoutOf(mlir::Value tile);
  std::string layoutAlias(llvm::ArrayRef<int64_t> shape, tile::LayoutAttr layout);
  std::string sharedTile(mlir::Value shared);
  std::string viewOf(mlir::Value base, mlir::ValueRange extents, mlir::ValueRange strides,
                     mlir::Type element, bool readOnly);
  std::string extent(mlir::Value v);
  std::string box(mlir::ValueRange starts);
  std::string accessName(tile::AccessAttr access);
  bool canInline(mlir::Operation *op, llvm::StringRef text);

  mlir::func::FuncOp kernel;
  const PipelineOptions &options;
  Names names;
  llvm::DenseMap<mlir::Value, std::string>
      text;                             // a variable, or an expression to be put in its place
  llvm::DenseSet<mlir::Value> compound; // expressions that need parentheses as operands
  std::vector<std::pair<std::string, std::string>> aliases; // name, type: in order of use
  std::map<std::string, std::string> aliasOf;
  std::map<std::string, std::string> variables;               // name -> definition
  std::vector<std::map<std::string, std::string>> viewScopes; // per open block: key -> variable
  std::string body;
  unsigned indent = 1;
  unsigned lastLine = 0;
  int64_t warps, sharedBytes;
};

} // namespace tessera::emit
