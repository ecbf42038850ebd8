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

// clang-format off
// cuTile, "Arithmetic Promotion".
namespace tile {
template <class A> constexpr auto row = [](auto wanted) {
  return line<tile_promotion, A>(
      types<b1, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, bf, tf32, e4, e5, e8, e2>(),
      wanted);
};
static_assert(row<b1>(types<b1, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<u8>(types<u8, u8, u16, u32, u64, ERR, ERR, ERR, ERR, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<u16>(types<u16, u16, u16, u32, u64, ERR, ERR, ERR, ERR, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<u32>(types<u32, u32, u32, u32, u64, ERR, ERR, ERR, ERR, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<u64>(types<u64, u64, u64, u64, u64, ERR, ERR, ERR, ERR, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i8>(types<i8, ERR, ERR, ERR, ERR, i8, i16, i32, i64, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i16>(types<i16, ERR, ERR, ERR, ERR, i16, i16, i32, i64, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i32>(types<i32, ERR, ERR, ERR, ERR, i32, i32, i32, i64, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i64>(types<i64, ERR, ERR, ERR, ERR, i64, i64, i64, i64, f16, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<f16>(types<f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f32, f64, ERR, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<f32>(types<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64, f32, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<f64>(types<f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<bf>(types<bf, bf, bf, bf, bf, bf, bf, bf, bf, ERR, f32, f64, bf, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<tf32>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, tf32, ERR, ERR, ERR, ERR>()));
static_assert(row<e4>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, e4, ERR, ERR, ERR>()));
static_assert(row<e5>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, e5, ERR, ERR>()));
static_assert(row<e8>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, e8, ERR>()));
static_assert(row<e2>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, e2>()));
} // namespace tile

// The array API standard, "Type Promotion Rules".
namespace array {
template <class A> constexpr auto row = [](auto wanted) {
  return line<array_promotion, A>(
      types<b1, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128>(), wanted);
};
static_assert(row<b1>(types<b1, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i8>(types<ERR, i8, i16, i32, i64, i16, i32, i64, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i16>(types<ERR, i16, i16, i32, i64, i16, i32, i64, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i32>(types<ERR, i32, i32, i32, i64, i32, i32, i64, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<i64>(types<ERR, i64, i64, i64, i64, i64, i64, i64, ERR, ERR, ERR, ERR, ERR>()));
static_assert(row<u8>(types<ERR, i16, i16, i32, i64, u8, u16, u32, u64, ERR, ERR, ERR, ERR>()));
static_assert(row<u16>(types<ERR, i32, i32, i32, i64, u16, u16, u32, u64, ERR, ERR, ERR, ERR>()));
static_assert(row<u32>(types<ERR, i64, i64, i64, i64, u32, u32, u32, u64, ERR, ERR, ERR, ERR>()));
static_assert(row<u64>(types<ERR, ERR, ERR, ERR, ERR, u64, u64, u64, u64, ERR, ERR, ERR, ERR>()));
static_assert(row<f32>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, f32, f64, c64, c128>()));
static_assert(row<f64>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, f64, f64, c128, c128>()));
static_assert(row<c64>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, c64, c128, c64, c128>()));
static_assert(row<c128>(types<ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, ERR, c128, c128, c128, c128>()));
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
