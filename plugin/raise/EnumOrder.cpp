// Checks that tile IR numbers operations and modes like the tile header: a primitive carries the
// header's enumerators, and raise/Primitives.cpp reads them as tile IR's.
//
// Nothing runs here. A row of tessera/ops.def that TileDialect.td lacks does not compile.
#define TESSERA_SIMT // the header's declarations only
#include "tessera/tile/primitives.h"

#include "tile/TileDialect.h"

namespace tessera::raising {

namespace header = cuda::tiles;

#define TESSERA_UNARY(NAME)                                                                        \
  static_assert(int(tile::UnaryKind::NAME) == int(header::__prim::unary_op::NAME));
#define TESSERA_BINARY(NAME, SYMBOL, SIGN)                                                         \
  static_assert(int(tile::BinaryKind::NAME) == int(header::__prim::binary_op::NAME));
#include "tessera/ops.def"

constexpr unsigned unaryCount = 0
#define TESSERA_UNARY(NAME) +1
#include "tessera/ops.def"
    ;
constexpr unsigned binaryCount = 0
#define TESSERA_BINARY(NAME, SYMBOL, SIGN) +1
#include "tessera/ops.def"
    ;
static_assert(tile::getMaxEnumValForUnaryKind() + 1 == unaryCount);
static_assert(tile::getMaxEnumValForBinaryKind() + 1 == binaryCount);

#define CHECK_CASE(OURS, THEIRS) static_assert(int(tile::OURS) == int(header::THEIRS));

CHECK_CASE(CompareKind::eq, __prim::compare_op::eq)
CHECK_CASE(CompareKind::ne, __prim::compare_op::ne)
CHECK_CASE(CompareKind::lt, __prim::compare_op::lt)
CHECK_CASE(CompareKind::le, __prim::compare_op::le)
CHECK_CASE(CompareKind::gt, __prim::compare_op::gt)
CHECK_CASE(CompareKind::ge, __prim::compare_op::ge)
CHECK_CASE(ClassifyKind::isnan, __prim::classify_op::isnan)
CHECK_CASE(ClassifyKind::isinf, __prim::classify_op::isinf)
CHECK_CASE(ReduceKind::sum, __prim::reduce_op::sum)
CHECK_CASE(ReduceKind::prod, __prim::reduce_op::prod)
CHECK_CASE(ReduceKind::max, __prim::reduce_op::max)
CHECK_CASE(ReduceKind::min, __prim::reduce_op::min)
CHECK_CASE(ReduceKind::max_nan, __prim::reduce_op::max_nan)
CHECK_CASE(ReduceKind::min_nan, __prim::reduce_op::min_nan)
CHECK_CASE(ReduceKind::bit_and, __prim::reduce_op::bit_and)
CHECK_CASE(ReduceKind::bit_or, __prim::reduce_op::bit_or)
CHECK_CASE(ReduceKind::bit_xor, __prim::reduce_op::bit_xor)
CHECK_CASE(ReduceKind::argmax, __prim::reduce_op::argmax)
CHECK_CASE(ReduceKind::argmin, __prim::reduce_op::argmin)
CHECK_CASE(AtomicKind::add, __prim::atomic_op::add)
CHECK_CASE(AtomicKind::sub, __prim::atomic_op::sub)
CHECK_CASE(AtomicKind::bit_and, __prim::atomic_op::bit_and)
CHECK_CASE(AtomicKind::bit_or, __prim::atomic_op::bit_or)
CHECK_CASE(AtomicKind::bit_xor, __prim::atomic_op::bit_xor)
CHECK_CASE(AtomicKind::max, __prim::atomic_op::max)
CHECK_CASE(AtomicKind::min, __prim::atomic_op::min)
CHECK_CASE(AtomicKind::xchg, __prim::atomic_op::xchg)
CHECK_CASE(Rounding::nearest, rounding_mode::round_ties_to_even)
CHECK_CASE(Rounding::toward_zero, rounding_mode::round_toward_zero)
CHECK_CASE(Rounding::toward_negative, rounding_mode::round_toward_negative)
CHECK_CASE(Rounding::toward_positive, rounding_mode::round_toward_positive)
CHECK_CASE(Rounding::approximate, rounding_mode::round_approximate)
CHECK_CASE(Rounding::full, rounding_mode::round_full)
CHECK_CASE(MemoryOrder::relaxed, memory_order::relaxed)
CHECK_CASE(MemoryOrder::acquire, memory_order::acquire)
CHECK_CASE(MemoryOrder::release, memory_order::release)
CHECK_CASE(MemoryOrder::acq_rel, memory_order::acq_rel)
CHECK_CASE(Scope::block, thread_scope::block)
CHECK_CASE(Scope::device, thread_scope::device)
CHECK_CASE(Scope::system, thread_scope::system)
CHECK_CASE(Padding::zero, view_padding::zero)
CHECK_CASE(Padding::negative_zero, view_padding::negative_zero)
CHECK_CASE(Padding::positive_inf, view_padding::positive_inf)
CHECK_CASE(Padding::negative_inf, view_padding::negative_inf)
CHECK_CASE(Padding::nan, view_padding::nan)

} // namespace tessera::raising
