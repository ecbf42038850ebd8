// What a compiler that was built with mistakes asks (plan.py): TESSERA_SEEDED=NAME in the
// environment is the one that it makes.
#pragma once

#include <cstdlib>
#include <cstring>

namespace tessera::seeded {

inline bool is(const char *mistake) {
  static const char *const made = std::getenv("TESSERA_SEEDED");
  return made && std::strcmp(made, mistake) == 0;
}

} // namespace tessera::seeded
