// Rows of the table become diagnostics.
#include "support/Refusals.h"

#include "support/Codes.h"

namespace tessera {
namespace {

struct Row {
  Diagnostic::Kind kind;
  llvm::StringLiteral id, section, text;
};

constexpr Row rows[] = {
#define TESSERA_REFUSAL(id, kind, section, text) {Diagnostic::kind, #id, section, text},
#include "support/Refusals.def"
#undef TESSERA_REFUSAL
};

} // namespace

std::string textOf(Refusal id, llvm::ArrayRef<std::string> arguments) {
  const Row &row = rows[static_cast<unsigned>(id)];
  std::string result;
  llvm::StringRef text = row.text;
  for (size_t at = text.find('%'); at != llvm::StringRef::npos; at = text.find('%')) {
    result += text.take_front(at);
    result += arguments[text[at + 1] - '0'];
    text = text.drop_front(at + 2);
  }
  return result + text.str() + tagOf(row.section, row.id);
}

Diagnostic refusal(Refusal id, const FileLocation &location,
                   llvm::ArrayRef<std::string> arguments) {
  return {rows[static_cast<unsigned>(id)].kind, location, textOf(id, arguments)};
}

} // namespace tessera
