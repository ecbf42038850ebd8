// What the options set.
#include "driver/CommonOptions.h"

#include "frontend/parse/Invocation.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::driver {

namespace sets {
namespace {

bool check(llvm::StringRef list, Settings &settings, std::string &message) {
  std::optional<Checks> checks = readChecks(list, message);
  if (checks)
    settings.pipeline.checks = *checks;
  return checks.has_value();
}

bool extensions(llvm::StringRef, Settings &settings, std::string &) {
  settings.macros.insert(frontend::extensionsMacro);
  return true;
}

} // namespace
} // namespace sets

llvm::ArrayRef<CommonOption> commonOptions() {
  static constexpr CommonOption rows[] = {
#define TESSERA_COMMON_FLAG(NAME, CATEGORY, DOES, FOR_NVCC) {#NAME, "", FOR_NVCC, sets::NAME},
#define TESSERA_COMMON_VALUE(NAME, CATEGORY, VALUE, DOES, FOR_NVCC)                                \
  {#NAME, VALUE, FOR_NVCC, sets::NAME},
#include "driver/CommonOptions.def"
  };
  return rows;
}

const CommonOption *findCommonOption(llvm::StringRef word) {
  auto [name, value] = word.split('=');
  const bool hasValue = name.size() < word.size();
  auto *found = llvm::find_if(commonOptions(), [&, name = name](const CommonOption &row) {
    return row.name == name && row.takesValue() >= hasValue;
  });
  return found == commonOptions().end() ? nullptr : found;
}

} // namespace tessera::driver
