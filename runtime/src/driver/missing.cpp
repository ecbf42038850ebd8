// Functions that are not here: a program may look them up, and hears their names when it calls
// them. Each name has a function of its own, from a fixed number of them.
#include "driver.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

namespace tessera::driver {
namespace {

constexpr std::size_t most = 512; // the driver has fewer

std::mutex mutex;
std::vector<std::string> &names() {
  static auto *const all = new std::vector<std::string>;
  return *all;
}

template <std::size_t I> CUresult missing() {
  std::string name;
  {
    std::scoped_lock lock(mutex);
    name = names()[I];
  }
  const std::string message = "the emulator's driver has no " + name;
  say(message);
  return failed(CUDA_ERROR_NOT_SUPPORTED, message);
}

template <std::size_t... I> constexpr auto functions(std::index_sequence<I...>) {
  return std::array<CUresult (*)(), sizeof...(I)>{&missing<I>...};
}

} // namespace

void *missing_function(const std::string &name) {
  static constexpr auto all = functions(std::make_index_sequence<most>());
  std::scoped_lock lock(mutex);
  auto found = std::find(names().begin(), names().end(), name);
  const auto number = static_cast<std::size_t>(found - names().begin());
  if (number == most)
    return nullptr;
  if (found == names().end())
    names().push_back(name);
  return reinterpret_cast<void *>(all[number]);
}

} // namespace tessera::driver
