// [tile:statements] What tile code cannot do.
#include <cuda_tile.h>
#include <typeinfo>

namespace ct = cuda::tiles;

__tile__ int loop(int n) { return n ? loop(n - 1) : 0; }
//           ^ error: 'loop' calls itself; tile code has no recursion, but --extensions allows
//             recursion that ends at compile time [tile:functions/recursion]
// right: __tile__ int loop(int n) { return n > 0 ? n : 0; }
__tile__ int called(int x) { return x; }
__tile__ int variadic(int x, ...) { return x; }
//           ^ error: 'variadic' takes any number of arguments; tile code has no C variadic
//             functions [tile:functions/variadic]
// right: template <class... T> __tile__ int variadic(int x, T... more) { return x; }
struct polymorphic {
  __tile__ virtual int get() { return 1; }
  //                   ^ error: 'get' is virtual; tile code has no virtual functions
  //                [tile:classes/virtual-function]
  // right: __tile__ int get() { return 1; }
};
struct base {
  int number;
};
struct derived : virtual base {};
struct packed {
  int low : 4;
};
__tile_global__ void statements(int *p, int n) {
  auto f = &called;
  //        ^ error: the address of function 'called' in tile code; tile code has no pointers to
  //          functions [tile:functions/function-pointer]
  // right: auto f = [](int x) { return called(x); };
  derived object;
  //      ^ error: 'derived' has a virtual base; tile code has no virtual bases
  //        [tile:classes/virtual-base]
  // right: base object;
  printf(p[0] ? "%d" : "%x", p[0]);
  //     ^ error: the format is not a string literal; printf of tile code reads the format at
  //       compile time [tile:output/printf-format]
  // right: printf("%d", p[0]);
  printf("%d %d\n", 1);
  //     ^ error: the format has 2 conversions, and there are 1 arguments
  //       [tile:output/printf-arguments]
  // right: printf("%d\n", 1);
  packed bits{n};
  p[0] = bits.low;
  //          ^ error: 'low' is a bit-field; tile code has no bit-fields [tile:classes/bit-field]
  // right: p[0] = n & 15;
  p[4] = loop(n);
  asm("");
//^ error: inline assembly in tile code [tile:statements/assembly]
  // right: ;
  for (int i = 0; i < n; ++i)
    switch (p[i]) {
    case 1: continue;
    //      ^ error: continue inside a switch continues a loop around the switch; put the loop
    //        inside the switch, or use if [tile:statements/switch-continue]
    // right: case 1: break;
    case 2: {
      case 3: p[2] = 1;
   // ^ error: a case label is inside another statement of its switch
   //   [tile:statements/switch-nested-label]
      // right: p[2] = 1;
    }
    }
  int *q = new int;
  //       ^ error: new in tile code; tile code allocates no memory [tile:memory/allocation]
  // right: int *q = p;
  int *on_stack = static_cast<int *>(__builtin_alloca(n));
  //                                 ^ error: alloca in tile code; tile code allocates no memory
  //                [tile:memory/allocation]
  // right: int on_stack[16];
  int nothing[0];
  //  ^ error: 'nothing' has no elements and no size; an object of tile code has at least one byte
  //    [tile:types/zero-size]
  // right: int nothing[1];
  bool same = &typeid(n) == nullptr;
  //           ^ error: typeid in tile code; tile code has no run-time type information
  //             [tile:classes/identification]
  // right: bool same = true;
  char large[1 << 25];
  //   ^ error: 'large' takes 33554432 bytes; an object of tile code has at most 16 MiB
  //     [tile:types/too-large]
  // right: char large[1 << 10];
  __int128 wide = n;
  //       ^ error: 'wide' has type '__int128'; tile code has no 128-bit types
  //         [tile:types/wide-integer]
  // right: long long wide = n;
  p[3] = __builtin_ctz(n);
  //     ^ error: '__builtin_ctz' in tile code; this builtin is for SIMT code
  //       [tile:functions/builtin]
  // right: p[3] = n & -n;
}
__tile_global__ void leaves(int *p) {
  if (p[0])
    goto end;
 // ^ error: goto in tile code; use structured control flow [tile:statements/goto]
    // right: return;
  p[1] = 1;
end:;
}
