// Programs that the tools run, and the folder for their temporary files.
#pragma once

#include "driver/Signals.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace tessera::driver {

using Words = std::vector<std::string>;

// A folder that is removed with its contents, also if the tool is terminated.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const llvm::Twine &name) const { return (path + "/" + name).str(); }
  const llvm::SmallString<128> &name() const { return path; }
  explicit operator bool() const { return !error; }
  // The error if there is none, as in Messages.def.
  std::string problem() const;

private:
  llvm::SmallString<128> path;
  std::error_code error;
  std::optional<FolderSlot> slot;
};

// Where a program's output goes, and the folder of its temporary files.
struct Surroundings {
  const TemporaryFolder *folder = nullptr; // null: those of this process
  std::string *errors = nullptr;           // receives its standard error
  std::string *output = nullptr;           // and standard output, which may be the same string
};

// Runs a program and waits for it: its exit status, or a negative number if it could not be run or
// a signal ended it, which is reported: a signal in `errors`, if captured.
int execute(const Words &words, const Surroundings &surroundings = {},
            llvm::raw_ostream &messages = llvm::errs());

// Runs a program in place of this tool, as its user would run it directly: signals are forwarded to
// it, and the signal that ends it is returned.
struct Ending {
  int status = 0; // negative: it could not be run, which is reported
  int signal = 0;
};
Ending standInFor(const Words &words);

} // namespace tessera::driver
