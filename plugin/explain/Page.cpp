// page/ has the parts as separate files; the build embeds them here.
#include "explain/Page.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::explain {
namespace {

constexpr StringLiteral markup =
#include "explain/page.html.inc"
    ;
constexpr StringLiteral style =
#include "explain/page.css.inc"
    ;
constexpr StringLiteral script =
#include "explain/page.js.inc"
    ;

std::string escapedText(StringRef text) {
  std::string result;
  raw_string_ostream out(result);
  printHTMLEscaped(text, out);
  return result;
}

// Within a <script> element only "<" could end it, or begin a comment: JSON has none outside of
// strings, and inside it may be escaped.
std::string escapedData(const json::Value &data) {
  std::string text, result;
  raw_string_ostream(text) << data;
  for (char c : text)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

} // namespace

std::string pageOf(const json::Value &data, StringRef title) {
  std::string page;
  StringRef rest = markup;
  while (!rest.empty()) {
    auto [before, behind] = rest.split("{{");
    page += before;
    auto [name, next] = behind.split("}}");
    page += StringSwitch<std::string>(name)
                .Case("title", escapedText(title))
                .Case("style", style.str())
                .Case("script", script.str())
                .Case("data", name == "data" ? escapedData(data) : std::string())
                .Default("");
    rest = next;
  }
  return page;
}

} // namespace tessera::explain
