// lld for ELF. The C library that is linked is the one of this machine: its folder is where this
// process has found it, whatever the distribution calls it. The bundle's libc.so and libm.so are
// linker scripts with the names that libraries have at run time.
#include "bundle/Roles.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

LLD_HAS_DRIVER(elf)

namespace tessera::bundle {

static std::string folderOfCLibrary() {
  Dl_info found;
  if (!dladdr(reinterpret_cast<void *>(&std::getenv), &found) || !found.dli_fname)
    return "/lib64";
  return llvm::sys::path::parent_path(found.dli_fname).str();
}

int linker(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::string folder = "-L" + folderOfCLibrary();
  std::vector<const char *> words(argv, argv + argc);
  words.front() = "ld.lld";
  words.push_back(folder.c_str());
  lld::Result result =
      lld::lldMain(words, llvm::outs(), llvm::errs(), {{lld::Gnu, &lld::elf::link}});
  return result.retCode;
}

} // namespace tessera::bundle
