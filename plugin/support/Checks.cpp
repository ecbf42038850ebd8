#include "support/Checks.h"

#include "support/Messages.h"
#include "support/Switches.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace tessera {

namespace {

struct Row {
  llvm::StringLiteral name, macro;
  bool Checks::*field;
};
constexpr Row rows[] = {
#define TESSERA_CHECK(NAME, MACRO, FINDS) {#NAME, "TESSERA_CHECK_" #MACRO, &Checks::NAME},
#include "support/Checks.def"
#undef TESSERA_CHECK
};

} // namespace

bool Checks::any() const {
  for (const Row &row : rows)
    if (this->*row.field)
      return true;
  return false;
}

std::vector<std::string> Checks::macros() const {
  std::vector<std::string> names;
  for (const Row &row : rows)
    if (this->*row.field)
      names.push_back(row.macro.str());
  return names;
}

std::optional<Checks> readChecks(llvm::StringRef list, std::string &message) {
  Checks checks;
  llvm::SmallVector<llvm::StringRef> words;
  list.split(words, ',');
  auto unknown = setSwitches(checks, llvm::ArrayRef(rows), words, true);
  if (!unknown)
    return checks;
  message = llvm::formatv(message::UnknownCheck, list, unknown->name, unknown->known);
  return std::nullopt;
}

} // namespace tessera
