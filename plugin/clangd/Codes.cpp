// Our diagnostics have codes in an editor. clangd knows codes of Clang's and clang-tidy's own
// diagnostics alone; those of a plugin go out without. So this stands in front of the function that
// prints the protocol's messages, and takes the code from where the text has it:
//
//   "message": "... [tile:spaces]"  ->  the same, "code": "tile:spaces", "source": "tessera"
//
// Remarks, which come as warnings (driver/PlainRemarks.cpp), become hints.
// The text stays: by it clangd finds the fixes of a diagnostic again.
#include "llvm/Support/FormatProviders.h"
#include "llvm/Support/JSON.h"

#include <dlfcn.h>

using namespace llvm;

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

void format_provider<json::Value>::format(const json::Value &value, raw_ostream &stream,
                                          StringRef options) {
  using Function = decltype(&format_provider<json::Value>::format);
  static const auto next =
      reinterpret_cast<Function>(dlsym(RTLD_NEXT, "_ZN4llvm15format_providerINS_4json5ValueEvE6"
                                                  "formatERKS2_RNS_11raw_ostreamENS_9StringRefE"));
  if (isPublication(value))
    next(withCodes(value), stream, options);
  else
    next(value, stream, options);
}
