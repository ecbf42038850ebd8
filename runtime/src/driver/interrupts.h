// SIGINT while a kernel runs. A program's own handler may only leave a note until the launch
// returns, as Python's does, and a kernel may take minutes: the first signal reaches that handler,
// with a line that says what the program waits for; another one ends the program.
#pragma once

#include <signal.h>

namespace tessera::driver {

// While this object lives, for the launches of one thread at a time.
class interruptible {
public:
  interruptible();
  ~interruptible();
  interruptible(const interruptible &) = delete;
  interruptible &operator=(const interruptible &) = delete;

private:
  bool is_outer;
};

} // namespace tessera::driver
