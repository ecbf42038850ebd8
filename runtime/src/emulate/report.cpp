// Collects reports, prints each to stderr, and turns the exit status of a process that leaves some
// unread into 86.
#include "reporting.h"

#include <tessera/emulate/report.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace tessera::emulate {
namespace {

// A kernel that races everywhere would otherwise drown its first report.
constexpr std::size_t printed_reports = 20;
constexpr std::ptrdiff_t named_callers = 4;

struct reports {
  std::mutex mutex;
  std::set<std::tuple<std::string, std::string, const void *>> seen;
  std::vector<std::string> kept;
  std::size_t repeated = 0;
  bool halted = false;
};

// Never destroyed: threads of the pool may still report while the process ends.
reports &all() {
  static reports &instance = *new reports;
  return instance;
}

void leave() {
  reports &r = all();
  if (r.kept.empty())
    return;
  std::fflush(nullptr);
  std::fprintf(stderr, "tessera emulator: %zu reports, %zu repetitions of them not shown\n",
               r.kept.size(), r.repeated);
  std::_Exit(failure_status);
}

// What addr2line wants: the file that holds the code and the addresses in it of the access and its
// callers, of which one is the kernel.
std::string describe_place(const void *place) {
  Dl_info file;
  link_map *loaded;
  if (!place || !dladdr1(place, &file, reinterpret_cast<void **>(&loaded), RTLD_DL_LINKMAP))
    return {};
  void *frames[33];
  void **end = frames + backtrace(frames, std::size(frames) - 1);
  void **first = std::find(frames, end, place);
  // The source of a cp.async is read later than the place says.
  if (first == end)
    *end++ = const_cast<void *>(place);
  std::string text = std::string(" [") + file.dli_fname;
  for (void **frame = first; frame < std::min(end, first + named_callers); ++frame) {
    char address[32];
    std::snprintf(address, sizeof address, " 0x%zx",
                  reinterpret_cast<std::uintptr_t>(*frame) - loaded->l_addr - 1);
    text += address;
  }
  return text + "]";
}

} // namespace

bool is_new_report(const char *kind, const char *kernel, const void *place) {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  bool is_new = r.seen.emplace(kind, kernel, place).second;
  r.repeated += !is_new;
  return is_new;
}

std::string describe_code(const void *place) {
  Dl_info file;
  link_map *loaded;
  if (!place || !dladdr1(place, &file, reinterpret_cast<void **>(&loaded), RTLD_DL_LINKMAP))
    return {};
  char address[32];
  std::snprintf(address, sizeof address, " 0x%zx]",
                reinterpret_cast<std::uintptr_t>(place) - loaded->l_addr - 1);
  return std::string(" [") + file.dli_fname + address;
}

void add_report(const void *place, std::string text, const std::string &more) {
  static const int registered = std::atexit(leave);
  (void)registered;
  text += describe_place(place) + more;
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  if (r.kept.size() < printed_reports)
    std::fprintf(stderr, "%s\n", text.c_str());
  r.kept.push_back(std::move(text));
}

void halt_launches() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  r.halted = true;
}

bool launches_halted() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  return r.halted;
}

bool failed() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  return !r.kept.empty();
}

std::vector<std::string> take_reports() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  r.seen.clear();
  r.repeated = 0;
  r.halted = false;
  return std::exchange(r.kept, {});
}

} // namespace tessera::emulate
