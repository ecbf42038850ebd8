// Assembles the output file, top to bottom. The user's code keeps its line numbers through #line.
#include "driver/Assemble.h"
#include "emit/ElementHeaders.h"
#include "support/Quoted.h"
#include "tessera/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace tessera::driver {
namespace {

// One include of the runtime: by name, so that the file can be moved. The command that compiles it
// gives the folder.
void printInclude(llvm::raw_ostream &out, llvm::StringRef header) {
  out << "#include <" << header << ">\n";
}

void printPrologue(llvm::raw_ostream &out, const std::string &name, bool namesTileHeader,
                   llvm::ArrayRef<Portion> portions, const Settings &settings) {
  std::string from = settings.pipeline.sourceName;
  if (!settings.optionsText.empty())
    from += ": " + settings.optionsText;
  if (std::string without = settings.pipeline.policy.without(); !without.empty())
    from += ", planned without " + without;
  out << "// tessera " TESSERA_VERSION_STRING ", from " << inLineComment(from) << '\n';
  // What the program's headers depend on.
  for (const std::string &macro : settings.macros)
    out << "#ifndef " << macro << "\n#define " << macro << " 1\n#endif\n";
  if (settings.target == Target::Cpu) {
    for (const std::string &macro : settings.pipeline.checks.macros())
      out << "#define " << macro << " 1\n";
    printInclude(out, "tessera/host/cpu.h");
  } else {
    out << "#ifndef TESSERA_SIMT\n#define TESSERA_SIMT 1\n#endif\n";
    if (settings.product != Product::Program)
      out << "#define TESSERA_IMAGE 1\n";
    if (auto bytes = declaredSharedMemory(factsOf(portions.front()), settings.product))
      out << "#define TESSERA_IMAGE_SHARED " << *bytes << '\n';
    printInclude(out, "tessera/simt.cuh");
    if (settings.pipeline.checks.any())
      printInclude(out, "tessera/ops/check.cuh");
    if (namesTileHeader)
      printInclude(out, "tessera/host/tile.h");
    auto hasAny = [&](auto what) {
      return llvm::any_of(
          portions, [&](const Portion &portion) { return llvm::any_of(portion.emitted, what); });
    };
    if (hasAny([](const EmittedKernel &kernel) { return kernel.mapCount != 0; }))
      printInclude(out, "tessera/host/tensor_maps.h");
    if (hasAny([](const EmittedKernel &kernel) { return !kernel.tiles.name.empty(); }))
      printInclude(out, "tessera/host/tile_list.h");
    if (hasAny([](const EmittedKernel &kernel) { return !kernel.warps.name.empty(); }))
      printInclude(out, "tessera/host/launched_warps.h");
  }
  out << (settings.marksOwnLines ? "# 1 " : "#line 1 ") << quoted(name) << "\n";
}

// Marks the following lines as a system header's, together with their includes, so that compilers
// do not warn about them. The program's code starts with a marker of this form, too, since #line
// keeps the system state.
void printOwnMarker(llvm::raw_ostream &out, const Settings &settings) {
  if (settings.marksOwnLines)
    out << "# 1 \"<tessera>\" 3\n";
}

const EmittedKernel *findEmitted(const Portion &portion, const std::string &symbol) {
  auto found = llvm::find_if(
      portion.emitted, [&](const EmittedKernel &candidate) { return candidate.symbol == symbol; });
  return found == portion.emitted.end() ? nullptr : &*found;
}

// The namespace of a portion's variables. Architectures may use one name for different variables.
std::string variablesOf(const Portion &portion, bool isOnly) {
  return isOnly ? "variables" : "variables_of_" + portion.target->name.str();
}

// Every pass sees the variables: nvcc's host code names those of its device code.
void printVariables(llvm::raw_ostream &out, const Portion &portion, bool isOnly) {
  std::map<std::string, std::string> variables;
  for (const EmittedKernel &kernel : portion.emitted)
    variables.insert(kernel.variables.begin(), kernel.variables.end());
  if (variables.empty() && isOnly)
    return;
  std::string space = variablesOf(portion, isOnly);
  out << "\nnamespace " << space << " {\n";
  for (auto &[name, definition] : variables)
    out << definition;
  out << "} // namespace " << space << '\n';
}

// A kernel in the output, with the portions' data about it.
struct KernelEntry {
  llvm::StringRef symbol;
  const frontend::Kernel *kernel;         // null: it runs in place of another one
  const EmittedKernel *emitted = nullptr; // any of them: they have one signature
  unsigned maps = 0;                      // maximum over the portions
  std::string plans;                      // "{80, 128, 73728}, {90, 256, 98304}"
};

std::string emittedName(const EmittedKernel &kernel) {
  return "&::tessera::kernels::" + kernel.name + "_simt";
}

// `room`: the number of tensor maps in the kernel's signature.
std::string tensorMapsOf(const EmittedKernel &kernel, unsigned room) {
  std::string space = "::tessera::host::";
  if (kernel.mapCount)
    return ", " + space + "maps_by<&::tessera::kernels::" + kernel.tensorMapMakerName +
           (kernel.requiredTensorMaps ? ", " + std::to_string(kernel.requiredTensorMaps)
                                      : std::string()) +
           ">";
  if (!room)
    return "";
  return ", " + space + "no_tensor_maps<" + std::to_string(kernel.parameters) + ", " +
         std::to_string(room) + ">";
}

KernelEntry &entryOf(std::vector<KernelEntry> &entries, llvm::StringRef symbol,
                     const frontend::Kernel *kernel) {
  auto entry = llvm::find_if(
      entries, [&](const KernelEntry &candidate) { return candidate.symbol == symbol; });
  return entry != entries.end() ? *entry
                                : *entries.insert(entries.end(), {symbol, kernel, nullptr, 0, {}});
}

unsigned roomForTensorMaps(llvm::ArrayRef<KernelEntry> entries, const EmittedKernel &kernel) {
  auto entry = llvm::find_if(
      entries, [&](const KernelEntry &candidate) { return candidate.symbol == kernel.symbol; });
  return entry == entries.end() ? kernel.mapCount : entry->maps;
}

std::string warpsOf(const EmittedKernel &kernel) {
  return "::tessera::host::warps_by<&::tessera::kernels::" + kernel.warps.name + ">";
}

// The part of a launch plan about the kernel that runs in place of this one: "" if there is none.
std::string coarsenedPlan(llvm::ArrayRef<KernelEntry> entries, const Portion &portion,
                          const EmittedKernel &kernel) {
  auto coarsened = llvm::find_if(portion.emitted, [&](const EmittedKernel &candidate) {
    return candidate.coarsenedFrom == kernel.symbol;
  });
  if (coarsened == portion.emitted.end())
    return "";
  std::string numbers;
  for (uint64_t number : {uint64_t(coarsened->coarsenedColumns), uint64_t(coarsened->coarsenedRows),
                          uint64_t(coarsened->threads), uint64_t(coarsened->sharedMemory),
                          coarsened->cycles, coarsened->cyclesOfOther, uint64_t(kernel.parameters)})
    numbers += ", " + std::to_string(number);
  std::string maps = tensorMapsOf(*coarsened, roomForTensorMaps(entries, *coarsened)), tiles;
  if (!coarsened->tiles.name.empty())
    tiles = std::string(maps.empty() ? ", {}" : "") +
            ", ::tessera::host::tiles_by<&::tessera::kernels::" + coarsened->tiles.name + ", " +
            std::to_string(coarsened->tiles.needed) + ">";
  std::string plan =
      "::tessera::host::coarsened(" + emittedName(*coarsened) + numbers + maps + tiles + ")";
  if (coarsened->isPersistent)
    plan = "::tessera::host::persistent(" + plan + ")";
  if (coarsened->blockParts > 1)
    plan = "::tessera::host::in_parts(" + plan + ", " + std::to_string(coarsened->blockParts) + ")";
  if (coarsened->isUnbalanced)
    plan = "::tessera::host::unbalanced(" + plan + ")";
  if (!coarsened->warps.name.empty())
    plan = "::tessera::host::trimmed(" + plan + ", " + warpsOf(*coarsened) + ")";
  return ",\n         " + plan;
}

// "90, 256, 98304", tensor maps, a kernel that may run in place of this one, and what counts warps.
std::string planOf(llvm::ArrayRef<KernelEntry> entries, const Portion &portion,
                   const EmittedKernel &kernel) {
  std::string maps = tensorMapsOf(kernel, roomForTensorMaps(entries, kernel)),
              coarsened = coarsenedPlan(entries, portion, kernel),
              warps = kernel.warps.name.empty() ? "" : ",\n         " + warpsOf(kernel);
  if (coarsened.empty() && !warps.empty())
    coarsened = ", {}";
  if (maps.empty() && !coarsened.empty())
    maps = ", {}";
  return std::to_string(portion.target->number) + ", " + std::to_string(kernel.threads) + ", " +
         std::to_string(kernel.sharedMemory) + maps + coarsened + warps;
}

std::vector<KernelEntry> entriesOf(const std::vector<Portion> &portions) {
  std::vector<KernelEntry> entries;
  for (const Portion &portion : portions) {
    for (const frontend::Kernel &kernel : portion.kernels)
      entryOf(entries, kernel.symbol, &kernel);
    for (const EmittedKernel &emitted : portion.emitted) {
      KernelEntry &entry = entryOf(entries, emitted.symbol, nullptr);
      entry.emitted = &emitted;
      entry.maps = std::max(entry.maps, emitted.mapCount);
    }
  }
  for (const Portion &portion : portions)
    for (KernelEntry &entry : entries)
      if (const EmittedKernel *emitted =
              entry.kernel ? findEmitted(portion, entry.kernel->symbol) : nullptr)
        entry.plans +=
            (entry.plans.empty() ? "{" : ", {") + planOf(entries, portion, *emitted) + "}";
  return entries;
}

void printKernels(llvm::raw_ostream &out, const Portion &portion,
                  const std::vector<KernelEntry> &entries) {
  for (const EmittedKernel &kernel : portion.emitted)
    out << '\n' << kernel.text(roomForTensorMaps(entries, kernel));
}

// Host code, which all passes read: registrations name it. In a pass for GPUs without tiles its
// types do not exist.
void printHostFunctions(llvm::raw_ostream &out, const std::vector<Portion> &portions,
                        bool hasOlderArchitectures) {
  std::string names, functions;
  llvm::raw_string_ostream declarations(names), definitions(functions);
  auto print = [&](llvm::StringRef text, const llvm::Twine &comment) {
    declarations << text.split(") {\n").first << ") {}\n";
    definitions << "\n// " << comment << '\n' << text;
  };
  for (const Portion &portion : portions)
    for (const EmittedKernel &kernel : portion.emitted) {
      if (kernel.mapCount)
        print(kernel.tensorMapMaker, "What a launch on " + portion.target->name + " gives " +
                                         kernel.name + " beside its arguments.");
      if (!kernel.tiles.name.empty())
        print(kernel.tiles.text, "The tiles of a block for which " + kernel.name + " may run on " +
                                     portion.target->name + ".");
      if (!kernel.warps.name.empty())
        print(kernel.warps.text,
              "The warps of a block of " + kernel.name + " on " + portion.target->name + ".");
    }
  if (names.empty())
    return;
  if (hasOlderArchitectures)
    out << "\n#ifndef TESSERA_HAS_TILES\n" << names << "#else\n";
  out << functions;
  if (hasOlderArchitectures)
    out << "#endif\n";
}

// Each architecture compiles one portion: that of the latest architecture not after it, as a launch
// selects its plan (runtime/include/tessera/host/gpu.h). The host's pass needs only the kernels'
// names.
void printSections(llvm::raw_ostream &out, const std::vector<Portion> &portions,
                   const std::vector<KernelEntry> &entries, bool hasOlderArchitectures) {
  std::string names;
  for (const Portion &portion : portions)
    names += (names.empty() ? "" : ", ") + portion.target->name.str();
  out << (hasOlderArchitectures ? "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < " +
                                      std::to_string(portions.front().target->number * 10)
                                : "#ifndef __CUDA_ARCH__")
      << "\n\n";
  for (const KernelEntry &entry : entries)
    if (entry.emitted)
      out << "static __global__ " << entry.emitted->signature(entry.maps) << " {}\n";
  for (const Portion &portion : llvm::reverse(portions)) {
    out << "\n#elif __CUDA_ARCH__ >= " << portion.target->number * 10 << '\n';
    if (portions.size() > 1)
      out << "\nnamespace variables = " << variablesOf(portion, false) << ";\n";
    printKernels(out, portion, entries);
    // Registrations, which this pass reads, too, name the coarsened kernels of the others; no
    // launch here uses them.
    for (const KernelEntry &entry : entries)
      if (!entry.kernel && entry.emitted && !findEmitted(portion, entry.symbol.str()))
        out << "\nstatic __global__ " << entry.emitted->signature(entry.maps) << " {}\n";
  }
  out << "\n#else\n#error \"this text is for " << names
      << ": translate it for this architecture, too\"\n#endif\n";
}

void printRegistration(llvm::raw_ostream &out, const KernelEntry &entry, Target target) {
  const frontend::Kernel &kernel = *entry.kernel;
  std::string emitted = entry.emitted ? emittedName(*entry.emitted) : "", facts;
  bool isOwnType = target == Target::Cpu || kernel.takesReferences || entry.maps;
  std::string type = isOwnType ? kernel.entryType : "decltype(" + emitted + ")";
  if (target != Target::Cpu)
    facts = emitted + ", ";
  out << "TESSERA_FIRST static const ::tessera::host::kernel_registration<\n    " << type
      << ",\n    " << kernel.entry << ">\n    __tessera_" << kernel.name << "_registration{"
      << facts << quoted(kernel.displayName);
  if (target != Target::Cpu)
    out << ",\n        {" << entry.plans << "}";
  out << "};\n";
}

void printNamedLocations(llvm::raw_ostream &out,
                         llvm::ArrayRef<frontend::NamedLocation> locations) {
  if (locations.empty())
    return;
  out << "static const ::tessera::host::named_location __tessera_named_locations[] = {\n";
  for (const frontend::NamedLocation &location : locations)
    out << "    {" << quoted(location.file) << ", " << location.line << ", " << location.column
        << ", " << quoted(location.result) << ", " << quoted(location.object) << ", "
        << quoted(location.value) << "},\n";
  out << "};\nstatic const ::tessera::host::locations_registration "
         "__tessera_locations_registration{"
         "__tessera_named_locations};\n";
}

// Aliases of entries and types in unnamed namespaces.
void printAliases(llvm::raw_ostream &out, llvm::ArrayRef<Portion> portions) {
  std::set<llvm::StringRef> printed;
  for (const Portion &portion : portions)
    for (const frontend::Kernel &kernel : portion.kernels) {
      llvm::SmallVector<llvm::StringRef> aliases;
      llvm::StringRef(kernel.aliases).split(aliases, '\n', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef alias : aliases)
        if (printed.insert(alias).second)
          out << alias << '\n';
    }
}

// The program's macros must not affect the generated code, whatever their names.
void printUndefinitions(llvm::raw_ostream &out, const std::vector<std::string> &macros,
                        const llvm::StringSet<> &words) {
  for (const std::string &macro : macros)
    if (words.contains(macro))
      out << "#undef " << macro << '\n';
}

} // namespace

