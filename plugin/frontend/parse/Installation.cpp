// Finds the parts of the installation and of the machine. Nothing is cached: each look-up happens
// once per run.
#include "frontend/parse/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

namespace tessera::frontend {
namespace {

using Path = llvm::SmallString<256>;

Path join(llvm::StringRef folder, const llvm::Twine &a, const llvm::Twine &b = "") {
  Path path = folder;
  llvm::sys::path::append(path, a, b);
  llvm::sys::path::remove_dots(path, true);
  return path;
}

// The folder of the shared object or executable that contains this function. An executable may have
// been found on PATH, by name alone.
Path ownFolder() {
  Dl_info info;
  link_map *object = nullptr;
  dladdr1(reinterpret_cast<void *>(&runtimeIncludeDirectory), &info,
          reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP);
  bool isLibrary = object && object->l_name[0];
  Path path;
  if (llvm::sys::fs::real_path(isLibrary ? object->l_name : "/proc/self/exe", path))
    return {};
  return Path(llvm::sys::path::parent_path(path));
}

bool isToolkit(llvm::StringRef folder) {
  return llvm::sys::fs::exists(join(folder, "include", "cuda_runtime.h")) ||
         llvm::sys::fs::exists(join(folder, "include", "cuda.h"));
}

// NVIDIA's PyPI wheels unpack into site-packages/nvidia/cu13.
std::string findWheel() {
  for (const char *root : {"/usr/local/lib", "/usr/lib"}) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator entry(root, error), end; !error && entry != end;
         entry.increment(error)) {
      if (!llvm::sys::path::filename(entry->path()).starts_with("python3"))
        continue;
      for (const char *packages : {"site-packages", "dist-packages"})
        if (Path wheel = join(entry->path(), packages, "nvidia/cu13"); isToolkit(wheel))
          return wheel.str().str();
    }
  }
  return {};
}

} // namespace

std::string runtimeIncludeDirectory() {
  Path folder = join(ownFolder(), "..", "include"), real;
  return (llvm::sys::fs::real_path(folder, real) ? folder : real).str().str();
}

std::string runtimeLibraryDirectory() { return join(ownFolder(), "..", "lib").str().str(); }

std::string emulatorDriver() {
  return join(ownFolder(), "..", "lib/tessera-emulate/libcuda.so.1").str().str();
}

std::string pythonLauncher() {
  return join(ownFolder(), "..", "share/tessera/cutile/launch.py").str().str();
}

std::string clangExecutable() {
  Path own = join(ownFolder(), "clang++");
  return llvm::sys::fs::can_execute(own) ? own.str().str() : TESSERA_LLVM_TOOLS_DIR "/clang++";
}

std::string linkerOption() {
  Path linker = join(clangExecutable(), "..", "ld.lld");
  return llvm::sys::fs::can_execute(linker) ? "-fuse-ld=lld" : "";
}

std::string cacheFolder() {
  if (const char *chosen = std::getenv("TESSERA_CACHE_DIR"))
    return chosen;
  Path folder;
  if (!llvm::sys::path::cache_directory(folder))
    return {};
  return join(folder, "tessera").str().str();
}

std::string findCudaToolkit(const std::string &wanted) {
  if (!wanted.empty())
    return isToolkit(wanted) ? wanted : std::string();
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(variable); value && isToolkit(value))
      return value;
  if (Path own = join(ownFolder(), "..", "cuda"), real;
      isToolkit(own) && !llvm::sys::fs::real_path(own, real))
    return real.str().str();
  if (isToolkit("/usr/local/cuda"))
    return "/usr/local/cuda";
  return findWheel();
}

} // namespace tessera::frontend
