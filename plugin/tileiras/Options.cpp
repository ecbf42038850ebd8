#include "tileiras/Options.h"

#include "frontend/parse/Installation.h"
#include "support/Messages.h"
#include "tessera/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace tessera::tileiras {

namespace {

bool fail(const Twine &message) {
  errs() << "error: " << message << '\n';
  return false;
}

// Constructed after the options of LLVM and MLIR are removed from the parser.
struct Declarations {
  cl::OptionCategory category{"Options"};
  cl::cat in{category};
  cl::opt<std::string> input{cl::Positional, cl::desc("FILE"), in};
  cl::opt<std::string> output{"o", cl::desc("write the image there"), cl::value_desc("file"), in};
  cl::opt<Product> product{
      "emit",
      cl::desc("what to write (default cubin)"),
      cl::values(clEnumValN(Product::Cubin, "cubin", "an image for the GPU, by NVRTC or nvcc"),
                 clEnumValN(Product::Cuda, "cuda", "the CUDA C++ of that image"),
                 clEnumValN(Product::Library, "library",
                            "a library of this machine, which runs the kernels by the emulator"),
                 clEnumValN(Product::CpuLibrary, "cpu",
                            "a library of this machine, whose kernels are compiled for its CPU"),
                 clEnumValN(Product::CpuText, "c++", "the C++ of that library"),
                 clEnumValN(Product::TileIr, "tile", "Tessera's own tile IR, before its plan")),
      cl::init(Product::Cubin),
      cl::ZeroOrMore,
      in};
  cl::opt<std::string> gpuName{"gpu-name", cl::desc("the GPU (default sm_90)"),
                               cl::value_desc("sm_NN"), cl::init("sm_90"), in};
  cl::opt<std::string> optimization{"O",
                                    cl::desc("optimization level: 0, 1, 2 or 3 (default 3)"),
                                    cl::value_desc("level"),
                                    cl::Prefix,
                                    cl::init("3"),
                                    in};
  cl::alias level{"opt-level", cl::desc("the same"), cl::aliasopt(optimization)};
  cl::opt<bool> lineInfo{"lineinfo", cl::desc("lines of the source for profilers"), in};
  cl::opt<bool> deviceDebug{"device-debug", cl::desc("the same, as far as Tessera has it"), in};
  cl::opt<std::string> checks{"check", cl::desc(checkDescription), cl::value_desc("bounds,nan,inf"),
                              cl::ZeroOrMore, in};
  cl::opt<std::string> remarkFormat{"remark-format", cl::desc("yaml"), cl::value_desc("format"),
                                    cl::init("yaml"), in};
  cl::opt<std::string> remarks{"remarks", cl::desc("which remarks: all"), cl::value_desc("which"),
                               in};
  cl::opt<std::string> remarksFile{"remarks-output-file",
                                   cl::desc("write the decisions of the compiler there"),
                                   cl::value_desc("file"), in};
  cl::opt<std::string> preview{"preview", cl::desc("refused: nothing of version 13.5 is here"),
                               cl::value_desc("feature"), in};
  cl::list<std::string> libraries{"l", cl::desc("refused, as --preview"), cl::value_desc("file"),
                                  in};
  cl::extrahelp rest{R"(
EXAMPLES:

  tileiras k.tilebc -o k.cubin --gpu-name sm_90 -O3 --lineinfo
  tileiras k.tilebc -o k.cu --emit=cuda     the CUDA C++ of that image

EXIT STATUS:

  0   success
  1   the bytecode is refused, or the compiler behind tileiras refuses the code
  2   the command line or the machine has an error
  70  tileiras crashed

ENVIRONMENT:

  TESSERA_TILEIRAS       options that precede those of the command line
  TESSERA_NVRTC          libnvrtc.so, version 13 or newer; empty: nvcc makes the image. Else it is
                         the toolkit's, the loader's, or that of a Python environment in PATH
  TESSERA_NVCC           nvcc, which then makes the image; else CUDA_HOME, CUDA_PATH and PATH
                         name the toolkit
)"};
};

std::vector<std::string> filesBelow(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (at->type() == sys::fs::file_type::regular_file ||
        at->type() == sys::fs::file_type::symlink_file)
      files.push_back(at->path());
  sort(files); // a folder has no order
  return files;
}

// Of this program, of the headers that its kernels include, and of the library that runs what it
// makes: producers keep images by what --version prints.
std::string buildNumber(Product product) {
  std::vector<std::string> files = filesBelow(frontend::runtimeIncludeDirectory());
  files.push_back("/proc/self/exe");
  if (isLibrary(product))
    files.push_back(frontend::emulatorDriver());
  MD5 hash;
  for (const std::string &file : files)
    if (auto contents = MemoryBuffer::getFile(file, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false))
      hash.update((*contents)->getBuffer());
  MD5::MD5Result result;
  hash.final(result);
  return result.digest().substr(0, 12).str();
}

// Producers look for the number behind "V".
void printVersion(raw_ostream &out, const Declarations &given) {
  out << "Tessera " TESSERA_VERSION_STRING " in the place of tileiras, build "
      << buildNumber(given.product);
  if (given.product == Product::Library)
    out << ", for the emulator";
  if (given.product == Product::CpuLibrary)
    out << ", for the CPU " << sys::getHostCPUName();
  if (!given.checks.empty())
    out << ", --check=" << given.checks;
  out << "\nCuda compilation tools, release 13.4, V13.4.0\n";
}

bool isGpuName(StringRef name) {
  return name.consume_front("sm_") && !name.take_while(isDigit).empty() &&
         name.drop_while(isDigit).size() <= 1;
}

// The row of "sm_90" is that of "sm_90a", for which an image may be made, too.
const GpuTarget *targetOf(StringRef name) {
  unsigned number = 0;
  StringRef digits = name.drop_front(StringRef("sm_").size());
  if (!digits.getAsInteger(10, number))
    return findGpuTarget(number);
  return findGpuTarget(name);
}

} // namespace

