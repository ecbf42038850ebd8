// A child's output is captured in memory: the disk may be full, and a pipe that stays open would
// block.
#include "driver/Processes.h"

#include "support/Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace tessera::driver {
namespace {

// An anonymous file; -1 if nothing is captured.
class Taken {
public:
  explicit Taken(std::string *text) : text(text) {
    if (text)
      file = memfd_create("output", MFD_CLOEXEC);
  }
  ~Taken() {
    if (file < 0)
      return;
    char buffer[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t size = 0; (size = read(file, buffer, sizeof buffer)) > 0;)
      text->append(buffer, size_t(size));
    close(file);
  }
  Taken(const Taken &) = delete;
  Taken &operator=(const Taken &) = delete;

  int file = -1;

private:
  std::string *text;
};

// This process's environment with a different folder for temporary files.
Words environmentOf(const TemporaryFolder *folder) {
  Words words;
  for (char **variable = environ; *variable; ++variable)
    if (!folder || !StringRef(*variable).starts_with("TMPDIR="))
      words.emplace_back(*variable);
  if (folder)
    words.push_back("TMPDIR=" + folder->name().str().str());
  return words;
}

std::vector<char *> pointersTo(const Words &words) {
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// The process, or the negated error. The caller holds signals.
pid_t start(const Words &words, const Words &environment, int errors, int output,
            const SignalsHeld &held) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors >= 0)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &held.before());
  sigset_t reset = signalsToReset();
  posix_spawnattr_setsigdefault(&attributes, &reset);
  pid_t process = 0;
  int error = posix_spawn(&process, words.front().c_str(), &actions, &attributes,
                          pointersTo(words).data(), pointersTo(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error ? -error : process;
}

int waitFor(pid_t process) {
  int status = 0;
  sys::RetryAfterSignal(-1, ::waitpid, process, &status, 0);
  return status;
}

void sayNotRun(const std::string &program, const std::string &reason, raw_ostream &messages) {
  messages << "tessera: " << formatv(message::CannotRun, program, reason) << '\n';
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  const SignalsHeld held;
  error = sys::fs::createUniqueDirectory("tessera", path);
  if (!error)
    slot.emplace(path);
}

TemporaryFolder::~TemporaryFolder() {
  if (!error)
    (void)sys::fs::remove_directories(path); // the rest is temporary
}

std::string TemporaryFolder::problem() const {
  return formatv(message::NoTemporaryFolder, sys::path::parent_path(path), error.message());
}

int execute(const Words &words, const Surroundings &surroundings, raw_ostream &messages) {
  adoptOrphans(true);
  pid_t process = 0;
  int status = 0;
  {
    Words environment = environmentOf(surroundings.folder);
    Taken errors(surroundings.errors);
    bool isOne = surroundings.output == surroundings.errors;
    Taken output(isOne ? nullptr : surroundings.output);
    {
      const SignalsHeld held;
      process = start(words, environment, errors.file, isOne ? errors.file : output.file, held);
    }
    status = process > 0 ? waitFor(process) : 0;
  }
  if (process < 0)
    return sayNotRun(words.front(), std::strerror(-process), messages), -1;
  if (WIFSIGNALED(status)) {
    std::string ended = formatv("tessera: {0}\n", formatv(message::EndedBySignal, words.front(),
                                                          strsignal(WTERMSIG(status))));
    if (surroundings.errors)
      *surroundings.errors += ended;
    else
      messages << ended;
    return -1;
  }
  return WEXITSTATUS(status);
}

Ending standInFor(const Words &words) {
  adoptOrphans(false);
  pid_t process = 0;
  {
    const SignalsHeld held;
    process = start(words, environmentOf(nullptr), -1, -1, held);
    handSignalsTo(process > 0 ? process : 0);
  }
  if (process < 0)
    return sayNotRun(words.front(), std::strerror(-process), errs()), Ending{-1, 0};
  siginfo_t ended; // its number is not reused until no more signals are sent to it
  sys::RetryAfterSignal(-1, ::waitid, P_PID, id_t(process), &ended, WEXITED | WNOWAIT);
  handSignalsTo(0);
  int status = waitFor(process);
  return WIFSIGNALED(status) ? Ending{-1, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
}

} // namespace tessera::driver
