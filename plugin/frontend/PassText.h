// What one pass has read of a program, as tokens with places in the files that all passes share.
#pragma once

#include "frontend/Editor.h"
#include "frontend/PreprocessorRecord.h"

#include "clang/AST/DeclBase.h"

#include <optional>
#include <tuple>

namespace clang {
class CompilerInstance;
}

namespace tessera::frontend {

// One parse of the program, with the edits that it wants.
struct Pass {
  clang::CompilerInstance &compiler;
  const PreprocessorRecord &record;
  const Editor &editor;
};

// An offset in one inclusion of a file.
struct FilePlace {
  std::string file;
  unsigned inclusion;
  size_t offset;
  auto key() const { return std::tie(file, inclusion, offset); }
  bool operator<(const FilePlace &other) const { return key() < other.key(); }
};

class PassText {
public:
  // First and last among the tokens.
  struct Range {
    size_t first, last;
  };

  explicit PassText(const Pass &pass);

  FilePlace placeOf(clang::SourceLocation location) const; // of the use, if a macro writes it
  std::optional<Range> find(clang::SourceRange tokens) const;

  std::string spelling(size_t token) const;
  // The words of a range, but for CUDA's specifiers and the storage of the pass, with "{}" in place
  // of the bodies.
  std::vector<std::string> outline(Range range, llvm::ArrayRef<Range> bodies) const;
  bool hasSame(Range range, const PassText &other, Range others) const;

  // With the edits of the pass, on lines of their own; behind them the file goes on with `line`.
  std::string linesOf(size_t first, size_t end, unsigned line) const;
  bool isSemicolon(size_t token) const;

  // The smallest condition around a place that the other pass has looked at, too; where a file is
  // included under conditions, around its #include. From the begin of its first line to the end of
  // its last.
  struct Condition {
    FilePlace begin, end;
    unsigned firstLine, lastLine;
  };
  std::optional<Condition> conditionAround(clang::SourceLocation location,
                                           const PassText &other) const;
  unsigned lineOf(clang::SourceLocation location) const;
  size_t sizeOf(const std::string &file) const;
  bool isUsers(const clang::Decl *declaration) const;

private:
  FilePlace placeOf(clang::FileID file, size_t offset) const;

  const Pass &pass;
  const clang::SourceManager &sources;
  llvm::DenseMap<clang::SourceLocation, size_t> indices;
};

} // namespace tessera::frontend