std::string assemble(const frontend::EditedFile &main, const std::vector<Portion> &portions,
                     const Settings &settings) {
  std::string kernels;
  llvm::raw_string_ostream out(kernels);
  std::vector<KernelEntry> entries = entriesOf(portions);
  bool hasEmitted =
      llvm::any_of(portions, [](const Portion &portion) { return !portion.emitted.empty(); });
  printAliases(out, portions);
  // Inside the runtime's namespace its names take precedence over the program's using-declarations.
  if (hasEmitted) {
    out << "\nnamespace tessera::kernels {\n";
    for (const Portion &portion : portions)
      printVariables(out, portion, portions.size() == 1);
    if (settings.target == Target::Gpu && settings.product == Product::Program)
      printSections(out, portions, entries, settings.hasOlderArchitectures);
    else
      printKernels(out, portions.front(), entries);
    printHostFunctions(out, portions, settings.hasOlderArchitectures);
    out << "\n} // namespace tessera::kernels\n\n";
  }
  for (const KernelEntry &entry : entries)
    if (settings.product == Product::Program && entry.kernel &&
        (settings.target == Target::Cpu || entry.emitted))
      printRegistration(out, entry, settings.target);
  printNamedLocations(out, main.namedLocations);

  std::string text;
  llvm::raw_string_ostream whole(text);
  bool namesTileHeader = main.namesTileHeader || llvm::StringRef(kernels).contains("cuda::tiles::");
  printOwnMarker(whole, settings);
  printPrologue(whole, main.name, namesTileHeader, portions, settings);
  whole << main.contents;
  if (!llvm::StringRef(main.contents).ends_with("\n"))
    whole << '\n';
  printOwnMarker(whole, settings);
  llvm::StringSet<> words = emit::wordsOf(kernels);
  emit::printElementHeaders(whole, words);
  printUndefinitions(whole, main.macros, words);
  whole << kernels;
  return text;
}

} // namespace tessera::driver
