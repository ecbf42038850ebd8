// Edits of the program's text, addressed by locations of the AST, macros included.
//
// An edit whose place is written in a file, also as a macro argument, changes that file. One whose
// place is written in a macro's definition cannot: there the use of the macro is replaced by what
// it expands to, with all edits applied to the expanded tokens. Removed text leaves its line ends
// and its preprocessor conditionals behind, so that lines keep their numbers.
#pragma once

#include "frontend/Directives.h"
#include "frontend/PreprocessorRecord.h"
#include "frontend/TextEdits.h"

namespace tessera::frontend {

// Headers with edits become part of the main file's text, or are given one by one. A header that is
// included more than once, and edited, becomes part of its includer either way: each inclusion has
// its own text.
enum class Headers { Inlined, Separate };

// The edits of one inclusion of a file, as one parse of the program wants them. Other parses, for
// another architecture or for the host, see other parts of the same files.
struct ViewEdits {
  std::string file;
  unsigned inclusion; // 0 for the first
  size_t size;        // of the file, as this parse saw it
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

  // The files in which there is something to edit.
  llvm::DenseSet<clang::FileID> editedFiles() const;

  // The tokens of a range as one line of text, without comments. Empty if the range is not written
  // in one place.
  std::string textOf(clang::SourceRange tokens) const;

  // What a parse has read, with the edits that lie within, on the lines of the file: it begins on a
  // line of its own.
  std::string linesOf(llvm::ArrayRef<clang::Token> tokens) const;

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
  bool isOnlyReadOnce(const clang::FileEntry *header) const;
  std::vector<clang::FileID> filesToInline(Headers headers, const FileEdits &files) const;
  clang::CharSourceRange writtenRange(clang::SourceRange tokens) const;
  std::string textWithin(clang::SourceRange tokens) const;
  void editFile(const Edit &edit, clang::CharSourceRange range, FileEdits &files) const;
  bool editExpansion(clang::SourceLocation use, const std::vector<const Edit *> &edits,
                     FileEdits &files) const;
  struct EditedTokens {
    std::vector<std::string> before, after;
    std::vector<bool> isRemoved;
    explicit EditedTokens(size_t size) : before(size), after(size), isRemoved(size) {}
    void add(const Edit &edit, size_t first, size_t last);
  };
  std::string spell(llvm::ArrayRef<clang::Token> tokens, size_t i) const;
  std::vector<std::string> macrosAtEnd() const;
  const std::vector<Directive> &directivesOf(clang::FileID file) const;
  Directive directiveAt(clang::SourceLocation place) const;
  void replaceDirective(clang::SourceLocation place, const std::string &text,
                        FileEdits &files) const;
  // Invalid for what the command line includes.
  clang::FileID includerOf(clang::FileID header) const;
  std::string textOfHeader(clang::FileID header, clang::FileID includer, unsigned line,
                           FileEdits &files) const;
  // The includes that would have read one of these headers again.
  std::vector<clang::SourceLocation>
  skippedIncludesOf(const std::vector<clang::FileID> &headers) const;
  void inlineHeader(clang::FileID header, Headers headers, FileEdits &files) const;
  std::string apply(clang::FileID file, FileEdits &files) const;
  bool namesTileHeader(const std::vector<EditedFile> &results, const FileEdits &files) const;

  clang::Preprocessor &preprocessor;
  const clang::SourceManager &sources;
  const PreprocessorRecord &record;
  std::vector<Edit> edits;
  mutable llvm::DenseMap<clang::FileID, std::vector<Directive>> directives; // as asked for
  bool hidesTileHeader = false;
  std::string home; // empty: where the source is
};

} // namespace tessera::frontend
