// A call of a primitive while its operation is built, and the row that describes the primitive.
#pragma once

#include "raise/Elements.h"
#include "tile/Attributes.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::raising::primitive {

struct Row;

// A call while its operation is built.
class Call {
public:
  Call(mlir::OpBuilder &builder, mlir::Location loc, const Row &row,
       const frontend::Primitive &primitive, llvm::ArrayRef<mlir::Value> operands,
       mlir::Type scalarResult)
      : builder(builder), loc(loc), operands(operands), scalarResult(scalarResult), row(row),
        primitive(primitive) {}

  const frontend::TemplateArgument &argument(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name) const { return argument(name).integer; }
  template <class Enum> Enum mode(llvm::StringRef name) const {
    return static_cast<Enum>(integer(name));
  }
  llvm::ArrayRef<int64_t> dimensions(llvm::StringRef name) const {
    return argument(name).dimensions;
  }
  const frontend::TileType &tile(llvm::StringRef name) const { return argument(name).tile; }
  mlir::Type type(llvm::StringRef name) const { return tileType(builder.getContext(), tile(name)); }
  bool isUnsigned(llvm::StringRef name) const {
    return raising::isUnsigned(tile(name).element.kind);
  }
  mlir::Type pointee(llvm::StringRef name) const {
    return pointeeType(builder.getContext(), tile(name).element);
  }
  // The tiles of the pack behind the named template parameters.
  llvm::SmallVector<mlir::Type> pack() const;
  tile::Rounding rounding() const { return mode<tile::Rounding>("round"); }
  bool flush() const { return integer("sub") != 0; }
  mlir::Value operator[](unsigned i) const { return operands[i]; }

  template <class Op, class... Args> Op create(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  bool keepsPromises() const {
    mlir::Operation *parent = builder.getInsertionBlock()->getParentOp();
    auto module = parent->getParentOfType<mlir::ModuleOp>();
    return module && module->hasAttr(tile::promisesAttr);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<mlir::Value> operands;
  mlir::Type scalarResult;

private:
  const Row &row;
  const frontend::Primitive &primitive;
};

// `parameters` names the template parameters; a last "*" is an unused pack. `operands` names the
// tile parameter of each operand: "R" a tile of type R, "lane" or "raw" a scalar, "*" any number of
// scalars. `result`: "R", "scalar" or "" (nothing).
struct Row {
  llvm::StringLiteral name, parameters, operands, result;
  mlir::Value (*build)(const Call &);
};

inline bool isTile(mlir::Type type) { return llvm::isa<mlir::RankedTensorType>(type); }

} // namespace tessera::raising::primitive
