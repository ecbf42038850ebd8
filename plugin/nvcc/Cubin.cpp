// Shared memory is the size in one section header: these sections have no contents in the file, and
// no other addresses depend on theirs. How a kernel is launched stands in its section
// .nv.info.KERNEL, whose size stays.
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

  Expected<ArrayRef<uint8_t>> contentsOf(const Section &section) const {
    return file.getSectionContents(section);
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

// An attribute of .nv.info: a byte that says how long it is, a byte that says which, and its value.
struct Attribute {
  size_t begin, size;
  uint8_t kind;
};

constexpr uint8_t byteValue = 2, shortValue = 3, countedValue = 4; // forms
// Of __block_size__: a launch counts clusters; and the blocks of a cluster, three words.
constexpr uint8_t launchesClusters = 0x5b, blocksOfCluster = 0x3d;
// Of NVIDIA's images of tile kernels: the language, which is 7, and two whose meaning follows from
// it.
constexpr uint8_t language = 0x66, ofTileKernels = 0x6b, alsoOfTileKernels = 0x6d;
constexpr uint8_t tileLanguage = 7;

std::vector<Attribute> attributesOf(ArrayRef<uint8_t> info) {
  std::vector<Attribute> attributes;
  for (size_t at = 0; at + 4 <= info.size();) {
    size_t size = info[at] == countedValue ? 4 + support::endian::read16le(&info[at + 2]) : 4;
    if (size > info.size() - at)
      break;
    attributes.push_back({at, size, info[at + 1]});
    at += size;
  }
  return attributes;
}

// A kernel with __block_size__ is launched as clusters of one block each, of which an SM starts
// fewer in a time: an addition of vectors in blocks of 128 threads had 2400 GB/s of an H200's 4370
// (bench/results/2026-11-28-image-launches.txt). NVIDIA's images of tile kernels say instead that
// they are of tile kernels, and take the same launches.
void launchByBlocks(MutableArrayRef<uint8_t> info) {
  const Attribute *clusters = nullptr, *blocks = nullptr;
  std::vector<Attribute> attributes = attributesOf(info);
  for (const Attribute &attribute : attributes) {
    if (attribute.kind == launchesClusters && attribute.size == 4)
      clusters = &attribute;
    if (attribute.kind == blocksOfCluster && attribute.size == 16)
      blocks = &attribute;
  }
  const uint8_t one[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  if (!clusters || !blocks || info.slice(blocks->begin + 4, 12) != ArrayRef(one))
    return; // of another compiler
  const uint8_t isOfTile[] = {shortValue, ofTileKernels, 1, 0};
  const uint8_t isTile[] = {
      countedValue,      language, 4, 0,         tileLanguage,      0, 0, 0, byteValue,
      alsoOfTileKernels, 0,        0, byteValue, alsoOfTileKernels, 0, 0};
  llvm::copy(isOfTile, info.begin() + ptrdiff_t(clusters->begin));
  llvm::copy(isTile, info.begin() + ptrdiff_t(blocks->begin));
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
    auto info = image->findSection(".nv.info." + kernel.symbol);
    if (!info)
      return info.takeError();
    if (*info) {
      auto contents = image->contentsOf(**info);
      if (!contents)
        return contents.takeError();
      auto *data = reinterpret_cast<uint8_t *>(bytes.data());
      launchByBlocks({data + (contents->data() - data), contents->size()});
    }
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
