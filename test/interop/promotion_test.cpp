// Promotion: the tables of the array API standard and of cuTile, each cell.
#include <tessera/interop/promote.h>

#include <cuda_fp4.h>

#include <gtest/gtest.h>

using namespace tessera::interop;
using tessera::array_promotion, tessera::is_promotable, tessera::loose, tessera::promote_t,
    tessera::tile_promotion;
using tf32 = struct __nv_tf32;

namespace {

struct ERR {};
template <class A, class B, class Rules> struct result {
  using type = ERR;
};
template <class A, class B, class Rules>
  requires is_promotable<A, B, Rules>
struct result<A, B, Rules> {
  using type = promote_t<A, B, Rules>;
};

template <class... T> struct types {};

// One line of a table: A with each of B is the type in its place.
template <class Rules, class A, class... B, class... Wanted>
constexpr bool line(types<B...>, types<Wanted...>) {
  return (... && std::is_same_v<typename result<A, B, Rules>::type, Wanted>) &&
         (... && std::is_same_v<typename result<B, A, Rules>::type, Wanted>);
}

using X = ERR;
using b1 = bool;
using u8 = uint8;
using u16 = uint16;
using u32 = uint32;
using u64 = uint64;
using i8 = int8;
using i16 = int16;
using i32 = int32;
using i64 = int64;
using f16 = __half;
using f32 = float;
using f64 = double;
using bf = __nv_bfloat16;
using e4 = __nv_fp8_e4m3;
using e5 = __nv_fp8_e5m2;
using e8 = __nv_fp8_e8m0;
using e2 = __nv_fp4_e2m1;
using c64 = complex64;
using c128 = complex128;

#define ROW(A, ...) static_assert(row<A>(types<__VA_ARGS__>()))

// clang-format off
// cuTile, "Arithmetic Promotion".
namespace tile {
template <class A> constexpr auto row = [](auto wanted) {
  return line<tile_promotion, A>(
      types<b1, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, bf, tf32, e4, e5, e8, e2>(),
      wanted);
};
ROW(b1, b1, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, bf, X, X, X, X, X);
ROW(u8, u8, u8, u16, u32, u64, X, X, X, X, f16, f32, f64, bf, X, X, X, X, X);
ROW(u16, u16, u16, u16, u32, u64, X, X, X, X, f16, f32, f64, bf, X, X, X, X, X);
ROW(u32, u32, u32, u32, u32, u64, X, X, X, X, f16, f32, f64, bf, X, X, X, X, X);
ROW(u64, u64, u64, u64, u64, u64, X, X, X, X, f16, f32, f64, bf, X, X, X, X, X);
ROW(i8, i8, X, X, X, X, i8, i16, i32, i64, f16, f32, f64, bf, X, X, X, X, X);
ROW(i16, i16, X, X, X, X, i16, i16, i32, i64, f16, f32, f64, bf, X, X, X, X, X);
ROW(i32, i32, X, X, X, X, i32, i32, i32, i64, f16, f32, f64, bf, X, X, X, X, X);
ROW(i64, i64, X, X, X, X, i64, i64, i64, i64, f16, f32, f64, bf, X, X, X, X, X);
ROW(f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f32, f64, X, X, X, X, X, X);
ROW(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64, f32, X, X, X, X, X);
ROW(f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, X, X, X, X, X);
ROW(bf, bf, bf, bf, bf, bf, bf, bf, bf, bf, X, f32, f64, bf, X, X, X, X, X);
ROW(tf32, X, X, X, X, X, X, X, X, X, X, X, X, X, tf32, X, X, X, X);
ROW(e4, X, X, X, X, X, X, X, X, X, X, X, X, X, X, e4, X, X, X);
ROW(e5, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, e5, X, X);
ROW(e8, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, e8, X);
ROW(e2, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, e2);
} // namespace tile

// The array API standard, "Type Promotion Rules".
namespace array {
template <class A> constexpr auto row = [](auto wanted) {
  return line<array_promotion, A>(
      types<b1, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128>(), wanted);
};
ROW(b1, b1, X, X, X, X, X, X, X, X, X, X, X, X);
ROW(i8, X, i8, i16, i32, i64, i16, i32, i64, X, X, X, X, X);
ROW(i16, X, i16, i16, i32, i64, i16, i32, i64, X, X, X, X, X);
ROW(i32, X, i32, i32, i32, i64, i32, i32, i64, X, X, X, X, X);
ROW(i64, X, i64, i64, i64, i64, i64, i64, i64, X, X, X, X, X);
ROW(u8, X, i16, i16, i32, i64, u8, u16, u32, u64, X, X, X, X);
ROW(u16, X, i32, i32, i32, i64, u16, u16, u32, u64, X, X, X, X);
ROW(u32, X, i64, i64, i64, i64, u32, u32, u32, u64, X, X, X, X);
ROW(u64, X, X, X, X, X, u64, u64, u64, u64, X, X, X, X);
ROW(f32, X, X, X, X, X, X, X, X, X, f32, f64, c64, c128);
ROW(f64, X, X, X, X, X, X, X, X, X, f64, f64, c128, c128);
ROW(c64, X, X, X, X, X, X, X, X, X, c64, c128, c64, c128);
ROW(c128, X, X, X, X, X, X, X, X, X, c128, c128, c128, c128);
} // namespace array
// clang-format on

template <class A, class B> constexpr bool tile_is(auto wanted) {
  return line<tile_promotion, A>(types<B>(), wanted);
}
template <class A, class B> constexpr bool array_is(auto wanted) {
  return line<array_promotion, A>(types<B>(), wanted);
}

// cuTile's loosely typed constants: the higher category wins with its own type; within one the
// operand that is no constant.
static_assert(tile_is<f16, loose<3.0>>(types<f16>()));
static_assert(tile_is<f64, loose<7>>(types<f64>()));
static_assert(tile_is<i8, loose<1000>>(types<i8>()));
static_assert(tile_is<i8, loose<3.0>>(types<f32>()));
static_assert(tile_is<b1, loose<7>>(types<i32>()));
static_assert(tile_is<b1, loose<5'000'000'000>>(types<i64>()));
static_assert(tile_is<b1, loose<0xffffffffffffffffu>>(types<u64>()));

// A Python number beside an array has the array's type, where its kind does.
static_assert(array_is<f32, loose<3.0>>(types<f32>()));
static_assert(array_is<f64, loose<3>>(types<f64>()));
static_assert(array_is<i8, loose<3>>(types<i8>()));
static_assert(array_is<c64, loose<3.0>>(types<c64>()));
static_assert(array_is<i32, loose<3.0>>(types<ERR>()));
static_assert(array_is<i32, loose<true>>(types<ERR>()));
static_assert(array_is<b1, loose<true>>(types<b1>()));

} // namespace
