// Meetings of a warp in which lanes exchange values: the basis of shuffles, votes and warp
// reductions.
#pragma once

#include <tessera/emulate/engine.h>

namespace tessera::emulate {

// The value of lane `source`; the thread's own value if that lane does not take part.
template <class T> T exchange(const char *name, participants all, T value, unsigned source) {
  struct told {
    T value;
    unsigned source;
    T result;
  } own{value, source, value};
  warp_meeting(name, all, &own, [](void *const *operands, unsigned lanes) {
    auto at = [&](unsigned lane) -> told & { return *static_cast<told *>(operands[lane]); };
    for (unsigned lane = 0; lane != warp_size; ++lane)
      if (lanes >> lane & 1 && at(lane).source < warp_size && lanes >> at(lane).source & 1)
        at(lane).result = at(at(lane).source).value;
  });
  return own.result;
}

// The combination of the values of all lanes that take part, in the order of lanes. Combine has no
// state.
template <class T, class Combine> T combine(const char *name, participants all, T value, Combine) {
  warp_meeting(name, all, &value, [](void *const *operands, unsigned lanes) {
    auto at = [&](unsigned lane) -> T & { return *static_cast<T *>(operands[lane]); };
    unsigned first = static_cast<unsigned>(__builtin_ctz(lanes));
    T result = at(first);
    for (unsigned lane = first + 1; lane < warp_size; ++lane)
      if (lanes >> lane & 1)
        result = Combine()(result, at(lane));
    for (unsigned lane = first; lane < warp_size; ++lane)
      if (lanes >> lane & 1)
        at(lane) = result;
  });
  return value;
}

// One bit per lane whose predicate is true.
inline unsigned vote(const char *name, participants all, bool predicate) {
  return combine(name, all, predicate ? 1u << current->lane() : 0u,
                 [](unsigned a, unsigned b) { return a | b; });
}

} // namespace tessera::emulate
