// Our diagnostics have codes in an editor. clangd knows codes of Clang's and clang-tidy's own
// diagnostics alone; those of a plugin go out without. So this stands in front of the function that
// prints the protocol's messages, and takes the code from where the text has it:
//
//   "message": "... [tile:spaces]"  ->  the same, "code": "tile:spaces", "source": "tessera"
//
// Remarks, which come as warnings (driver/PlainRemarks.cpp), become hints.
// The text stays: by it clangd finds the fixes of a diagnostic again.
#include "clangd/InFront.h"

using namespace llvm;

namespace tessera::clangd {
namespace {

// "tile:spaces", or nothing.
StringRef codeIn(StringRef text) {
  size_t start = text.rfind("[tile:");
  return start == StringRef::npos
             ? StringRef()
             : text.drop_front(start + 1).take_until([](char letter) { return letter == ']'; });
}

bool isPublication(const json::Value &message) {
  const json::Object *object = message.getAsObject();
  return object && object->getString("method") == StringRef("textDocument/publishDiagnostics");
}

json::Value withCodes(json::Value message) {
  json::Object *given = message.getAsObject()->getObject("params");
  if (json::Array *all = given ? given->getArray("diagnostics") : nullptr)
    for (json::Value &one : *all)
      if (json::Object *diagnostic = one.getAsObject())
        if (std::string code = codeIn(diagnostic->getString("message").value_or("")).str();
            !code.empty()) {
          if (code == "tile:remark")
            (*diagnostic)["severity"] = 4; // a hint
          (*diagnostic)["code"] = std::move(code);
          (*diagnostic)["source"] = "tessera";
        }
  return message;
}

} // namespace

void printWithCodes(PrintValue *behind, const json::Value &value, raw_ostream &stream,
                    StringRef options) {
  if (isPublication(value))
    behind(withCodes(value), stream, options);
  else
    behind(value, stream, options);
}

} // namespace tessera::clangd
