// Prints one kernel: statements in order, and inside them the expressions that the plan has
// marked.
//
// KernelPrinter.cpp has the frame and the statements, ControlFlow.cpp loops and branches,
// MemoryOperands.cpp the names of memory accesses, TensorMaps.cpp the tensor maps, Globals.cpp
// variables in front of the kernels, Folds.cpp the functions of reductions and scans;
// Expressions.cpp has operands, Scalars.cpp and Tiles.cpp the expressions over them.
#pragma once

#include "emit/Emit.h"
#include "emit/Names.h"
#include "emit/PointerTypes.h"
#include "plan/Plan.h"
#include "plan/naming/CarriedVariables.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include <map>

namespace tessera::emit {

inline bool isTile(mlir::Value v) { return mlir::isa<mlir::RankedTensorType>(v.getType()); }
// Or a tile of pointers.
inline bool isPointer(mlir::Value v) {
  return mlir::isa<mlir::LLVM::LLVMPointerType>(tile::elementType(v.getType()));
}
inline bool isFloat(mlir::Value v) {
  return mlir::isa<mlir::FloatType>(tile::elementType(v.getType()));
}
// 0 where a kernel does not have it.
int64_t integerAttr(mlir::func::FuncOp kernel, llvm::StringRef name);
// Adds the ops that their operands come from: what host code computes of a kernel.
void addOperands(llvm::SetVector<mlir::Operation *> &ops);

// An expression that needs no parentheses as an operand: a name, a literal, a call.
bool isPrimary(llvm::StringRef text);

class KernelPrinter {
public:
  KernelPrinter(mlir::func::FuncOp kernel, const Options &options, Listing *listing);
  EmittedKernel print();
  // The definition of a function of that name that makes the tensor maps of a launch; instead of
  // the kernel.
  std::string tensorMapMaker(llvm::StringRef name);
  // The definition of a function of that name that lists the tiles of a launch.
  std::string tileLister(llvm::StringRef name);
  // The same of a function that counts the warps of a launch.
  std::string warpCounter(llvm::StringRef name);

private:
  // ---- The frame ----
  unsigned threads();
  // Launches run it in place of another kernel, with fewer blocks (pass coarsen-blocks).
  bool isCoarsened() { return kernel->hasAttr(tile::coarseningAttr); }
  // Does the block have a producer warp, next to the consumers?
  bool isWarpSpecialized() { return kernel->hasAttr(tile::warpSpecializedAttr); }
  // Do its blocks take work tile after work tile? Those of an image are launched for one each.
  bool isPersistent() { return isWarpSpecialized() && isCoarsened(); }
  // "<2, 4>(grid": work tiles of 2 x 4 blocks of the grid along x and y.
  std::string workTiles(llvm::StringRef first = "");
  std::string headerComment();
  std::string memoryComment();
  std::string bounds();
  std::string launchFacts();
  std::string imageHead();
  std::string runtimeNames();
  std::string declarator();
  std::string parameters();
  unsigned launchedTensorMaps();
  unsigned requiredTensorMaps();
  void line(const llvm::Twine &text);
  void list(llvm::StringRef text, mlir::Operation *statement);
  void markLocation(mlir::Location location);

