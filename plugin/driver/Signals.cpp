// Handlers call only async-signal-safe functions (man 7 signal-safety): no allocation, no lock, no
// stream. getdents64 lists folders, /proc lists children.
#include "driver/Signals.h"

#include "llvm/Support/Signals.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace llvm;

namespace tessera::driver {
namespace {

// Signals from outside whose default action ends a process.
constexpr int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGXCPU, SIGUSR2};

struct Slot {
  std::atomic<bool> isTaken, isFolder;
  char path[PATH_MAX];
};
Slot slots[16];
std::atomic<pid_t> program;
std::atomic<pid_t> ender; // the thread that cleans up
std::atomic<bool> isTool, resetsFileSize;

// Calls visit(name) for each entry of an open folder.
template <class Visit> void eachEntry(int folder, Visit visit) {
  alignas(dirent64) char buffer[4096];
  while (true) {
    long size = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (size <= 0)
      return;
    for (long at = 0; at < size;) {
      auto *entry = reinterpret_cast<dirent64 *>(buffer + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
        visit(entry->d_name);
    }
  }
}

void removeTree(int parent, const char *name, unsigned depth) {
  constexpr unsigned deepest = 16;
  if (unlinkat(parent, name, 0) == 0 || depth == deepest)
    return;
  int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  eachEntry(folder, [&](const char *entry) { removeTree(folder, entry, depth + 1); });
  close(folder);
  unlinkat(parent, name, AT_REMOVEDIR);
}

void removeFolders() {
  for (Slot &slot : slots)
    if (slot.isFolder)
      removeTree(AT_FDCWD, slot.path, 0);
}

// The parent of a process, from its line "PID (NAME) STATE PARENT ..."; the name may contain any
// character.
pid_t parentOf(int processes, const char *process) {
  int folder = openat(processes, process, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int file = folder < 0 ? -1 : openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  char line[512];
  ssize_t size = file < 0 ? -1 : read(file, line, sizeof line - 1);
  close(file);
  close(folder);
  if (size <= 0)
    return 0;
  line[size] = 0;
  const char *name = strrchr(line, ')');
  pid_t parent = 0;
  if (name && strlen(name) > 4)
    for (const char *digit = name + 4; *digit >= '0' && *digit <= '9'; ++digit)
      parent = parent * 10 + (*digit - '0');
  return parent;
}

void tellChildren(int signal) {
  int processes = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (processes < 0)
    return;
  eachEntry(processes, [&](const char *name) {
    pid_t process = 0;
    for (const char *digit = name; *digit >= '0' && *digit <= '9'; ++digit)
      process = process * 10 + (*digit - '0');
    if (process > 0 && parentOf(processes, name) == getpid())
      kill(process, signal);
  });
  close(processes);
}

// First a signal asks them to end, then SIGKILL. The next round includes children whose parents
// have ended.
void endChildren(int signal) {
  constexpr unsigned asked = 40, told = 400;
  constexpr long wait = 5'000'000; // nanoseconds
  for (unsigned round = 0; round < told; ++round) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0)
      ;
    if (ended < 0)
      return; // there are none
    if (round % 10 == 0)
      tellChildren(round < asked ? signal : SIGKILL);
    timespec time = {0, wait};
    nanosleep(&time, nullptr);
  }
}

void leaveNothing(int signal) {
  pid_t own = gettid(), other = 0;
  if (!ender.compare_exchange_strong(other, own)) {
    if (other == own)
      return;
    for (;;) // until the other thread ends the process
      pause();
  }
  endChildren(signal == SIGPIPE ? SIGTERM : signal);
  sys::RunInterruptHandlers(); // partially written files
  removeFolders();
}

void handle(int signal, siginfo_t *information, void *) {
  int error = errno;
  if (pid_t child = program) {
    // A terminal sends its signals to the child directly.
    if (information->si_code <= 0)
      kill(child, signal);
    errno = error;
    return;
  }
  leaveNothing(signal);
  endBySignal(signal);
}

} // namespace

void cleanUpWhenEnded() {
  // LLVM installs its handlers once, unconditionally; those below replace them.
  struct sigaction before[std::size(endings)], limit;
  for (size_t i = 0; i < std::size(endings); ++i)
    sigaction(endings[i], nullptr, &before[i]);
  sigaction(SIGXFSZ, nullptr, &limit);
  sys::SetInterruptFunction(nullptr);
  sys::AddSignalHandler([](void *) { leaveNothing(SIGTERM); }, nullptr); // it has crashed
  struct sigaction own = {};
  own.sa_sigaction = handle;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&own.sa_mask);
  for (size_t i = 0; i < std::size(endings); ++i)
    sigaction(endings[i], before[i].sa_handler == SIG_IGN ? &before[i] : &own, nullptr);
  isTool = true;
  resetsFileSize = limit.sa_handler != SIG_IGN;
  signal(SIGXFSZ, SIG_IGN);
}

SignalsHeld::SignalsHeld() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &mask);
}

SignalsHeld::~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }

FolderSlot::FolderSlot(StringRef path) {
  for (int i = 0; i < int(std::size(slots)) && path.size() < PATH_MAX; ++i) {
    Slot &slot = slots[i];
    if (slot.isTaken.exchange(true))
      continue;
    memcpy(slot.path, path.data(), path.size());
    slot.path[path.size()] = 0;
    slot.isFolder = true;
    number = i;
    return;
  }
}

FolderSlot::~FolderSlot() {
  if (number < 0)
    return;
  slots[number].isFolder = false;
  slots[number].isTaken = false;
}

sigset_t signalsToReset() {
  sigset_t reset;
  sigemptyset(&reset);
  if (resetsFileSize)
    sigaddset(&reset, SIGXFSZ);
  return reset;
}

void resetSignals() {
  if (resetsFileSize)
    signal(SIGXFSZ, SIG_DFL);
}

void adoptOrphans(bool isWanted) {
  if (isTool)
    prctl(PR_SET_CHILD_SUBREAPER, isWanted, 0, 0, 0);
}

void handSignalsTo(pid_t process) { program = process; }

void endBySignal(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  kill(getpid(), signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  constexpr int base = 128; // the shell's convention
  _exit(base + signal);
}

} // namespace tessera::driver
