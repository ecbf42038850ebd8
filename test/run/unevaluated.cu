// The space of a function is asked for where it is called in code that runs. Where a template's
// arguments are substituted in tile code, in aliases, concepts and requirements, functions of the
// host and the device count as any other; so do tile functions in operands of device code that are
// not evaluated, and in its constants.
#include "run.h"

#include <cuda_tile.h>

#include <concepts>

long of_host(int);
float of_host(double);
__device__ short of_device(int);
struct host_object {
  int operator()(int);
  bool operator==(const host_object &) const;
};
struct nothing {};

template <class T> concept takes = requires(T x) { of_host(x); };
template <class T> concept comparable = requires(T a, T b) { a == b; };
template <class T> concept device_takes = requires(T x) {
  { of_device(x) } -> std::same_as<short>;
};
template <class F> using result = decltype(F()(1));
template <class F> constexpr bool is_called = requires(F f) { f(1); };

template <class F, class = result<F>> __tile__ int by_default(F *) { return 3; }
__tile__ int by_default(void *) { return 4; }

template <class T> __tile__ int known() {
  if constexpr (requires(T x) { of_host(x); })
    return 6;
  else
    return 7;
}
struct with_member {
  template <class T> __tile__ static constexpr bool sees() { return takes<T>; }
};

__tile_global__ void k(int *o) {
  o[0] = takes<int> * 100 + takes<nothing> * 10 + takes<void *>;
  o[1] = comparable<host_object> * 10 + comparable<nothing>;
  o[2] = device_takes<int> * 10 + is_called<host_object>;
  o[3] = sizeof(result<host_object>);
  o[4] = comparable<nothing>;
  o[5] = by_default((host_object *)nullptr) * 10 + by_default((nothing *)nullptr);
  o[6] = is_called<nothing>;
  o[7] = known<int>() * 10 + known<nothing>();
  o[8] = with_member::sees<int>() * 10 + with_member::sees<nothing>();
  auto lambda = [](auto x) { return takes<decltype(x)> ? 8 : 9; };
  o[9] = lambda('a') * 10 + lambda(nothing());
  o[10] = sizeof(of_device(1)) + noexcept(of_device(1)) + requires { of_device(1); };
}

__tile__ long of_tile(int x) { return x; }
struct tile_object {
  __tile__ int member(int) const;
  template <class T> __tile__ T of_template(T x) const;
};
__tile__ int tile_object::member(int x) const { return x; }
template <class T> __tile__ T tile_object::of_template(T x) const { return x; }
template <> __tile__ char tile_object::of_template(char x) const { return x; }
__tile__ constexpr int constant(int x) { return x + 1; }
template <int N> struct number {
  static constexpr int value = N;
};
__global__ void simt(int *o) {
  static_assert(constant(3) == 4);
  constexpr int n = constant(4);
  decltype(of_tile(1)) x = 7;
  o[11] = n + sizeof(of_tile(1)) + noexcept(of_tile(1)) + requires { of_tile(1); } +
          sizeof(decltype(of_tile(2)));
  o[12] = number<constant(5)>::value + int(x);
  tile_object object;
  o[13] = sizeof(object.member(1)) * 100 + sizeof(object.of_template('a')) * 10 +
          sizeof(object.of_template(short(1)));
}

int main() {
  run::array<int> o(14);
  k<<<1, 1>>>(o);
  simt<<<1, 1>>>(o);
  const int expected[] = {100, 10, 11, 4, 0, 34, 0, 67, 10, 89, 3, 22, 13, 412};
  run::expect("o", o, [&](size_t i) { return expected[i]; });
  return run::finish();
}
