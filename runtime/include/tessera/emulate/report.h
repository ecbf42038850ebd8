// What the emulator found wrong in kernels. Each report goes to stderr when it happens, once per
// kernel and place in the code; a process that has any left at its end exits with status 86.
// "[program 0x1234 ...]" at the end of a report is where it happened and the callers of that:
// `llvm-symbolizer --obj=program 0x1234 ...` gives their lines in a program that was compiled with
// -g.
#pragma once

#include <string>
#include <vector>

namespace tessera::emulate {

inline constexpr int failure_status = 86;

// Whether there are reports not yet taken.
bool failed();

// The reports so far, which are then forgotten: for tests, which expect them.
std::vector<std::string> take_reports();

} // namespace tessera::emulate
