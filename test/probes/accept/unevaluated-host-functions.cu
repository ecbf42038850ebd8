// accept: std::declval, the library's concepts and traits in tile code
#include "../show.h"
#include <concepts>
#include <utility>

template <class T>
concept sized = requires(const T &t) {
  { t.size() } -> std::convertible_to<int>;
};
template <class F, class... A>
concept callable = requires(F f, A... a) { f(a...); };
struct A {
  __tile__ int size() const { return 8; }
};
template <std::integral T> __tile__ T twice(T x) { return x * 2; }
__tile__ int measure(const sized auto &x) { return x.size(); }
template <class A, class B>
__tile__ auto plus(A a, B b) -> decltype(std::declval<A>() + std::declval<B>()) {
  return a + b;
}

__tile_global__ void k(int *o, int *p, float *f, int n) {
  using size = decltype(std::declval<A>().size());
  auto same = [](int x) { return x; };
  o[0] = measure(A{}) + twice(n);
  o[1] = sizeof(size) + std::same_as<size, int>;
  o[2] = callable<decltype(same), int> + 2 * callable<decltype(same), A>;
  o[3] = std::is_same_v<std::common_type_t<int, float>, float>;
  o[4] = std::convertible_to<int, long> + 2 * std::is_constructible_v<A, int>;
  ct::store(o + 8 + ct::iota<I8>(), plus(ct::iota<I8>(), n));
}

int main() {
  SHOW(k);
  return probe_bad;
}
