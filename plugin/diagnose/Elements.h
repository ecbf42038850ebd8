// Element types as the rules see them: category, width, sign, rank. The header's own rules
// (tessera/tile/scalar.h) decide what compiles; these find the broken one.
#pragma once

#include "clang/AST/Type.h"

#include <string>

namespace tessera::diagnose {

struct Element {
  enum Kind { Other, Integer, BasicFloat, RestrictedFloat, Pointer };

  clang::QualType type; // canonical, without cv
  Kind kind = Other;
  unsigned bits = 0; // bool has one
  bool isSigned = false;
  int rank = 0; // of floating point: only a higher rank holds every value

  bool isInteger() const { return kind == Integer; }
  bool isFloat() const { return kind == BasicFloat || kind == RestrictedFloat; }
  bool isArithmetic() const { return kind == Integer || kind == BasicFloat; }
  bool isNumeric() const { return isArithmetic() || kind == RestrictedFloat; }
  bool isPointer() const { return kind == Pointer; }
  bool isScalar() const { return kind != Other; }
  bool isBool() const { return kind == Integer && bits == 1; }
  clang::QualType pointee() const; // with its cv
};

Element elementOf(clang::QualType type, const clang::ASTContext &context);

// Is every value of the one type a value of the other? Integers never fit floating point here.
bool fits(const Element &from, const Element &to, const clang::ASTContext &context);
bool fitsInArithmetic(const Element &from, const Element &to, const clang::ASTContext &context);

// The common type of two; Other if there is none.
Element commonElement(const Element &x, const Element &y, const clang::ASTContext &context);

} // namespace tessera::diagnose
