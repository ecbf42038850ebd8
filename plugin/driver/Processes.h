// Programs that the tools run, and the folder for what passes between them.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tessera::driver {

using Words = std::vector<std::string>;

// A folder that goes away with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const llvm::Twine &name) const { return (path + "/" + name).str(); }
  bool isMade;

private:
  llvm::SmallString<128> path;
};

// From here on temporary folders also go where the process is interrupted: for tools.
void removeFoldersWhenInterrupted();

// Runs a program and waits for it: its exit status, or a negative number if it could not be run or
// was ended by a signal, which is said. Where a file is named, what the program prints goes there.
int execute(const Words &words, const std::string &outputFile = "",
            llvm::raw_ostream &messages = llvm::errs());

} // namespace tessera::driver
