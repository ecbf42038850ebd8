// The order is that of Clang's driver, and so is the order of their messages.
#include "driver/GpuBuild.h"

#include "driver/PrecompiledRuntime.h"
#include "driver/Run.h"
#include "frontend/parse/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tessera::driver {
namespace {

bool hasStandard(const Options &options) {
  return any_of(options.commandLine.arguments,
                [](StringRef word) { return word.starts_with("-std="); });
}

// What all passes read the text with. Each pass names the variables and kernels of unnamed
// namespaces by the same number, and sees the list of all architectures.
Words commonWords(const Options &options, const std::string &text) {
  Words words = compilerWords(options, hasStandard(options) ? 17 : 20);
  std::string list;
  for (const GpuTarget *target : options.architectures)
    list += (list.empty() ? "" : ",") + std::to_string(target->number * 10);
  auto contents = MemoryBuffer::getFile(text);
  uint64_t number = contents ? xxh3_64bits((*contents)->getBuffer()) : 0;
  words.insert(words.end(), {"-x", "cuda", "--cuda-path=" + options.commandLine.cudaPath,
                             "-D__CUDA_ARCH_LIST__=" + list, "-DTESSERA_SIMT=1",
                             "-cuid=" + utohexstr(number, /*LowerCase=*/true)});
  return words;
}

Words deviceWords(const Options &options, const std::string &text, const GpuTarget &target) {
  Words words = commonWords(options, text);
  words.insert(words.end(),
               {"--cuda-device-only", "--offload-arch=" + frontend::clangName(target).str(), text});
  return words;
}

Words hostWords(const Options &options, const std::string &text) {
  Words words = commonWords(options, text);
  // Otherwise a program of Clang's looks for device code in the objects before they are linked.
  words.insert(words.end(), {"--cuda-host-only", "--no-offload-new-driver"});
  for (const GpuTarget *target : options.architectures)
    words.push_back("--offload-arch=" + frontend::clangName(*target).str());
  if (options.action == Options::Build)
    words.push_back("-fPIC");
  words.push_back(text);
  return words;
}

Words linkWords(const Options &options, const std::string &product) {
  const std::string &toolkit = options.commandLine.cudaPath;
  std::string library = toolkit + (sys::fs::exists(toolkit + "/lib64") ? "/lib64" : "/lib");
  Words words = {"-o",
                 product,
                 "-L" + library,
                 "-Wl,-rpath," + library,
                 sys::fs::exists(library + "/libcudart.so") ? "-lcudart" : "-l:libcudart.so.13",
                 "-lpthread",
                 "-ldl"};
  if (options.action == Options::Build)
    words.insert(words.end(), {"-shared", "-Wl,-Bsymbolic"});
  if (options.verification) {
    words.insert(words.end(),
                 {"-x", "none", frontend::runtimeLibraryDirectory() + "/libtessera_verify.a"});
    for (const char *name : {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocHost",
                             "cudaFree", "cudaFreeAsync", "cudaFreeHost"})
      words.push_back(std::string("-Wl,--wrap=") + name);
  }
  return words;
}

} // namespace

// The program stands for its text, which does not exist yet: the forms are the same.
GpuBuildPreparation::GpuBuildPreparation(const Options &options) {
  const std::string &program = options.commandLine.file;
  auto prepare = [&](Words words) {
    threads.async([words = std::move(words), program] { precompileForGpu(words, program); });
  };
  if (!options.isPtx)
    prepare(hostWords(options, program)); // the largest
  for (const GpuTarget *target : options.architectures)
    prepare(deviceWords(options, program, *target));
}

int buildForGpu(const Options &options, const std::string &text, const std::string &product,
                bool readsReport, const Surroundings &surroundings) {
  if (options.isPtx)
    return compileWithRuntime(deviceWords(options, text, *options.architectures.front()),
                              {"-S", "-o", product}, options, surroundings);
  const TemporaryFolder &folder = *surroundings.folder;
  const std::string images = folder / "program.fatbin";
  Words join = {options.commandLine.cudaPath + "/bin/fatbinary", "-64", "--create", images};
  if (options.isDebugged && options.optimization == "0")
    join.push_back("-g");
  for (const GpuTarget *target : options.architectures) {
    const std::string name = frontend::clangName(*target).str(),
                      cubin = folder / ("program-" + name + ".cubin");
    Words rest = {"-c", "-o", cubin};
    if (readsReport)
      rest.insert(rest.end(), {"-Xcuda-ptxas", "-v"});
    if (int status =
            compileWithRuntime(deviceWords(options, text, *target), rest, options, surroundings))
      return status;
    join.push_back("--image3=kind=elf,sm=" +
                   StringRef(name).drop_front(StringRef("sm_").size()).str() + ",file=" + cubin);
  }
  if (int status = execute(join, surroundings))
    return status;
  Words rest = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", images};
  append_range(rest, linkWords(options, product));
  return compileWithRuntime(hostWords(options, text), rest, options, surroundings);
}

} // namespace tessera::driver
