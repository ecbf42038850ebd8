// The declarations of all options and commands; clang++'s options are forwarded unchanged.
#pragma once

#include "support/Messages.h"
#include "support/Near.h"
#include "driver/CommonOptions.h"
#include "driver/Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <string>
#include <vector>

namespace tessera::driver {

namespace cl = llvm::cl;

// A target by name, with our error message.
class TargetParser : public cl::parser<Target> {
public:
  using cl::parser<Target>::parser;

  bool parse(cl::Option &option, llvm::StringRef name, llvm::StringRef word, Target &target) {
    std::vector<std::string> names;
    for (const auto &known : Values)
      names.push_back(known.Name.str());
    if (llvm::is_contained(names, word))
      return cl::parser<Target>::parse(option, name, word, target);
    return option.error(llvm::formatv(message::NotATarget, word, namesNear(word, names)).str());
  }
};

// Constructed after the options of LLVM, MLIR and Clang are removed from the parser, some of which
// have the same names.
struct Declarations {
  cl::OptionCategory category{"Making and running"};
  cl::OptionCategory languageCategory{"The language"};
  cl::OptionCategory insideCategory{"Looking inside"};
  cl::SubCommand checkCommand{"check", "report errors and print nothing else"};
  cl::SubCommand explainCommand{"explain",
                                "print the decisions of the compiler for each kernel, and why"};
  cl::SubCommand runCommand{"run",
                            "build the program and run it, or run a program of cuTile Python; its "
                            "arguments follow --"};
  cl::SubCommand buildCommand{"build", "build a shared library, for hosts that load it (dlopen)"};
  cl::SubCommand profileCommand{"profile",
                                "run the program under Nsight Compute (ncu), and print what limits "
                                "each kernel; its arguments follow --"};
  cl::SubCommand dumpCommand{"tileir-dump", "print a file of Tile IR bytecode as text"};
  std::array<cl::SubCommand *, 6> commands{&checkCommand, &explainCommand, &runCommand,
                                           &buildCommand, &profileCommand, &dumpCommand};
  cl::cat inCategory{category}, inLanguage{languageCategory}, inside{insideCategory};
  // Those that compile a program.
  cl::SubCommandGroup compilers{&cl::SubCommand::getTopLevel(),
                                &checkCommand,
                                &explainCommand,
                                &runCommand,
                                &buildCommand,
                                &profileCommand};
  cl::sub compiling{compilers};

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.cu"), cl::value_desc("file"), inCategory,
                            compiling};
  cl::opt<std::string> bytecode{cl::Positional, cl::desc("FILE.tilebc"), cl::value_desc("file"),
                                inCategory, cl::sub(dumpCommand)};
  // Words after it are refused, with a message that explains the correct use.
  cl::list<std::string> behindFile{cl::Positional,        cl::sub(cl::SubCommand::getTopLevel()),
                                   cl::sub(checkCommand), cl::sub(explainCommand),
                                   cl::sub(buildCommand), cl::sub(dumpCommand)};
  cl::list<std::string> arguments{cl::Positional, cl::desc("[-- ARGUMENT...]"), cl::sub(runCommand),
                                  cl::sub(profileCommand)};
  cl::list<std::string> outputs{
      "o",
      cl::desc("write the generated code there, - for standard output; one -o for each target, in "
               "order\n"
               "(default FILE.simt.cu; for several targets FILE.TARGET.cu)"),
      cl::value_desc("file"), inCategory};
  cl::opt<std::string> page{
      "o", cl::desc("write an HTML page with the program, its generated kernels and their plans"),
      cl::value_desc("file.html"), inside, cl::sub(explainCommand)};
  cl::opt<std::string> library{
      "o", cl::desc("write the library there (default FILE.so; with --ptx FILE.ptx)"),
      cl::value_desc("file.so"), inCategory, cl::sub(buildCommand)};
  cl::opt<std::string> profileOutput{
      "o", cl::desc("write the profile there as JSON, for explain --profile"),
      cl::value_desc("file.json"), inCategory, cl::sub(profileCommand)};
  cl::opt<std::string> recordOfNcu{
      "from",
      cl::desc("read what ncu --csv --page raw has printed of the program, and run nothing"),
      cl::value_desc("file.csv"), inCategory, cl::sub(profileCommand)};
  cl::opt<std::string> profile{"profile",
                               cl::desc("show what tessera profile -o has written, at the kernels"),
                               cl::value_desc("file.json"), inside, cl::sub(explainCommand)};
  cl::opt<bool> ptx{"ptx", cl::desc("build PTX of the kernels instead, for one architecture"),
                    inCategory, cl::sub(buildCommand)};
  cl::opt<std::string> signature{
      "signature",
      cl::desc("print the parameters of a kernel template as JSON, for hosts that deduce\n"
               "its template arguments"),
      cl::value_desc("kernel"), inside, cl::sub(checkCommand)};
  cl::opt<cl::boolOrDefault> registers{
      "registers",
      cl::desc("print registers and spills, which ptxas reports in seconds (default with -o)"),
      inside, cl::sub(explainCommand)};
  cl::opt<std::string> dependencyFile{
      "depfile",
      cl::desc("list the files that the generated code depends on there, as a rule for make"),
      cl::value_desc("file"),
      inCategory,
      cl::sub(cl::SubCommand::getTopLevel()),
      cl::sub(checkCommand),
      cl::sub(buildCommand)};
  cl::opt<bool> includeFolder{
      "print-include-folder",
      cl::desc(
          "print the folder of the headers that generated code includes, for its compiler's -I"),
      inCategory};
  cl::list<Target, bool, TargetParser> targets{
      "target",
      cl::desc("compile for one or several targets\n(default gpu; for run and build cpu if the "
               "machine has no GPU)"),
      cl::values(clEnumValN(Target::Gpu, "gpu", "CUDA C++ for a GPU"),
                 clEnumValN(Target::Cpu, "cpu", "C++ that runs tiles on the CPU"),
                 clEnumValN(Target::Emulate, "emulate",
                            "C++ that emulates the threads of generated kernels on the CPU")),
      cl::value_desc("target[,target...]"),
      cl::CommaSeparated,
      inCategory,
      compiling};
  cl::opt<std::string> arch{"arch",
                            cl::desc("compile for these GPUs (default sm_90a)"),
                            cl::value_desc("sm_NN[,sm_NN...]"),
                            cl::init("sm_90a"),
                            inCategory,
                            compiling};
  cl::opt<std::string> cudaPath{"cuda-path", cl::desc("use this CUDA toolkit"),
                                cl::value_desc("folder"), inCategory, compiling};
  cl::list<std::string> includeFolders{
      "I",        cl::Prefix, cl::desc("search headers in this folder"), cl::value_desc("folder"),
      inLanguage, compiling};
  cl::list<std::string> definitions{
      "D",        cl::Prefix, cl::desc("define a macro"), cl::value_desc("name[=value]"),
      inLanguage, compiling};
  cl::list<std::string> undefinitions{
      "U", cl::Prefix, cl::desc("undefine a macro"), cl::value_desc("name"), inLanguage, compiling};
  cl::list<std::string> includedFiles{"include", cl::desc("include this file before the program"),
                                      cl::value_desc("file"), inLanguage, compiling};
  cl::list<std::string> warnings{"W",
                                 cl::Prefix,
                                 cl::desc("turn a warning of Clang on or off"),
                                 cl::value_desc("warning"),
                                 inLanguage,
                                 compiling};
  cl::opt<std::string> standard{"std", cl::desc("language standard (default c++20)"),
                                cl::value_desc("standard"), inLanguage, compiling};
#define TESSERA_COMMON_FLAG(NAME, CATEGORY, DOES, FOR_NVCC)                                        \
  cl::opt<bool> NAME{#NAME, cl::desc(DOES), CATEGORY, compiling};
#define TESSERA_COMMON_VALUE(NAME, CATEGORY, VALUE, DOES, FOR_NVCC)                                \
  cl::opt<std::string> NAME{#NAME, cl::desc(DOES), cl::value_desc(VALUE), CATEGORY, compiling};
#include "driver/CommonOptions.def"
  cl::opt<bool> debug{"g", cl::desc("add debug information, also with the lines of kernels"),
                      inCategory, cl::sub(runCommand), cl::sub(buildCommand)};
  cl::opt<std::string> optimization{
      "O",
      cl::desc("optimization level for the generated code: 0, 1, 2 or 3 (default 2)"),
      cl::value_desc("level"),
      cl::Prefix,
      inCategory,
      cl::init(Options().optimization),
      cl::sub(runCommand),
      cl::sub(profileCommand),
      cl::sub(buildCommand)};
  cl::opt<unsigned> timeout{
      "timeout",
      cl::desc("end the program after this time, and print which kernel ran (status 124)"),
      cl::value_desc("seconds"), inCategory, cl::sub(runCommand)};
  cl::opt<bool> verify{
      "verify",
      cl::desc("run the program on the CPU, under the emulator and on a GPU if there is one,\n"
               "compare each launch, and report races (status 86 if something is found)"),
      inCategory, cl::sub(runCommand)};
  cl::opt<unsigned> verifyBlocks{
      "verify-blocks",
      cl::desc("of launches of more blocks the emulator runs a sample of so many (default 64;\n"
               "0: all blocks)"),
      cl::value_desc("number"),
      cl::init(Verification().blocks),
      inCategory,
      cl::sub(runCommand)};
  cl::opt<double> verifyUlps{
      "verify-ulps",
      cl::desc("floating-point numbers may differ by so many units in the last place (default 16)"),
      cl::value_desc("number"),
      cl::init(Verification().ulps),
      inCategory,
      cl::sub(runCommand)};
  cl::opt<std::string> verifyReport{"verify-report",
                                    cl::desc("write what --verify finds there, as JSON"),
                                    cl::value_desc("file.json"), inCategory, cl::sub(runCommand)};
  cl::opt<std::string> dumpStage{
      "dump", cl::desc("print the program after a stage: llvm, tile, plan or simt"),
      cl::value_desc("stage"), inside, compiling};
  cl::opt<std::string> dumpAfter{"dump-after",
                                 cl::desc("print the tile IR after a pass, or after all"),
                                 cl::value_desc("pass"), inside, compiling};
  cl::opt<int64_t> forgottenBarrier{
      "forget-barrier",
      cl::desc("leave out the barrier of this number of each kernel, from 1"),
      cl::value_desc("N"),
      cl::Hidden,
      inside,
      compiling};
  cl::opt<bool> timing{"time", cl::desc("print the time of every stage"), inside, compiling};
  cl::extrahelp rest{R"(
EXAMPLES:

  tessera run x.cu -- 1024            on the GPU if there is one, else on the CPU
  tessera run --target=emulate x.cu   the generated kernels on the CPU, with reports of races
  tessera run --verify x.cu           CPU, emulator and GPU compared, launch by launch
  tessera run x.py                    a program of cuTile Python, on the GPU or on the CPU
  tessera build x.cu -o x.so          a library with the program's functions
  tessera x.cu -o -                   the CUDA C++ that is generated for x.cu
  tessera profile x.cu -- 1024        measured by ncu, beside what the plan predicts
  tessera explain x.cu                decisions of the compiler at lines of x.cu, and advice
  tessera tileir-dump x.tilebc        what a file of Tile IR bytecode says

EXIT STATUS:

  0   success
  1   the program is refused
  2   the command line or the machine has an error
  70  tessera crashed, and printed where
  run returns the program's status; 86 after reports of the emulator or findings of --verify,
  124 after --timeout

ENVIRONMENT:

  CUDA_HOME, CUDA_PATH   the CUDA toolkit, unless --cuda-path names one
  TESSERA_NCU            the program ncu of Nsight Compute, for profile
  TESSERA_CACHE_DIR      the folder of precompiled headers (default: the user's cache folder)
  TESSERA_EMULATE_SEED   a number that selects an order of blocks, warps and lanes, or 'random'
  TESSERA_EMULATE_STRICT 1: report blocks that write equal values to one location, too
  TESSERA_EMULATE_HOST_MEMORY
                         1: allow kernels to access memory of malloc, as some GPUs do
  TESSERA_PATIENCE       without a GPU: report a kernel when no block of it ends for this many
                         seconds (default 30; 0: never)
  TESSERA_TIMEOUT        without a GPU: the value of --timeout for every program
)"};
};

} // namespace tessera::driver
