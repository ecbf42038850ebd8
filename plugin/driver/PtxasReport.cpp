// The same under nvcc and Clang:
//   ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are
//                   serialized due to ... in the function '_ZN7tessera7kernels...8add_simtEPf'
//   ptxas info    : 0 bytes gmem
//   ptxas info    : Compiling entry function '_ZN7tessera7kernels...8add_simtEPf' for 'sm_90a'
//   ptxas info    : Function properties for _ZN7tessera7kernels...8add_simtEPf
//       0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers
#include "driver/PtxasReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace tessera::driver {
namespace {

unsigned numberBefore(StringRef line, StringRef words) {
  StringRef before = line.take_front(line.find(words)).rtrim();
  unsigned number = 0;
  before.drop_front(before.find_last_not_of("0123456789") + 1).getAsInteger(10, number);
  return number;
}

// In the first pair of quotes, and the second: "" if there is none.
std::pair<StringRef, StringRef> quotedIn(StringRef line) {
  SmallVector<StringRef> parts;
  line.split(parts, '\'');
  return {parts.size() > 2 ? parts[1] : "", parts.size() > 4 ? parts[3] : ""};
}

} // namespace

// "add" of "_ZN7tessera7kernels...8add_simtEPf": the only name with the length that precedes it and
// this suffix.
std::string reportedName(StringRef symbol) {
  constexpr StringLiteral space = "7tessera7kernels", end = "_simt";
  const size_t begin = symbol.find(space);
  for (size_t at = begin; begin != StringRef::npos && at < symbol.size(); ++at) {
    if (!isDigit(symbol[at]) || isDigit(symbol[at - 1]))
      continue;
    StringRef rest = symbol.drop_front(at);
    size_t length = 0;
    if (rest.consumeInteger(10, length))
      continue;
    StringRef name = rest.take_front(length);
    if (name.size() == length && name.consume_back(end))
      return name.str();
  }
  return symbol.str();
}

PtxasReport readPtxasReport(StringRef report) {
  PtxasReport uses;
  std::set<std::string> serialised; // such a line does not name the GPU
  RegisterUse *use = nullptr;
  for (StringRef line : split(report, '\n'))
    if (line.contains("Compiling entry function '")) {
      auto [symbol, target] = quotedIn(line);
      use = &uses[{reportedName(symbol), target.str()}];
    } else if (use && line.contains("bytes spill stores")) {
      use->spilled =
          numberBefore(line, " bytes spill stores") + numberBefore(line, " bytes spill loads");
    } else if (use && line.contains("Used ")) {
      use->registers = numberBefore(line, " registers");
    } else if (line.contains("(C75") && line.contains("serialized")) {
      serialised.insert(reportedName(quotedIn(line).first));
    }
  for (auto &[name, of] : uses)
    of.isSerialised = serialised.count(name.first);
  return uses;
}

std::string withoutUse(StringRef report) {
  std::string text;
  for (StringRef line : split(report, '\n')) {
    StringRef said = line;
    const bool isInfo = said.consume_front("ptxas info");
    said = said.ltrim(" :");
    const bool isUse =
        (isInfo && (said.starts_with("Compiling entry function '") ||
                    said.starts_with("Function properties for ") || said.starts_with("Used ") ||
                    said.starts_with("Compile time = ") || said.contains(" bytes gmem"))) ||
        (line.starts_with("    ") && said.contains(" bytes stack frame, "));
    if (!isUse)
      text += (line + "\n").str();
  }
  if (!text.empty())
    text.pop_back(); // of the text after the last line's end
  return text;
}

} // namespace tessera::driver
