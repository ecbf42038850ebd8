// What a compiler does not read means nothing. The body of a template without an instance may hold
// any error, whichever kind of template it is; the macros that it defines are defined. A template
// whose only instances are the host's (#ifndef __CUDA_ARCH__) keeps its body, launches in it too.
// In text that goes from the program, what looks like a directive in a comment or a raw string is
// none.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile__ int helper(int x) { return x; }

template <class T> __tile__ T defines(T x) {
#define INCREMENTED(y) ((y) + 1)
  const char *raw = R"(
#define INCREMENTED nonsense
)";
  return nowhere(INCREMENTED(3));
}
template <class T> __tile__ T misspelt(T x) { return helpr(3); }
template <class T> __tile__ T unknown_class(T x) { unknown u; return x; }
template <class T> __tile__ T no_member(T x) { return ct::nothing(3); }
template <class T> __tile__ T no_conversion(T x) { int y = "abc"; return 3; }
template <class T> __tile__ T no_expression(T x) { int y = ; return 3; }
template <class T> __tile__ T crossed(T x) {
#if 1
  return nowhere(3); }
#else
  return elsewhere(4); }
#endif
template <class T> struct of_class {
  __tile__ T unread(T x) { return nowhere(4) + x; }
  __tile__ T read(T x) { return x + 1; }
  __tile__ T late(T x);
  template <class U> __tile__ T deep(U u) { return nowhere(1); }
  struct inner {
    __tile__ T unread(T x) { return nowhere(5); }
  };
};
template <class T> __tile__ T of_class<T>::late(T x) { return nowhere(2); }
template <class T> struct of_class<T *> {
  __tile__ T unread(T x) { return nowhere(4) + x; }
};
struct with_templates {
  template <class T> __tile__ T member(T x) { return nowhere(4) + x; }
  template <class T> friend __tile__ T of_friend(T x) { return nowhere(4); }
};
namespace {
template <class T> __tile__ auto constrained(T x) requires (sizeof(T) > 2) {
  const char *s = R"x(} " {)x";
  return nowhere("}");
}
} // namespace
template <class T> [[nodiscard]] constexpr __tile__ __forceinline__ T of_lambda(T x) noexcept {
  auto l = [&](auto y) { return nowhere(y); };
  return l(x);
}
template <class T> __tile_global__ void never(T *p) { *p = nowhere(3); }
template <class T> void never_launches(T x) { nowhere<<<1, 1>>>(x); never<<<1, 1>>>(&x); }
// More errors than a compiler prints.
template <class T> __tile__ T many(T x) {
  a(), b(), c(), d(), e(), f(), g(), h(), i(), j(), k(), l(), m(), n(), o(), p(), q(), r(), s();
  return aa() + bb() + cc() + dd() + ee() + ff() + gg() + hh();
}

__tile__ int commented(int x) {
  /*
#if 0
  */
  const char *s = R"(
#if 0
)";
  // goes on \
#else
#define INSIDE /* a
#undef INSIDE
*/ 3
  return x + INSIDE;
}

__tile_global__ void k(int *p) {
  of_class<int> c;
  p[0] = INCREMENTED(helper(7));
  p[1] = c.read(2);
  p[2] = commented(4);
}

// This text is for nvcc alone: Clang looks up in the device's pass what only the host's declares.
#ifndef __CUDA_ARCH__
int of_host(int x) { return x + 42; }
#endif
template <class T> int launch(T *p) {
  k<<<1, 1>>>(p);
  return of_host(INSIDE);
}

int main() {
  run::array<int> result(4);
  int last = 0;
#ifndef __CUDA_ARCH__
  last = launch(result.device);
#endif
  const int wanted[] = {8, 3, 7, 0};
  run::expect("read", result, [&](auto i) { return wanted[i]; });
  std::printf("of the host: %d, line %d\n", last, __LINE__);
  return run::finish() || last != 45;
}
