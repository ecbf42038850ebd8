// By llvm-symbolizer, which runs in its own process.
#include "source_line.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

namespace tessera::host {
namespace {

// TESSERA_SYMBOLIZER, else llvm-symbolizer in Clang's folder or on PATH, which has it under another
// name where packages installed Clang; or empty.
std::string find_symbolizer() {
  if (const char *chosen = std::getenv("TESSERA_SYMBOLIZER"))
    return chosen;
  constexpr char of_clang[] = TESSERA_LLVM_TOOLS_DIR "/llvm-symbolizer";
  if (access(of_clang, X_OK) == 0)
    return of_clang;
  const char *folders = std::getenv("PATH");
  std::istringstream list(folders ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (std::string file = folder + "/llvm-symbolizer"; access(file.c_str(), X_OK) == 0)
      return file;
  return {};
}

// Parses "x.cu:12:5".
source_location location_of(std::string text) {
  source_location location;
  for (unsigned *number : {&location.column, &location.line}) {
    const auto colon = text.rfind(':');
    if (colon == text.npos)
      return {};
    *number = unsigned(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
    text.resize(colon);
  }
  location.file = std::move(text);
  return location;
}

// Of the C and C++ libraries: the program's line is that of the call into it, debug information of
// its own or not.
bool is_library_of_language(const char *file) {
  constexpr std::string_view libraries[] = {
      "libc.so",      "libm.so",     "libpthread.so", "ld-linux",     "linux-vdso",
      "libstdc++.so", "libgcc_s.so", "libc++.so",     "libc++abi.so",
  };
  std::string_view name(file);
  name.remove_prefix(name.rfind('/') + 1); // npos + 1: none
  return std::ranges::any_of(libraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

// As a word of the shell.
std::string quoted(const std::string &name) {
  std::string word = "'";
  for (char c : name)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

} // namespace

std::string source_location::text() const {
  return file.empty() ? std::string() : file + ":" + std::to_string(line);
}

source_location find_location(const code_addresses &addresses) {
  if (!addresses.file)
    return {};
  static const std::string symbolizer = find_symbolizer();
  if (symbolizer.empty())
    return {};
  std::string command = quoted(symbolizer) + " --functions=none --relativenames --inlines --obj=" +
                        quoted(addresses.file) + addresses.text + " 2>/dev/null";
  // NOLINTNEXTLINE(bugprone-command-processor): the names are quoted
  std::FILE *lines = popen(command.c_str(), "r");
  if (!lines)
    return {};
  source_location found;
  for (char line[1024]; std::fgets(line, sizeof line, lines);) {
    std::string text(line, std::strcspn(line, "\n"));
    if (found.file.empty() && !text.empty() && !text.starts_with("??") &&
        text.find("/include/tessera/") == text.npos)
      found = location_of(std::move(text));
  }
  pclose(lines);
  return found;
}

code_addresses addresses_in_program(std::span<void *const> frames) {
  Dl_info own;
  link_map *loaded;
  const auto first = std::ranges::find_if(frames, [&](void *frame) {
    return dladdr(frame, &own) && !is_library_of_language(own.dli_fname);
  });
  code_addresses result;
  for (void *const frame : first == frames.end() ? frames : std::span(first, frames.end())) {
    if (!dladdr1(frame, &own, reinterpret_cast<void **>(&loaded), RTLD_DL_LINKMAP))
      continue;
    if (!result.file)
      result.file = own.dli_fname;
    if (own.dli_fname != result.file && std::string(own.dli_fname) != result.file)
      break;
    char address[32];
    std::snprintf(address, sizeof address, " 0x%zx",
                  reinterpret_cast<std::uintptr_t>(frame) - loaded->l_addr - 1);
    result.text += address;
  }
  return result;
}

source_location find_location(std::span<void *const> frames) {
  return find_location(addresses_in_program(frames));
}

} // namespace tessera::host
