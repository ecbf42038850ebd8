// Clang offers every parse of the process to plugins, those that the plugin makes itself as well.
#pragma once

#include <utility>

namespace tessera::driver {

// While one lives, parses of its thread are ours.
class NestedParse {
public:
  NestedParse() : before(std::exchange(isUnderWay, true)) {}
  ~NestedParse() { isUnderWay = before; }
  NestedParse(const NestedParse &) = delete;

  static inline thread_local bool isUnderWay = false;

private:
  bool before;
};

} // namespace tessera::driver
