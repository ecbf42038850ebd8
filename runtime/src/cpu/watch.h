// Kernels that do not end, where there is no GPU. A launch of which no block has ended for
// TESSERA_PATIENCE seconds (30; 0: for ever) is told of once: which blocks run, and where. A
// program that has not ended after TESSERA_TIMEOUT seconds is ended, with status 124, and says the
// same of what it is at.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>

namespace tessera::host {

// A launch, as the watching thread asks for it.
class watched_launch {
public:
  virtual const char *kernel() const = 0;
  virtual std::uint64_t blocks() const = 0;
  virtual std::uint64_t ended() const = 0; // so far
  // A line for each block that runs: "\n  block (1, 0, 0): at x.cu:12".
  virtual std::string describe_blocks() = 0;

protected:
  ~watched_launch() = default;
};

// Has a launch watched while it lives.
class watching {
public:
  explicit watching(watched_launch &of);
  ~watching();
  watching(const watching &) = delete;
  watching &operator=(const watching &) = delete;

private:
  watched_launch &launch;
};

// " at x.cu:12": the line of the program that a thread of this process is at; empty if that is
// unknown. The thread must not end meanwhile.
std::string place_of_thread(pthread_t thread);

} // namespace tessera::host
