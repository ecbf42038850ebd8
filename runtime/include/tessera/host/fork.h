// fork() in a runtime whose kernels run on threads, which do not exist in the child.
//
// Two kinds of state: fork() waits for locks that are held for a short while, so that the child
// finds them free and consistent; state that may be held as long as a kernel runs is made anew in
// the child, and the parent's copy is left alone.
#pragma once

#include <pthread.h>

#include <atomic>

namespace tessera::host {

// fork() waits until the lock is free.
template <class Lockable, Lockable &(*Of)()> bool keep_whole_in_forks() {
  return pthread_atfork([] { Of().lock(); }, [] { Of().unlock(); }, [] { Of().unlock(); }) == 0;
}

// The number of forks between the original process and this one.
inline std::atomic<unsigned> forks = 0;
inline const bool are_forks_counted = pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;

// One object per process, default-constructed on first use and never destroyed: threads may use it
// until the very end. Two may exist for a moment, one of them unused.
template <class T> class per_process {
public:
  T &get() {
    object *found = current_.load(std::memory_order_acquire);
    while (!found || found->of != forks) {
      auto *made = new object;
      if (current_.compare_exchange_strong(found, made, std::memory_order_acq_rel))
        return made->it;
      delete made;
    }
    return found->it;
  }

private:
  struct object {
    const unsigned of = forks;
    T it;
  };
  std::atomic<object *> current_ = nullptr;
};

} // namespace tessera::host
