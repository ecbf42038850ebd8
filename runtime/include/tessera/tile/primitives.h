// The primitives: the only interface between the public tile API and its implementations.
//
// Every public function of cuda_tile.h checks and converts its operands (concepts, promotion,
// broadcasting) and then calls exactly one of the functions below with operands of the final shape
// and element type. They have two bodies:
//   * compiled for a GPU (the default): declared only; the compiler raises each call into one
//     operation of the tile IR;
//   * compiled for the CPU (TESSERA_HAS_BODIES): plain C++ in tessera/tile/cpu/, included at the
//     end of this file.
// The compiler reads a primitive's name and template arguments, never its mangled name. Template
// arguments carry what is static (tile types, modes, dimensions), function arguments the run-time
// values.
//
// Rules: a template parameter named R is the tile type of the result; A, B, C those of the
// operands, P a tile of pointers, M a tile of bool. A rank-0 tile (shape<>) represents a scalar:
// splat converts scalars to lanes, scalar converts back.
#pragma once

#include "lanes.h"
#include "modes.h"

namespace cuda::tiles::__prim {

enum class unary_op {
#define TESSERA_UNARY(NAME) NAME,
#include "../ops.def"
};
enum class binary_op {
#define TESSERA_BINARY(NAME, SYMBOL, SIGN) NAME,
#include "../ops.def"
};
enum class compare_op { eq, ne, lt, le, gt, ge };
enum class classify_op { isnan, isinf };
enum class reduce_op {
  sum,
  prod,
  max,
  min,
  max_nan,
  min_nan,
  bit_and,
  bit_or,
  bit_xor,
  argmax,
  argmin
};
enum class atomic_op { add, sub, bit_and, bit_or, bit_xor, max, min, xchg };

// dims<...>: a list of static extents or strides; dynamic_dim marks one that is known only at run
// time.
inline constexpr long long dynamic_dim = -1;
template <long long... D> struct dims {};

// ---- scalars in and out -----------------------------------------------------------------------
template <class R>
TESSERA_PRIMITIVE lanes<R> splat(lane_t<R> x); // every element x; R may be rank 0
template <class A>
TESSERA_PRIMITIVE lane_t<A> scalar(lanes_arg<A> x);   // the element of a one-element tile, any rank
template <class R> TESSERA_PRIMITIVE lanes<R> iota(); // 0, 1, ... in row-major order
// Represents a tile among the arguments of printf; nothing else reads it.
template <class A> TESSERA_PRIMITIVE unsigned long long printed(lanes_arg<A> x);

// ---- element by element: all operands have the shape of the result ----------------------------
template <unary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R>
TESSERA_PRIMITIVE lanes<R> unary(lanes_arg<R> x);
// shl, shr: the count is y, converted to the element type of x; counts are never negative.
template <binary_op Op, rounding_mode Round, subnormals_rounding_mode Sub, class R>
TESSERA_PRIMITIVE lanes<R> binary(lanes_arg<R> x, lanes_arg<R> y);
template <rounding_mode Round, subnormals_rounding_mode Sub, class R>
TESSERA_PRIMITIVE lanes<R> fma(lanes_arg<R> x, lanes_arg<R> y, lanes_arg<R> z);
template <compare_op Op, class R, class A> TESSERA_PRIMITIVE lanes<R>
compare(lanes_arg<A> x, lanes_arg<A> y); // R: tile of bool; A may hold pointers
template <classify_op Op, class R, class A> TESSERA_PRIMITIVE lanes<R> classify(lanes_arg<A> x);
template <class R, class M>
TESSERA_PRIMITIVE lanes<R> select(lanes_arg<M> m, lanes_arg<R> x, lanes_arg<R> y);
template <class R, class A, rounding_mode Round> TESSERA_PRIMITIVE lanes<R>
cast(lanes_arg<A> x); // scalar conversion of every element, any numeric pair
template <class R, class A>
TESSERA_PRIMITIVE lanes<R> bitcast(lanes_arg<A> x); // elements of equal width, pointers too

// ---- shape ------------------------------------------------------------------------------------
template <class R, class A> TESSERA_PRIMITIVE lanes<R> reshape(lanes_arg<A> x);
template <class R, class A>
TESSERA_PRIMITIVE lanes<R> broadcast(lanes_arg<A> x); // right-aligned, dimensions of 1 repeat
template <class R, class A, class Map> TESSERA_PRIMITIVE lanes<R>
permute(lanes_arg<A> x); // Map = dims<...>: result dim k is source dim Map[k]
template <class R, class A, int Dim> TESSERA_PRIMITIVE lanes<R> cat(lanes_arg<A> x, lanes_arg<A> y);
template <class R, class A, class... I> TESSERA_PRIMITIVE lanes<R>
extract(lanes_arg<A> x, I... index); // I = unsigned; in units of R's shape
template <class A, class B, class... I>
TESSERA_PRIMITIVE lanes<A> insert(lanes_arg<A> x, lanes_arg<B> part, I... index);

// ---- along a dimension; the dimension stays, with extent 1 ------------------------------------
template <reduce_op Op, int Dim, rounding_mode Round, subnormals_rounding_mode Sub, class R,
          class A>
TESSERA_PRIMITIVE lanes<R>
reduce(lanes_arg<A> x); // argmax, argmin: R holds unsigned int, first of equals
template <reduce_op Op, int Dim, bool Backward, rounding_mode Round, subnormals_rounding_mode Sub,
          class R>
TESSERA_PRIMITIVE lanes<R> scan(lanes_arg<R> x); // inclusive; sum and prod

// A function of the program, inlined between the two, folds n tiles A along Dim. It takes of tile
// number I an element, or what is combined so far; R has rank 0. The results are R for each I, and
// `combined` what the function makes of its arguments, as tiles of rank 0. (On the CPU the function
// is called: cpu/fold.h.)
template <int I, bool Accumulator, class R, class A>
TESSERA_PRIMITIVE lanes<R> fold_argument(lanes_arg<A> x);
template <int I, int Dim, bool Scan, bool Backward, class R, class... A, class... C>
TESSERA_PRIMITIVE lanes<R> fold_result(lanes_arg<A>... x, C... combined);

// ---- matrix multiply ---------------------------------------------------------------------------
// (M,K) x (K,N) + (M,N), or the same with a leading batch dimension (1 broadcasts in a and b).
template <class R, class A, class B>
TESSERA_PRIMITIVE lanes<R> mma(lanes_arg<A> a, lanes_arg<B> b, lanes_arg<R> c);

// ---- tiles of pointers ------------------------------------------------------------------------
template <class P, class A>
TESSERA_PRIMITIVE lanes<P> offset(lanes_arg<P> p, lanes_arg<A> n); // p + n elements; A integral
template <class R, class P> TESSERA_PRIMITIVE lanes<R>
difference(lanes_arg<P> p, lanes_arg<P> q); // R holds long: elements between
// p, with the programmer's guarantee that the mask is set; only checks read it.
template <class P, class M> TESSERA_PRIMITIVE lanes<P> inside(lanes_arg<P> p, lanes_arg<M> m);
template <class R, class P> TESSERA_PRIMITIVE_READ lanes<R> load(lanes_arg<P> p);
template <class R, class P, class M>
TESSERA_PRIMITIVE_READ lanes<R> load_masked(lanes_arg<P> p, lanes_arg<M> m, lanes_arg<R> pad);
template <class P, class A> TESSERA_PRIMITIVE_EFFECT void store(lanes_arg<P> p, lanes_arg<A> x);
template <class P, class A, class M>
TESSERA_PRIMITIVE_EFFECT void store_masked(lanes_arg<P> p, lanes_arg<A> x, lanes_arg<M> m);

// Atomics always take a mask (splat of true if the user gave none); masked-off elements do nothing
// and return 0 (compare_exchange: expected).
template <memory_order Order, thread_scope Scope, class R, class P, class M>
TESSERA_PRIMITIVE_EFFECT lanes<R> atomic_load(lanes_arg<P> p, lanes_arg<M> m);
template <memory_order Order, thread_scope Scope, class P, class A, class M>
TESSERA_PRIMITIVE_EFFECT void atomic_store(lanes_arg<P> p, lanes_arg<A> x, lanes_arg<M> m);
template <atomic_op Op, memory_order Order, thread_scope Scope, class R, class P, class M>
TESSERA_PRIMITIVE_EFFECT lanes<R> atomic_rmw(lanes_arg<P> p, lanes_arg<R> x, lanes_arg<M> m);
template <memory_order Order, thread_scope Scope, class R, class P, class M>
TESSERA_PRIMITIVE_EFFECT lanes<R> atomic_compare_exchange(lanes_arg<P> p, lanes_arg<R> expected,
                                                          lanes_arg<R> desired, lanes_arg<M> m);

// ---- views: a box of the shape of R that starts at element `start` of a strided tensor ---------
// Extents, Strides = dims<...> of the rank of R: the static values, dynamic_dim elsewhere. E is the
// (cv-free) element type. The run-time arguments are, in order: Rank extents, Rank strides (in
// elements), Rank starts (in elements), each an unsigned integer (unsigned int or unsigned long
// long); they are always passed, even if static. Bounds are always respected: elements outside the
// extents read as the padding and are never written. Masked = false promises that none is outside.
template <class R, class E, view_padding Pad, bool Masked, class Extents, class Strides, class... I>
TESSERA_PRIMITIVE_READ lanes<R> view_load(const E *base, I... extents_strides_starts);
template <class A, class E, bool Masked, class Extents, class Strides, class... I>
TESSERA_PRIMITIVE_EFFECT void view_store(lanes_arg<A> x, E *base, I... extents_strides_starts);

// ---- the grid, and facts that the programmer guarantees ---------------------------------------
template <int Axis> TESSERA_PRIMITIVE unsigned bid();
template <int Axis> TESSERA_PRIMITIVE unsigned num_blocks();
template <long long N, class T> TESSERA_PRIMITIVE T *assume_aligned(T *p); // bytes, a power of two
template <long long N, class T> TESSERA_PRIMITIVE T assume_divisible(T x); // T a built-in integer
template <long long Low, long long High, class T>
TESSERA_PRIMITIVE T assume_bounded(T x); // Low <= x <= High

} // namespace cuda::tiles::__prim

#ifdef TESSERA_HAS_BODIES
#include "cpu/primitives.h"
#endif
