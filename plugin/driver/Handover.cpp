// Files of length-prefixed strings, written atomically; a reader validates every length.
#include "driver/Handover.h"
#include "support/Refusals.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace tessera::driver {
namespace {

constexpr StringLiteral format = "tessera handover 5";

class Writer {
public:
  explicit Writer(raw_ostream &out) : out(out) {}
  void operator()(StringRef text) { out << text.size() << ' ' << text; }
  void operator()(const std::string &text) { (*this)(StringRef(text)); }
  void operator()(uint64_t number) { (*this)(StringRef(utostr(number))); }

private:
  raw_ostream &out;
};

class Reader {
public:
  explicit Reader(StringRef text) : rest(text) {}

  std::string text() {
    size_t size = 0;
    if (rest.consumeInteger(10, size) || !rest.consume_front(" ") || size > rest.size())
      return isGood = false, std::string();
    std::string result = rest.take_front(size).str();
    rest = rest.drop_front(size);
    return result;
  }
  uint64_t number() {
    uint64_t value = 0;
    if (StringRef(text()).getAsInteger(10, value))
      isGood = false;
    return isGood ? value : 0;
  }
  void operator()(std::string &field) { field = text(); }
  template <class Number> void operator()(Number &field) { field = static_cast<Number>(number()); }

  bool isGood = true;

private:
  StringRef rest;
};

// The fields of a generated kernel, in order. The kernel's code is not among them: a host pass
// needs its signature, and the contents of registrations.
template <class Kernel, class Each> void eachField(Kernel &kernel, Each &each) {
  each(kernel.symbol), each(kernel.name), each(kernel.declarator);
  each(kernel.tensorMapMaker), each(kernel.tensorMapMakerName), each(kernel.mapCount),
      each(kernel.requiredTensorMaps);
  each(kernel.threads), each(kernel.sharedMemory), each(kernel.parameters);
  each(kernel.coarsenedFrom), each(kernel.coarsenedColumns), each(kernel.coarsenedRows),
      each(kernel.blockParts);
  each(kernel.cycles), each(kernel.cyclesOfOther), each(kernel.isPersistent),
      each(kernel.isUnbalanced);
  each(kernel.tiles.name), each(kernel.tiles.text), each(kernel.tiles.needed);
}

void write(Writer &out, const Translated &translated) {
  out(translated.files.size());
  for (const frontend::EditedFile &file : translated.files)
    out(file.name), out(file.contents), out(join(file.macros, " ")), out(file.namesTileHeader);
  out(translated.portion.kernels.size());
  for (const frontend::Kernel &kernel : translated.portion.kernels) {
    out(kernel.symbol), out(kernel.name), out(kernel.displayName);
    out(kernel.entry), out(kernel.entryType), out(kernel.aliases), out(kernel.takesReferences);
  }
  out(translated.portion.emitted.size());
  for (const EmittedKernel &kernel : translated.portion.emitted)
    eachField(kernel, out);
}

Translated read(Reader &in, const GpuTarget &target) {
  Translated result;
  result.portion.target = &target;
  for (uint64_t i = in.number(); i > 0 && in.isGood; --i) {
    frontend::EditedFile &file = result.files.emplace_back();
    file.name = in.text();
    file.contents = in.text();
    std::string macros = in.text();
    SmallVector<StringRef> names;
    StringRef(macros).split(names, ' ', -1, /*KeepEmpty=*/false);
    file.macros.assign(names.begin(), names.end());
    file.namesTileHeader = in.number() != 0;
  }
  for (uint64_t i = in.number(); i > 0 && in.isGood; --i) {
    frontend::Kernel kernel;
    for (std::string *field : {&kernel.symbol, &kernel.name, &kernel.displayName, &kernel.entry,
                               &kernel.entryType, &kernel.aliases})
      *field = in.text();
    kernel.takesReferences = in.number();
    result.portion.kernels.push_back(std::move(kernel));
  }
  for (uint64_t i = in.number(); i > 0 && in.isGood; --i) {
    EmittedKernel kernel;
    eachField(kernel, in);
    result.portion.emitted.push_back(std::move(kernel));
  }
  return result;
}

// The start time of a process, in the system's ticks; empty if there is none.
std::string startOf(StringRef process) {
  auto buffer = MemoryBuffer::getFileAsStream("/proc/" + process + "/stat");
  if (!buffer)
    return {};
  // The name, in parentheses, may contain any character; the start is the twentieth word after it.
  SmallVector<StringRef> words;
  (*buffer)->getBuffer().rsplit(')').second.trim().split(words, ' ');
  return words.size() > 19 ? words[19].str() : std::string();
}

// "PID-START" of the driver that runs this pass and is the same program; empty if there is none.
std::string driverName() {
  std::string process = utostr(uint64_t(getppid()));
  SmallString<128> own, parents;
  if (sys::fs::real_path("/proc/self/exe", own) ||
      sys::fs::real_path("/proc/" + process + "/exe", parents) || own != parents)
    return {};
  std::string start = startOf(process);
  return start.empty() ? start : process + "-" + start;
}

// A folder that only this user can access; empty if there is none.
std::string folder() {
  SmallString<128> path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  sys::path::append(path, "tessera-" + utostr(uint64_t(geteuid())));
  mkdir(path.c_str(), S_IRWXU);
  struct stat status;
  bool isOurs = lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                status.st_uid == geteuid() && !(status.st_mode & (S_IRWXG | S_IRWXO));
  return isOurs ? path.str().str() : std::string();
}

// The file that the passes of a compilation for an architecture share; empty if there is none.
std::string meetingLocation(const clang::CompilerInvocation &invocation, StringRef mainFile,
                            const GpuTarget &target) {
  std::string driver = driverName(), location = folder();
  if (driver.empty() || location.empty())
    return {};
  std::string what = (invocation.getLangOpts().CUID + "\n" +
                      invocation.getFrontendOpts().Inputs.front().getFile().str() + "\n" + mainFile)
                         .str();
  return location + "/" + driver + "-" + utohexstr(xxh3_64bits(what)) + "-" + target.name.str();
}

void removeThoseOfEndedDrivers(StringRef location) {
  std::error_code error;
  for (sys::fs::directory_iterator entry(location, error), end; !error && entry != end;
       entry.increment(error)) {
    auto [process, rest] = sys::path::filename(entry->path()).split('-');
    if (startOf(process) != rest.split('-').first)
      (void)sys::fs::remove(entry->path());
  }
}

} // namespace

