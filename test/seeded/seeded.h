// What an emitted text with seeded faults asks: which of them are made. SEEDED=N,M in the
// environment makes faults N and M; SEEDED_REACHED=FILE lists the numbers of those that were
// reached.
#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace seeded {

constexpr int most = 1 << 14;
inline std::atomic<bool> reached[most];

struct session {
  bool chosen[most] = {};
  std::atomic<bool> changes_nothing = false; // a fault that was reached
  const char *file;

  session() : file(std::getenv("SEEDED_REACHED")) {
    for (const char *text = std::getenv("SEEDED"); text; text = std::strchr(text, ',')) {
      text += *text == ',';
      chosen[std::atoi(text) % most] = true;
    }
  }
  ~session() {
    if (changes_nothing)
      std::fputs("seeded: a fault that is none\n", stderr);
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
// A layout with its first lane's basis and its last register's exchanged: groups of neighbours that
// one instruction accesses stay such.
template <class S, int... R, int L, int... Ls, class W, std::size_t... I>
auto exchanged(tessera::layout<S, tessera::registers<R...>, tessera::lanes<L, Ls...>, W> *,
               std::index_sequence<I...>) {
  constexpr int all[] = {R...}, last = sizeof...(R) - 1;
  using registers = tessera::registers<(I == last ? L : all[I])...>;
  return (tessera::layout<S, registers, tessera::lanes<all[last], Ls...>, W> *)nullptr;
}
template <class S, int R, int... Rs, class Lanes, class W>
auto exchanged(tessera::layout<S, tessera::registers<R, Rs...>, Lanes, W> *x) {
  return exchanged(x, std::make_index_sequence<1 + sizeof...(Rs)>());
}
template <class L> L *exchanged(L *x, ...) { return x; } // of one register
template <class F> auto wrong_basis(const F &x) {
  using layout = std::remove_pointer_t<decltype(exchanged((typename F::layout *)nullptr))>;
  if (std::is_same_v<layout, typename F::layout>)
    run.changes_nothing = true;
  return tessera::relabel<layout>(x);
}

// The phase barriers of a ring whose first stage is waited for in the other phase.
template <class Ring> Ring wrong_phase(Ring ring) {
  ring.parities ^= 1;
  return ring;
}

} // namespace seeded
