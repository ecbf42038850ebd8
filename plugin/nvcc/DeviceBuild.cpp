#include "nvcc/DeviceBuild.h"
#include "support/Messages.h"
#include "driver/Files.h"
#include "nvcc/Image.h"
#include "nvcc/Source.h"
#include "nvcc/Spelling.h"
#include "nvcc/TextCompiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

enum class Kind { Cubin, Fatbin, Ptx };

int fail(const Twine &message) {
  errs() << "tessera-nvcc: " << message << '\n';
  return 1;
}

Kind kindOf(const CommandLine &line) {
  if (line.has(OptionKind::Cubin) || line.has(OptionKind::TileCubin))
    return Kind::Cubin;
  return line.has(OptionKind::Ptx) ? Kind::Ptx : Kind::Fatbin;
}

bool isTileOnly(const CommandLine &line) {
  return line.has(OptionKind::TileCubin) || line.has(OptionKind::TileFatbin) ||
         line.has(OptionKind::TileOnly);
}

// The images of a kind; nothing after a message.
std::optional<std::vector<CodeWish>> codesOf(Kind kind, const Architectures &architectures) {
  std::vector<CodeWish> codes;
  for (const CodeWish &code : architectures.wishes)
    if (kind == Kind::Fatbin || code.isPtx() == (kind == Kind::Ptx))
      codes.push_back(code);
  if (kind == Kind::Fatbin || codes.size() == 1)
    return codes;
  std::string name = kind == Kind::Cubin ? "a cubin" : "PTX";
  if (codes.empty())
    fail(formatv(message::ImageNeedsArchitecture, name));
  else
    fail(formatv(message::ImageOfOneArchitecture, name,
                 join(map_range(codes, [](const CodeWish &code) { return code.name; }), ", ")));
  return std::nullopt;
}

std::string outputName(const CommandLine &line, const Option &input, Kind kind) {
  if (auto output = line.valueOf(OptionKind::Output))
    return *output;
  SmallString<128> name(line.valueOf(OptionKind::OutputFolder).value_or(""));
  sys::path::append(name, sys::path::filename(input.value));
  sys::path::replace_extension(name, kind == Kind::Cubin ? "cubin"
                                     : kind == Kind::Ptx ? "ptx"
                                                         : "fatbin");
  return name.str().str();
}

// Bundles all images in one file. The exit status.
int bundle(ArrayRef<std::pair<CodeWish, std::string>> images, const Toolkit &toolkit,
           const driver::TemporaryFolder &folder, std::string &whole) {
  std::string output = folder / "images.fatbin";
  Words words = {toolkit.folder + "/bin/fatbinary", "-64", "--create=" + output};
  for (auto &[code, contents] : images) {
    std::string file = folder / ("image." + code.name);
    if (Error error = driver::writeFile(file, contents))
      return fail(formatv(message::CannotWrite, file, toString(std::move(error))));
    StringRef number = StringRef(code.name).split('_').second;
    words.push_back(
        ("--image3=kind=" + Twine(code.isPtx() ? "ptx" : "elf") + ",sm=" + number + ",file=" + file)
            .str());
  }
  if (int status = compileText(words, {"", &folder}, errs()))
    return status < 0 ? 1 : status;
  auto buffer = MemoryBuffer::getFile(output);
  if (!buffer)
    return fail(formatv(message::NothingByFatbinary, buffer.getError().message()));
  whole = (*buffer)->getBuffer().str();
  return 0;
}

int buildImage(const CommandLine &line, const Option &input, Kind kind, ArrayRef<CodeWish> codes,
               const Architectures &architectures, const Toolkit &toolkit) {
  std::vector<std::pair<CodeWish, std::string>> images;
  driver::TemporaryFolder folder;
  if (!folder)
    return fail(folder.problem());
  for (const CodeWish &code : codes) {
    const GpuTarget *row = architectures.rowOf(code);
    if (!row)
      continue; // no tile code for it
    std::string text = folder / sys::path::filename(input.value);
    bool isDry = line.has(OptionKind::DryRun);
    if (isDry || line.has(OptionKind::Verbose))
      errs() << "#$ tessera " << input.value << " -o " << text << '\n';
    Image image = makeImage({translationOptions(line, input.value, row, toolkit, folder / ""),
                             &toolkit, &folder, code, imageOptions(line), isTileOnly(line), isDry,
                             /*isTextOnly=*/false, /*takesOutput=*/false, asksForUse(line)},
                            errs());
    if (image.status != 0)
      return image.status;
    if (isDry)
      continue;
    if (int status = keepText(line, input.value, text))
      return status;
    images.emplace_back(code, std::move(image.contents));
  }
  if (line.has(OptionKind::DryRun))
    return 0;
  std::string whole;
  if (kind != Kind::Fatbin)
    whole = std::move(images.front().second);
  else if (int status = bundle(images, toolkit, folder, whole))
    return status;
  std::string output = outputName(line, input, kind);
  if (Error error = driver::writeFile(output, std::move(whole)))
    return fail(formatv(message::CannotWrite, output, toString(std::move(error))));
  return 0;
}

} // namespace

bool makesImage(const CommandLine &line) {
  return any_of(line.options, [](const Option &option) { return isImage(option.kind); });
}

int buildImages(const CommandLine &line, const TileInputs &tileInputs,
                const Architectures &architectures, const Toolkit &toolkit) {
  Kind kind = kindOf(line);
  if (isRelocatable(line))
    return fail(message::ImageIsWhole);
  if (line.has(OptionKind::SimtOnly) && isTileOnly(line))
    return fail(message::NothingLeft);
  if (line.has(OptionKind::Output) && line.inputs().size() > 1)
    return fail(formatv(message::OneInput, line.inputs().size()));
  auto codes = codesOf(kind, architectures);
  if (!codes)
    return 1;
  for (const Option *input : line.inputs()) {
    if (!is_contained(tileInputs, input)) {
      if (isTileOnly(line))
        return fail(formatv(message::NoTileCode, input->value));
      Words words = line.spell([&](const Option &option) {
        return option.kind == OptionKind::Input && &option != input ? std::optional(Words())
                                                                    : withoutTileOptions(option);
      });
      words.insert(words.begin(), toolkit.compiler);
      if (int status = runCompiler(words))
        return status < 0 ? 1 : status;
      continue;
    }
    if (int status = buildImage(line, *input, kind, *codes, architectures, toolkit))
      return status;
    if (wantsDependencies(line))
      if (int status = writeDependencies(line, *input, toolkit))
        return status;
  }
  return 0;
}

} // namespace tessera::nvcc
