#include "nvcc/Architectures.h"

#include "support/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

void wish(Architectures &found, std::string virtualName, std::string name) {
  bool isKnown = any_of(found.wishes, [&](const CodeWish &other) {
    return other.virtualName == virtualName && other.name == name;
  });
  if (!isKnown && !virtualName.empty())
    found.wishes.push_back({std::move(virtualName), std::move(name)});
}

// "90a" of "sm_90a" and "compute_90a"; empty for anything else.
StringRef suffixOf(StringRef name) {
  return name.consume_front("sm_") || name.consume_front("compute_") ? name : StringRef();
}

std::string virtualOf(StringRef name) { return "compute_" + suffixOf(name).str(); }

// arch=compute_90,code=[sm_90,compute_90]; several may follow one another.
void readGenerateCode(StringRef text, Architectures &found) {
  std::string virtualName;
  SmallVector<StringRef> words;
  text.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word.consume_front("arch=")) {
      virtualName = word.trim("\"'").str();
      continue;
    }
    word.consume_front("code=");
    wish(found, virtualName, word.trim("[]\"'").str());
  }
}

// native, all and all-major have nvcc's meaning.
bool askCompiler(StringRef architecture, const Toolkit &toolkit, Architectures &found) {
  driver::TemporaryFolder folder;
  if (!folder || toolkit.compiler.empty())
    return false;
  std::string commands;
  driver::execute({toolkit.compiler, "-arch=" + architecture.str(), "--dryrun", "-c", "-x", "cu",
                   "-o", "/dev/null", "/dev/null"},
                  {&folder, &commands, &commands});
  // ptxas ... -arch=sm_90, and images that are PTX: kind=ptx,sm=90.
  Regex image("--image3=kind=([a-z]+),sm=([0-9]+[a-z]?)");
  StringRef rest = commands;
  for (SmallVector<StringRef> parts; image.match(rest, &parts);
       rest = rest.drop_front(size_t(parts[0].end() - rest.begin())))
    wish(found, "compute_" + parts[2].str(),
         (parts[1] == "ptx" ? "compute_" : "sm_") + parts[2].str());
  return !found.wishes.empty();
}

// The rows that tile code is compiled for. For one number, the row that runs on more GPUs.
void findRows(Architectures &found) {
  for (const CodeWish &code : found.wishes) {
    const GpuTarget *row = found.rowOf(code);
    found.hasUnknown |= suffixOf(code.virtualName).take_while(isDigit).empty();
    if (!row) {
      found.hasOlder = true;
      continue;
    }
    auto same = find_if(found.rows, [&](auto *other) { return other->number == row->number; });
    if (same == found.rows.end())
      found.rows.push_back(row);
    else if (isDigit(row->name.back()))
      *same = row;
  }
  llvm::sort(found.rows, [](auto *a, auto *b) { return a->number < b->number; });
}

} // namespace

// For an architecture that the table lacks, the last before it, as launches select theirs.
const GpuTarget *Architectures::rowOf(const CodeWish &code) const {
  StringRef suffix = suffixOf(code.virtualName);
  if (const GpuTarget *row = findGpuTarget(("sm_" + suffix).str()))
    return row;
  unsigned number = 0;
  const GpuTarget *last = nullptr;
  if (!suffix.take_while(isDigit).getAsInteger(10, number))
    for (const GpuTarget &row : gpuTargets())
      if (row.number <= number && isDigit(row.name.back()))
        last = &row;
  return last;
}

std::optional<Architectures> readArchitectures(const CommandLine &line, const Toolkit &toolkit,
                                               raw_ostream &messages) {
  Architectures found;
  Words codes = line.valuesOf(OptionKind::Code);
  if (auto architecture = line.valueOf(OptionKind::Architecture)) {
    StringRef name = *architecture;
    if (name == "native" || name == "all" || name == "all-major") {
      if (!askCompiler(name, toolkit, found)) {
        messages << "tessera-nvcc: " << formatv(message::UnknownToNvcc, name) << '\n';
        return std::nullopt;
      }
    } else if (!codes.empty()) {
      for (std::string &code : codes)
        wish(found, virtualOf(name), code);
    } else {
      if (name.starts_with("sm_"))
        wish(found, virtualOf(name), name.str());
      wish(found, virtualOf(name), virtualOf(name));
    }
  }
  for (const Option &option : line.options)
    if (option.kind == OptionKind::GenerateCode)
      readGenerateCode(option.value, found);
  findRows(found);
  return found;
}

} // namespace tessera::nvcc
