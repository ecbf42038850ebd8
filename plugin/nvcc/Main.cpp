// tessera-nvcc: nvcc for programs with tile code. A program without it goes to NVIDIA's nvcc
// unchanged; tile code is translated first, in this process.
//
// Exit status: nvcc's own; 1 if a program or the command line is refused, 70 if the translation
// crashes.
#include "nvcc/DeviceBuild.h"
#include "support/Messages.h"
#include "driver/Files.h"
#include "driver/Signals.h"
#include "nvcc/Source.h"
#include "nvcc/Spelling.h"
#include "tessera/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace tessera;
using namespace tessera::nvcc;

namespace {

constexpr const char *depthVariable = "TESSERA_NVCC_DEPTH";

int fail(const Twine &message) {
  errs() << "tessera-nvcc: " << message << '\n';
  return 1;
}

// The words of an environment variable of nvcc; read here, and removed so that nvcc does not read
// it again.
Words takeVariable(const char *name) {
  const char *text = std::getenv(name);
  if (!text)
    return {};
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  Words found(words.begin(), words.end());
  unsetenv(name);
  return found;
}

constexpr StringLiteral help =
    R"(tessera-nvcc: nvcc for programs with CUDA Tile C++

USAGE: tessera-nvcc [options of nvcc] FILE...

Takes the options of nvcc, and compiles SIMT and tile code. Files without tile code go to NVIDIA's
nvcc unchanged; tile code is first translated to SIMT CUDA C++.

OPTIONS:

  -arch, -code, -gencode  the GPUs; tile code needs sm_80 or newer
  --enable-tile           compile tile code (the default, unless --simt-only is given)
  --simt-only             leave tile kernels out; a launch of one is an error
  --tilecubin             make a cubin of the tile kernels, under their mangled names
  --tilefatbin            make a fatbin of the tile kernels, for several GPUs
  --tile-only             with --cubin, --fatbin or --ptx: compile tile kernels only
)";

constexpr StringLiteral moreHelp =
    R"(  --keep                  also keep the translation, as NAME.simt.cu
  --dryrun, -v            also print the translation step
  and all other options of nvcc; --tilebc, --optix-ir, --ltoir and --cuda are refused

EXAMPLES:

  tessera-nvcc -arch=sm_90a -std=c++20 -c kernels.cu -o kernels.o
  tessera-nvcc --tilecubin --tile-only -arch=sm_90a kernels.cu -o kernels.cubin

EXIT STATUS:

  the status of nvcc; 1 if the program or command line is refused, 70 if the translation crashes

ENVIRONMENT:

  TESSERA_NVCC           NVIDIA's nvcc (default: the nvcc of CUDA_HOME, CUDA_PATH or PATH)
  NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS
                         options before and after those of the command line
)";

// Counts how often this program has started itself through the nvcc that it found.
bool isEndless() {
  constexpr unsigned most = 3; // a program that nvcc --run starts may compile, too
  const char *text = std::getenv(depthVariable);
  unsigned depth = 0;
  if (text && (StringRef(text).getAsInteger(10, depth) || depth >= most))
    return true;
  setenv(depthVariable, std::to_string(depth + 1).c_str(), 1);
  return false;
}

// The original command line, except options for tile code.
int passOn(const CommandLine &line, const Toolkit &toolkit, Words more = {}) {
  Words words = line.spell(withoutTileOptions);
  words.insert(words.begin(), toolkit.compiler);
  append_range(words, more);
  return become(words);
}

// The exit status if there is no compiler to run.
int failWithoutCompiler() {
  if (const char *chosen = std::getenv("TESSERA_NVCC"))
    return fail(formatv(message::NotACompiler, chosen));
  return fail(message::NoCompiler);
}

int compile(const CommandLine &line, const TileInputs &tileInputs, const Toolkit &toolkit) {
  for (const Option &option : line.options)
    if (option.kind == OptionKind::Unavailable || option.kind == OptionKind::TileBytecode)
      return fail(formatv(message::NotMadeOfTileCode, option.spelled.front()));
  std::optional<Architectures> architectures = readArchitectures(line, toolkit, errs());
  if (!architectures)
    return 1;
  if (architectures->hasUnknown)
    return passOn(line, toolkit);
  if (architectures->rows.empty() && !line.has(OptionKind::SimtOnly))
    return fail(formatv(message::NeedsArchitecture, tileInputs.front()->value));
  if (makesImage(line))
    return buildImages(line, tileInputs, *architectures, toolkit);
  return buildForHost(line, tileInputs, *architectures, toolkit);
}

} // namespace

int main(int argc, char **argv) {
  tessera::driver::cleanUpWhenEnded();
  tessera::driver::sayLostOutputAtExit("tessera-nvcc");
  if (StringRef shell = argc == 2 ? argv[1] : "";
      shell.consume_front(tessera::driver::completionOption) && shell.consume_front("="))
    return tessera::driver::printCompletion({"tessera-nvcc", {}, completedOptions()}, shell, outs())
               ? 0
               : (fail(formatv(message::NotAShell, shell)), 2);
  if (isEndless())
    return fail(message::CompilerLeadsBack);
  Words words = takeVariable("NVCC_PREPEND_FLAGS");
  words.insert(words.end(), argv + 1, argv + argc);
  append_range(words, takeVariable("NVCC_APPEND_FLAGS"));
  std::optional<CommandLine> line = readCommandLine(std::move(words), errs());
  if (!line)
    return 1;
  if (line->has(OptionKind::Help)) {
    outs() << help;
    for (const tessera::driver::CommonOption &option : tessera::driver::commonOptions()) {
      std::string form =
          ("--" + option.name + (option.takesValue() ? "=" : "") + option.value).str();
      outs() << formatv("  {0,-24}{1}\n", form, option.doesForNvcc);
    }
    outs() << moreHelp;
    return 0;
  }

  Toolkit toolkit = findToolkit();
  if (toolkit.compiler.empty())
    return failWithoutCompiler();
  if (line->has(OptionKind::Version)) {
    outs() << "tessera-nvcc " TESSERA_VERSION_STRING ", in front of\n";
    outs().flush();
    return passOn(*line, toolkit);
  }
  if (toolkit.folder.empty())
    return fail(formatv(message::NoToolkitOfCompiler, toolkit.compiler));

  TileInputs tileInputs;
  for (const Option *input : line->inputs())
    if (hasTileCode(*line, input->value, toolkit))
      tileInputs.push_back(input);
  bool isTileImage = line->has(OptionKind::TileCubin) || line->has(OptionKind::TileFatbin);
  if (tileInputs.empty() && isTileImage)
    return fail(message::NoInputWithTileCode);
  if (tileInputs.empty())
    return passOn(*line, toolkit);
  if (line->has(OptionKind::Preprocess)) // the user's own file, with our headers
    return passOn(*line, toolkit, sourceOptions(*line));
  return compile(*line, tileInputs, toolkit);
}
