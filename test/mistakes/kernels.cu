// [tile:kernels] What the declaration of a kernel looks like, and its launch.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

struct pair {
  int a, b;
};
struct klass {
  static __tile_global__ void member(int *p) {}
  //                          ^ error: kernel 'member' is a member of a class; a kernel must be a
  //                function of a namespace [tile:kernels/kernel-is-member]
  // right: static __tile__ void member(int *p) {}
};
__tile_global__ auto deduced(int *p) {}
//                   ^ error: kernel 'deduced' has a deduced return type; a kernel must return void
//                  [tile:kernels/kernel-returns]
// right: __tile_global__ void deduced(int *p) {}
constexpr __tile_global__ void constant(int *p) {}
//                             ^ error: kernel 'constant' is constexpr; only a launch can call a
//                  kernel [tile:kernels/kernel-is-constexpr]
// right: __tile_global__ void constant(int *p) {}
__tile_global__ void ellipsis(int *p, ...) {}
//                   ^ error: kernel 'ellipsis' takes any number of arguments; tile code has no C
//                  variadic functions [tile:kernels/kernel-has-ellipsis]
// right: template <class... T> __tile_global__ void ellipsis(int *p, T... more) {}
__tile_global__ void by_value(pair x) {}
//                                 ^ error: parameter 'x' of kernel 'by_value' has class type
//                  'pair'; pass scalars and pointers, and make the object in the kernel, or allow
//                  it by --extensions [tile:kernels/kernel-parameter-is-class]
// right: __tile_global__ void by_value(int a, int b) {}
__tile_global__ void wide(__int128 x) {}
//                                 ^ error: parameter 'x' of kernel 'wide' has type '__int128'; tile
//                  code has no 128-bit integers [tile:kernels/kernel-parameter-is-wide]
// right: __tile_global__ void wide(long long x) {}
__tile_global__ void to_member(int pair::*m) {}
//                                        ^ error: parameter 'm' of kernel 'to_member' has type 'int
//                  pair::*'; a kernel takes no pointers to members
//                  [tile:kernels/kernel-parameter-is-member]
// right: __tile_global__ void to_member(int number) {}
__tile_global__ void __launch_bounds__(64) threads(int *p) {}
//                   ^ error: kernel 'threads' has an attribute for the threads of SIMT kernels; the
//                  compiler chooses the number of threads of a tile block
//                  [tile:kernels/kernel-threads]
// right: __tile_global__ void threads(int *p) {}
template <int... I, class... T> __tile_global__ void packs(T... x) {}
//                                                   ^ error: kernel 'packs' has several template
//                  parameter packs; a kernel has at most one [tile:kernels/kernel-packs]
// right: template <class... T> __tile_global__ void packs(T... x) {}
template <class... T, class U> __tile_global__ void leading(U u, T... t) {}
//                                                  ^ error: a template parameter pack of kernel
//                  'leading' is not the last parameter [tile:kernels/kernel-pack-is-not-last]
// right: template <class U, class... T> __tile_global__ void leading(U u, T... t) {}
struct befriends {
  friend __tile_global__ void befriended(int *p) {}
  //                          ^ error: kernel 'befriended' is defined in a friend declaration;
  //                define it in a namespace [tile:kernels/kernel-friend]
  // right: friend __tile_global__ void befriended(int *p);
};
__tile_global__ void quiet(int *p) noexcept {}
//                   ^ error: kernel 'quiet' is noexcept; a kernel has no exception specification
//                  [tile:kernels/kernel-is-noexcept]
// right: __tile_global__ void quiet(int *p) {}
template <class T> __tile_global__ void instance(T *p) {}
extern template __tile_global__ void instance<int>(int *);
//                                   ^ error: the explicit instantiation of kernel 'instance<int>'
//                  is declared extern; tile code is compiled as a whole, so leave extern out
//                  [tile:kernels/kernel-instance-extern]
// right: template __tile_global__ void instance<int>(int *);
__tile_global__ __global__ void both(int *p) {}
//                              ^ error: 'both' is both __tile_global__ and __global__; a kernel is
//                  one or the other [tile:specifiers/kernel-also-global]
// right: __tile_global__ void both(int *p) {}
__global__ void changed(int *p);
//              ^ note: the other declaration is here
__tile_global__ void changed(int *p) {}
//                   ^ error: 'changed' is a tile kernel here and was declared without
//                  __tile_global__ before [tile:specifiers/kernel-redeclared]
// right: __global__ void changed(int *p) {}

__tile__ auto twice(int x) { return 2 * x; }
template <int (*F)(int)> __tile_global__ void applying(int *p) { p[0] = F(p[0]); }
template <class T> __tile_global__ void generic(int *p) {}
__tile_global__ void undefined(int *p);
__tile_global__ void plain(int *p) {}
void launches(int *p) {
  struct local {};
  applying<twice><<<1, 1>>>(p);
//^ error: a template argument of kernel 'applying<&twice>' is the tile function 'twice', whose
//  return type is deduced; the code of a launch sees only its declaration, so write the return type
//  [tile:kernels/kernel-function-argument]
  // right: plain<<<1, 1>>>(p);
  generic<local><<<1, 1>>>(p);
//^ error: a template argument of kernel 'generic<local>' is or has the type 'local', which is local
//  to a function; the code of a launch cannot name it [tile:kernels/kernel-argument]
  // right: generic<pair><<<1, 1>>>(p);
  plain<<<1, 32>>>(p);
  //         ^ error: kernel 'plain' is launched with blocks of 32 threads; the block size of a tile
  //           kernel is 1 [tile:launch/launch-block]
  // right: plain<<<1, 1>>>(p);
  undefined<<<1, 1>>>(p);
//^ error: kernel 'undefined' is launched but not defined in this translation unit; tile code is
//  compiled as a whole [tile:launch/launch-undefined]
  // right: plain<<<1, 1>>>(p);
}