  // ---- Statements ----
  void printBlock(mlir::Block &block);
  void printStatement(mlir::Operation &op);
  // One overload per op that is a statement.
  void print(tile::ViewStoreOp op);
  void print(tile::CopyAsyncOp op);
  void print(tile::ShiftRowsOp op);
  void print(tile::RoundCopiedOp op);
  void print(tile::GatherAsyncOp op);
  void print(tile::StoreOp op);
  void print(tile::AtomicStoreOp op);
  void print(mlir::LLVM::StoreOp op);
  void print(tile::SharedStoreOp op);
  void print(tile::ExitIfOp op);
  void print(tile::CommitGroupOp op);
  void print(tile::WaitGroupOp op);
  void print(tile::InitBarriersOp op);
  void print(tile::InvalidateBarriersOp op);
  void print(tile::ListTileOp op);
  void print(tile::BulkStoreOp op);
  void print(tile::StorePartsOp op);
  void print(tile::ProducerWarpOp op);
  void print(tile::TransposingWarpsOp op);
  void print(tile::TransposeStageOp op);
  void print(tile::ProducerAcquireOp op);
  void print(tile::ConsumerReleaseOp op);
  void print(tile::WaitStoresOp op);
  void print(tile::MmaWaitOp op);
  void printStart(tile::SharedMmaOp multiply);
  void print(tile::MmaFinishOp op);
  void print(tile::MmaDoneOp op);
  void print(tile::FenceOp op);
  void print(tile::BarrierOp op);
  void print(tile::TrapOp op);
  void print(tile::FreeBlockMemoryOp op);
  void print(tile::PrintOp op);
  void print(mlir::LLVM::AllocaOp op);
  void print(tile::LocalAllocOp op);
  void print(tile::LocalStoreOp op);
  void print(tile::CheckOp check);
  void print(tile::FoldOp op);
  void print(tile::FoldCarryOp op);
  void print(tile::SaveOp op);
  std::string foldFunction(mlir::Region &region);
  void printFold(mlir::Operation *op, llvm::StringRef name, const std::string &call);
  void print(mlir::scf::ForOp loop);
  void explainLoop(mlir::scf::ForOp loop);
  void printIterations(mlir::scf::ForOp loop, llvm::SmallVector<std::string> carried,
                       plan::SwappedPair pair, const std::string &next);
  void print(mlir::scf::WhileOp loop);
  void print(mlir::scf::IfOp branch);
  void print(mlir::scf::IndexSwitchOp branch);
  // One arm of a branch, and a last statement.
  void printArm(mlir::Region &region, llvm::ArrayRef<std::string> targets,
                llvm::StringRef last = "");
  llvm::SmallVector<std::string> declareResults(mlir::Operation *branch);
  // Gives variables their next values, one after the other; `types` are values of the variables'
  // types.
  void assign(llvm::ArrayRef<std::string> targets, mlir::ValueRange types, mlir::ValueRange values);
  // What is between braces: names and views that are declared there end there.
  void openScope();
  void closeScope();
  void declareResult(mlir::Value v, llvm::StringRef wish);
  std::string initializedVariable(mlir::Value variable, mlir::Value init, llvm::StringRef wish);
  void printValue(mlir::Operation &op);
  std::string carriedVariable(mlir::Value result);
  // The name of the program or the plan for a value; else that of what it comes from or goes to.
  std::string nameFor(mlir::Operation &op);
  std::optional<std::string> ownName(mlir::Operation &op);
  std::optional<std::string> nameByOther(mlir::Operation &op);
  std::optional<std::string> nameOfOperand(mlir::Value v);
  std::optional<std::string> nameByStore(mlir::Value v);
  std::optional<std::string> arrayName(mlir::Value address);
  void print(mlir::LLVM::InlineAsmOp op);

