// Edits of the program's text, addressed by locations of the AST, macros included.
//
// An edit whose place is written in a file, also as a macro argument, changes that file. One whose
// place is written in a macro's definition cannot: there the use of the macro is replaced by what
// it expands to, with all edits applied to the expanded tokens. Removed text leaves its line ends
// and its preprocessor conditionals behind, so that lines keep their numbers.
#pragma once

#include "frontend/TextEdits.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

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

// What the preprocessor does and the AST does not say.
struct PreprocessorRecord {
  // Files of the system (#pragma system_header) that write tile code.
  llvm::DenseSet<clang::FileID> systemTileFiles;
  // Where the parser saw `<<<`, as it is written.
  llvm::DenseSet<clang::SourceLocation> launches;
  // The inclusions of each file, in their order.
  llvm::DenseMap<const clang::FileEntry *, std::vector<clang::FileID>> inclusions;
  ExpandedTokens expansions;
  // Files whose contents here are not those on the disk; an edit, whatever else is edited.
  std::set<std::string> changedFiles;
  // Includes that were skipped because the file had been seen: the file, and the place of its name.
  std::vector<std::pair<const clang::FileEntry *, clang::SourceLocation>> skippedIncludes;
  // Where the user's files include cuda_tile.h.
  std::vector<clang::SourceLocation> tileHeaderIncludes;
  // The files' names, without folders, of all includes that were followed or skipped as seen.
  llvm::StringSet<> includedNames;
  // Where the user's files include a file in quotes, and which file that is.
  std::vector<std::pair<clang::SourceLocation, std::string>> quotedIncludes;
};
void record(clang::Preprocessor &preprocessor, PreprocessorRecord &record);

// Whether the user's files launch kernels in places that this parse has skipped.
bool hidesLaunches(const clang::Preprocessor &preprocessor, const PreprocessorRecord &record);

// Headers with edits become part of the main file's text, or are given one by one. A header that is
// included more than once, and edited, becomes part of its includer either way: each inclusion has
// its own text.
enum class Headers { Inlined, Separate };

// The edits of one inclusion of a file, as one parse of the program wants them. Other parses, for
// another architecture or for the host, see other parts of the same files.
struct ViewEdits {
  std::string file;
  unsigned inclusion; // 0 for the first
  std::vector<TextEdit> edits;
};
using View = std::vector<ViewEdits>;

class Editor {
public:
  Editor(clang::Preprocessor &preprocessor, const PreprocessorRecord &record);

  void replace(clang::SourceRange tokens, std::string text) {
    edits.push_back({Edit::Replace, tokens, std::move(text)});
  }
  void remove(clang::SourceRange tokens) { replace(tokens, ""); }
  void insertBefore(clang::SourceLocation token, std::string text) {
    edits.push_back({Edit::Before, token, std::move(text)});
  }
  void insertAfter(clang::SourceLocation token, std::string text) {
    edits.push_back({Edit::After, token, std::move(text)});
  }

  // The tokens of a range as one line of text, without comments. Empty if the range is not written
  // in one place.
  std::string textOf(clang::SourceRange tokens) const;

  // Makes comments of the includes of cuda_tile.h: the text brings what it needs of it.
  void hideTileHeader() { hidesTileHeader = true; }
  // Spells includes in quotes such that they are found from this folder, where the text will lie.
  void moveTo(std::string folder) { home = std::move(folder); }

  // The edits by file. Places that could not be edited are appended to `failures`.
  View view(std::vector<clang::SourceLocation> &failures) const;

  // The edited files, the main file first, with the edits of other views of the program.
  std::vector<EditedFile> finish(Headers headers, const std::vector<View> &others,
                                 std::vector<clang::SourceLocation> &failures);

private:
  struct Edit {
    enum Kind { Replace, Before, After } kind;
    clang::SourceRange tokens;
    std::string text;
  };
  using FileEdits = llvm::DenseMap<clang::FileID, std::vector<TextEdit>>;

  FileEdits placeEdits(std::vector<clang::SourceLocation> &failures) const;
  void addView(const View &view, FileEdits &files) const;
  const std::vector<clang::FileID> &inclusionsOf(clang::FileID file) const;
  std::vector<clang::FileID> filesToInline(Headers headers, const FileEdits &files) const;
  clang::CharSourceRange writtenRange(clang::SourceRange tokens) const;
  std::string textWithin(clang::SourceRange tokens) const;
  void editFile(const Edit &edit, clang::CharSourceRange range, FileEdits &files) const;
  bool editExpansion(clang::SourceLocation use, const std::vector<const Edit *> &edits,
                     FileEdits &files) const;
  std::string spell(const std::vector<clang::Token> &tokens, size_t i) const;
  std::vector<std::string> macrosAtEnd() const;
  void replaceLine(clang::SourceLocation directive, const std::string &text,
                   FileEdits &files) const;
  // Invalid for what the command line includes.
  clang::FileID includerOf(clang::FileID header) const;
  std::string textOfHeader(clang::FileID header, clang::FileID includer, unsigned line,
                           FileEdits &files) const;
  void inlineHeader(clang::FileID header, Headers headers, FileEdits &files) const;
  std::string apply(clang::FileID file, FileEdits &files) const;
  bool namesTileHeader(const std::vector<EditedFile> &results, const FileEdits &files) const;

  clang::Preprocessor &preprocessor;
  const clang::SourceManager &sources;
  const PreprocessorRecord &record;
  std::vector<Edit> edits;
  bool hidesTileHeader = false;
  std::string home; // empty: where the source is
};

} // namespace tessera::frontend