std::optional<Options> readOptions(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Declarations given;
  cl::HideUnrelatedOptions(given.category);
  cl::SetVersionPrinter([&](raw_ostream &out) { printVersion(out, given); });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "tileiras: compiles Tile IR bytecode, by Tessera in the place of NVIDIA's program\n",
          &errs(), /*VFS=*/nullptr, "TESSERA_TILEIRAS"))
    return std::nullopt;
  if (given.input.empty())
    return fail(message::NoBytecode), std::nullopt;
  if (given.preview.getNumOccurrences() || !given.libraries.empty())
    return fail(message::NoPreview), std::nullopt;
  if (!isGpuName(given.gpuName))
    return fail(formatv(message::NotAGpuName, given.gpuName)), std::nullopt;
  if (!is_contained({"0", "1", "2", "3"}, given.optimization))
    return fail(formatv(message::NotAnOptimizationLevel, given.optimization)), std::nullopt;
  if (given.remarkFormat != "yaml")
    return fail(formatv(message::NotARemarkFormat, given.remarkFormat)), std::nullopt;
  Options options;
  std::string message;
  if (given.checks.getNumOccurrences()) {
    std::optional<Checks> checks = readChecks(given.checks, message);
    if (!checks)
      return fail(message), std::nullopt;
    options.checks = *checks;
  }
  std::optional<PlanPolicy> policy = planPolicyOfEnvironment(message);
  if (!policy)
    return fail(message), std::nullopt;
  options.policy = *policy;
  options.input = given.input;
  options.output = given.output;
  if (options.output.empty() && (given.product == Product::Cubin || isLibrary(given.product)))
    return fail(message::NoImageFile), std::nullopt;
  if (options.output.empty())
    options.output = "-";
  options.product = given.product;
  options.gpuName = given.gpuName;
  options.target = targetOf(given.gpuName);
  options.optimization = given.optimization;
  options.hasLineInfo = given.lineInfo || given.deviceDebug;
  options.remarksFile = given.remarksFile;
  return options;
}

} // namespace tessera::tileiras