  // ---- Expressions ----
  // The expression of the op's result, or nothing if it is not an expression.
  std::optional<std::string> expression(mlir::Operation *op);
  std::optional<std::string> tileExpression(mlir::Operation *op);
  // One overload per op that is an expression; none where it has no text.
  using Expression = std::optional<std::string>;
  Expression express(tile::SplatOp op);
  Expression express(tile::IotaOp op);
  Expression express(tile::ScalarOp op);
  Expression express(tile::UnaryOp op);
  Expression express(tile::BinaryOp op);
  Expression express(tile::FmaOp op);
  Expression express(tile::CompareOp op);
  Expression express(tile::ClassifyOp op);
  Expression express(tile::SelectOp op);
  Expression express(tile::CastOp op);
  Expression express(tile::Bf16TermOp op);
  Expression express(tile::BitcastOp op);
  std::string relabelled(mlir::Operation *op, mlir::Value x);
  Expression express(tile::ReshapeOp op);
  Expression express(tile::PermuteOp op);
  Expression express(tile::CatOp op);
  Expression express(tile::ExtractOp op);
  Expression express(tile::InsertOp op);
  Expression express(tile::MmaOp op);
  Expression express(tile::BroadcastOp op);
  Expression express(tile::ConvertLayoutOp op);
  Expression express(tile::PartOp op);
  Expression express(tile::JoinOp op);
  Expression express(tile::SharedLoadPartOp op);
  Expression express(tile::ReduceOp op);
  Expression express(tile::ScanCarryOp op);
  Expression express(tile::ScanOp op);
  Expression express(tile::OffsetOp op);
  Expression express(tile::DifferenceOp op);
  Expression express(tile::LoadOp op);
  Expression express(tile::ViewLoadOp op);
  Expression express(tile::RowShiftOp op);
  Expression express(tile::AtomicRmwOp op);
  Expression express(tile::AtomicCompareExchangeOp op);
  Expression express(tile::AtomicLoadOp op);
  Expression express(tile::SharedLoadOp op);
  Expression express(tile::SharedMmaOp op);
  Expression express(tile::TensorMapExistsOp op);
  Expression express(tile::MmaBeginOp op);
  std::string multiplication(tile::SharedMmaOp multiply, const std::string &accumulator);
  Expression express(tile::AllowsChunksOp op);
  Expression express(tile::LocalLoadOp op);
  Expression express(tile::BlockMemoryOp op);
  Expression express(tile::FirstWorkTileOp op);
  Expression express(tile::WorkTileStepOp op);
  Expression express(tile::WorkTileCountOp op);
  Expression express(tile::ScheduledWorkTileOp op);
  Expression express(tile::BlockIndexOp op);
  Expression express(tile::GridSizeOp op);
  Expression express(tile::LaunchedWarpsOp op);
  Expression express(tile::WarpgroupIndexOp op);
  Expression express(tile::AssumeOp op);
  Expression express(mlir::ub::PoisonOp op);
  Expression express(mlir::arith::ConstantOp op);
  std::string maskArgument(mlir::Value pointers, mlir::Value mask);
  std::string paddingOf(mlir::Value v);
  std::string choice(mlir::Value v, mlir::Value like);
  std::optional<std::string> scalarExpression(mlir::Operation *op);
  std::optional<std::string> listedExpression(mlir::Operation *op);
  // The value in its own C type, where only bits matter.
  std::string bits(mlir::Value v);
  // The value as an argument of a runtime function: integers of exactly the signed type.
  std::string use(mlir::Value v);
  // An integer scalar of exactly the signed or unsigned type of its width.
  std::string use(mlir::Value v, bool asUnsigned);
  // An integer scalar of that value, as a C operator reads it.
  std::string reading(mlir::Value v, bool asUnsigned);
  // The same, parenthesized as an operand if needed.
  std::string operand(mlir::Value v);
  std::string operand(mlir::Value v, bool asUnsigned);
  std::string infix(mlir::Value x, llvm::StringRef symbol, mlir::Value y,
                    std::optional<bool> asUnsigned = std::nullopt);
  // An expression that C computes as int, cast to the result's type.
  std::string asResult(mlir::Value result, const std::string &text);
  std::string castTo(mlir::Value result, const std::string &source);
  std::string call(llvm::StringRef function, mlir::ValueRange arguments);
  std::string binary(tile::BinaryOp op);
  std::string unary(tile::UnaryOp op);
  std::string castText(tile::CastOp op);
  std::string pointer(mlir::Value v, mlir::Type pointee, bool readOnly = false);
  std::string pointer(mlir::Value v, const Pointee &pointee);
  std::string pointerResult(mlir::Value result, const std::string &text, mlir::Type natural);
  std::string loadedResult(mlir::Value result, const std::string &load);
  std::string memoryValue(mlir::Value v);
  std::string parameterType(mlir::BlockArgument parameter);
  std::string ownSpelling(llvm::StringRef type);
  std::string assignable(mlir::Value v, mlir::Value target);
  std::string integerArithmetic(mlir::Operation *op, llvm::StringRef symbol);
  std::string shiftCount(mlir::Value v);
  std::string integerComparison(mlir::arith::CmpIOp op);
  // The address of a scalar, ready to be dereferenced.
  std::string scalarAddress(mlir::Value address, mlir::Type type, bool isLocal,
                            bool readOnly = false);
  bool isDeclaredAs(mlir::Value address, mlir::Type type);
  std::string variableType(mlir::Value v);
  // The name of a global that is defined in front of the kernels.
  std::string variable(mlir::LLVM::GlobalOp global);
  std::string layoutOf(mlir::Value tile);
  std::string partAlias(tile::StorePartsOp store); // of the layout of a part
  std::string layoutAlias(llvm::ArrayRef<int64_t> shape, tile::LayoutAttr layout);
  std::string aliasOfTile(llvm::ArrayRef<int64_t> shape, const std::string &type);
  std::string sharedAlias(tile::SharedType type, const std::string &element,
                          llvm::ArrayRef<int64_t> shape);
  std::string sharedTile(mlir::Value shared);
  std::string sharedTile(mlir::Value shared, llvm::ArrayRef<int64_t> shape);
  // With the ends of its rows, if it has them.
  std::string copiedTile(mlir::Value shared, llvm::ArrayRef<int64_t> shape, mlir::Value ends);
  std::string viewOf(mlir::Value base, mlir::ValueRange extents, mlir::ValueRange strides,
                     mlir::Type element, bool readOnly);
  std::string viewOf(tile::CopyAsyncOp copy);
  std::optional<std::string> rootName(mlir::Value pointer);
  std::string field(tile::FieldOp op);
  std::string extent(mlir::Value v);
  std::string box(mlir::ValueRange starts);
  void print(tile::MakeTensorMapOp op);
  std::string boxOf(tile::MakeTensorMapOp op);
  std::string mappedView(tile::MakeTensorMapOp op);
  std::string tensorMapArguments(mlir::ValueRange maps);
  std::string ringArguments(tile::CopyAsyncOp op);
  std::string accessName(tile::AccessAttr access);
  std::string accessArgument(tile::AccessAttr access);
  static std::string runName(std::optional<tile::RunAttr> access);
  bool hasNoVariable(mlir::Operation *op);

