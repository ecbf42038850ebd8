// The program as one pass reads it: tokens with locations in the files that all passes share.
#pragma once

#include "frontend/edit/Editor.h"
#include "frontend/parse/PreprocessorRecord.h"

#include "clang/AST/DeclBase.h"

#include <optional>
#include <tuple>

namespace clang {
class CompilerInstance;
}

namespace tessera::frontend {

// One parse of the program, with its edits.
struct Pass {
  clang::CompilerInstance &compiler;
  const PreprocessorRecord &record;
  const Editor &editor;
};

// An offset in one inclusion of a file.
struct FileLocation {
  std::string file;
  unsigned inclusion;
  size_t offset;
  auto key() const { return std::tie(file, inclusion, offset); }
  bool operator<(const FileLocation &other) const { return key() < other.key(); }
};

class PassText {
public:
  // First and last among the tokens.
  struct Range {
    size_t first, last;
  };

  explicit PassText(const Pass &pass);

  FileLocation locationOf(clang::SourceLocation location) const; // of the use of a macro
  std::optional<Range> find(clang::SourceRange tokens) const;

  std::string spelling(size_t token) const;
  // The tokens of a range, except CUDA's specifiers and the pass's storage classes, with "{}" for
  // the bodies.
  std::vector<std::string> outline(Range range, llvm::ArrayRef<Range> bodies) const;
  bool hasSame(Range range, const PassText &other, Range others) const;

  // With the edits of the pass, on separate lines; afterwards the file continues at `line`.
  std::string linesOf(size_t first, size_t end, unsigned line) const;
  bool isSemicolon(size_t token) const;

  // The smallest condition around a location that the other pass has evaluated, too; for a
  // conditionally included file, around its #include. From the begin of its first line to the end
  // of its last.
  struct Condition {
    FileLocation begin, end;
    unsigned firstLine, lastLine;
  };
  std::optional<Condition> conditionAround(clang::SourceLocation location,
                                           const PassText &other) const;
  unsigned lineOf(clang::SourceLocation location) const;
  size_t sizeOf(const std::string &file) const;
  bool isUsers(const clang::Decl *declaration) const;

private:
  FileLocation locationOf(clang::FileID file, size_t offset) const;

  const Pass &pass;
  const clang::SourceManager &sources;
  llvm::DenseMap<clang::SourceLocation, size_t> indices;
};

} // namespace tessera::frontend
