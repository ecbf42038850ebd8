// A failed check of a kernel on the CPU: found by the addresses of its callers, since the functions
// of tile code know no places.
#include "source_line.h"

#include <tessera/host/block.h>
#include <tessera/host/check.h>

#include "block_end.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string>

namespace tessera::host {
namespace {

// The innermost line of the program among the callers.
std::string calling_line() {
  void *frames[64];
  const int count = backtrace(frames, std::size(frames));
  Dl_info own;
  link_map *loaded;
  std::string addresses;
  const char *file = nullptr;
  for (int i = 1; i < count; i++) {
    if (!dladdr1(frames[i], &own, reinterpret_cast<void **>(&loaded), RTLD_DL_LINKMAP))
      continue;
    if (!file)
      file = own.dli_fname;
    if (own.dli_fname != file && std::string(own.dli_fname) != file)
      break;
    char address[32];
    std::snprintf(address, sizeof address, " 0x%zx",
                  reinterpret_cast<std::uintptr_t>(frames[i]) - loaded->l_addr - 1);
    addresses += address;
  }
  return file ? find_line(file, addresses) : std::string();
}

// With one value for each conversion, all of them of long long.
std::string formatted(const check_failure &failure) {
  std::string text;
  int next = 0;
  for (const char *at = failure.message; *at;) {
    if (*at == '%' && next < failure.value_count) {
      char number[32];
      std::snprintf(number, sizeof number, std::strncmp(at, "%llx", 4) == 0 ? "%llx" : "%lld",
                    failure.values[next++]);
      text += number;
      at += 4;
    } else {
      text += *at++;
    }
  }
  for (int d = 0; d < failure.rank; d++)
    text += (d ? ", " : ": element [") + std::to_string(failure.element[d]);
  return failure.rank ? text + "]" : text;
}

} // namespace

void fail_check(const check_failure &failure) {
  static std::mutex one;
  {
    std::scoped_lock lock(one);
    static bool is_said = false;
    if (!is_said) {
      is_said = true;
      const std::string line = calling_line();
      const auto &at = current_block.index;
      std::fprintf(stderr, "%s: tessera check: %s [block (%u, %u, %u)]\n",
                   line.empty() ? "(line unknown: compile with -g1)" : line.c_str(),
                   formatted(failure).c_str(), at[0], at[1], at[2]);
    }
  }
  end_block(cudaErrorAssert);
}

} // namespace tessera::host
