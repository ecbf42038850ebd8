// What the preprocessor does and the AST does not say.
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
  // Files of the system (#pragma system_header) that write tile code; that write launches.
  llvm::DenseSet<clang::FileID> systemTileFiles, systemLaunchFiles;
  // The main file, and what it includes in quotes.
  llvm::DenseSet<clang::FileID> ownFiles;
  // Where the parser saw `<<<`, as it is written.
  llvm::DenseSet<clang::SourceLocation> launches;
  // The inclusions of each file, in their order.
  llvm::DenseMap<const clang::FileEntry *, std::vector<clang::FileID>> inclusions;
  ExpandedTokens expansions;
  // What the parser read of the user's files, macros expanded, in its order.
  std::vector<clang::Token> tokens;
  // A condition of the preprocessor, from its #if to its #endif, as far as it was looked at.
  struct Condition {
    clang::FileID file;
    unsigned begin, end; // offsets of the two words
  };
  std::vector<Condition> conditions;
  // Whether the user's files ask which of the passes reads them.
  bool asksForPass = false;
  // Files whose contents here are not those on the disk; an edit, whatever else is edited.
  std::set<std::string> changedFiles;
  // Files of which this parse has seen less than the text is to have, at the same offsets.
  std::map<std::string, std::string> wholeFiles;
  // Includes that were skipped because the file had been seen: the file, and the place of its name.
  std::vector<std::pair<const clang::FileEntry *, clang::SourceLocation>> skippedIncludes;
  // Where the user's files ask for a macro by which a compiler names itself.
  std::vector<std::pair<clang::SourceLocation, llvm::StringRef>> compilerNames;
  // Where the user's files include cuda_tile.h.
  std::vector<clang::SourceLocation> tileHeaderIncludes;
  // The files' names, without folders, of all includes that were followed or skipped as seen.
  llvm::StringSet<> includedNames;
  // Where the user's files include a file in quotes, and which file that is.
  std::vector<std::pair<clang::SourceLocation, std::string>> quotedIncludes;
};

// Fills the record while the preprocessor runs.
void record(clang::Preprocessor &preprocessor, PreprocessorRecord &record);

// Whether the user's files launch kernels in places that this parse has skipped.
bool hidesLaunches(const clang::Preprocessor &preprocessor, const PreprocessorRecord &record);

} // namespace tessera::frontend