  mlir::func::FuncOp kernel;
  const Options &options;
  Names names;
  PointerTypes pointers;
  // A variable, or an expression that replaces its uses.
  llvm::DenseMap<mlir::Value, std::string> text;
  llvm::DenseMap<mlir::Value, std::string> objects; // the structs among the parameters
  // The source of an expression that is a cast; its bits are the same in any type of its width.
  llvm::DenseMap<mlir::Value, std::string> castSources;
  std::vector<std::pair<std::string, std::string>> aliases; // name, type: in order of use
  std::map<std::string, std::string> aliasOf;
  std::map<std::string, std::string> variables; // name -> definition
  // Views and lambdas, per open block: key -> variable.
  std::vector<std::map<std::string, std::string>> viewScopes;
  std::string maps;                  // the parameter with the tensor maps of the launch
  std::string coarsened;             // the parameter with the grid whose blocks are coarsened
  std::string tileList, block, grid; // the parameters of a function that lists tiles
  std::string body;
  Listing *listing;                     // null: no listing requested
  mlir::Operation *statement = nullptr; // being printed
  llvm::DenseSet<mlir::Value> inlined;  // printed inside the statements that use them
  unsigned indent = 1;
  // The last #line, and the offset in the body after it.
  unsigned lastLine = 0;
  mlir::StringAttr lastFile;
  size_t lastMark = 0;
  int64_t warps, sharedBytes;
};

} // namespace tessera::emit
