// Pure text work; see Editor for where the edits come from.
#include "frontend/Rewriting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace tessera::frontend {
namespace {

bool isDirectiveToKeep(llvm::StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("#"))
    return false;
  llvm::StringRef name = line.ltrim().take_while([](char c) { return c >= 'a' && c <= 'z'; });
  return llvm::is_contained(
      {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef"},
      name);
}

} // namespace

std::string applyEdits(const std::string &text, std::vector<TextEdit> edits) {
  llvm::stable_sort(edits, [](const TextEdit &a, const TextEdit &b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    bool aInserts = a.begin == a.end, bInserts = b.begin == b.end;
    return aInserts != bInserts ? aInserts : a.end > b.end;
  });
  std::string result;
  size_t position = 0;
  for (const TextEdit &edit : edits) {
    if (edit.begin < position)
      continue;
    result.append(text, position, edit.begin - position);
    result += edit.text;
    position = edit.end;
  }
  return result.append(text, position, std::string::npos);
}

std::string linesOf(const std::string &removed) {
  std::string result;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(removed).split(lines, '\n');
  bool isContinued = false;
  for (size_t i = 1; i < lines.size(); ++i) {
    result += '\n';
    // The text after the last line end belongs to what follows; a directive never ends there.
    if (i + 1 < lines.size() && (isContinued || isDirectiveToKeep(lines[i]))) {
      result += lines[i];
      isContinued = lines[i].rtrim("\r").ends_with("\\");
    }
  }
  return result;
}

} // namespace tessera::frontend
