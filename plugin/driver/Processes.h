// Programs that the tools run, and the folder for what passes between them.
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

// A folder that goes away with everything in it, also where the tool is told to end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const llvm::Twine &name) const { return (path + "/" + name).str(); }
  const llvm::SmallString<128> &name() const { return path; }
  explicit operator bool() const { return !error; }
  // Why there is none, as Messages.def has it.
  std::string problem() const;

private:
  llvm::SmallString<128> path;
  std::error_code error;
  std::optional<FolderSlot> slot;
};

// What becomes of a program's output, and where it has its own temporary files.
struct Surroundings {
  const TemporaryFolder *folder = nullptr; // null: those of this process
  std::string *errors = nullptr;           // takes what it writes to standard error
  std::string *output = nullptr;           // and to standard output, which may be the same string
};

// Runs a program and waits for it: its exit status, or a negative number if it could not be run or
// was ended by a signal, which is said: a signal in `errors`, where these are taken.
int execute(const Words &words, const Surroundings &surroundings = {},
            llvm::raw_ostream &messages = llvm::errs());

// Runs a program that this tool stands in for, as its user would by itself: its signals are its
// own, and what it is ended by is handed back.
struct Ending {
  int status = 0; // negative: it could not be run, which is said
  int signal = 0;
};
Ending standInFor(const Words &words);

} // namespace tessera::driver
