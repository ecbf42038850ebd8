// Collects reports, prints each to stderr, and makes 86 the exit status of a process with unread
// reports.
#include "reporting.h"

#include "../cpu/source_line.h"

#include <tessera/emulate/engine.h>
#include <tessera/emulate/report.h>
#include <tessera/host/fork.h>

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <span>
#include <tuple>
#include <utility>

namespace tessera::emulate {
namespace {

// A kernel that races everywhere would otherwise bury its first report.
constexpr std::size_t printed_reports = 20;
constexpr std::ptrdiff_t named_callers = 4;

struct reports {
  std::mutex mutex;
  std::set<std::tuple<std::string, std::string, const void *>> seen;
  std::vector<std::string> kept;
  std::size_t repeated = 0;
  std::size_t read = 0; // of those kept, by see_new_reports()
  bool halted = false;
  failure why;

  void lock() { mutex.lock(); } // for fork()
  void unlock() { mutex.unlock(); }
};

// Never destroyed: threads of the pool may still report while the process ends.
reports &all() {
  static reports &instance = *new reports;
  return instance;
}
[[maybe_unused]] const bool are_whole_in_forks = host::keep_whole_in_forks<reports, all>();

// Will the next report be printed, so that its lines are needed?
bool is_printed() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  return r.kept.size() < printed_reports;
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

// " [x.cu:12; program 0x1234 0x1256]": the line, if known, and the input of addr2line: the file
// that contains the code and addresses in it.
std::string describe_frames(std::span<void *const> frames) {
  const host::code_addresses addresses = host::addresses_in_program(frames);
  if (!addresses.file)
    return {};
  std::string line;
  if (is_printed())
    line = host::find_location(addresses).text();
  return " [" + (line.empty() ? line : line + "; ") + addresses.file + addresses.text + "]";
}

// The access and its callers, one of which is the kernel.
std::string describe_location(const void *location) {
  if (!location)
    return {};
  void *frames[33];
  void **end = frames + backtrace(frames, std::size(frames) - 1);
  void **first = std::find(frames, end, location);
  // The source of a cp.async is read later than at this location.
  if (first == end)
    *end++ = const_cast<void *>(location);
  return describe_frames({first, std::min(end, first + named_callers)});
}

} // namespace

bool is_new_report(const char *kind, const char *kernel, const void *location) {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  bool is_new = r.seen.emplace(kind, kernel, location).second;
  r.repeated += !is_new;
  return is_new;
}

std::string line_here() {
  void *frames[32];
  const auto count = static_cast<std::size_t>(backtrace(frames, std::size(frames)));
  const std::string line = host::find_location(std::span<void *const>(frames, count)).text();
  return line.empty() ? line : " at " + line;
}

std::string describe_code(const void *location) {
  void *const frame = const_cast<void *>(location);
  return location ? describe_frames({&frame, 1}) : std::string();
}

namespace {

void keep(std::string text) {
  reports &r = all();
  std::scoped_lock lock(r.mutex); // fork() waits for it
  static const int registered = std::atexit(leave);
  (void)registered;
  if (r.kept.size() < printed_reports)
    std::fprintf(stderr, "%s\n", text.c_str());
  r.kept.push_back(std::move(text));
}

thread_local std::string said;

} // namespace

void add_report(const void *location, std::string text, const std::string &more) {
  keep(std::move(text) + describe_location(location) + more);
}
void add_report_at(std::span<void *const> frames, std::string text) {
  const auto count = std::min<std::size_t>(frames.size(), named_callers);
  keep(std::move(text) + describe_frames(frames.first(count)));
}

void say(const char *format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  said += text;
}

void stop_after_saying(const char *kernel, const char *message) {
  std::string text = std::exchange(said, {});
  if (text.ends_with('\n'))
    text.pop_back();
  if (is_new_report("check", kernel, message))
    add_report(nullptr, text);
  stop_launch({cudaErrorAssert, std::move(text)});
}

void halt_launches(const failure &why) {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  if (!std::exchange(r.halted, true))
    r.why = why;
}

failure why_halted() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  return r.why;
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

std::vector<std::string> see_new_reports() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  r.halted = false;
  std::vector<std::string> unread(r.kept.begin() + std::ptrdiff_t(r.read), r.kept.end());
  r.read = r.kept.size();
  return unread;
}

std::vector<std::string> take_reports() {
  reports &r = all();
  std::scoped_lock lock(r.mutex);
  r.seen.clear();
  r.read = 0;
  r.repeated = 0;
  r.halted = false;
  return std::exchange(r.kept, {});
}

} // namespace tessera::emulate
