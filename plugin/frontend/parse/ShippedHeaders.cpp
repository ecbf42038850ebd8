// The folder has an index, a form a line: its key, the pack that contains it, where its facts begin
// there, their size and that of the form behind them, and the pack's size. A pack is compressed as
// a whole: forms for two GPUs differ in few bytes.
#include "frontend/parse/ShippedHeaders.h"
#include "frontend/parse/Installation.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// Names of the links.
constexpr StringRef tesseraName = "tessera", cudaName = "cuda";

// The folder of links has a name of this length: in a form one replaces another.
constexpr size_t lengthOfLinks = 200;

std::string padded(std::string name) {
  name.append(lengthOfLinks - std::min(name.size(), lengthOfLinks), '-');
  return name;
}

std::string installation() { return llvm::sys::path::parent_path(runtimeIncludeDirectory()).str(); }

void replaceAll(std::string &text, StringRef old, StringRef name) {
  for (size_t at = 0; (at = text.find(old.data(), at, old.size())) != std::string::npos;
       at += name.size())
    text.replace(at, old.size(), name);
}

std::unique_ptr<llvm::MemoryBuffer> read(const Twine &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? std::move(*buffer) : nullptr;
}

} // namespace

std::optional<Roots> Roots::of(const CompilerInvocation &invocation) {
  Roots roots;
  roots.tessera = installation();
  for (const HeaderSearchOptions::Entry &entry : invocation.getHeaderSearchOpts().UserEntries)
    if (llvm::sys::fs::exists(entry.Path + "/cuda_runtime.h"))
      roots.cuda = llvm::sys::path::parent_path(entry.Path).str();
  if (!llvm::sys::path::is_absolute(roots.cuda))
    return std::nullopt;
  return roots;
}

std::string Roots::shortened(std::string text) const {
  replaceAll(text, cuda + "/", "<cuda>/");
  replaceAll(text, tessera + "/", "<tessera>/");
  return text;
}

std::string Roots::resolved(StringRef name) const {
  auto [root, rest] = name.split('/');
  return ((root == cudaName ? cuda : tessera) + "/" + rest).str();
}

std::string Roots::links(StringRef folder) const {
  llvm::MD5 sum;
  sum.update(tessera + "\n" + cuda);
  llvm::MD5::MD5Result result;
  sum.final(result);
  std::string links = padded((folder + "/roots-" + result.digest()).str());
  return links.size() == lengthOfLinks && llvm::sys::path::is_absolute(links) ? links
                                                                              : std::string();
}

bool Roots::link(const std::string &links) const {
  if (llvm::sys::fs::create_directories(links))
    return false;
  for (auto [name, root] : {std::pair(tesseraName, &tessera), std::pair(cudaName, &cuda)}) {
    std::string link = (links + "/" + name).str();
    (void)llvm::sys::fs::create_link(*root, link); // another process may have made it
    if (!llvm::sys::fs::equivalent(link, *root))
      return false;
  }
  return true;
}

void Roots::relocate(CompilerInvocation &invocation, StringRef links) const {
  HeaderSearchOptions &options = invocation.getHeaderSearchOpts();
  for (HeaderSearchOptions::Entry &entry : options.UserEntries) {
    StringRef path = entry.Path;
    if (path.consume_front(cuda))
      entry.Path = (links + "/" + cudaName + path).str();
    else if (path.consume_front(tessera))
      entry.Path = (links + "/" + tesseraName + path).str();
  }
  // What is written into a form, and is not asked for again.
  options.Sysroot = options.ResourceDir = "/";
  options.ModulesSkipHeaderSearchPaths = true;
}

std::string linksHere() { return padded("/proc/self/cwd/roots-"); }

std::string withLinks(std::string contents, const std::string &links) {
  replaceAll(contents, linksHere(), links);
  return contents;
}

std::string contentsOf(StringRef file, StringRef name) {
  auto buffer = read(file);
  return buffer ? (Twine(buffer->getBufferSize()) + " " +
                   llvm::utohexstr(llvm::xxh3_64bits(buffer->getBuffer())) + " " + name)
                      .str()
                : std::string();
}

std::optional<ShippedHeaders> findShippedHeaders(StringRef key, const Roots &roots) {
  std::string folder = installation() + "/share/tessera/precompiled/";
  auto index = read(folder + "index");
  if (!index || !llvm::compression::zstd::isAvailable())
    return std::nullopt;
  for (StringRef line : llvm::split(index->getBuffer(), '\n')) {
    SmallVector<StringRef> words;
    line.split(words, ' ');
    size_t begin = 0, facts = 0, form = 0, all = 0;
    if (words.size() != 6 || words[0] != key || words[2].getAsInteger(10, begin) ||
        words[3].getAsInteger(10, facts) || words[4].getAsInteger(10, form) ||
        words[5].getAsInteger(10, all) || begin + facts + form > all)
      continue;
    auto pack = read(folder + words[1]);
    SmallVector<uint8_t, 0> bytes;
    if (!pack)
      return std::nullopt;
    if (llvm::Error error = llvm::compression::zstd::decompress(
            llvm::arrayRefFromStringRef(pack->getBuffer()), bytes, all)) {
      llvm::consumeError(std::move(error));
      return std::nullopt;
    }
    StringRef text = llvm::toStringRef(bytes).substr(begin);
    auto [files, rest] = text.take_front(facts).split("\n\n");
    for (StringRef file : llvm::split(files, '\n')) {
      StringRef name = file.split(' ').second.split(' ').second;
      if (contentsOf(roots.resolved(name), name) != file)
        return std::nullopt;
    }
    return ShippedHeaders{text.substr(facts, form).str(), files.str(), rest.str()};
  }
  return std::nullopt;
}

} // namespace tessera::frontend
