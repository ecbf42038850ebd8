#include "settings.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace tessera::host {
namespace {

void tell_once(const char *name, const char *text, double least) {
  static std::mutex mutex;
  static std::set<std::string> told;
  std::scoped_lock lock(mutex);
  if (told.insert(name).second)
    std::fprintf(stderr, "tessera: %s=%s is ignored, because it is not a number of at least %g\n",
                 name, text, least);
}

} // namespace

double number_setting(const char *name, double otherwise, double least) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  constexpr double most = 1e15; // exact in a double
  char *end = nullptr;
  const double value = std::strtod(text, &end);
  if (end != text && !*end && value >= least && value <= most)
    return value;
  tell_once(name, text, least);
  return otherwise;
}

} // namespace tessera::host
