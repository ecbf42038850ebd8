// The runtime's headers take longer than all else, so Clang gets them precompiled, from a file in
// the user's cache folder. It only saves time: if a header has changed since, Clang refuses it, the
// kernels are compiled without it, and the next request makes it again.
#include "tileiras/Library.h"

#include "driver/Files.h"
#include "driver/Processes.h"
#include "frontend/parse/Installation.h"
#include "support/Messages.h"
#include "tileiras/Image.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace tessera::tileiras {

namespace {

Error failure(const Twine &message) { return createStringError(message); }

// As `tessera run` compiles for the emulator, and for the CPU; reports of both name lines. Whole
// tiles are read as the lanes that they are to the primitives.
driver::Words compilerWords(const std::string &toolkit, const Options &options) {
  driver::Words words = {frontend::clangExecutable(),
                         "-std=c++20",
                         "-w",
                         "-fPIC",
                         "-ffp-contract=off",
                         "-fno-crash-diagnostics",
                         "-gline-tables-only",
                         "-DTESSERA_EMULATE",
                         "-isystem",
                         frontend::runtimeIncludeDirectory(),
                         "-isystem",
                         toolkit + "/include"};
  if (!isWhole(options.product)) {
    words.push_back("-O1");
    return words;
  }
  words.insert(words.end(), {"-O2", "-fno-strict-aliasing"});
  words.insert(words.end(), std::begin(frontend::vectorisation), std::end(frontend::vectorisation));
  return words;
}

// KEY.prelude.pch and the headers that it has, KEY.prelude, which Clang compares, too.
std::string nameOfPrecompiled(const driver::Words &compiler, const std::string &includes) {
  MD5 hash;
  hash.update(join(compiler, "\n"));
  hash.update(includes);
  MD5::MD5Result result;
  hash.final(result);
  return frontend::cacheFolder() + "/" + result.digest().str().str() + ".prelude";
}

// Writes a file of the cache, or does without it.
bool isWritten(const std::string &file, std::string contents) {
  Error error = driver::writeFile(file, std::move(contents));
  bool isThere = !error;
  consumeError(std::move(error));
  return isThere;
}

// Empty: there is none, and none can be made.
std::string precompiled(const driver::Words &compiler, const std::string &includes,
                        const driver::TemporaryFolder &folder) {
  std::string cache = frontend::cacheFolder();
  if (cache.empty())
    return {};
  std::string headers = nameOfPrecompiled(compiler, includes), file = headers + ".pch";
  if (sys::fs::exists(file))
    return file;
  if (sys::fs::create_directories(cache) || !isWritten(headers, includes))
    return {};
  std::string made = folder / "headers.pch", said;
  driver::Words words = compiler;
  words.insert(words.end(), {"-x", "c++-header", headers, "-o", made});
  if (driver::execute(words, {&folder, &said, &said}, nulls()) != 0)
    return {};
  auto contents = MemoryBuffer::getFile(made, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return contents && isWritten(file, (*contents)->getBuffer().str()) ? file : std::string();
}

// Clang's exit status, or a negative number; what it says is added to `said`.
int compile(const driver::Words &compiler, const driver::Words &rest, const std::string &headers,
            const driver::TemporaryFolder &folder, std::string &said) {
  driver::Words words = compiler;
  if (!headers.empty())
    words.insert(words.end(), {"-include-pch", headers});
  words.insert(words.end(), rest.begin(), rest.end());
  said.clear();
  raw_string_ostream messages(said);
  return driver::execute(words, {&folder, &said, &said}, messages);
}

// Linked with the emulator's driver alone, which has loaded the library then.
driver::Words libraryWords(const std::string &source, const std::string &output) {
  driver::Words words = {"-x",      "c++",         source, "-x",   "none",
                         "-shared", "-Wl,-z,defs", "-o",   output, frontend::emulatorDriver()};
  if (std::string linker = frontend::linkerOption(); !linker.empty())
    words.push_back(linker);
  return words;
}

std::string entriesOf(const std::vector<EmittedKernel> &kernels, const KernelNames &names) {
  std::string text;
  raw_string_ostream out(text);
  out << "namespace tessera::kernels {\n";
  for (const EmittedKernel &kernel : kernels) {
    auto name = names.find(kernel.symbol);
    out << "TESSERA_IMAGE_ENTRY(" << kernel.symbol << ", "
        << json::Value(name == names.end() ? kernel.symbol : name->second) << ")\n";
  }
  out << "} // namespace tessera::kernels\n";
  return text;
}

} // namespace

Expected<std::string> makeLibrary(const std::string &text,
                                  const std::vector<EmittedKernel> &kernels,
                                  const KernelNames &names, const Options &options) {
  std::string toolkit = frontend::findCudaToolkit("");
  if (toolkit.empty())
    return failure(message::NoToolkitForLibrary);
  if (std::string clang = frontend::clangExecutable(); !sys::fs::can_execute(clang))
    return failure(formatv(message::NoClangForLibrary, clang));
  driver::TemporaryFolder folder;
  if (!folder)
    return failure(folder.problem());
  std::string source = folder / "kernels.cpp", output = folder / "kernels.so", said;
  if (Error error = driver::writeFile(source, text + entriesOf(kernels, names)))
    return std::move(error);
  driver::Words compiler = compilerWords(toolkit, options), rest = libraryWords(source, output);
  std::string headers = precompiled(compiler, includesOf(options), folder);
  int status = compile(compiler, rest, headers, folder, said);
  if (status != 0 && !headers.empty()) {
    status = compile(compiler, rest, "", folder, said);
    if (status == 0)
      (void)sys::fs::remove(headers);
  }
  if (status != 0)
    return status < 0 ? failure(said) : refusal("Clang", said);
  auto library = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!library)
    return failure(formatv(message::CannotRead, output, library.getError().message()));
  return (*library)->getBuffer().str();
}

} // namespace tessera::tileiras
