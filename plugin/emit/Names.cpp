// Fresh names, and names found in locations.
#include "emit/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// What emitted text names without qualification.
const llvm::StringSet<> &reserved() {
  static const llvm::StringSet<> names = {
#define TESSERA_UNARY(NAME) #NAME,
#define TESSERA_BINARY(NAME, SYMBOL, SIGN) #NAME, #NAME "_unsigned",
#include "tessera/ops.def"
#define TESSERA_FLOAT(KIND, NAME, ...) #NAME,
#define TESSERA_FLOAT_CLASS(KIND, NAME, ...) #NAME,
#include "tessera/elements.def"
      // of C++
      "alignas",
      "alignof",
      "and",
      "and_eq",
      "asm",
      "auto",
      "bitand",
      "bitor",
      "bool",
      "break",
      "case",
      "catch",
      "char",
      "char16_t",
      "char32_t",
      "char8_t",
      "class",
      "co_await",
      "co_return",
      "co_yield",
      "compl",
      "concept",
      "const",
      "const_cast",
      "consteval",
      "constexpr",
      "constinit",
      "continue",
      "decltype",
      "default",
      "delete",
      "do",
      "double",
      "dynamic_cast",
      "else",
      "enum",
      "explicit",
      "export",
      "extern",
      "false",
      "float",
      "for",
      "friend",
      "goto",
      "if",
      "inline",
      "int",
      "long",
      "mutable",
      "namespace",
      "new",
      "noexcept",
      "not",
      "not_eq",
      "nullptr",
      "operator",
      "or",
      "or_eq",
      "private",
      "protected",
      "public",
      "register",
      "reinterpret_cast",
      "requires",
      "return",
      "short",
      "signed",
      "sizeof",
      "static",
      "static_assert",
      "static_cast",
      "struct",
      "switch",
      "template",
      "this",
      "thread_local",
      "throw",
      "true",
      "try",
      "typedef",
      "typeid",
      "typename",
      "union",
      "unsigned",
      "using",
      "virtual",
      "void",
      "volatile",
      "wchar_t",
      "while",
      "xor",
      "xor_eq",
      // of the library, and of the text itself
      "dim3",
      "gamma",
      "j0",
      "j1",
      "jn",
      "printf",
      "tessera",
      "variables",
      "y0",
      "y1",
      "yn",
#include "emit/RuntimeNames.inc"
  };
  return names;
}

} // namespace

std::string Names::fresh(StringRef wish, const llvm::StringSet<> &taken) {
  std::string base;
  for (char c : wish)
    base += llvm::isAlnum(c) ? c : '_';
  if (base.empty() || llvm::isDigit(base.front()))
    base = "v" + base;
  if (reserved().contains(base))
    base += '_';
  std::string name = base;
  for (unsigned n = 2; taken.contains(name); ++n)
    name = base + (base.back() == '_' ? "" : "_") + std::to_string(n);
  visible.insert(name);
  ever.insert(name);
  return name;
}

std::string Names::fresh(StringRef wish) {
  std::string name = fresh(wish, visible);
  if (!scopes.empty())
    scopes.back().push_back(name);
  return name;
}

std::string Names::freshForFunction(StringRef wish) { return fresh(wish, ever); }

void Names::closeScope() {
  for (const std::string &name : scopes.back())
    visible.erase(name);
  scopes.pop_back();
}

} // namespace tessera::emit
