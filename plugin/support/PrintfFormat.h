// The conversions of a printf format.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tessera {

struct PrintfPiece {
  std::string text;
  bool isConversion; // text is one conversion, from its % to its letter
};

// The first conversion of a format, from its % to its letter; empty if there is none.
inline llvm::StringRef nextConversion(llvm::StringRef format) {
  size_t start = format.find('%');
  while (start != llvm::StringRef::npos && format.substr(start + 1).starts_with("%"))
    start = format.find('%', start + 2);
  if (start == llvm::StringRef::npos)
    return {};
  size_t end = format.find_first_of("diouxXeEfFgGaAcsp", start + 1);
  return end == llvm::StringRef::npos ? llvm::StringRef() : format.slice(start, end + 1);
}

// A format as its conversions and the texts around them, none of them empty. "%%" is text.
inline std::vector<PrintfPiece> piecesOfFormat(llvm::StringRef format) {
  std::vector<PrintfPiece> pieces;
  for (llvm::StringRef found; !(found = nextConversion(format)).empty();) {
    if (found.begin() != format.begin())
      pieces.push_back({format.take_front(found.begin() - format.begin()).str(), false});
    pieces.push_back({found.str(), true});
    format = format.drop_front(found.end() - format.begin());
  }
  if (!format.empty())
    pieces.push_back({format.str(), false});
  return pieces;
}

} // namespace tessera
