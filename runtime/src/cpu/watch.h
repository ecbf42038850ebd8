// Hanging kernels without a GPU. If no block of a launch has ended for TESSERA_PATIENCE seconds
// (30; 0: for ever), the launch is reported once: the running blocks and their locations. A program
// that has not ended after TESSERA_TIMEOUT seconds is ended with status 124 and the same report.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>

namespace tessera::host {

// A launch as the watching thread sees it.
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

// A launch is watched while this object lives.
class watching {
public:
  explicit watching(watched_launch &of);
  ~watching();
  watching(const watching &) = delete;
  watching &operator=(const watching &) = delete;

private:
  watched_launch &launch;
};

// " at x.cu:12": the current line of the program in a thread of this process; empty if unknown. The
// thread must not end meanwhile.
std::string location_of_thread(pthread_t thread);

} // namespace tessera::host
