#include "nvcc/RuntimeCompiler.h"

#include "frontend/parse/Installation.h"
#include "support/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

namespace tessera::nvcc {

// The calls of <nvrtc.h> that are used, and their types.
using Program = struct OpaqueProgram *;
#define TESSERA_NVRTC_CALLS(CALL)                                                                  \
  CALL(nvrtcVersion, int *, int *)                                                                 \
  CALL(nvrtcGetNumSupportedArchs, int *)                                                           \
  CALL(nvrtcGetSupportedArchs, int *)                                                              \
  CALL(nvrtcCreateProgram, Program *, const char *, const char *, int, const char *const *,        \
       const char *const *)                                                                        \
  CALL(nvrtcCompileProgram, Program, int, const char *const *)                                     \
  CALL(nvrtcGetProgramLogSize, Program, size_t *)                                                  \
  CALL(nvrtcGetProgramLog, Program, char *)                                                        \
  CALL(nvrtcGetCUBINSize, Program, size_t *)                                                       \
  CALL(nvrtcGetCUBIN, Program, char *)                                                             \
  CALL(nvrtcDestroyProgram, Program *)

struct RuntimeCompilerCalls {
#define TESSERA_DECLARE(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
  TESSERA_NVRTC_CALLS(TESSERA_DECLARE)
#undef TESSERA_DECLARE
};

namespace {

constexpr int oldestVersion = 13; // of kernels that declare their threads
constexpr char libraryName[] = "libnvrtc.so.13";
constexpr char headerName[] = "cuda_fp16.h";

// The calls of a library that stays loaded.
Expected<const RuntimeCompilerCalls *> load(const std::string &library) {
  std::string problem;
  sys::DynamicLibrary loaded = sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &problem);
  if (!loaded.isValid())
    return createStringError(problem);
  static RuntimeCompilerCalls calls;
#define TESSERA_RESOLVE(NAME, ...)                                                                 \
  calls.NAME = reinterpret_cast<decltype(calls.NAME)>(loaded.getAddressOfSymbol(#NAME));           \
  if (!calls.NAME)                                                                                 \
    return createStringError(library + " has no " #NAME);
  TESSERA_NVRTC_CALLS(TESSERA_RESOLVE)
#undef TESSERA_RESOLVE
  int major = 0, minor = 0;
  if (calls.nvrtcVersion(&major, &minor) != 0 || major < oldestVersion)
    return createStringError(formatv("{0} is version {1}.{2}", library, major, minor));
  return &calls;
}

// CUDA's headers beside the library, or the toolkit's.
std::string headersOf(const RuntimeCompilerCalls &calls, const Toolkit &toolkit) {
  SmallVector<std::string> folders;
  Dl_info library;
  if (dladdr(reinterpret_cast<void *>(calls.nvrtcVersion), &library) && library.dli_fname)
    folders.push_back((sys::path::parent_path(library.dli_fname) + "/../include").str());
  if (!toolkit.folder.empty())
    folders.push_back(toolkit.folder + "/include");
  for (const std::string &folder : folders)
    if (sys::fs::exists(folder + "/" + headerName))
      return folder;
  return "";
}

// Where a toolkit or a Python environment may have the library.
SmallVector<std::string> candidates(const Toolkit &toolkit) {
  SmallVector<std::string> files;
  if (!toolkit.folder.empty())
    for (StringRef folder : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib"})
      files.push_back((toolkit.folder + "/" + folder + "/" + libraryName).str());
  llvm::erase_if(files, [](const std::string &file) { return !sys::fs::exists(file); });
  files.push_back(libraryName);
  const char *path = std::getenv("PATH");
  for (StringRef folder : split(StringRef(path ? path : ""), ':')) {
    std::error_code error;
    if (sys::path::filename(folder) != "bin")
      continue;
    for (sys::fs::directory_iterator i(sys::path::parent_path(folder) + "/lib", error), end;
         !error && i != end; i.increment(error)) {
      std::string file = i->path() + "/site-packages/nvidia/cu13/lib/" + libraryName;
      if (sys::path::filename(i->path()).starts_with("python3") && sys::fs::exists(file))
        files.push_back(file);
    }
  }
  return files;
}

std::string logOf(const RuntimeCompilerCalls &calls, Program program) {
  size_t size = 0;
  if (calls.nvrtcGetProgramLogSize(program, &size) != 0 || size == 0)
    return "";
  std::string log(size, '\0');
  (void)calls.nvrtcGetProgramLog(program, log.data());
  log.pop_back(); // its zero
  return log;
}

} // namespace

Expected<RuntimeCompiler> RuntimeCompiler::open(const std::string &library,
                                                const Toolkit &toolkit) {
  Expected<const RuntimeCompilerCalls *> calls = load(library);
  if (!calls)
    return calls.takeError();
  std::string headers = headersOf(**calls, toolkit);
  if (headers.empty())
    return createStringError(library + " has no " + headerName + " beside it");
  return RuntimeCompiler(**calls, headers);
}

Expected<std::optional<RuntimeCompiler>> RuntimeCompiler::find(const Toolkit &toolkit) {
  if (const char *chosen = std::getenv("TESSERA_NVRTC")) {
    if (StringRef(chosen).empty())
      return std::nullopt;
    Expected<RuntimeCompiler> found = open(chosen, toolkit);
    if (!found)
      return createStringError(
          formatv(message::UnusableRuntimeCompiler, chosen, toString(found.takeError())).str());
    return *found;
  }
  if (std::getenv("TESSERA_NVCC"))
    return std::nullopt;
  for (const std::string &file : candidates(toolkit)) {
    Expected<RuntimeCompiler> found = open(file, toolkit);
    if (found)
      return *found;
    consumeError(found.takeError());
  }
  return std::nullopt;
}

bool RuntimeCompiler::knowsArchitecture(unsigned number) const {
  int count = 0;
  if (calls->nvrtcGetNumSupportedArchs(&count) != 0 || count <= 0)
    return false;
  SmallVector<int> numbers(static_cast<size_t>(count));
  return calls->nvrtcGetSupportedArchs(numbers.data()) == 0 && is_contained(numbers, int(number));
}

Expected<std::string> RuntimeCompiler::makeCubin(const std::string &text, StringRef architecture,
                                                 ArrayRef<std::string> options) const {
  std::string runtime = frontend::runtimeIncludeDirectory();
  SmallVector<std::string> words = {"--gpu-architecture=" + architecture.str(), "--std=c++20",
                                    // Before CUDA's headers: the standard library's stand-ins.
                                    "-I" + runtime + "/tessera/rtc", "-I" + runtime,
                                    "-I" + headers};
  words.append(options.begin(), options.end());
  SmallVector<const char *> given;
  for (const std::string &word : words)
    given.push_back(word.c_str());
  Program program = nullptr;
  if (calls->nvrtcCreateProgram(&program, text.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
    return createStringError("NVRTC makes no program");
  scope_exit destroy([&] { (void)calls->nvrtcDestroyProgram(&program); });
  if (calls->nvrtcCompileProgram(program, int(given.size()), given.data()) != 0)
    return createStringError(logOf(*calls, program));
  size_t size = 0;
  if (calls->nvrtcGetCUBINSize(program, &size) != 0 || size == 0)
    return createStringError("NVRTC made no image");
  std::string cubin(size, '\0');
  if (calls->nvrtcGetCUBIN(program, cubin.data()) != 0)
    return createStringError("NVRTC made no image");
  return cubin;
}

} // namespace tessera::nvcc
