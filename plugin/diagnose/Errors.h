// An error of Clang's as it is explained, and the explanations by kind of error.
#pragma once

#include "diagnose/Explain.h"

namespace tessera::diagnose {

struct Error {
  const Message &main;
  llvm::ArrayRef<Message> notes;
  llvm::ArrayRef<const clang::FunctionDecl *> functions; // around it, the innermost first
  const clang::ASTContext &context;
  clang::QualType assigned = {}; // of the left side of an assignment of a template

  // The only note of this kind; null if there are several, or none.
  const Message *onlyNote(unsigned id) const;
  // The type that is an argument of the first note of this kind; null without one.
  clang::QualType typeInNote(unsigned id, unsigned argument) const;
  bool isInTileCode() const;
  // The place in the program, where Clang's is in the library or in an alias of a template.
  clang::SourceLocation place() const;
  // What has a sentence's words and fixes: an operation with these operands.
  Operation operation(std::string name, llvm::ArrayRef<Operand> operands) const;
};

// May an error of Clang's be about the language?
bool mayBeExplained(unsigned id);

// Is a place in the library's headers?
bool isInLibrary(clang::SourceLocation location, const clang::SourceManager &sources);

// The sentence for an error, if there is one.
Explanation explain(const Error &error);

#define TESSERA_ERROR(id, explanation) Explanation explain##explanation(const Error &error);
#include "diagnose/Errors.def"

// An object of a class of the library that is not made of these arguments.
Explanation explainClass(const Error &error, clang::QualType type);

// How an object of a class of the library is made; empty of a class that is spelled otherwise.
llvm::StringRef usageOf(llvm::StringRef name);

// The library's function for one that C has for each type, sqrtf, fmaxf, __expf, or for one of its
// own name; empty if there is none.
std::string ownNameOf(llvm::StringRef name, const clang::ASTContext &context);

// What stands in Names.def in place of a name that the library has not; empty if nothing does.
std::string insteadOfName(llvm::StringRef name);

// Has a kernel of tile code this name?
bool isKernelsName(clang::DeclarationName name, const clang::ASTContext &context);

// A value of one type where another is wanted.
Explanation explainConverted(const Error &error, const Operand &value, clang::QualType to);

} // namespace tessera::diagnose
