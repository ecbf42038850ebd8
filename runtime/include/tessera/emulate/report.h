// What the emulator found wrong in kernels. Each report goes to stderr when it happens, once per
// kernel and place in the code; a process that has any left at its end exits with status 86.
// "[x.cu:12; program 0x1234 ...]" is where it happened: the line, if the program was compiled with
// -g1 and llvm-symbolizer is found (TESSERA_SYMBOLIZER names another one), and the address of the
// access and of its callers.
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
