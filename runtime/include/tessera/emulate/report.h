// The errors that the emulator found in kernels. Each report goes to stderr when it happens, once
// per kernel and location in the code; a process that has any left at its end exits with status 86.
// "[x.cu:12; program 0x1234 ...]" is the location: the line, if the program was compiled with -g1
// and llvm-symbolizer is found (TESSERA_SYMBOLIZER names another one), and the address of the
// access and of its callers.
#pragma once

#include <string>
#include <vector>

namespace tessera::emulate {

inline constexpr int failure_status = 86;

// Are there reports not yet taken?
bool failed();

// Returns the reports so far and clears them: for tests, which expect them.
std::vector<std::string> take_reports();

} // namespace tessera::emulate
