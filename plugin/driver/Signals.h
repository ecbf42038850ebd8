// The clean-up of a tool that is terminated.
//
// At any moment, its temporary folders and partial files are removed, its children end, and it ends
// by the signal. Handlers only make system calls: the process may be inside of malloc.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <signal.h>
#include <sys/types.h>

namespace tessera::driver {

// Takes effect from here on; for tools. Ignored signals (nohup) stay ignored. Full disks and limits
// are write errors, not signals.
void cleanUpWhenEnded();

// Signals wait while an object lives: nothing is created without its handler's knowledge.
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

// A folder that is removed when the process is terminated. There is a limited number of slots;
// further folders are left.
class FolderSlot {
public:
  explicit FolderSlot(llvm::StringRef path);
  ~FolderSlot();
  FolderSlot(const FolderSlot &) = delete;
  FolderSlot &operator=(const FolderSlot &) = delete;

private:
  int number = -1;
};

// The signals that a child must find in their original state; so must a program that replaces this
// process, after the other call.
sigset_t signalsToReset();
void resetSignals();

// Orphaned grandchildren become the tool's children, so that they are found.
void adoptOrphans(bool isWanted);

// A program that runs in place of the tool: it handles signals, which are forwarded to it. 0: none.
void handSignalsTo(pid_t program);

// Ends this process by the signal's default action.
[[noreturn]] void endBySignal(int signal);

} // namespace tessera::driver
