#include "follow.h"

#include "elements.h"

#include <tessera/host/verify.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>

namespace tessera::host {
namespace {

// Of the thread's last launch first, then of earlier ones: a graph launches without arguments.
thread_local std::vector<verified_elements> noted;
thread_local std::size_t noted_by_last = 0;

} // namespace

void verified_arguments::note(const std::vector<verified_elements> &all) {
  constexpr std::size_t most = 1000;
  noted.insert(noted.begin(), all.begin(), all.end());
  noted_by_last = all.size();
  noted.resize(std::min(noted.size(), most));
}

} // namespace tessera::host

namespace tessera::verify {
namespace {

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < ' ')
      result += c == '\n' ? "\\n" : " ";
    else
      result += c;
  }
  return result + '"';
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::isfinite(value) ? text : "\"infinite\"";
}

class object {
public:
  explicit object(const char *kind) { add("kind", quoted(kind)); }
  object &add(const char *name, const std::string &json) {
    text += (text.size() > 1 ? ", \"" : "\"") + std::string(name) + "\": " + json;
    return *this;
  }
  object &add(const char *name, std::uint64_t value) { return add(name, std::to_string(value)); }
  std::string end() const { return text + "}\n"; }

private:
  std::string text = "{";
};

double most_ulps() {
  const char *text = std::getenv("TESSERA_VERIFY_ULPS");
  return text && *text ? std::strtod(text, nullptr) : 0;
}

// An argument's elements in an allocation; `argument` from 1, 0: in none.
struct elements {
  element_type type;
  std::size_t argument = 0, begin = 0; // begin: of the argument's elements in the allocation
};

elements elements_at(unsigned allocation) {
  const auto where = allocation_of(allocation);
  for (std::size_t i = 0; where && i < host::noted.size(); ++i) {
    const host::verified_elements &one = host::noted[i];
    const auto *address = static_cast<const unsigned char *>(one.address);
    if (one.bits && address >= where->address && address < where->address + where->size)
      return {compared_as(one.code, one.bits), i < host::noted_by_last ? one.argument : 0,
              std::size_t(address - where->address)};
  }
  return {};
}

void overlay(const changes &of, unsigned allocation, bytes &contents) {
  for (const change &one : of)
    if (one.allocation == allocation && one.offset + one.now.size() <= contents.size())
      std::copy(one.now.begin(), one.now.end(), contents.begin() + std::ptrdiff_t(one.offset));
}

// Both memories behind the launch, by allocation, and which bytes either launch has changed.
struct both {
  bytes expected, found;
  std::vector<std::pair<std::size_t, std::size_t>> changed; // [begin, end), in order
};
std::map<unsigned, both> both_of(const snapshot &before, const changes &expected,
                                 const changes &found) {
  std::map<unsigned, both> result;
  for (const changes *of : {&expected, &found})
    for (const change &one : *of)
      if (before.count(one.allocation))
        result[one.allocation].changed.push_back({one.offset, one.offset + one.now.size()});
  for (auto &[allocation, two] : result) {
    two.expected = two.found = before.at(allocation);
    overlay(expected, allocation, two.expected);
    overlay(found, allocation, two.found);
    std::sort(two.changed.begin(), two.changed.end());
  }
  return result;
}

// The root mean square of what the CPU wrote: sums that nearly cancel are measured by it.
double scale_of(element_type type, const both &two) {
  double sum = 0, count = 0;
  for (const auto &[begin, end] : two.changed)
    for (std::size_t at = begin; at + type.bytes() <= end; at += type.bytes())
      if (const double value = value_of(type, &two.expected[at]); std::isfinite(value))
        sum += value * value, ++count;
  return count ? std::sqrt(sum / count) : 0;
}

struct comparison {
  std::uint64_t compared = 0, different = 0;
  double largest = 0;
  // The first that differs.
  unsigned allocation = 0;
  elements of;
  std::size_t at = 0; // in the allocation
  double distance = 0;
  std::string expected, found;
};

void compare(unsigned allocation, const both &two, comparison &result) {
  const elements of = elements_at(allocation);
  const std::size_t size = of.type.bytes();
  const double scale = of.type.is_floating() ? scale_of(of.type, two) : 0, most = most_ulps();
  std::size_t next = 0; // ranges of the two launches overlap
  for (auto [begin, end] : two.changed) {
    for (std::size_t at = std::max(begin, next); at + size <= end; at += size) {
      const double apart = distance(of.type, value_of(of.type, &two.expected[at]),
                                    value_of(of.type, &two.found[at]), scale);
      ++result.compared;
      result.largest = std::max(result.largest, apart);
      if (apart <= (of.type.is_floating() ? most : 0))
        continue;
      if (result.different++ == 0) {
        result.allocation = allocation, result.of = of, result.at = at, result.distance = apart;
        result.expected = text_of(of.type, &two.expected[at]);
        result.found = text_of(of.type, &two.found[at]);
      }
    }
    next = std::max(next, end);
  }
}

