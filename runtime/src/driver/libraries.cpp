// Images: shared libraries that tileiras makes for this machine, which programs load from memory.
#include "driver.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>

// The file stays open as long as the library: its lines are looked up in it.
struct CUlib_st {
  int file = -1;
  void *library = nullptr;
  std::map<std::string, tessera::driver::kernel> kernels; // those that were asked for

  CUlib_st() = default;
  CUlib_st(const CUlib_st &) = delete;
  CUlib_st &operator=(const CUlib_st &) = delete;
  ~CUlib_st() {
    if (library)
      dlclose(library);
    if (file >= 0)
      close(file);
  }
};

namespace tessera::driver {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half machine = EM_AARCH64;
#else
constexpr Elf64_Half machine = EM_X86_64;
#endif

// Programs do not say how long an image is: it ends with the last of what its head names. Empty: it
// is no library of this machine.
std::string_view contents_of(const char *image) {
  Elf64_Ehdr head;
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0)
    return {};
  std::memcpy(&head, image, sizeof head);
  if (head.e_machine != machine || head.e_type != ET_DYN)
    return {};
  std::size_t end = head.e_shoff + std::size_t{head.e_shnum} * head.e_shentsize;
  for (unsigned i = 0; i != head.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, image + head.e_shoff + std::size_t{i} * head.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<std::size_t>(end, section.sh_offset + section.sh_size);
  }
  return {image, end};
}

bool write_all(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = write(file, contents.data(), contents.size());
    if (written < 0 && errno != EINTR)
      return false;
    contents.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

CUresult load(CUlib_st &to, std::string_view contents) {
  to.file = memfd_create("kernels", MFD_CLOEXEC);
  if (to.file < 0 || !write_all(to.file, contents))
    return failed(CUDA_ERROR_OUT_OF_MEMORY, std::strerror(errno));
  // A path that other processes can open, too.
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(to.file);
  to.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return to.library ? CUDA_SUCCESS : failed(CUDA_ERROR_INVALID_IMAGE, dlerror());
}

} // namespace
} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *, void **, unsigned,
                           CUlibraryOption *, void **, unsigned) {
  const std::string_view contents = contents_of(static_cast<const char *>(code));
  if (contents.empty())
    return failed(CUDA_ERROR_INVALID_IMAGE,
                  "it is for a GPU, but this program runs under the emulator, which takes what "
                  "tileiras --emit=library makes");
  auto loaded = std::make_unique<CUlib_st>();
  if (const CUresult error = load(*loaded, contents))
    return error;
  *library = loaded.release();
  return CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary library) {
  delete library;
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *found, CUlibrary library, const char *name) {
  const std::string symbol = name;
  void *const launch = dlsym(library->library, (symbol + "_launch").c_str());
  void *const facts = dlsym(library->library, (symbol + "_tessera").c_str());
  void *const parameters = dlsym(library->library, (symbol + "_parameters").c_str());
  if (!launch || !facts || !parameters)
    return failed(CUDA_ERROR_NOT_FOUND, symbol);
  kernel &k = library->kernels[symbol];
  k = {reinterpret_cast<decltype(k.launch)>(launch), static_cast<const unsigned *>(facts),
       static_cast<const unsigned *>(parameters)};
  *found = reinterpret_cast<CUkernel>(&k);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

// Images are launched with one thread and no shared memory of the program's.
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute which, CUkernel of, CUdevice) {
  const kernel &k = kernel_of(reinterpret_cast<CUfunction>(of));
  switch (which) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(k.facts[0]); break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(k.facts[1]); break;
  default:
    return failed(CUDA_ERROR_NOT_SUPPORTED, "the emulator's driver has no attribute " +
                                                std::to_string(which) + " of kernels");
  }
  return CUDA_SUCCESS;
}
CUresult cuKernelSetAttribute(CUfunction_attribute, int, CUkernel, CUdevice) {
  return CUDA_SUCCESS;
}

} // extern "C"
