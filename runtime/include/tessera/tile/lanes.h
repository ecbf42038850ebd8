// lanes<T>: the contents of a tile of type T, one lane per element in row-major order.
//
// For a GPU it is one Clang vector, so that after inlining a tile is a single SSA value (`<8192 x
// float>`), whatever C++ does with it. For the CPU it is a plain array. Elements that a Clang
// vector cannot hold are carried as integers of their width: bool and fp8 as unsigned char, half
// and bf16 as unsigned short, tf32 as unsigned int, pointers as unsigned long long.
#pragma once

#include "../classes.h"
#include "config.h"

namespace cuda::tiles::__prim {

template <class E> struct lane {
  using type = E;
};
template <> struct lane<bool> {
  using type = unsigned char;
};
template <> struct lane<char8_t> {
  using type = unsigned char;
};
template <> struct lane<char16_t> {
  using type = unsigned short;
};
template <> struct lane<char32_t> {
  using type = unsigned int;
};
template <> struct lane<wchar_t> {
  using type = int;
};
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, ...)                                          \
  template <> struct lane<CLASS> {                                                                 \
    using type = LANE;                                                                             \
  };
#include "../elements.def"
template <class T> struct lane<T *> {
  using type = unsigned long long;
};

// The lane of one element of tile type T.
template <class T> using lane_t = typename lane<typename T::element_type>::type;

template <class L, unsigned long long N> struct lane_array {
#if defined(TESSERA_HAS_BODIES) || defined(TESSERA_SIMT)
  struct type {
    L v[N];
  };
#else
  typedef L type __attribute__((ext_vector_type(N), aligned(alignof(L))));
#endif
};

// T needs element_type and shape_type, like ct::tile.
template <class T> using lanes = typename lane_array<lane_t<T>, T::shape_type::static_size()>::type;

#ifdef TESSERA_HAS_BODIES
// An operand of tile type T that has one value in every lane: a loop keeps it in a register. It
// becomes lanes where a primitive has no other use for it.
template <class T> struct uniform {
  struct {
    lane_t<T> x;
    const lane_t<T> &operator[](unsigned long long) const { return x; }
  } v;

  operator lanes<T>() const {
    lanes<T> r;
    for (auto &lane : r.v)
      lane = v.x;
    return r;
  }
};
template <class X> inline constexpr bool is_uniform = false;
template <class T> inline constexpr bool is_uniform<uniform<T>> = true;
#endif

// The parameter type for a tile: an SSA value for a GPU; on the CPU a reference, since tiles are
// hundreds of KiB.
#ifdef TESSERA_HAS_BODIES
template <class T> using arg = const T &;
#else
template <class T> using arg = T;
#endif
template <class T> using lanes_arg = arg<lanes<T>>;

// Lanes become a tile without a copy: the caller passes the computation,
// TESSERA_IN_PLACE(expression), which runs where the tile is. The parameter's type is in_place<T,
// X> with X deduced; evaluate returns the lanes. For a GPU all this is the value of the expression.
#ifdef TESSERA_TARGET_CPU
#define TESSERA_IN_PLACE(...) [&] { return __VA_ARGS__; }
template <class T, class X> using in_place = const X &;
template <class T, class X = void> inline lanes<T> evaluate(in_place<T, X> x) { return x(); }
#else
#define TESSERA_IN_PLACE(...) __VA_ARGS__
template <class T, class X> using in_place = lanes<T>;
template <class T, class X = void> TESSERA_API lanes<T> evaluate(in_place<T, X> x) { return x; }
#endif

} // namespace cuda::tiles::__prim
