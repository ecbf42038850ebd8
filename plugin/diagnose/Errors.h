// An error of Clang's for explanation, and the explanations by kind of error.
#pragma once

#include "diagnose/Explain.h"

namespace tessera::diagnose {

struct Error {
  const Message &main;
  llvm::ArrayRef<Message> notes;
  llvm::ArrayRef<const clang::FunctionDecl *> functions; // around it, the innermost first
  const clang::ASTContext &context;
  clang::QualType assigned = {}; // of the left side of an assignment in a template

  // The only note of this kind; null if there are several, or none.
  const Message *onlyNote(unsigned id) const;
  // The type that is an argument of the first note of this kind; null without one.
  clang::QualType typeInNote(unsigned id, unsigned argument) const;
  bool isInTileCode() const;
  // The location in the program if Clang's is in the library or in an alias of a template.
  clang::SourceLocation location() const;
  // An operation with these operands, for the helpers of sentences and fixes.
  Operation operation(std::string name, llvm::ArrayRef<Operand> operands) const;
};

// Can an error of Clang's be about the language?
bool mayBeExplained(unsigned id);

// Is a location in the library's headers?
bool isInLibrary(clang::SourceLocation location, const clang::SourceManager &sources);

// The sentence for an error, if there is one.
Explanation explain(const Error &error);

#define TESSERA_ERROR(id, explanation) Explanation explain##explanation(const Error &error);
#include "diagnose/Errors.def"

// An object of a library class that cannot be constructed from these arguments.
Explanation explainClass(const Error &error, clang::QualType type);

// How to construct an object of a library class; empty for other classes.
llvm::StringRef usageOf(llvm::StringRef name);

// The library's function for a C function of one type, sqrtf, fmaxf, __expf, or for one of the same
// name; empty if there is none.
std::string ownNameOf(llvm::StringRef name, const clang::ASTContext &context);

// The replacement in Names.def for a name that the library lacks; empty if there is none.
std::string insteadOfName(llvm::StringRef name);

// Is there a kernel of tile code with this name?
bool isKernelsName(clang::DeclarationName name, const clang::ASTContext &context);

// A value of the wrong type.
Explanation explainConverted(const Error &error, const Operand &value, clang::QualType to);

} // namespace tessera::diagnose
