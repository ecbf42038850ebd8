// Tensor spans: a pointer, a layout mapping and an accessor describe an array in memory; views cut
// tiles out of it. [tile:tensor_span]
#pragma once

#include "layout.h"

namespace cuda::tiles {

// The element types of tiles and spans, with any cv.
template <class E>
concept scalar = __detail::is_scalar<__detail::remove_cv_t<E>>;

// Specialize to true for accessors whose reference to element i is p[i].
template <class A> inline constexpr bool enable_contiguous_accessor_policy = false;

// How a span reaches its elements: by a plain pointer, as default_accessor does.
template <class A>
concept accessor_policy =
    requires {
      typename A::element_type;
      typename A::data_handle_type;
      typename A::reference;
    } && __detail::is_same<typename A::data_handle_type, typename A::element_type *> &&
    enable_contiguous_accessor_policy<A>;

// The elements behind a pointer to E.
template <scalar E> struct default_accessor {
  using element_type = E;
  using data_handle_type = E *;
  using reference = E &;
};
template <class E> inline constexpr bool enable_contiguous_accessor_policy<default_accessor<E>> =
    true;

// An array of E in memory, owned elsewhere. Usable in host, SIMT and tile code; elements are
// accessed through views only.
template <scalar E, extents_like Extents, class Layout = layout_right,
          accessor_policy Accessor = default_accessor<E>>
  requires layout_mapping<typename Layout::template mapping<Extents>> &&
           __detail::is_same<E, typename Accessor::element_type>
struct tensor_span {
  using element_type = E;
  using value_type = __detail::remove_cv_t<E>;
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;

  TESSERA_HOST_API constexpr tensor_span(data_handle_type p, const Extents &e, Layout = {},
                                         const Accessor &a = {}) noexcept
    requires requires { mapping_type(e); }
      : data_(p), mapping_(e), accessor_(a) {}
  TESSERA_HOST_API constexpr tensor_span(data_handle_type p, const mapping_type &m,
                                         const Accessor &a = {}) noexcept
      : data_(p), mapping_(m), accessor_(a) {}

  TESSERA_HOST_API constexpr data_handle_type data_handle() const noexcept { return data_; }
  TESSERA_HOST_API constexpr const mapping_type &mapping() const noexcept { return mapping_; }
  TESSERA_HOST_API constexpr const Accessor &accessor() const noexcept { return accessor_; }
  TESSERA_HOST_API constexpr const Extents &extents() const noexcept { return mapping_.extents(); }
  TESSERA_HOST_API constexpr index_type extent(rank_type dim) const noexcept {
    return extents().extent(dim);
  }
  TESSERA_HOST_API static constexpr rank_type rank() noexcept { return Extents::rank(); }

private:
  data_handle_type data_;
  [[no_unique_address]] mapping_type mapping_;
  [[no_unique_address]] Accessor accessor_;
};

template <class E, extents_like X> tensor_span(E *, X) -> tensor_span<E, X>;
template <class E, extents_like X, class L> tensor_span(E *, X, L) -> tensor_span<E, X, L>;
template <class E, extents_like X, class L, accessor_policy A> tensor_span(E *, X, L, A)
    -> tensor_span<E, X, L, A>;
template <class E, layout_mapping M> tensor_span(E *, M)
    -> tensor_span<E, typename M::extents_type, typename M::layout_type>;
template <class E, layout_mapping M, accessor_policy A> tensor_span(E *, M, A)
    -> tensor_span<E, typename M::extents_type, typename M::layout_type, A>;

// An array in memory: its data, layout mapping and accessor.
template <class T>
concept tensor_span_like =
    requires(const T s) {
      typename T::element_type;
      typename T::value_type;
      typename T::index_type;
      typename T::rank_type;
      typename T::reference;
      static_cast<typename T::data_handle_type>(s.data_handle());
      s.accessor();
      s.mapping();
    } && extents_like<typename T::extents_type> && layout_mapping<typename T::mapping_type> &&
    accessor_policy<typename T::accessor_type>;

} // namespace cuda::tiles
