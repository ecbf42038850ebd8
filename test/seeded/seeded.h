// What an emitted text with seeded faults asks: which of them are made. SEEDED=N,M in the
// environment makes faults N and M; SEEDED_REACHED=FILE lists the numbers of those that were
// reached.
#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace seeded {

constexpr int most = 1 << 14;
inline std::atomic<bool> reached[most];

struct session {
  bool chosen[most] = {};
  const char *file;

  session() : file(std::getenv("SEEDED_REACHED")) {
    for (const char *text = std::getenv("SEEDED"); text; text = std::strchr(text, ',')) {
      text += *text == ',';
      chosen[std::atoi(text) % most] = true;
    }
  }
  ~session() {
    std::FILE *out = file ? std::fopen(file, "w") : nullptr;
    if (!out)
      return;
    for (int n = 0; n < most; ++n)
      if (reached[n].load(std::memory_order_relaxed))
        std::fprintf(out, "%d\n", n);
    std::fclose(out);
  }
};
inline session run;

inline bool is(int n) {
  reached[n].store(true, std::memory_order_relaxed);
  return run.chosen[n];
}
// A layout with its first lane's basis and its first register's exchanged.
template <class L> struct exchanged {
  using type = L;
};
template <class S, int R, int... Rs, int L, int... Ls, class W>
struct exchanged<tessera::layout<S, tessera::registers<R, Rs...>, tessera::lanes<L, Ls...>, W>> {
  using type = tessera::layout<S, tessera::registers<L, Rs...>, tessera::lanes<R, Ls...>, W>;
};
template <class F> auto wrong_basis(const F &x) {
  return tessera::relabel<typename exchanged<typename F::layout>::type>(x);
}

} // namespace seeded
