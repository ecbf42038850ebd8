// From an operation that the header refuses to the sentence that explains it.
//
// A family of operations is one file: it searches for the first rule that its operands break. If it
// finds none, Clang's own message stays.
#pragma once

#include "diagnose/Fixes.h"
#include "diagnose/Sentences.h"

namespace tessera::diagnose {

// The input of a family: the operation, and its tile or scalar operands.
struct Case {
  Case(const Operation &operation, const clang::ASTContext &context,
       llvm::ArrayRef<const clang::FunctionDecl *> functions);

  const Operation &operation;
  const clang::ASTContext &context;
  Fixes fixes;
  std::vector<TileType> tiles; // one for each operand

  unsigned size() const { return tiles.size(); }
  const Element &element(unsigned operand) const { return tiles[operand].element; }
  bool isTileLike(unsigned operand) const {
    return operand < size() && tiles[operand].isTileLike();
  }
  bool isTile(unsigned operand) const { return operand < size() && tiles[operand].isTile; }
  clang::QualType type(unsigned operand) const { return operation.operands[operand].type; }

  // Explicit template arguments.
  clang::QualType givenType(unsigned position) const;
  std::optional<int64_t> givenNumber(unsigned position) const;
  // The dimension, or number, of f<N>(x) or f(x, N_ic).
  std::optional<int64_t> number(unsigned operand) const;
  // The shape of f<shape<...>>(x) or f(x, shape<...>{}).
  std::optional<Extents> shape(unsigned operand) const;

  std::string print(unsigned operand) const;
  std::string print(const Element &element) const;
  // The explicit template arguments, "<float, 4>"; empty without any.
  std::string printGiven() const;
  // The operation's name for the user: '+', 'mma'.
  std::string name() const { return "'" + operation.name + "'"; }
  // A sentence at the operation's location with its operands marked.
  Sentence say(Row row, std::vector<std::string> arguments,
               std::vector<clang::FixItHint> fixes = {}) const;
};

using Explanation = std::optional<Sentence>;

// The sentence for an operation, if there is one.
Explanation explain(const Case &given);

// How to call a function of the library; empty for another name.
llvm::StringRef usageOfFunction(llvm::StringRef name);

// Families: the functions of Families.def.
Explanation explainOperator(const Case &given);
#define TESSERA_FAMILY(name, family, usage) Explanation explain##family(const Case &given);
#define TESSERA_MEMBER(name, family, usage) Explanation explain##family(const Case &given);
#include "diagnose/Families.def"
Explanation explainMath(const Case &given);

// Rules that families share; their findings are reported for the operation.
Explanation explainBroadcast(const Case &given, unsigned left, unsigned right);
Explanation explainConversion(const Case &given, unsigned left, unsigned right);
// The operand broadcasts to the shape.
Explanation explainBroadcastTo(const Case &given, unsigned operand, const Extents &shape);
// All extents are powers of two, and not too many elements.
Explanation explainTileShape(const Case &given, const Extents &shape);
// The operand converts to this element type without narrowing; `of` names the target.
Explanation explainNarrowing(const Case &given, unsigned operand, const Element &to,
                             const std::string &of);

// The result's element type supports the given modes.
Explanation explainModes(const Case &given, const Element &result);

// The dimension is one of the operand's.
Explanation explainDimension(const Case &given, unsigned operand, int64_t dimension);

// A block index in place of a number.
Explanation explainBlockIndex(const Case &given, unsigned operand);

// "1 dimension", "2 dimensions".
std::string countOf(size_t number, llvm::StringRef what);
// The power of two below an extent, and the one above.
std::string neighbours(uint64_t extent);
// The first extent that is no power of two.
std::optional<uint64_t> oddExtent(const Extents &shape);

} // namespace tessera::diagnose
