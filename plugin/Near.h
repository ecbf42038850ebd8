// Suggestions for a misspelled name.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <string>
#include <vector>

namespace tessera {

// "is tile-pipeline-loops" for "tile-pipeline-loop" or "pipeline"; "are A, B" for several, at most
// three with the nearest first; all if none is near.
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
    return "are " + llvm::join(names, ", ");
  llvm::sort(near);
  near.resize(std::min(near.size(), most));
  return (near.size() == 1 ? "is " : "are ") + llvm::join(llvm::make_second_range(near), ", ");
}

} // namespace tessera
