// Functions that are not here: a program may look them up, and its first call of each prints the
// name. Each name has a function of its own, from a fixed number of them.
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
struct looked_up {
  std::string name;
  bool is_said = false;
};
std::vector<looked_up> &functions() {
  static auto *const all = new std::vector<looked_up>;
  return *all;
}

template <std::size_t I> CUresult missing() {
  std::scoped_lock lock(mutex);
  looked_up &function = functions()[I];
  const std::string message = "the emulator's driver has no " + function.name;
  if (!std::exchange(function.is_said, true))
    say(message);
  return failed(CUDA_ERROR_NOT_SUPPORTED, message);
}

template <std::size_t... I> constexpr auto addresses(std::index_sequence<I...>) {
  return std::array<CUresult (*)(), sizeof...(I)>{&missing<I>...};
}

} // namespace

void *missing_function(const std::string &name) {
  static constexpr auto all = addresses(std::make_index_sequence<most>());
  std::scoped_lock lock(mutex);
  const auto found = std::find_if(functions().begin(), functions().end(),
                                  [&](const looked_up &one) { return one.name == name; });
  const auto number = static_cast<std::size_t>(found - functions().begin());
  if (number == most)
    return nullptr;
  if (found == functions().end())
    functions().push_back({name});
  return reinterpret_cast<void *>(all[number]);
}

} // namespace tessera::driver
