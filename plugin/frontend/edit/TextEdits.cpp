// Pure string operations; edits come from Editor.
#include "frontend/edit/TextEdits.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::frontend {

std::string applyEdits(const std::string &text, const std::vector<TextEdit> &edits) {
  // By offset; insertions first, then the longest. Equal ones keep their order: it is a multimap.
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

std::string blanksFor(std::string_view text) {
  std::string blanks(text);
  std::replace_if(blanks.begin(), blanks.end(), [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return blanks;
}

} // namespace tessera::frontend
