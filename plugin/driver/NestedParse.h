// Clang runs plugins on every parse of the process, including the plugin's own.
#pragma once

#include <utility>

namespace tessera::driver {

// While an object lives, parses of its thread are the plugin's own.
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
