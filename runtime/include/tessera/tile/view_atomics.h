// Atomic loads and stores of views, the same for every kind of view: the order, and then the scope,
// are tags before the indices, or template arguments; the masked load takes its padding first.
//
// Included in the class. INDICES is the concept of its indices, and elements(dimensions(), i...)
// returns their pointers. Atomics access only elements inside the span.
template <memory_order O, thread_scope S = default_thread_scope(), class... I>
  requires INDICES && read_memory_order<O>
TESSERA_API view_tile_type atomic_load(I... index) const noexcept {
  const auto at = elements<false>(dimensions(), index...);
  return __detail::from_cells<view_tile_type>(
      tiles::atomic_load_masked<O, S>(at.pointers, at.inside));
}
template <memory_order O, class... I>
  requires INDICES && read_memory_order<O>
TESSERA_API view_tile_type atomic_load(memory_order_constant<O>, I... index) const noexcept {
  return atomic_load<O>(index...);
}
template <memory_order O, thread_scope S, class... I>
  requires INDICES && read_memory_order<O>
TESSERA_API view_tile_type atomic_load(memory_order_constant<O>, thread_scope_constant<S>,
                                       I... index) const noexcept {
  return atomic_load<O, S>(index...);
}

template <view_padding Pad, memory_order O, thread_scope S = default_thread_scope(), class... I>
  requires INDICES && read_memory_order<O> && __detail::padding_for<typename Span::value_type, Pad>
TESSERA_API view_tile_type atomic_load_masked(I... index) const noexcept {
  const auto at = elements<true>(dimensions(), index...);
  const auto loaded =
      __detail::from_cells<view_tile_type>(tiles::atomic_load_masked<O, S>(at.pointers, at.inside));
  return select(at.inside, loaded,
                full<view_tile_type>(__detail::padding_value<Pad, typename Span::value_type>()));
}
template <view_padding Pad, memory_order O, class... I>
  requires INDICES && read_memory_order<O> && __detail::padding_for<typename Span::value_type, Pad>
TESSERA_API view_tile_type atomic_load_masked(view_padding_constant<Pad>, memory_order_constant<O>,
                                              I... index) const noexcept {
  return atomic_load_masked<Pad, O>(index...);
}
template <view_padding Pad, memory_order O, thread_scope S, class... I>
  requires INDICES && read_memory_order<O> && __detail::padding_for<typename Span::value_type, Pad>
TESSERA_API view_tile_type atomic_load_masked(view_padding_constant<Pad>, memory_order_constant<O>,
                                              thread_scope_constant<S>, I... index) const noexcept {
  return atomic_load_masked<Pad, O, S>(index...);
}

template <memory_order O, thread_scope S = default_thread_scope(), class T, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store_masked(__prim::arg<T> value, I... index) const noexcept {
  const auto at = elements<true>(dimensions(), index...);
  tiles::atomic_store_masked<O, S>(at.pointers, __detail::to_cells<view_tile_type>(value),
                                   at.inside);
}
template <class T, memory_order O, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store_masked(__prim::arg<T> value, memory_order_constant<O>,
                                     I... index) const noexcept {
  atomic_store_masked<O>(value, index...);
}
template <class T, memory_order O, thread_scope S, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store_masked(__prim::arg<T> value, memory_order_constant<O>,
                                     thread_scope_constant<S>, I... index) const noexcept {
  atomic_store_masked<O, S>(value, index...);
}

template <memory_order O, thread_scope S = default_thread_scope(), class T, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store(__prim::arg<T> value, I... index) const noexcept {
  const auto at = elements<false>(dimensions(), index...);
  tiles::atomic_store_masked<O, S>(at.pointers, __detail::to_cells<view_tile_type>(value),
                                   at.inside);
}
template <class T, memory_order O, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store(__prim::arg<T> value, memory_order_constant<O>,
                              I... index) const noexcept {
  atomic_store<O>(value, index...);
}
template <class T, memory_order O, thread_scope S, class... I>
  requires INDICES && __detail::view_value<T, Span, Shape> && write_memory_order<O>
TESSERA_API void atomic_store(__prim::arg<T> value, memory_order_constant<O>,
                              thread_scope_constant<S>, I... index) const noexcept {
  atomic_store<O, S>(value, index...);
}
