// [tile:spaces] Who may name whom, variables of tile code, hints.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

[[cutile::hint(occupancy = 2)]] __tile_global__ void hinted(int *p) {}
//^ error: a hint must begin with an architecture, as in hint(0, latency = 2)
//  [tile:optimization_hints/hint]
// right: [[cutile::hint(0, occupancy = 2)]] __tile_global__ void hinted(int *p) {}

__tile__ int overloaded(int x) { return x; }
//           ^ note: the other declaration is here
int overloaded(int x) { return x; }
//  ^ error: 'overloaded' is declared with __tile__ and without it; functions do not overload by
//    their execution space, so mark every declaration [tile:spaces/overload-of-space]
// right: int overloaded(long x) { return x; }

__device__ int simt(int x);
//             ^ note: 'simt' is declared here
__tile__ int tile_only(int x) { return x; }
//           ^ note: 'tile_only' is declared here
__tile__ int shared_number;
constexpr int table[2] = {1, 2};
__global__ void device(int *p) {
  p[0] = tile_only(1);
  //     ^ error: device code calls the __tile__ function 'tile_only', which only tile code may call
  //       [tile:spaces/call-of-tile]
  // right: p[0] = 1;
  p[1] = shared_number;
  //     ^ error: device code names the __tile__ variable 'shared_number', which only tile code may
  //       name [tile:spaces/variable-of-tile]
  // right: p[1] = 0;
}
__tile_global__ void names(int *p) {
  p[0] = simt(1);
  //     ^ error: tile code calls 'simt', which is not a __tile__ function; --extensions allows it
  //       [tile:spaces/call-of-other]
  // right: p[0] = tile_only(1);
  p[1] = table[p[0]];
  //     ^ error: tile code names the variable 'table', which is not a __tile__ variable
  //       [tile:spaces/variable-of-other]
  // right: p[1] = 1;
  p[2] = threadIdx.x;
  //     ^ error: tile code names 'threadIdx', but a tile block has no threads; use cuda::tiles::bid
  //       and num_blocks [tile:spaces/thread-variable]
  // right: p[2] = ct::bid().x;
  auto f = [] __device__(int x) { return x; };
  //       ^ error: a lambda is marked __device__; leave the mark out, because a lambda in tile code
  //         is tile code and a lambda elsewhere is not [tile:spaces/lambda-specifier]
  // right: auto f = [](int x) { return x; };
}

__tile__ int *address;
//            ^ error: the __tile__ variable 'address' has type 'int *', which is a pointer or a
//              reference; pass addresses as parameters of the kernel
//              [tile:specifiers/variable-holds-pointer]
// right: __tile__ int number;
inline __tile__ int visible = 1;
//                  ^ error: the __tile__ variable 'visible' is inline and visible to other
//                  translation units; make it static [tile:variables/variable-is-inline]
// right: static __tile__ int visible = 1;
__device__ __tile__ int both;
//                      ^ error: 'both' is both __tile__ and __device__; a variable belongs to tile
//                  code or to SIMT code [tile:variables/variable-also-device]
// right: __tile__ int both;
__tile__ __constant__ int constant = 1;
//                        ^ error: 'constant' is both __tile__ and __constant__; a variable belongs
//                  to tile code or to SIMT code [tile:variables/variable-also-device]
// right: __tile__ int constant = 1;
struct pair {
  int first, second;
};
__tile__ auto [first, second] = pair{1, 2};
//            ^ error: a structured binding is marked __tile__; mark a variable with one name
//              instead [tile:variables/variable-is-binding]
// right: __tile__ pair both_of_them = {1, 2};
extern __tile__ int elsewhere;
struct klass {
  static __tile__ int member;
  //                  ^ error: 'member' is a static member; a __tile__ variable must be a variable
  //                of a namespace [tile:variables/variable-is-member]
  // right: static int member;
};
__tile_global__ void variables(int *p) {
  p[0] = elsewhere;
  //     ^ error: the __tile__ variable 'elsewhere' is not defined in this translation unit; tile
  //       code is compiled as a whole [tile:variables/variable-undefined]
  // right: p[0] = 1;
  __tile__ int marked;
  //           ^ error: the local variable 'marked' is marked __tile__; a __tile__ variable must be
  //             a variable of a namespace [tile:variables/variable-is-local]
  // right: int marked;
  static int counted = p[0];
  //         ^ error: the initializer of 'counted' is not constant; tile code does not initialize
  //           static variables at run time [tile:variables/variable-is-dynamic]
  // right: static int counted = 0;
  thread_local int own = 1;
  //               ^ error: 'own' is thread_local; a tile block has no threads
  //                [tile:variables/variable-of-thread]
  // right: int own = 1;
}