void handOver(const clang::CompilerInvocation &devicePass, StringRef mainFile,
              const Translated &translated) {
  std::string path = meetingLocation(devicePass, mainFile, *translated.portion.target);
  if (path.empty())
    return;
  removeThoseOfEndedDrivers(sys::path::parent_path(path));
  consumeError(writeToOutput(path, [&](raw_ostream &stream) {
    Writer out(stream);
    out(format);
    write(out, translated);
    return Error::success();
  }));
}

std::optional<std::vector<Translated>> takeOver(const clang::CompilerInvocation &hostPass,
                                                StringRef mainFile,
                                                ArrayRef<const GpuTarget *> targets,
                                                clang::DiagnosticsEngine &diagnostics) {
  using clang::DiagnosticsEngine;
  std::vector<Translated> results;
  for (const GpuTarget *number : targets)
    // The host knows only numbers: this finds the row that was compiled for a number.
    for (const GpuTarget &target : gpuTargets()) {
      if (target.number != number->number)
        continue;
      std::string path = meetingLocation(hostPass, mainFile, target);
      auto buffer =
          path.empty() ? std::errc::no_such_file_or_directory : MemoryBuffer::getFile(path);
      if (!buffer)
        continue;
      (void)sys::fs::remove(path);
      if (!results.empty() && results.back().portion.target->number == target.number)
        diagnostics.Report(diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
            << textOf(Refusal::OneOfTwoTargets,
                      {results.back().portion.target->name.str(), target.name.str()});
      Reader in((*buffer)->getBuffer());
      bool isKnown = in.text() == format;
      results.push_back(read(in, target));
      if (!isKnown || !in.isGood || results.back().files.empty())
        return std::nullopt;
    }
  if (results.empty() || results.size() != targets.size())
    return std::nullopt;
  // If the architectures have edited different locations (#if __CUDA_ARCH__), the output needs all
  // edits.
  auto textOf = [](const Translated &one) {
    std::string text;
    for (const frontend::EditedFile &file : one.files)
      text += file.name + '\n' + file.contents;
    return text;
  };
  for (const Translated &one : results)
    if (textOf(one) != textOf(results.front()))
      return std::nullopt;
  return results;
}

bool followsDevicePass() {
  if (driverName().empty())
    return false;
  auto options = MemoryBuffer::getFileAsStream("/proc/" + utostr(uint64_t(getppid())) + "/cmdline");
  return options && !(*options)->getBuffer().contains("host-only");
}

} // namespace tessera::driver
