// Launches outside of functions and in operands that nothing evaluates, which Clang's parse for a
// GPU takes for the device's: default arguments, default members, requirements, types, initialisers
// of static variables, lambdas in each. The text is for nvcc alone: Clang takes no launch of a SIMT
// kernel outside of functions.
#include <cuda_runtime.h>

namespace first { // in front of all tile code
__global__ void simt(int *o, int n) { *o += n; }
static int *none;
using result = decltype(simt<<<1, 1>>>(none, 1));
} // namespace first

#include "run.h"
#include <cuda_tile.h>

static int *sum() {
  static run::array<int> one(1);
  return one;
}
__tile_global__ void add(int *o, int n) { *o = *o + n; }
template <class T> __tile_global__ void add_any(T *o, T n) { *o = *o + n; }

// Nothing is launched.
template <class T> concept launchable = requires(T *o) { add<<<1, 1>>>(o, 1); };
static_assert(launchable<int> && !launchable<float>);
template <class K> concept is_kernel = requires(K k, int *o) { k<<<1, 1>>>(o, 1); };
static_assert(is_kernel<void (*)(int *, int)> && !is_kernel<int>);
using result = decltype(add<<<1, 1>>>(sum(), 1));
static_assert(std::is_void_v<result>);
enum { size = sizeof((add<<<1, 1>>>(sum(), 1), 'a')) };
char array[sizeof((add<<<1, 1>>>(sum(), 1), 1))];
template <class T, class R = decltype(add<<<1, 1>>>((T *)nullptr, 1))> R by_default(T) {}
template <class T> auto by_type(T *o) -> decltype(add<<<1, 1>>>(o, 1)) {}
template <class T> void by_specification(T *o) noexcept(noexcept(add<<<1, 1>>>(o, 1))) {}
template <class T> int by_clause(T) requires requires(T *o) { add<<<1, 1>>>(o, 1); } { return 0; }

// What is launched adds a bit.
int argument(int n = (add<<<1, 1>>>(sum(), 1), 0)) { return n; }
int simt_argument(int n = (first::simt<<<1, 1>>>(sum(), 2), 0)) { return n; }
struct member {
  int n = (add<<<{1}, {1}>>>(sum(), 4), 0);
  int function(int n = (add<<<1>>>(sum(), 8), 0)) { return n; }
};
template <class T> struct member_of {
  T n = (add_any<<<1, 1>>>((T *)sum(), 16), 0);
  T function(T n = (add_any<T><<<1, 1>>>((T *)sum(), 32), 0)) { return n; }
  static T variable;
};
template <class T> T member_of<T>::variable = (add<<<1, 1>>>((T *)sum(), 64), 0);
int variable = (add<<<1, 1>>>(sum(), 128), 0);
inline int inline_variable = [] { return add<<<1, 1>>>(sum(), 256), 0; }();
void (*pointer)(int *, int) = add;
int by_pointer(int n = (pointer<<<1, 1>>>(sum(), 512), 0)) { return n; }
template <auto K> int by_template(int n = (K<<<1, 1>>>(sum(), 1024), 0)) { return n; }
#define LAUNCH(k, n) k<<<1, 1>>>(sum(), n)
int by_macro(int n = (LAUNCH(add, 2048), 0)) { return n; }
auto lambda = [](int n = (add<<<1, 1>>>(sum(), 4096), 0)) -> decltype(LAUNCH(add, 1), 0) {
  return n;
};
int in_lambda(int (*f)() = [] { return add<<<1, 1>>>(sum(), 8192), 0; }) { return f(); }
template <class T> constexpr int in_constexpr(T *o) { return add<<<1, 1>>>(o, 16384), 0; }

// Kernels and tile functions have such, too; a body of theirs that goes takes its own along.
__tile__ int tile(int n = (add<<<1, 1>>>(sum(), 1), 2)) { return n; }
__tile_global__ void kernel(int *o, int n = (add<<<1, 1>>>(sum(), 32768), 65536)) {
  static_assert(requires { add<<<1, 1>>>(o, 1); });
  static_assert(sizeof((add<<<1, 1>>>(o, 1), 1)) == 4);
  *o = *o + tile(n);
}

int main() {
  argument();
  simt_argument();
  member().function();
  member_of<int>().function();
  member_of<int>::variable = 0;
  by_pointer();
  by_template<add>();
  by_macro();
  lambda();
  in_lambda();
  in_constexpr(sum());
  kernel<<<1, 1>>>(sum());
  by_default(1);
  by_type(sum());
  by_specification(sum());
  by_clause(int(size));
  void local(int n = (add<<<1, 1>>>(sum(), 131072), 0));
  local();
  struct local_class {
    int n = (add<<<1, 1>>>(sum(), 262144), 0);
  };
  local_class();
  decltype(add<<<1, 1>>>(sum(), 1)) *both = nullptr, *of_one_type = both;
  run::array<int> result(1);
  run::require(cudaMemcpy(result, sum(), sizeof(int), cudaMemcpyDeviceToDevice));
  run::expect("sum", result, [&](auto) { return 524287 + (of_one_type != nullptr); });
  return run::finish();
}
void local(int) {}
