// Switches that users name in a list, such as "bounds,nan": bool fields of a struct, each with a
// row of a table.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tessera {

// A name that no row has, and the names that there are: "bounds, nan, inf".
struct UnknownSwitch {
  llvm::StringRef name;
  std::string known;
};

// Sets the field of each of the names; nothing is returned if all of them are known. A row has the
// members `name` and `field`.
template <class Row, class Switches>
std::optional<UnknownSwitch> setSwitches(Switches &switches, llvm::ArrayRef<Row> rows,
                                         llvm::ArrayRef<llvm::StringRef> names, bool value) {
  for (llvm::StringRef name : names) {
    std::string known;
    bool isKnown = false;
    for (const Row &row : rows) {
      known += (known.empty() ? "" : ", ") + row.name.str();
      if (row.name == name) {
        switches.*row.field = value;
        isKnown = true;
      }
    }
    if (!isKnown)
      return UnknownSwitch{name, known};
  }
  return std::nullopt;
}

} // namespace tessera
