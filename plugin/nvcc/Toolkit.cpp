#include "nvcc/Toolkit.h"
#include "support/Messages.h"
#include "driver/Signals.h"
#include "frontend/parse/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace tessera::nvcc {
namespace {

// A program other than this one.
bool isCompiler(const Twine &file) {
  SmallString<256> found, own;
  return sys::fs::can_execute(file) && !sys::fs::is_directory(file) &&
         !sys::fs::real_path(file, found) && !sys::fs::real_path("/proc/self/exe", own) &&
         found != own;
}

std::string findCompiler() {
  if (const char *chosen = std::getenv("TESSERA_NVCC"))
    return isCompiler(chosen) ? chosen : std::string();
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable);
        folder && isCompiler(Twine(folder) + "/bin/nvcc"))
      return std::string(folder) + "/bin/nvcc";
  if (const char *path = std::getenv("PATH"))
    for (StringRef folder : split(StringRef(path), ':'))
      if (!folder.empty() && isCompiler(folder + "/nvcc"))
        return (folder + "/nvcc").str();
  std::string toolkit = frontend::findCudaToolkit("");
  return !toolkit.empty() && isCompiler(toolkit + "/bin/nvcc") ? toolkit + "/bin/nvcc"
                                                               : std::string();
}

// <folder>/bin/nvcc, or the target of a link of that name.
std::string folderOf(const std::string &compiler) {
  SmallString<256> real;
  if (sys::fs::real_path(compiler, real))
    real = compiler;
  for (StringRef file : {StringRef(compiler), StringRef(real)}) {
    SmallString<256> folder = sys::path::parent_path(sys::path::parent_path(file));
    if (sys::fs::exists(folder + "/include/cuda_runtime.h"))
      return folder.str().str();
  }
  return frontend::findCudaToolkit("");
}

} // namespace

Toolkit findToolkit() {
  std::string compiler = findCompiler();
  return {compiler, compiler.empty() ? frontend::findCudaToolkit("") : folderOf(compiler)};
}

int become(const driver::Words &words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  driver::resetSignals();
  execv(arguments.front(), arguments.data());
  errs() << "tessera-nvcc: " << formatv(message::CannotRun, words.front(), sys::StrError()) << '\n';
  return 1;
}

} // namespace tessera::nvcc