class follower {
public:
  follower() : record(std::fopen(file_to_follow(), "rb")) {
    const char *name = std::getenv("TESSERA_VERIFY_FINDINGS");
    findings = name ? std::fopen(name, "a") : nullptr;
    if (!record)
      std::fprintf(stderr, "tessera: verify: cannot read '%s'\n", file_to_follow());
    std::atexit([] { instance().finish(); });
  }
  static follower &instance() {
    static follower &one = *new follower;
    return one;
  }

  cudaError_t launch(const following &by, const char *name,
                     const std::function<cudaError_t()> &run) {
    const std::scoped_lock lock(mutex);
    const auto wanted = record && !is_lost ? read(record) : std::nullopt;
    ++launches;
    if (!wanted) {
      say(object("not compared").add("target", quoted(by.target)).add("launch", launches));
      return run();
    }
    if (wanted->kernel != base_name(name)) {
      lose(by.target, name, wanted->kernel);
      return run();
    }
    const snapshot before = take_snapshot();
    const cudaError_t error = run();
    const bool samples = by.find_writer && wanted->is_sampled; // the GPU runs all blocks
    const changes found = changes_since(before);
    comparison result;
    for (const auto &[allocation, two] :
         both_of(before, samples ? wanted->of_sample : wanted->of_all, found))
      compare(allocation, two, result);
    tell_reports(by, name);
    if (result.different)
      tell(by, name, result, [&] {
        restore(before);
        (void)run();
      });
    const std::uint64_t run_blocks = samples ? sample_of(wanted->blocks).size() : wanted->blocks;
    say(object("launch")
            .add("target", quoted(by.target))
            .add("launch", launches)
            .add("kernel", quoted(name))
            .add("blocks", run_blocks)
            .add("of", wanted->blocks)
            .add("elements", result.compared)
            .add("different", result.different)
            .add("largest", number(result.largest)));
    restore(before);
    apply(wanted->of_all);
    return error;
  }

private:
  void tell_reports(const following &by, const char *name) {
    if (by.take_reports)
      for (const std::string &text : by.take_reports())
        say(object("report")
                .add("target", quoted(by.target))
                .add("launch", launches)
                .add("kernel", quoted(name))
                .add("text", quoted(text)));
  }

  void tell(const following &by, const char *name, const comparison &result,
            const std::function<void()> &run_again) {
    const auto where = allocation_of(result.allocation);
    const std::size_t size = result.of.type.bytes();
    const writer who = by.find_writer && where
                           ? by.find_writer(where->address + result.at, size, run_again)
                           : writer();
    const std::uint64_t element = (result.at - std::min(result.at, result.of.begin)) / size;
    const std::string of = result.of.argument ? "argument " + std::to_string(result.of.argument)
                                              : "allocation " + std::to_string(result.allocation);
    std::string text = (who.line.empty() ? "tessera" : who.line) + ": verify: launch " +
                       std::to_string(launches) + " of " + name + " differs from the CPU: the " +
                       "tile that ";
    text += who.block.empty() ? "has" : who.block + " writes here has";
    text += " " + result.found + " at element " + std::to_string(element) + " of " + of + " (" +
            result.of.type.name() + "), on the CPU " + result.expected;
    if (result.of.type.is_floating())
      text += ", " +
              (std::isfinite(result.distance) ? number(result.distance) : "infinitely many") +
              " ulps";
    text += "; " + std::to_string(result.different) + " of " + std::to_string(result.compared) +
            " elements differ [" + by.target + "]";
    std::fprintf(stderr, "%s\n", text.c_str());
    say(object("difference")
            .add("target", quoted(by.target))
            .add("launch", launches)
            .add("kernel", quoted(name))
            .add("block", quoted(who.block))
            .add("line", quoted(who.line))
            .add("argument", result.of.argument)
            .add("allocation", result.allocation)
            .add("element", element)
            .add("type", quoted(result.of.type.name()))
            .add("cpu", quoted(result.expected))
            .add("value", quoted(result.found))
            .add("ulps", number(result.distance))
            .add("different", result.different)
            .add("elements", result.compared)
            .add("text", quoted(text)));
  }

  void lose(const char *target, const std::string &here, const std::string &there) {
    is_lost = true;
    const std::string text = "tessera: verify: launch " + std::to_string(launches) + " is of " +
                             here + ", on the CPU of " + there +
                             ": nothing is compared from here on [" + target + "]";
    std::fprintf(stderr, "%s\n", text.c_str());
    say(object("launches")
            .add("target", quoted(target))
            .add("launch", launches)
            .add("text", quoted(text)));
  }

  // A program that measures time launches as often as it can.
  void finish() {
    while (record && !is_lost && read(record))
      say(object("not compared").add("launch", ++launches));
  }

  void say(const object &finding) {
    if (!findings)
      return;
    std::fputs(finding.end().c_str(), findings);
    std::fflush(findings);
  }

  std::mutex mutex;
  std::FILE *record, *findings;
  std::uint64_t launches = 0;
  bool is_lost = false;
};

} // namespace

cudaError_t follow_launch(const following &by, const char *name,
                          const std::function<cudaError_t()> &run) {
  return file_to_follow() ? follower::instance().launch(by, name, run) : run();
}

} // namespace tessera::verify
