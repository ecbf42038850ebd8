#include "driver/Processes.h"

#include "Messages.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>

using namespace llvm;

namespace tessera::driver {
namespace {

struct Folders {
  std::mutex mutex;
  std::set<std::string> names;
};

Folders &folders() {
  static Folders made;
  return made;
}

void removeFolders() {
  constexpr int interrupted = 130;
  // Whoever holds the lock is stopped in this very process: it is not waited for.
  if (std::unique_lock lock(folders().mutex, std::try_to_lock); lock)
    for (const std::string &name : folders().names)
      (void)sys::fs::remove_directories(name);
  _exit(interrupted);
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  isMade = !sys::fs::createUniqueDirectory("tessera", path);
  const std::lock_guard lock(folders().mutex);
  folders().names.insert(path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (isMade)
    (void)sys::fs::remove_directories(path); // what stays is temporary
  const std::lock_guard lock(folders().mutex);
  folders().names.erase(path.str().str());
}

void removeFoldersWhenInterrupted() { sys::SetInterruptFunction(removeFolders); }

int execute(const Words &words, const std::string &outputFile, raw_ostream &messages) {
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::vector<std::optional<StringRef>> redirects;
  if (!outputFile.empty())
    redirects = {std::nullopt, StringRef(outputFile), StringRef(outputFile)};
  std::string error;
  int status = sys::ExecuteAndWait(words.front(), arguments, std::nullopt, redirects, 0, 0, &error);
  if (!error.empty())
    messages << "tessera: " << formatv(message::CannotRun, words.front(), error) << '\n';
  return status;
}

} // namespace tessera::driver
