// Follows the record of the CPU's launches: runs each on the memory that the CPU's began with,
// compares, reports the first difference, and goes on with what the CPU has computed.
//
// Findings are lines of JSON in the file TESSERA_VERIFY_FINDINGS, one object each:
//   {"kind": "launch", ...}       each launch, with the number of elements and the largest distance
//   {"kind": "difference", ...}   the first element of a launch that differs
//   {"kind": "report", ...}       a report of the emulator
//   {"kind": "launches", ...}     the program launches another kernel than on the CPU
//   {"kind": "not compared", ...} a launch that only one of the two has
// A difference is more than TESSERA_VERIFY_ULPS.
#pragma once

#include "memory.h"

#include <functional>
#include <string>

namespace tessera::verify {

// Who wrote an element.
struct writer {
  std::string block; // "block (2, 0, 0)"; empty: unknown
  std::string line;  // "x.cu:12"; empty: unknown
};

// What a target does of its own.
struct following {
  const char *target; // "emulator", "GPU"
  // The last writer of bytes. `run_again` puts the memory back and runs the launch once more. Null:
  // it is never known.
  std::function<writer(const void *address, std::size_t size,
                       const std::function<void()> &run_again)>
      find_writer;
  std::function<std::vector<std::string>()> take_reports; // null: it has none
};

// A launch of the kernel with a name; without a record to follow it just runs.
cudaError_t follow_launch(const following &by, const char *name,
                          const std::function<cudaError_t()> &run);

} // namespace tessera::verify
