// From an operation that the header refuses to the sentence that says why.
//
// A family of operations is one file: it looks for the first rule that its operands break. Nothing
// found means that Clang's own words stay.
#pragma once

#include "diagnose/Fixes.h"
#include "diagnose/Sentences.h"

namespace tessera::diagnose {

// What a family is given: the operation, and operands that are tiles or scalars as such.
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
  // The operation as the user knows it: '+', 'mma'.
  std::string name() const { return "'" + operation.name + "'"; }
  // A sentence at the operation's place with its operands marked.
  Sentence say(Row row, std::vector<std::string> arguments,
               std::vector<clang::FixItHint> fixes = {}) const;
};

using Explanation = std::optional<Sentence>;

// The sentence for an operation, if there is one.
Explanation explain(const Case &given);

// How a function of the library is called; empty of another name.
llvm::StringRef usageOfFunction(llvm::StringRef name);

// Families: the functions of Families.def.
Explanation explainOperator(const Case &given);
#define TESSERA_FAMILY(name, family, usage) Explanation explain##family(const Case &given);
#define TESSERA_MEMBER(name, family, usage) Explanation explain##family(const Case &given);
#include "diagnose/Families.def"
Explanation explainMath(const Case &given);

// Rules that families share; what they find is said of the operation.
Explanation explainBroadcast(const Case &given, unsigned left, unsigned right);
Explanation explainConversion(const Case &given, unsigned left, unsigned right);
// The operand broadcasts to the shape.
Explanation explainBroadcastTo(const Case &given, unsigned operand, const Extents &shape);
// All extents are powers of two, and not too many elements.
Explanation explainTileShape(const Case &given, const Extents &shape);
// The operand becomes an element of this type without narrowing; `of` is what has that type.
Explanation explainNarrowing(const Case &given, unsigned operand, const Element &to,
                             const std::string &of);

// The result's element type has the modes that are given.
Explanation explainModes(const Case &given, const Element &result);

// The dimension is one of the operand's.
Explanation explainDimension(const Case &given, unsigned operand, int64_t dimension);

// A place of the grid where a number is wanted.
Explanation explainPlace(const Case &given, unsigned operand);

// "1 dimension", "2 dimensions".
std::string countOf(size_t number, llvm::StringRef what);
// The power of two below an extent, and the one above.
std::string neighbours(uint64_t extent);
// The first extent that is no power of two.
std::optional<uint64_t> oddExtent(const Extents &shape);

} // namespace tessera::diagnose
