// What the values of options must be. A check that fails prints a message.
#pragma once

#include "driver/OptionDeclarations.h"

namespace tessera::driver {

// Prints the message; false.
bool fail(const llvm::Twine &message);

// Do two names denote one file, whether or not it exists?
bool isOneFile(const std::string &a, const std::string &b);

// The rows of "sm_80,sm_90a"; nothing after a message.
std::vector<const GpuTarget *> readArchitectures(const std::string &list);

// An output for each target, in the order of the command line; nothing after a message.
std::vector<Text> readTexts(const Declarations &given);

// The names that --dump-after knows.
std::vector<std::string> dumpedPasses();

constexpr llvm::StringLiteral levels[] = {"0", "1", "2", "3"};

// Does a Python program take the options of run?
bool checkPythonOptions(Declarations &given);

bool checkInput(const Declarations &given);
bool checkDump(const Declarations &given);
bool checkOptimization(const std::string &level);
// Words that no option takes.
bool checkSurplus(const Declarations &given);
// The rule is for a file that is written.
bool checkDependencyFile(const Options &options);

} // namespace tessera::driver
