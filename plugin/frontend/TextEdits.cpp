// Pure text work; see Editor for where the edits come from.
#include "frontend/TextEdits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <tuple>

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

std::string applyEdits(const std::string &text, const std::vector<TextEdit> &edits) {
  // By place; insertions first, then the longest. Equal ones keep their order: it is a multimap.
  std::multimap<std::tuple<size_t, bool, size_t>, const TextEdit *> ordered;
  for (const TextEdit &edit : edits)
    ordered.emplace(std::tuple(edit.begin, edit.begin != edit.end, ~edit.end), &edit);
  std::string result;
  size_t position = 0;
  for (auto [key, each] : ordered) {
    const TextEdit &edit = *each;
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
