// A file is written under a temporary name in its own folder, and renamed. A folder that takes no
// new file may contain a writable one: that is written in place.
#include "driver/Files.h"

#include "driver/Signals.h"
#include "support/Messages.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace tessera::driver {
namespace {

constexpr char standardOutput[] = "standard output";

// The target of a path if it is a regular file or does not exist yet; empty: written directly, like
// files that the system emulates (/proc/self/fd/1).
std::string fileBehind(StringRef path) {
  constexpr unsigned maxLinks = 40;
  std::string name = path.str();
  for (unsigned i = 0; i < maxLinks; ++i) {
    SmallString<256> absolute(name);
    (void)sys::fs::make_absolute(absolute); // in a deleted folder names stay relative
    if (StringRef(absolute).starts_with("/proc/") || StringRef(absolute).starts_with("/dev/"))
      return {};
    sys::fs::file_status status;
    if (sys::fs::status(name, status, /*Follow=*/false))
      return sys::fs::exists(status) ? std::string() : name;
    if (status.type() != sys::fs::file_type::symlink_file)
      return sys::fs::is_regular_file(status) ? name : std::string();
    std::error_code error;
    std::string next = std::filesystem::read_symlink(name, error).string();
    if (error)
      return {};
    SmallString<256> whole(sys::path::is_absolute(next) ? "" : sys::path::parent_path(name));
    sys::path::append(whole, next);
    name = whole.str().str();
  }
  return {};
}

Error errorOfSystem() { return errorCodeToError(errnoAsErrorCode()); }

// Closes the file at the end: some file systems report only then that they are full.
Error writeAndClose(int file, StringRef contents) {
  while (!contents.empty()) {
    ssize_t written = sys::RetryAfterSignal(-1, ::write, file, contents.data(), contents.size());
    if (written < 0) {
      Error error = errorOfSystem();
      ::close(file);
      return error;
    }
    contents = contents.drop_front(size_t(written));
  }
  return ::close(file) == 0 ? Error::success() : errorOfSystem();
}

// Writes into the existing file: a stream, or a file that cannot be replaced.
Error writeInPlace(const std::string &path, StringRef contents) {
  int file = -1;
  bool isStandard = path == "-";
  if (isStandard)
    outs().flush(), file = ::dup(STDOUT_FILENO);
  else
    file = sys::RetryAfterSignal(-1, ::open, path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return errorOfSystem();
  struct stat status;
  bool isFile = !isStandard && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                !fileBehind(path).empty();
  if (isFile && ::ftruncate(file, 0) != 0) {
    Error error = errorOfSystem();
    ::close(file);
    return error;
  }
  Error error = writeAndClose(file, contents);
  if (error && isFile)
    (void)!::truncate(path.c_str(), 0); // a partial file would look complete
  return error;
}

} // namespace

StagedFile::StagedFile(StringRef path, std::string contents)
    : path(path), contents(std::move(contents)) {}

std::string StagedFile::name() const { return path == "-" ? standardOutput : path; }

StagedFile::StagedFile(StagedFile &&other) noexcept
    : path(std::move(other.path)), contents(std::move(other.contents)),
      target(std::move(other.target)), aside(std::exchange(other.aside, {})) {}

StagedFile::~StagedFile() {
  if (aside.empty())
    return;
  (void)sys::fs::remove(aside); // not needed
  sys::DontRemoveFileOnSignal(aside);
}

Expected<StagedFile> StagedFile::make(StringRef path, std::string contents, unsigned permissions) {
  StagedFile staged(path, std::move(contents));
  if (path == "-")
    return staged;
  if (sys::fs::is_directory(path))
    return createStringError("is a folder");
  std::string target = fileBehind(path);
  if (target.empty())
    return staged;
  if (Error error = staged.writeAside(target, permissions)) {
    // An existing writable file in a folder that takes no new one is written in place.
    if (!sys::fs::exists(target) || !sys::fs::can_write(target) || !staged.aside.empty())
      return error;
    consumeError(std::move(error));
  }
  return staged;
}

Error StagedFile::writeAside(const std::string &location, unsigned permissions) {
  SmallString<256> model = sys::path::parent_path(location);
  sys::path::append(model, ".tessera-%%%%%%%%"); // shorter than a name of maximum length
  SmallString<256> made;
  int file = -1;
  {
    SignalsHeld held; // no signal between the creation and the registration of the file
    if (std::error_code error =
            sys::fs::createUniqueFile(model, file, made, sys::fs::OF_None, permissions))
      return errorCodeToError(error);
    sys::RemoveFileOnSignal(made);
  }
  aside = made.str().str(), target = location;
  struct stat status;
  if (::stat(location.c_str(), &status) == 0)
    (void)!::fchmod(file, status.st_mode & 0777); // another owner's file keeps its mode
  return writeAndClose(file, contents);
}

Error StagedFile::keep() {
  if (aside.empty())
    return writeInPlace(path, contents);
  std::error_code error = sys::fs::rename(aside, target);
  // A mount point cannot be replaced.
  if (error == std::errc::device_or_resource_busy)
    return writeInPlace(target, contents);
  if (error)
    return errorCodeToError(error);
  sys::DontRemoveFileOnSignal(aside);
  aside.clear();
  return Error::success();
}

Error writeFile(StringRef path, std::string contents, unsigned permissions) {
  Expected<StagedFile> staged = StagedFile::make(path, std::move(contents), permissions);
  return staged ? staged->keep() : staged.takeError();
}

// LLVM aborts a process that has not checked its streams' errors.
void sayLostOutputAtExit(const char *tool) {
  outs(), errs(); // keeps them alive until the function below has run
  on_exit(
      [](int status, void *name) {
        outs().flush();
        std::error_code error = outs().error();
        outs().clear_error();
        if (error)
          errs() << static_cast<const char *>(name) << ": "
                 << formatv(message::CannotWrite, standardOutput, error.message()) << '\n';
        errs().clear_error(); // they cannot be reported
        constexpr int unusable = 2;
        if (error && status == 0)
          _exit(unusable);
      },
      const_cast<char *>(tool));
}

} // namespace tessera::driver
