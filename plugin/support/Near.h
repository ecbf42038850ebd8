// Suggestions for a misspelled name.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <string>
#include <vector>

namespace tessera {

// "did you mean tile-pipeline-loops?" for "tile-pipeline-loop" or "pipeline"; of several near names
// at most three, the nearest first; "the choices are A, B" with all names if none is near.
inline std::string namesNear(llvm::StringRef word, llvm::ArrayRef<std::string> names) {
  constexpr size_t most = 3;
  std::vector<std::pair<size_t, llvm::StringRef>> near;
  for (const std::string &name : names) {
    size_t distance = word.edit_distance(name), allowed = 1 + word.size() / 4;
    if (!word.empty() && llvm::StringRef(name).contains(word))
      near.push_back({0, name});
    else if (distance <= allowed)
      near.push_back({distance, name});
  }
  if (near.empty())
    return "the choices are " + llvm::join(names, ", ");
  llvm::sort(near);
  near.resize(std::min(near.size(), most));
  std::string last = near.back().second.str();
  near.pop_back();
  std::string others = llvm::join(llvm::make_second_range(near), ", ");
  return "did you mean " + others + (others.empty() ? "" : " or ") + last + "?";
}

} // namespace tessera
