// The C interface of runtime/include/tessera/compile.h, around the image that tessera-nvcc makes.
// No state is kept between calls.
#include "tessera/compile.h"
#include "support/Messages.h"
#include "nvcc/Image.h"
#include "nvcc/Source.h"
#include "nvcc/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

struct tesseraProgram {
  std::string image, text, log;
  std::vector<std::string> kernels;
};

namespace tessera::nvcc {
namespace {

bool isMeaningless(OptionKind kind) {
  switch (kind) {
  case OptionKind::Input:
  case OptionKind::Fatbin:
  case OptionKind::Ptx:
  case OptionKind::TileFatbin:
  case OptionKind::TileBytecode:
  case OptionKind::Unavailable:
  case OptionKind::Preprocess:
  case OptionKind::Compile:
  case OptionKind::DeviceCompile:
  case OptionKind::Run:
  case OptionKind::Output:
  case OptionKind::OutputFolder:
  case OptionKind::SimtOnly:
  case OptionKind::DependenciesToo:
  case OptionKind::OwnDependenciesToo:
  case OptionKind::DependencyFile:
  case OptionKind::DependencyTarget:
  case OptionKind::DependencyPhony:
  case OptionKind::Language:
  case OptionKind::Help:
  case OptionKind::Version:
  case OptionKind::DryRun:
  case OptionKind::Keep:
  case OptionKind::KeepFolder: return true;
  default: return false;
  }
}

class Compilation {
public:
  Compilation(tesseraProgram &program) : program(program), log(program.log) {}

  tesseraStatus run(StringRef source, const std::string &name, Words words) {
    bool isTextOnly = erase(words, "--simt-text") > 0;
    std::optional<CommandLine> line = readCommandLine(std::move(words), log);
    if (!line)
      return TESSERA_INVALID_ARGUMENT;
    if (name.empty())
      return fail(TESSERA_INVALID_ARGUMENT, message::NoName);
    for (const Option &option : line->options)
      if (isMeaningless(option.kind))
        return fail(TESSERA_INVALID_ARGUMENT,
                    formatv(message::MakesNoCubin, option.spelled.front()));
    Toolkit toolkit = findToolkit();
    if (toolkit.folder.empty() || (toolkit.compiler.empty() && !isTextOnly))
      return fail(TESSERA_NO_COMPILER, toolkit.folder.empty() ? message::NoToolkitForCubin
                                                              : message::NoCompilerForCubin);
    std::optional<Architectures> architectures = readArchitectures(*line, toolkit, log);
    if (!architectures)
      return TESSERA_INVALID_ARGUMENT;
    SmallVector<CodeWish> codes;
    copy_if(architectures->wishes, std::back_inserter(codes),
            [](const CodeWish &code) { return !code.isPtx(); });
    const GpuTarget *row = codes.size() == 1 ? architectures->rowOf(codes.front()) : nullptr;
    if (!row)
      return fail(TESSERA_INVALID_ARGUMENT, message::OneCubin);
    return make(source, name, *line, toolkit, codes.front(), *row, isTextOnly);
  }

private:
  tesseraStatus make(StringRef source, const std::string &name, const CommandLine &line,
                     const Toolkit &toolkit, const CodeWish &code, const GpuTarget &row,
                     bool isTextOnly) {
    driver::TemporaryFolder folder;
    if (!folder)
      return fail(TESSERA_INTERNAL_ERROR, folder.problem());
    driver::Options translation = translationOptions(line, name, &row, toolkit, folder / "");
    auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
    auto files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
    files->pushOverlay(memory);
    SmallString<128> path(name);
    (void)files->makeAbsolute(path);
    memory->addFile(path, 0, MemoryBuffer::getMemBufferCopy(source, name));
    translation.files = files;
    translation.isEmbedded = true;

    Image image = makeImage({translation, &toolkit, &folder, code, imageOptions(line),
                             line.has(OptionKind::TileOnly), /*isDry=*/false, isTextOnly,
                             /*takesOutput=*/true, asksForUse(line)},
                            log);
    program.text = std::move(image.text);
    program.image = std::move(image.contents);
    program.kernels = std::move(image.kernels);
    if (image.status == 0)
      return TESSERA_SUCCESS;
    return image.isRefused ? TESSERA_REFUSED : TESSERA_INTERNAL_ERROR;
  }

  tesseraStatus fail(tesseraStatus status, const Twine &message) {
    log << "tessera: " << message << '\n';
    return status;
  }

  tesseraProgram &program;
  raw_string_ostream log;
};

} // namespace
} // namespace tessera::nvcc

tesseraStatus tesseraCompile(const char *source, const char *name, int optionCount,
                             const char *const *options, tesseraProgram **program) {
  if (!program)
    return TESSERA_INVALID_ARGUMENT;
  *program = nullptr;
  if (!source || !name || optionCount < 0 || (optionCount > 0 && !options) ||
      is_contained(ArrayRef(options, size_t(optionCount)), nullptr))
    return TESSERA_INVALID_ARGUMENT;
  *program = new tesseraProgram;
  return tessera::nvcc::Compilation(**program).run(source, name, {options, options + optionCount});
}

const void *tesseraGetImage(const tesseraProgram *program, size_t *size) {
  if (size)
    *size = program->image.size();
  return program->image.empty() ? nullptr : program->image.data();
}

const char *tesseraGetText(const tesseraProgram *program) { return program->text.c_str(); }

const char *tesseraGetLog(const tesseraProgram *program) { return program->log.c_str(); }

int tesseraGetKernelCount(const tesseraProgram *program) { return int(program->kernels.size()); }

const char *tesseraGetKernelName(const tesseraProgram *program, int index) {
  bool isThere = index >= 0 && size_t(index) < program->kernels.size();
  return isThere ? program->kernels[size_t(index)].c_str() : nullptr;
}

void tesseraDestroy(tesseraProgram *program) { delete program; }
