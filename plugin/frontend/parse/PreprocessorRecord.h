// Preprocessor facts that the AST does not contain.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class FileEntry;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace tessera::frontend {

// The tokens that each use of a macro in the user's files expanded to, by the location of the use.
using ExpandedTokens = llvm::DenseMap<clang::SourceLocation, std::vector<clang::Token>>;

struct PreprocessorRecord {
  // System files (#pragma system_header) with tile code; with launches.
  llvm::DenseSet<clang::FileID> systemTileFiles, systemLaunchFiles;
  // The main file, and the files that it includes in quotes.
  llvm::DenseSet<clang::FileID> ownFiles;
  // Each `<<<` that the parser saw, as written.
  llvm::DenseSet<clang::SourceLocation> launches;
  // The inclusions of each file, in their order.
  llvm::DenseMap<const clang::FileEntry *, std::vector<clang::FileID>> inclusions;
  ExpandedTokens expansions;
  // The tokens of the user's files as parsed, macros expanded, in order.
  std::vector<clang::Token> tokens;
  // A condition of the preprocessor, from its #if to its #endif, as far as it was evaluated.
  struct Condition {
    clang::FileID file;
    unsigned begin, end; // offsets of the two words
  };
  std::vector<Condition> conditions;
  // Do the user's files test which pass reads them?
  bool asksForPass = false;
  // Files whose contents here differ from those on disk; counts as an edit.
  std::set<std::string> changedFiles;
  // Files whose contents in this parse lack parts that the output has, at the same offsets.
  std::map<std::string, std::string> wholeFiles;
  // Includes that were skipped because the file had been seen: the file, and the location of its
  // name.
  std::vector<std::pair<const clang::FileEntry *, clang::SourceLocation>> skippedIncludes;
  // Tests in the user's files of a macro by which a compiler identifies itself.
  std::vector<std::pair<clang::SourceLocation, llvm::StringRef>> compilerNames;
  // The user's includes of cuda_tile.h.
  std::vector<clang::SourceLocation> tileHeaderIncludes;
  // The files' names, without folders, of all includes that were followed or skipped as seen.
  llvm::StringSet<> includedNames;
  // The user's includes in quotes, with the included files.
  std::vector<std::pair<clang::SourceLocation, std::string>> quotedIncludes;
};

// Fills the record while the preprocessor runs.
void record(clang::Preprocessor &preprocessor, PreprocessorRecord &record);

// Do the user's files launch kernels in code that this parse has skipped?
bool hidesLaunches(const clang::Preprocessor &preprocessor, const PreprocessorRecord &record);

} // namespace tessera::frontend
