#include "emit/ElementHeaders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <set>
#include <utility>

namespace tessera::emit {

llvm::StringSet<> wordsOf(llvm::StringRef text) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c < 0; };
  llvm::StringSet<> words;
  while (!(text = text.drop_until(isPart)).empty()) {
    llvm::StringRef word = text.take_while(isPart);
    words.insert(word);
    text = text.drop_front(word.size());
  }
  return words;
}

void printElementHeaders(llvm::raw_ostream &out, const llvm::StringSet<> &words) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> headers[] = {
#define TESSERA_ELEMENT_HEADER(NAME, HEADER) {#NAME, HEADER},
#include "tessera/elements.def"
  };
  std::set<llvm::StringRef> needed;
  for (auto &[element, header] : headers)
    if (words.contains(element))
      needed.insert(header);
  for (llvm::StringRef header : needed)
    out << "#include <" << header << ">\n";
}

} // namespace tessera::emit
