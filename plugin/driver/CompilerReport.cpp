// Reports are parsed line by line: compilers have no other common format.
#include "driver/CompilerReport.h"

#include "support/Messages.h"
#include "driver/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <cstring>

using namespace llvm;

namespace tessera::driver {
namespace {

// The system's message when a resource is exhausted; null: the report contains none.
const char *exhaustionIn(StringRef report) {
  for (int error : {ENOSPC, EDQUOT, EFBIG})
    if (const char *text = std::strerror(error); report.contains(text))
      return text;
  const char *limit = strsignal(SIGXFSZ);
  return report.contains(limit) ? limit : nullptr;
}

// Any folder may have the name of the project, also that of the program.
bool namesRuntime(StringRef line) {
  return line.contains("tessera::") || line.contains("7tessera") ||
         line.contains("/include/tessera/");
}

bool isAboutLinking(StringRef line) {
  return line.contains("undefined reference") || line.contains("undefined symbol") ||
         line.contains("duplicate symbol") || line.contains("multiple definition");
}

// "undefined symbol: main", "undefined reference to `main'"
bool isAboutMain(StringRef line) { return line.rtrim("'").rsplit(' ').second.ltrim("`") == "main"; }

// Not every compiler reports why it failed.
bool hasRoom(const TemporaryFolder &folder) {
  constexpr size_t little = 1 << 20;
  Error error = writeFile(folder / "room", std::string(little, ' '));
  bool isWritten = !error;
  consumeError(std::move(error));
  return isWritten;
}

bool names(StringRef line, StringRef kernel) { return line.contains(("'" + kernel + "'").str()); }

// "ptxas info    : (C7519) warpgroup.arrive is injected ... in function 'NAME'". Output that the
// user requests, as by -v, has no such number.
bool isAdvice(StringRef line) {
  if (!line.starts_with("ptxas "))
    return false;
  StringRef number = line.split("(C").second;
  return !number.empty() && isDigit(number.front());
}

} // namespace

std::string forUser(StringRef report, ArrayRef<std::string> kernels) {
  std::string text;
  for (StringRef line : split(report, '\n')) {
    bool isOurs = line.contains("7tessera7kernels") ||
                  any_of(kernels, [&](StringRef kernel) { return names(line, kernel); });
    if (!(isOurs && isAdvice(line)))
      text += (line + "\n").str();
  }
  if (!text.empty())
    text.pop_back(); // of the text after the last line's end
  return text;
}

Failure explainFailure(StringRef program, const TemporaryFolder &folder, StringRef report) {
  if (const char *reason = exhaustionIn(report))
    return {Blame::Machine, formatv(message::NoSpace, folder.name(), reason)};
  if (!hasRoom(folder))
    return {Blame::Machine, formatv(message::NoSpace, folder.name(), std::strerror(ENOSPC))};
  bool isLink = false, isOurs = false;
  for (StringRef line : split(report, '\n')) {
    bool isOfLinker = isAboutLinking(line);
    if (isOfLinker && isAboutMain(line))
      return {Blame::Link, formatv(message::NoMain, program)};
    isOurs |= namesRuntime(line) && (isOfLinker || !isLink);
    isLink |= isOfLinker;
  }
  return isOurs   ? Failure{Blame::Tessera, formatv(message::WrongText, program)}
         : isLink ? Failure{Blame::Link, formatv(message::NotLinked, program)}
                  : Failure{Blame::Program, {}};
}

} // namespace tessera::driver
