// What a tool leaves behind that is told to end: nothing.
//
// Whatever the moment, its temporary folders and half-written files go, its children end, and it
// ends by the signal. Handlers make system calls alone: the process may be inside of malloc.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <signal.h>
#include <sys/types.h>

namespace tessera::driver {

// From here on; for tools. What was ignored (nohup) stays so. Full disks and limits are errors of
// writing, not signals.
void cleanUpWhenEnded();

// Signals wait while an object lives: nothing is made that a handler does not know of.
class SignalsHeld {
public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld &) = delete;
  SignalsHeld &operator=(const SignalsHeld &) = delete;
  const sigset_t &before() const { return mask; }

private:
  sigset_t mask;
};

// A folder that goes when the process is ended. More than there are slots for stay.
class FolderSlot {
public:
  explicit FolderSlot(llvm::StringRef path);
  ~FolderSlot();
  FolderSlot(const FolderSlot &) = delete;
  FolderSlot &operator=(const FolderSlot &) = delete;

private:
  int number = -1;
};

// Those that a child is to find as they were when the tool began; what takes this process over is,
// too, behind the other call.
sigset_t signalsToReset();
void resetSignals();

// Children of children become a tool's own when their parents end, so that they are found.
void adoptOrphans(bool isWanted);

// A program that the tool stands in for: signals are its to answer, and are handed on. 0: none.
void handSignalsTo(pid_t program);

// Ends this process as the signal ends those that do not handle it.
[[noreturn]] void endBySignal(int signal);

} // namespace tessera::driver
