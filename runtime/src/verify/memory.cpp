#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace tessera::verify {
namespace {

constexpr std::size_t granule = 16;
constexpr int pattern = 0xff;

struct table {
  std::mutex mutex;
  unsigned made = 0;
  std::map<unsigned, region> by_number;
};
table &all() {
  static table &one = *new table; // programs free memory until their end
  return one;
}

const char *file_of(const char *variable) {
  const char *name = std::getenv(variable);
  return name && *name ? name : nullptr;
}

void copy(void *to, const void *from, std::size_t count) {
  cudaMemcpy(to, from, count, cudaMemcpyDefault);
}

void put(std::FILE *file, std::uint64_t number) { std::fwrite(&number, sizeof number, 1, file); }
bool get(std::FILE *file, std::uint64_t &number) {
  return std::fread(&number, sizeof number, 1, file) == 1;
}
template <class Bytes> void put_bytes(std::FILE *file, const Bytes &all) {
  put(file, all.size());
  std::fwrite(all.data(), 1, all.size(), file);
}
template <class Bytes> bool get_bytes(std::FILE *file, Bytes &all) {
  std::uint64_t size = 0;
  if (!get(file, size))
    return false;
  all.resize(size);
  return std::fread(all.data(), 1, size, file) == size;
}

void put_changes(std::FILE *file, const changes &all) {
  put(file, all.size());
  for (const change &one : all)
    put(file, one.allocation), put(file, one.offset), put_bytes(file, one.now);
}
bool get_changes(std::FILE *file, changes &all) {
  std::uint64_t count = 0, allocation = 0, offset = 0;
  if (!get(file, count))
    return false;
  for (; count > 0; --count) {
    change one;
    if (!get(file, allocation) || !get(file, offset) || !get_bytes(file, one.now))
      return false;
    one.allocation = unsigned(allocation), one.offset = offset;
    all.push_back(std::move(one));
  }
  return true;
}

} // namespace

const char *file_to_record() {
  static const char *const name = file_of("TESSERA_VERIFY_RECORD");
  return name;
}
const char *file_to_follow() {
  static const char *const name = file_of("TESSERA_VERIFY_FOLLOW");
  return name;
}
bool is_on() { return file_to_record() || file_to_follow(); }

std::uint64_t most_blocks() {
  static const std::uint64_t most = [] {
    const char *text = file_of("TESSERA_VERIFY_BLOCKS");
    return text ? std::strtoull(text, nullptr, 10) : 0;
  }();
  return most;
}

// The first and the last, and of each share of those between one that looks random: equal
// distances would take the same column of each row.
std::vector<std::size_t> sample_of(std::uint64_t blocks) {
  const std::uint64_t most = most_blocks();
  std::vector<std::size_t> sample;
  if (most == 0 || blocks <= most)
    return sample;
  std::uint64_t random = 88172645463325252ull;
  for (std::uint64_t i = 0; i < most; ++i) {
    const std::uint64_t first = i * blocks / most, end = (i + 1) * blocks / most;
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    sample.push_back(i == 0 ? 0 : i + 1 == most ? blocks - 1 : first + random % (end - first));
  }
  return sample;
}

void note_allocation(void *address, std::size_t size) {
  if (!is_on() || !address)
    return;
  cudaMemset(address, pattern, size);
  const std::scoped_lock lock(all().mutex);
  all().by_number[++all().made] = {static_cast<unsigned char *>(address), size};
}

void forget_allocation(const void *address) {
  if (!is_on())
    return;
  const std::scoped_lock lock(all().mutex);
  std::erase_if(all().by_number, [&](const auto &one) { return one.second.address == address; });
}

std::optional<region> allocation_of(unsigned number) {
  const std::scoped_lock lock(all().mutex);
  const auto found = all().by_number.find(number);
  return found == all().by_number.end() ? std::nullopt : std::optional(found->second);
}

snapshot take_snapshot() {
  const std::scoped_lock lock(all().mutex);
  snapshot taken;
  for (const auto &[number, region] : all().by_number) {
    bytes &now = taken[number];
    now.resize(region.size);
    copy(now.data(), region.address, region.size);
  }
  return taken;
}

void restore(const snapshot &taken) {
  for (const auto &[number, before] : taken)
    if (const auto to = allocation_of(number))
      copy(to->address, before.data(), before.size());
}

changes changes_since(const snapshot &before) {
  changes found;
  const snapshot after = take_snapshot();
  for (const auto &[number, was] : before) {
    const auto at = after.find(number);
    if (at == after.end())
      continue;
    const bytes &now = at->second;
    for (std::size_t first = 0; first < was.size(); first += granule) {
      const std::size_t size = std::min(granule, was.size() - first);
      if (std::memcmp(&was[first], &now[first], size) == 0)
        continue;
      const bool continues = !found.empty() && found.back().allocation == number &&
                             found.back().offset + found.back().now.size() == first;
      if (!continues)
        found.push_back({number, first, {}});
      found.back().now.insert(found.back().now.end(), &now[first], &now[first] + size);
    }
  }
  return found;
}

void apply(const changes &all) {
  for (const change &one : all)
    if (const auto to = allocation_of(one.allocation))
      copy(to->address + one.offset, one.now.data(), one.now.size());
}

void write(std::FILE *file, const recorded_launch &launch) {
  put_bytes(file, launch.kernel);
  put(file, launch.blocks), put(file, launch.is_sampled);
  put_changes(file, launch.of_sample), put_changes(file, launch.of_all);
  std::fflush(file);
}

std::optional<recorded_launch> read(std::FILE *file) {
  recorded_launch launch;
  std::uint64_t is_sampled = 0;
  const bool is_whole = get_bytes(file, launch.kernel) && get(file, launch.blocks) &&
                        get(file, is_sampled) && get_changes(file, launch.of_sample) &&
                        get_changes(file, launch.of_all);
  launch.is_sampled = is_sampled;
  return is_whole ? std::optional(std::move(launch)) : std::nullopt;
}

std::string base_name(const std::string &kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

} // namespace tessera::verify
