// How a check of --check fails on the CPU: a message with the place in the program, the end of the
// block, and cudaErrorAssert from then on, as after a failed assertion.
#pragma once

namespace tessera::host {

// The message is that of a printf; the numbers are those of its conversions %lld and %llx, then
// come the coordinates of an element.
struct check_failure {
  const char *message;
  const long long *values = nullptr;
  int value_count = 0;
  const long long *element = nullptr;
  int rank = 0;
};
[[noreturn]] void fail_check(const check_failure &failure);

} // namespace tessera::host
