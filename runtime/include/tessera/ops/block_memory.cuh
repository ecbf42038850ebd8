// Local variables that a block's threads share, where they lie in its shared memory: at the start.
// Pointers into them are generic. Accesses as those of global memory; atomics are relaxed, since
// nobody outside the block sees them.
#pragma once

#include "atomics.cuh"
#include "global_memory.cuh"

namespace tessera {

// The address, for every thread.
TESSERA_DEVICE long long shared_block_memory() {
  return reinterpret_cast<long long>(shared_memory());
}

namespace detail {

template <int V, class T, class U, class L> TESSERA_DEVICE void
load_groups_in_block(fragment<T, L> &x, const fragment<U *, L> &p, const fragment<bool, L> &mask) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    if (mask.r[i])
      from_words<V>(x.r + i, arch::load_shared<V * sizeof(T)>(p.r[i], 0));
}

template <int V, class T, class L>
TESSERA_DEVICE void store_groups_in_block(const fragment<T *, L> &p, const fragment<T, L> &x,
                                          const fragment<bool, L> &mask) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    if (mask.r[i])
      arch::store_shared<V * sizeof(T)>(p.r[i], 0, to_words<V>(x.r + i));
}

} // namespace detail

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L>
load_in_block(const fragment<T *, L> &p, const fragment<bool, L> &mask,
              const fragment<std::remove_const_t<T>, L> &pad) {
  auto x = pad;
  if (detail::allows_groups<V, A>(p) && detail::share_bits<V, M>(mask))
    detail::load_groups_in_block<V>(x, p, mask);
  else
    detail::load_groups_in_block<1>(x, p, mask);
  return x;
}

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L> load_in_block(const fragment<T *, L> &p,
                                                                 const fragment<bool, L> &mask,
                                                                 std::remove_const_t<T> pad) {
  return load_in_block<V, A, M>(p, mask, splat<L>(pad));
}

template <int V = 1, alignment A = alignment::proven, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L> load_in_block(const fragment<T *, L> &p) {
  return load_in_block<V, A, masks::shared>(p, splat<L>(true), std::remove_const_t<T>{});
}

template <class T> TESSERA_DEVICE std::remove_cv_t<T> load_in_block(T *p) {
  std::remove_cv_t<T> x;
  from_words<1>(&x, arch::load_shared<sizeof(T)>(p, 0));
  return x;
}

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE void store_in_block(const fragment<T *, L> &p, const fragment<T, L> &x,
                                   const fragment<bool, L> &mask) {
  if (!L::is_owner())
    return;
  if (detail::allows_groups<V, A>(p) && detail::share_bits<V, M>(mask))
    detail::store_groups_in_block<V>(p, x, mask);
  else
    detail::store_groups_in_block<1>(p, x, mask);
}

template <int V = 1, alignment A = alignment::proven, class T, class L>
TESSERA_DEVICE void store_in_block(const fragment<T *, L> &p, const fragment<T, L> &x) {
  store_in_block<V, A, masks::shared>(p, x, splat<L>(true));
}

// Once per block.
template <class T> TESSERA_DEVICE void store_once_in_block(T *p, std::common_type_t<T> x) {
  if (arch::thread_index() == 0)
    arch::store_shared<sizeof(T)>(p, 0, to_words<1>(&x));
}

// Old values where the mask is set, for the owners of elements.
template <atomic Op, class T, class L> TESSERA_DEVICE fragment<T, L>
atomic_in_block(const fragment<T *, L> &p, const fragment<T, L> &x, const fragment<bool, L> &mask) {
  fragment<T, L> before{};
  const bool owner = L::is_owner();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    if (owner && mask.r[i])
      before.r[i] = arch::atomic_rmw_shared<Op>(p.r[i], x.r[i]);
  return before;
}

template <atomic Op, class T>
TESSERA_DEVICE T atomic_in_block(T *p, std::common_type_t<T> x, bool mask = true) {
  T before{};
  if (arch::thread_index() == 0 && mask)
    before = arch::atomic_rmw_shared<Op>(p, x);
  return before;
}

} // namespace tessera
