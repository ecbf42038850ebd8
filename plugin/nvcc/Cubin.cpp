// An edit is the size in one section header: these sections have no contents in the file, and no
// other addresses depend on theirs.
#include "nvcc/Cubin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;

namespace tessera::nvcc {
namespace {

using File = ELFFile<ELF64LE>;
using Section = ELF64LE::Shdr;
using Symbol = ELF64LE::Sym;

// CUDA reserves memory in front of a kernel's own shared memory, from sm_90 on.
constexpr uint64_t reservedBytes = 1024;

class Image {
public:
  static Expected<Image> read(StringRef bytes) {
    auto file = File::create(bytes);
    if (!file)
      return file.takeError();
    if (file->getHeader().e_machine != ELF::EM_CUDA || file->getHeader().e_type != ELF::ET_EXEC)
      return createStringError("it is no executable for a GPU");
    auto sections = file->sections();
    if (!sections)
      return sections.takeError();
    Image image(*file, *sections);
    for (const Section &section : *sections)
      if (section.sh_type == ELF::SHT_SYMTAB)
        image.symbolTable = &section;
    return image;
  }

  Expected<const Symbol *> findSymbol(StringRef name, unsigned type) const {
    auto symbols = file.symbols(symbolTable);
    if (!symbols)
      return symbols.takeError();
    auto names = symbolTable ? file.getStringTableForSymtab(*symbolTable, sections)
                             : Expected<StringRef>(StringRef());
    if (!names)
      return names.takeError();
    for (const Symbol &symbol : *symbols) {
      auto found = symbol.getName(*names);
      if (!found)
        return found.takeError();
      if (*found == name && symbol.getType() == type)
        return &symbol;
    }
    return createStringError("it has no '%s'", name.str().c_str());
  }

  // Null if there is none.
  Expected<const Section *> findSection(StringRef name) const {
    for (const Section &section : sections) {
      auto found = file.getSectionName(section);
      if (!found)
        return found.takeError();
      if (*found == name)
        return &section;
    }
    return nullptr;
  }

  // The two numbers of a kernel's constant.
  Expected<std::pair<uint32_t, uint32_t>> readLaunch(StringRef kernel) const {
    std::string name = (kernel + "_tessera").str();
    auto symbol = findSymbol(name, ELF::STT_OBJECT);
    if (!symbol)
      return symbol.takeError();
    if ((*symbol)->st_shndx >= sections.size())
      return createStringError("'%s' lies in no section", name.c_str());
    auto contents = file.getSectionContents(sections[(*symbol)->st_shndx]);
    if (!contents)
      return contents.takeError();
    uint64_t begin = (*symbol)->st_value;
    if ((*symbol)->st_size != 8 || begin > contents->size() || contents->size() - begin < 8)
      return createStringError("'%s' has another size", name.c_str());
    const uint8_t *data = contents->data() + begin;
    return std::pair(support::endian::read32le(data), support::endian::read32le(data + 4));
  }

private:
  Image(const File &file, ELF64LE::ShdrRange sections) : file(file), sections(sections) {}

  File file;
  ELF64LE::ShdrRange sections;
  const Section *symbolTable = nullptr;
};

// Sets the section's size to the bytes that the kernel needs instead of those that it declares.
Error resizeShared(std::string &bytes, const Section &section, const driver::KernelFacts &kernel,
                   uint64_t declared) {
  uint64_t before = section.sh_size;
  if (section.sh_type != ELF::SHT_NOBITS || section.sh_addr != 0)
    return createStringError("the shared memory of '%s' has contents", kernel.symbol.c_str());
  if (before != declared && before != declared + reservedBytes)
    return createStringError("'%s' has %llu bytes of shared memory and declares %llu",
                             kernel.symbol.c_str(), (unsigned long long)before,
                             (unsigned long long)declared);
  auto at = reinterpret_cast<const char *>(&section.sh_size) - bytes.data();
  support::endian::write64le(bytes.data() + at, before - declared + kernel.sharedMemory);
  return Error::success();
}

} // namespace

Error finishCubin(std::string &bytes, ArrayRef<driver::KernelFacts> kernels,
                  std::optional<size_t> declared) {
  auto image = Image::read(bytes);
  if (!image)
    return image.takeError();
  for (const driver::KernelFacts &kernel : kernels) {
    auto entry = image->findSymbol(kernel.symbol, ELF::STT_FUNC);
    if (!entry)
      return entry.takeError();
    auto launch = image->readLaunch(kernel.symbol);
    if (!launch)
      return launch.takeError();
    if (*launch == std::pair<uint32_t, uint32_t>(kernel.threads, kernel.sharedMemory))
      continue; // its launch gives it dynamic memory
    if (!declared || *launch != std::pair<uint32_t, uint32_t>(1, 0))
      return createStringError("'%s' has another plan", kernel.symbol.c_str());
    auto section = image->findSection(".nv.shared." + kernel.symbol);
    if (!section)
      return section.takeError();
    if (*section) // the compiler may remove an unused declaration, and then the kernel needs none
      if (Error error = resizeShared(bytes, **section, kernel, *declared))
        return error;
  }
  return Error::success();
}

} // namespace tessera::nvcc
