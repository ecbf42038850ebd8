// What a forked child has of a runtime that runs kernels on threads, which do not survive fork().
//
// Two ways, for two kinds of state: what is held for a short while is waited for, so that a child
// finds it free and whole; what may be held as long as a kernel runs is made anew in the child, and
// left as it is in what the child has of its parent.
#pragma once

#include <pthread.h>

#include <atomic>

namespace tessera::host {

// fork() waits for whoever has locked it.
template <class Lockable, Lockable &(*Of)()> bool keep_whole_in_forks() {
  return pthread_atfork([] { Of().lock(); }, [] { Of().unlock(); }, [] { Of().unlock(); }) == 0;
}

// Between the process that was started and this one.
inline std::atomic<unsigned> forks = 0;
inline const bool are_forks_counted = pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;

// An object of each process, made when it is first asked for, by no argument, and never destroyed:
// threads may use it until the very end. Two may be made for a moment, of which one goes unused.
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
