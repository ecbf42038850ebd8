// Puts the output file together, top to bottom. The user's text keeps its line numbers through
// #line.
#include "driver/Assemble.h"
#include "frontend/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::driver {
namespace {

// One include of the runtime: by name where it is on the path, else from where it is installed.
void printInclude(llvm::raw_ostream &out, llvm::StringRef header) {
  out << "#if __has_include(<" << header << ">)\n#include <" << header << ">\n#else\n#include \""
      << frontend::runtimeIncludeDirectory() << '/' << header << "\"\n#endif\n";
}

void printPrologue(llvm::raw_ostream &out, const std::string &name, const Settings &settings) {
  out << "// tessera 0.1, from " << settings.pipeline.sourceName;
  if (!settings.pipeline.optionsText.empty())
    out << ": " << settings.pipeline.optionsText;
  out << '\n';
  if (settings.target == Target::Cpu) {
    printInclude(out, "tessera/host/cpu.h");
  } else {
    out << "#ifndef TESSERA_SIMT\n#define TESSERA_SIMT 1\n#endif\n";
    printInclude(out, "tessera/simt.cuh");
  }
  out << "#line 1 \"" << name << "\"\n";
}

void printRegistration(llvm::raw_ostream &out, const frontend::Kernel &kernel,
                       const EmittedKernel *emitted, Target target) {
  const std::string &entry = kernel.address;
  out << "static const ::tessera::host::kernel_registration " << kernel.name << "_registration{";
  if (target == Target::Cpu)
    out << entry << ", \"" << kernel.displayName << "\"};\n";
  else if (target == Target::Emulate)
    out << entry << ", &::tessera::kernels::" << kernel.name << "_simt, \"" << kernel.displayName
        << "\", " << emitted->threads << ", " << emitted->sharedMemory << "};\n";
  else
    out << "reinterpret_cast<const void *>(" << entry
        << "), reinterpret_cast<const void *>(&::tessera::kernels::" << kernel.name << "_simt), \""
        << kernel.displayName << "\", " << emitted->threads << ", " << emitted->sharedMemory
        << "};\n";
}

} // namespace

std::string assemble(const frontend::EditedFile &main, const std::vector<frontend::Kernel> &kernels,
                     const std::vector<EmittedKernel> &emitted, const Settings &settings) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printPrologue(out, main.name, settings);
  out << main.contents;
  if (!llvm::StringRef(main.contents).ends_with("\n"))
    out << '\n';
  // Inside the runtime's namespace its names come before any that the program uses from elsewhere.
  if (!emitted.empty())
    out << "\nnamespace tessera::kernels {\n";
  std::map<std::string, std::string> variables;
  for (const EmittedKernel &kernel : emitted)
    variables.insert(kernel.variables.begin(), kernel.variables.end());
  if (!variables.empty()) {
    out << "\nnamespace variables {\n";
    for (auto &[name, definition] : variables)
      out << definition;
    out << "}  // namespace variables\n";
  }
  for (const EmittedKernel &kernel : emitted)
    out << '\n' << kernel.text;
  if (!emitted.empty())
    out << "\n}  // namespace tessera::kernels\n\n";
  for (const frontend::Kernel &kernel : kernels) {
    auto found = llvm::find_if(
        emitted, [&](const EmittedKernel &candidate) { return candidate.symbol == kernel.symbol; });
    if (settings.target == Target::Cpu || found != emitted.end())
      printRegistration(out, kernel, found == emitted.end() ? nullptr : &*found, settings.target);
  }
  return text;
}

} // namespace tessera::driver
