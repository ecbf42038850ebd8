// Fresh names, and names found in locations.
#include "emit/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// Keywords, and names of the runtime that emitted text calls without qualification.
const llvm::StringSet<> &reserved() {
  static const llvm::StringSet<> names = {
#define TESSERA_UNARY(NAME) #NAME,
#define TESSERA_BINARY(NAME, SYMBOL, SIGN) #NAME, #NAME "_unsigned",
#include "tessera/ops.def"
#define TESSERA_FLOAT(KIND, NAME, ...) #NAME,
#define TESSERA_FLOAT_CLASS(KIND, NAME, ...) #NAME,
#include "tessera/elements.def"
      "auto",
      "bool",
      "break",
      "case",
      "char",
      "class",
      "const",
      "constexpr",
      "continue",
      "default",
      "delete",
      "do",
      "else",
      "enum",
      "explicit",
      "export",
      "extern",
      "false",
      "for",
      "friend",
      "goto",
      "if",
      "int",
      "inline",
      "long",
      "mutable",
      "namespace",
      "new",
      "operator",
      "or",
      "and",
      "not",
      "private",
      "protected",
      "public",
      "register",
      "return",
      "short",
      "signed",
      "sizeof",
      "static",
      "struct",
      "switch",
      "template",
      "this",
      "throw",
      "true",
      "try",
      "typedef",
      "typename",
      "union",
      "unsigned",
      "using",
      "virtual",
      "void",
      "volatile",
      "while",
      "asm",
      "xor",
      "requires",
      "concept",
      "lt_unsigned",
      "le_unsigned",
      "gt_unsigned",
      "ge_unsigned",
      "cast_unsigned",
      "cast_to_unsigned",
      "atomic_rmw",
      "atomic_load",
      "atomic_store",
      "atomic_compare_exchange",
      "load_shared_box",
      "store_shared_box",
      "complement",
      "count_ones",
      "count_leading_zeros",
      "count_trailing_zeros",
      "layout",
      "shape",
      "registers",
      "lanes",
      "warps",
      "fragment",
      "view",
      "access_by",
      "trap",
      "part",
      "load_shared_part",
      "int64",
      "uint64",
      "shared_at",
      "shared_slot",
      "flush_subnormals",
      "alignment",
      "bounds",
      "index",
      "splat",
      "iota",
      "fma",
      "isnan",
      "isinf",
      "select",
      "cast",
      "bitcast",
      "scalar",
      "relabel",
      "broadcast",
      "convert",
      "reduce",
      "argreduce",
      "scan",
      "scan_carry",
      "sum",
      "prod",
      "maximum",
      "minimum",
      "load",
      "store",
      "offset",
      "difference",
      "store_once",
      "atomic",
      "order",
      "scope",
      "share",
      "shared_tile",
      "swizzle",
      "store_shared",
      "load_shared",
      "shared_memory",
      "copy_async",
      "commit_group",
      "wait_group",
      "barrier",
      "mma",
      "mma_fma",
      "transposed",
      "modified",
      "rounding",
      "block_index",
      "grid_size",
      "thread_index",
      "printf",
      "print_tile",
      "y0",
      "y1",
      "j0",
      "j1",
      "jn",
      "yn",
      "gamma",
      "tessera",
      "variables",
      "raw",
      "arch",
      "detail"};
  return names;
}

} // namespace

std::string Names::fresh(StringRef wish) {
  std::string base;
  for (char c : wish)
    base += llvm::isAlnum(c) ? c : '_';
  if (base.empty() || llvm::isDigit(base.front()))
    base = "v" + base;
  if (reserved().contains(base))
    base += '_';
  std::string name = base;
  while (!used.try_emplace(name, 0).second)
    name = base + (base.back() == '_' ? "" : "_") + std::to_string(++used[base] + 1);
  return name;
}

std::optional<std::string> sourceName(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return sourceName(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (auto name = sourceName(inner))
        return name;
  return std::nullopt;
}

FileLineColLoc sourcePlace(Location location) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    return place;
  if (auto named = dyn_cast<NameLoc>(location))
    return sourcePlace(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return sourcePlace(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location inner : fused.getLocations())
      if (auto place = sourcePlace(inner))
        return place;
  return {};
}

} // namespace tessera::emit
