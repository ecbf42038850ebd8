// A failed check of a kernel on the CPU. The source location comes from the addresses of its
// callers, since the functions of tile code do not know locations; the program's names come from
// the location.
#include "source_line.h"

#include <tessera/host/block.h>
#include <tessera/host/check.h>
#include <tessera/host/fork.h>

#include "block_end.h"
#include "last_error.h"

#include <execinfo.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::host {
namespace {

// The innermost line of the program among the callers.
source_location calling_location() {
  void *frames[64];
  const int count = backtrace(frames, std::size(frames));
  return find_location(std::span<void *const>(frames + 1, frames + std::max(count, 1)));
}

// The lists of all translation units that are loaded.
struct unit {
  const named_location *first;
  std::size_t count;
};
std::mutex &units_are_changing() {
  static std::mutex mutex;
  return mutex;
}
// Of simultaneous failures one reports; it may take the lock above.
std::mutex &speaking() {
  static std::mutex mutex;
  return mutex;
}
[[maybe_unused]] const bool are_whole_in_forks =
    keep_whole_in_forks<std::mutex, units_are_changing>() &&
    keep_whole_in_forks<std::mutex, speaking>();
std::vector<unit> &units() {
  static auto *const all = new std::vector<unit>; // for units that are unloaded at the very end
  return *all;
}

bool is_file(const std::string &path, std::string_view name) {
  while (name.starts_with("./"))
    name.remove_prefix(2);
  // Debug information shortens the names of files below the folder that the compiler ran in.
  if (name.starts_with('/') && !path.starts_with('/'))
    return std::filesystem::current_path() / path == name;
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

// The entry at the column; else, since insertions may have moved columns, the only entry of the
// line.
const named_location *find_names(const source_location &location) {
  const named_location *in_line = nullptr;
  bool is_alone = true;
  for (const unit &names : units())
    for (const named_location *at = names.first; at != names.first + names.count; at++) {
      if (at->line != location.line || !is_file(location.file, at->file))
        continue;
      if (at->column == location.column)
        return at;
      is_alone = is_alone && !in_line;
      in_line = at;
    }
  return is_alone ? in_line : nullptr;
}

// The name for the words in braces, "object:memory"; if there is none, the words after the colon.
std::string named(std::string_view asked, const named_location *names, const char *own) {
  const auto colon = asked.find(':');
  const auto kind = asked.substr(0, colon);
  if (kind == "name")
    return own;
  const char *name = "";
  if (names)
    name = kind == "object"                     ? names->object
           : kind == "value"                    ? names->value
           : kind == "result" || *names->result ? names->result
                                                : names->value;
  if (!*name)
    return std::string(asked.substr(colon + 1));
  return "'" + std::string(name) + "'";
}

// With one long long for each conversion.
std::string formatted(const check_failure &failure, const named_location *names) {
  std::string text;
  int next = 0;
  for (const char *at = failure.message; *at;) {
    if (*at == '%' && next < failure.value_count) {
      char number[32];
      std::snprintf(number, sizeof number, std::strncmp(at, "%llx", 4) == 0 ? "%llx" : "%lld",
                    failure.values[next++]);
      text += number;
      at += 4;
    } else if (const char *end = *at == '{' ? std::strchr(at, '}') : nullptr) {
      text += named({at + 1, end}, names, failure.name);
      at = end + 1;
    } else {
      text += *at++;
    }
  }
  for (int d = 0; d < failure.rank; d++)
    text += (d ? ", " : ": element [") + std::to_string(failure.element[d]);
  return failure.rank ? text + "]" : text;
}

} // namespace

locations_registration::locations_registration(const named_location *first,
                                               std::size_t count) noexcept
    : first(first) {
  std::scoped_lock lock(units_are_changing());
  units().push_back({first, count});
}

locations_registration::~locations_registration() {
  std::scoped_lock lock(units_are_changing());
  std::erase_if(units(), [this](const unit &names) { return names.first == first; });
}

void fail_check(const check_failure &failure) {
  {
    std::string message;
    std::scoped_lock lock(speaking());
    if (!has_failed()) {
      const source_location location = calling_location();
      std::scoped_lock units_stay(units_are_changing());
      const auto &at = current_block.index;
      message = (location.file.empty() ? "(line unknown: compile with -g1)" : location.text()) +
                ": tessera check: " + formatted(failure, find_names(location)) + " [block (" +
                std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
                std::to_string(at[2]) + ")]";
      std::fprintf(stderr, "%s\n", message.c_str());
    }
    fail_device(cudaErrorAssert, message.c_str());
  }
  leave_block();
}

} // namespace tessera::host
