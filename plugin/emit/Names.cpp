// Fresh names, and names found in locations.
#include "emit/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// The languages of Clang's table of keywords: 1 for those of a CUDA program, which a host compiler
// may read with GNU's extensions. A language that is new in the table does not compile here.
enum Languages : unsigned {
  KEYALL = 1,
  KEYCXX = 1,
  KEYCXX11 = 1,
  KEYCXX20 = 1,
  KEYCOROUTINES = 1,
  KEYGNU = 1,
  KEYCUDA = 1,
  BOOLSUPPORT = 1,
  CHAR8SUPPORT = 1,
  WCHARSUPPORT = 1,
  HALFSUPPORT = 0,
  KEYALTIVEC = 0,
  KEYBORLAND = 0,
  KEYC23 = 0,
  KEYC99 = 0,
  KEYDEFERTS = 0,
  KEYFIXEDPOINT = 0,
  KEYHLSL = 0,
  KEYMODULES = 0,
  KEYMS = 0,
  KEYMSCOMPAT = 0,
  KEYNOCXX = 0,
  KEYNOMS18 = 0,
  KEYNOOPENCL = 0,
  KEYNOZOS = 0,
  KEYOBJC = 0,
  KEYOPENCLC = 0,
  KEYOPENCLCXX = 0,
  KEYSYCL = 0,
  KEYZOS = 0,
  KEYZVECTOR = 0
};

// What emitted text names without qualification.
const llvm::StringSet<> &reserved() {
  static const llvm::StringSet<> names = {
#define TESSERA_UNARY(NAME) #NAME,
#define TESSERA_BINARY(NAME, SYMBOL, SIGN) #NAME, #NAME "_unsigned",
#include "tessera/ops.def"
#define TESSERA_FLOAT(KIND, NAME, ...) #NAME,
#define TESSERA_FLOAT_CLASS(KIND, NAME, ...) #NAME,
#include "tessera/elements.def"
#define KEYWORD(NAME, LANGUAGES) (LANGUAGES) ? #NAME : "",
#define CXX_KEYWORD_OPERATOR(NAME, TOKEN) #NAME,
#include "clang/Basic/TokenKinds.def"
      // of the library, and of the text itself
      "dim3", "gamma", "j0", "j1", "jn", "printf", "tessera", "variables", "y0", "y1", "yn",
#include "emit/RuntimeNames.inc"
  };
  return names;
}

} // namespace

bool isRuntimeName(StringRef name) {
  static const llvm::StringSet<> names = {
#include "emit/RuntimeNames.inc"
  };
  return names.contains(name);
}

std::string Names::fresh(StringRef preferred, const llvm::StringSet<> &taken) {
  std::string base;
  for (char c : preferred)
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

std::string Names::fresh(StringRef preferred) {
  std::string name = fresh(preferred, visible);
  if (!scopes.empty())
    scopes.back().push_back(name);
  return name;
}

std::string Names::freshForFunction(StringRef preferred) { return fresh(preferred, ever); }

void Names::closeScope() {
  for (const std::string &name : scopes.back())
    visible.erase(name);
  scopes.pop_back();
}

} // namespace tessera::emit
