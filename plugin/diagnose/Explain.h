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

  std::string print(unsigned operand) const;
  std::string print(const Element &element) const;
  // The operation as the user knows it: '+', 'mma'.
  std::string name() const { return "'" + operation.name + "'"; }
  // A sentence at the operation's place with its operands marked.
  Sentence say(Row row, std::vector<std::string> arguments,
               std::vector<clang::FixItHint> fixes = {}) const;
};

using Explanation = std::optional<Sentence>;

// The sentence for an error, if there is one.
Explanation explain(const Message &error, llvm::ArrayRef<const clang::FunctionDecl *> functions,
                    const clang::ASTContext &context);

// Families.
Explanation explainOperator(const Case &given);
Explanation explainBinaryFunction(const Case &given);

// Rules that families share: of two operands.
Explanation explainBroadcast(const Case &given, unsigned left, unsigned right);
Explanation explainConversion(const Case &given, unsigned left, unsigned right);

} // namespace tessera::diagnose
