// Edits of the program's code, addressed by locations of the AST, macros included.
//
// An edit whose location is written in a file, also as a macro argument, changes that file. For a
// location in a macro's definition, the use of the macro is replaced by its expansion, with all
// edits applied to the expanded tokens. Removed code leaves its line ends and its preprocessor
// conditionals, so that line numbers do not change.
#pragma once

#include "frontend/edit/Directives.h"
#include "frontend/edit/TextEdits.h"
#include "frontend/parse/PreprocessorRecord.h"

namespace tessera::frontend {

// Edited headers are inlined into the main file, or written separately. A header that is included
// more than once, and edited, is inlined in both modes, because each inclusion has its own code.
enum class Headers { Inlined, Separate };

// The edits of one inclusion of a file in one parse of the program. Other parses, for another
// architecture or for the host, see other parts of the same files.
struct ViewEdits {
  std::string file;
  unsigned inclusion; // 0 for the first
  size_t size;        // of the file in this parse
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

  // The files with edits.
  llvm::DenseSet<clang::FileID> editedFiles() const;

  // The tokens of a range as one line, without comments. Empty if the range is not written in one
  // location.
  std::string textOf(clang::SourceRange tokens) const;

  // The tokens of a parse, with the edits within, on the lines of the file, starting on a new line.
  std::string linesOf(llvm::ArrayRef<clang::Token> tokens) const;

  // Comments out the includes of cuda_tile.h: the generated code includes what it needs.
  void hideTileHeader() { hidesTileHeader = true; }
  // Rewrites quoted includes relative to this folder, where the output goes.
  void moveTo(std::string folder) { home = std::move(folder); }

  // The edits by file. Locations that cannot be edited are appended to `failures`.
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

  // ---- Editor.cpp: edits at locations
  FileEdits locationEdits(std::vector<clang::SourceLocation> &failures) const;
  void addView(const View &view, FileEdits &files) const;
  const std::vector<clang::FileID> &inclusionsOf(clang::FileID file) const;
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

  // ---- EditedFiles.cpp: the files, and the headers that are inlined
  bool isOnlyReadOnce(const clang::FileEntry *header) const;
  std::vector<clang::FileID> filesToInline(Headers headers, const FileEdits &files) const;
  std::vector<std::string> macrosAtEnd() const;
  const std::vector<Directive> &directivesOf(clang::FileID file) const;
  Directive directiveAt(clang::SourceLocation location) const;
  void replaceDirective(clang::SourceLocation location, const std::string &text,
                        FileEdits &files) const;
  // Invalid for headers included by the command line.
  clang::FileID includerOf(clang::FileID header) const;
  std::string textOfHeader(clang::FileID header, clang::FileID includer, unsigned line,
                           FileEdits &files) const;
  // The skipped includes of these headers, which were already read.
  std::vector<clang::SourceLocation>
  skippedIncludesOf(const std::vector<clang::FileID> &headers) const;
  void inlineHeader(clang::FileID header, Headers headers, FileEdits &files) const;
  std::string apply(clang::FileID file, FileEdits &files) const;
  bool namesTileHeader(const std::vector<EditedFile> &results, const FileEdits &files) const;

  clang::Preprocessor &preprocessor;
  const clang::SourceManager &sources;
  const PreprocessorRecord &record;
  std::vector<Edit> edits;
  mutable llvm::DenseMap<clang::FileID, std::vector<Directive>> directives; // cached
  bool hidesTileHeader = false;
  std::string home; // empty: the folder of the source
};

} // namespace tessera::frontend
