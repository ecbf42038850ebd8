// Layout mappings: the offset of an index's element, as one stride per dimension.
// [tile:layout_mappings]
//
// A mapping knows statically whatever its static extents and strides imply, and stores only the
// rest. Strides count elements.
#pragma once

#include "extents.h"

namespace cuda::tiles {

namespace __detail {
template <class E>
concept mappable_extents = extents_like<E> && !is_same<typename E::index_type, bool>;

template <class E> consteval size_t static_extent_of(size_t dim) {
  return size_t(E::static_extent(static_cast<typename E::rank_type>(dim)));
}

// The product of E's static extents over [first, last), dynamic_extent if one is dynamic.
template <class E> consteval size_t static_product(size_t first, size_t last) {
  size_t product = 1;
  for (size_t k = first; k < last; ++k) {
    if (static_extent_of<E>(k) == size_t(dynamic_extent))
      return size_t(dynamic_extent);
    product *= static_extent_of<E>(k);
  }
  return product;
}

// Extent (stride) K of a list of either kind.
template <size_t K, class L> TESSERA_HOST_API constexpr auto list_value(const L &list) noexcept {
  if constexpr (requires { list.template at<K>(); })
    return list.template at<K>();
  else if constexpr (strides_like<L>)
    return list.stride(static_cast<typename L::rank_type>(K));
  else
    return list.extent(static_cast<typename L::rank_type>(K));
}

template <size_t First, class E, size_t... K> TESSERA_HOST_API constexpr typename E::index_type
extent_product(const E &e, indices<K...>) noexcept {
  return static_cast<typename E::index_type>(
      (typename E::index_type(1) * ... * list_value<First + K>(e)));
}

// The common part of all mappings; Layout is their policy.
template <class E, class Layout> struct mapping_base {
  using extents_type = E;
  using rank_type = typename E::rank_type;
  using index_type = typename E::index_type;
  using layout_type = Layout;

  TESSERA_HOST_API constexpr mapping_base(const E &e) noexcept : extents_(e) {}
  TESSERA_HOST_API static constexpr bool is_always_strided() noexcept { return true; }
  TESSERA_HOST_API constexpr const E &extents() const noexcept { return extents_; }

protected:
  // The stride of dimension dim of the mapping M, selected from those with static positions.
  template <class M>
  TESSERA_HOST_API static constexpr index_type select_stride(const M &m, rank_type dim) noexcept {
    return select_stride(m, dim, indices_t<size_t(E::rank())>());
  }
  template <class M, size_t... K> TESSERA_HOST_API static constexpr index_type
  select_stride(const M &m, rank_type dim, indices<K...>) noexcept {
    index_type value{};
    ((K == size_t(dim) ? void(value = m.template stride_at<K>()) : void()), ...);
    return value;
  }

  [[no_unique_address]] E extents_;
};
} // namespace __detail

template <__detail::mappable_extents E> struct layout_right_mapping;
template <__detail::mappable_extents E> struct layout_left_mapping;

// The order of elements in memory: by rows, or by columns.
struct layout_right { // row-major: the last index is contiguous
  template <extents_like E> using mapping = layout_right_mapping<E>;
};
struct layout_left { // column-major: the first index is contiguous
  template <extents_like E> using mapping = layout_left_mapping<E>;
};

// From indices to the offset of an element, in elements, of an array of these extents by rows.
template <__detail::mappable_extents E> struct layout_right_mapping
    : __detail::mapping_base<E, layout_right> {
  using base = __detail::mapping_base<E, layout_right>;
  TESSERA_HOST_API constexpr layout_right_mapping(const E &e) noexcept : base(e) {}

  TESSERA_HOST_API constexpr typename E::index_type
  stride(typename E::rank_type dim) const noexcept {
    return base::select_stride(*this, dim);
  }
  template <__detail::size_t Dim>
  TESSERA_HOST_API constexpr typename E::index_type stride_at() const noexcept {
    return __detail::extent_product<Dim + 1>(this->extents_,
                                             __detail::indices_t<E::rank() - Dim - 1>());
  }
  static consteval __detail::size_t static_stride(__detail::size_t dim) {
    return __detail::static_product<E>(dim + 1, E::rank());
  }
};
template <class E> layout_right_mapping(E) -> layout_right_mapping<E>;

// The same by columns.
template <__detail::mappable_extents E> struct layout_left_mapping
    : __detail::mapping_base<E, layout_left> {
  using base = __detail::mapping_base<E, layout_left>;
  TESSERA_HOST_API constexpr layout_left_mapping(const E &e) noexcept : base(e) {}

  TESSERA_HOST_API constexpr typename E::index_type
  stride(typename E::rank_type dim) const noexcept {
    return base::select_stride(*this, dim);
  }
  template <__detail::size_t Dim>
  TESSERA_HOST_API constexpr typename E::index_type stride_at() const noexcept {
    return __detail::extent_product<0>(this->extents_, __detail::indices_t<Dim>());
  }
  static consteval __detail::size_t static_stride(__detail::size_t dim) {
    return __detail::static_product<E>(0, dim);
  }
};
template <class E> layout_left_mapping(E) -> layout_left_mapping<E>;

// ---- any strides ------------------------------------------------------------------------------
template <__detail::mappable_extents E, class S>
  requires(extents_like<S> || strides_like<S>)
struct layout_strided_mapping;

// Elements as far apart as strides S say, in elements; S may be extents or strides.
template <class S> struct layout_strided {
  template <extents_like E> using mapping = layout_strided_mapping<E, S>;
};

template <__detail::mappable_extents E, class S>
  requires(extents_like<S> || strides_like<S>)
struct layout_strided_mapping : __detail::mapping_base<E, layout_strided<S>> {
  static_assert(__detail::size_t(E::rank()) == __detail::size_t(S::rank()),
                "a strided mapping has one stride per dimension");
  using base = __detail::mapping_base<E, layout_strided<S>>;
  using strides_type = S;
  TESSERA_HOST_API constexpr layout_strided_mapping(const E &e, const S &s) noexcept
    requires __detail::is_same<typename E::index_type, typename S::index_type>
      : base(e), strides_(s) {}

  TESSERA_HOST_API constexpr typename E::index_type
  stride(typename E::rank_type dim) const noexcept {
    return base::select_stride(*this, dim);
  }
  template <__detail::size_t Dim>
  TESSERA_HOST_API constexpr typename E::index_type stride_at() const noexcept {
    return static_cast<typename E::index_type>(__detail::list_value<Dim>(strides_));
  }
  TESSERA_HOST_API constexpr const S &strides() const noexcept { return strides_; }
  static consteval __detail::size_t static_stride(__detail::size_t dim) {
    if constexpr (strides_like<S>)
      return S::static_stride(static_cast<typename S::rank_type>(dim));
    else
      return S::static_extent(static_cast<typename S::rank_type>(dim));
  }

private:
  [[no_unique_address]] S strides_;
};
template <class E, class S> layout_strided_mapping(E, S) -> layout_strided_mapping<E, S>;

// ---- padded: rows (columns) are `pad` elements apart, which implies the other strides ---------
template <__detail::mappable_extents E, __detail::size_t Pad> struct layout_right_padded_mapping;
template <__detail::mappable_extents E, __detail::size_t Pad> struct layout_left_padded_mapping;

// Rows that are Pad elements apart; dynamic_extent: known at run time only.
template <__detail::size_t Pad> struct layout_right_padded {
  template <extents_like E> using mapping = layout_right_padded_mapping<E, Pad>;
};
// Columns that are Pad elements apart.
template <__detail::size_t Pad> struct layout_left_padded {
  template <extents_like E> using mapping = layout_left_padded_mapping<E, Pad>;
};

template <__detail::mappable_extents E, __detail::size_t Pad> struct layout_right_padded_mapping
    : __detail::mapping_base<E, layout_right_padded<Pad>> {
  using base = __detail::mapping_base<E, layout_right_padded<Pad>>;
  template <__detail::number_for<typename E::index_type> P>
  TESSERA_HOST_API constexpr layout_right_padded_mapping(const E &e, P pad) noexcept
      : base(e), pad_(pad) {}

  TESSERA_HOST_API constexpr typename E::index_type
  stride(typename E::rank_type dim) const noexcept {
    return base::select_stride(*this, dim);
  }
  template <__detail::size_t Dim>
  TESSERA_HOST_API constexpr typename E::index_type stride_at() const noexcept {
    if constexpr (Dim + 1 == E::rank())
      return 1;
    else
      return pad_.template at<0>() *
             __detail::extent_product<Dim + 1>(this->extents_,
                                               __detail::indices_t<E::rank() - Dim - 2>());
  }
  static consteval __detail::size_t static_stride(__detail::size_t dim) {
    if (dim + 1 == E::rank())
      return 1;
    constexpr auto dynamic = __detail::size_t(dynamic_extent);
    const auto rows = __detail::static_product<E>(dim + 1, E::rank() - 1);
    return Pad == dynamic || rows == dynamic ? dynamic : Pad * rows;
  }

private:
  [[no_unique_address]] cuda::tiles::extents<typename E::index_type, Pad> pad_;
};
template <class E, class P> layout_right_padded_mapping(E, P)
    -> layout_right_padded_mapping<E, __detail::static_or_dynamic<P>>;

template <__detail::mappable_extents E, __detail::size_t Pad> struct layout_left_padded_mapping
    : __detail::mapping_base<E, layout_left_padded<Pad>> {
  using base = __detail::mapping_base<E, layout_left_padded<Pad>>;
  template <__detail::number_for<typename E::index_type> P>
  TESSERA_HOST_API constexpr layout_left_padded_mapping(const E &e, P pad) noexcept
      : base(e), pad_(pad) {}

  TESSERA_HOST_API constexpr typename E::index_type
  stride(typename E::rank_type dim) const noexcept {
    return base::select_stride(*this, dim);
  }
  template <__detail::size_t Dim>
  TESSERA_HOST_API constexpr typename E::index_type stride_at() const noexcept {
    if constexpr (Dim == 0)
      return 1;
    else
      return pad_.template at<0>() *
             __detail::extent_product<1>(this->extents_, __detail::indices_t<Dim - 1>());
  }
  static consteval __detail::size_t static_stride(__detail::size_t dim) {
    if (dim == 0)
      return 1;
    constexpr auto dynamic = __detail::size_t(dynamic_extent);
    const auto columns = __detail::static_product<E>(1, dim);
    return Pad == dynamic || columns == dynamic ? dynamic : Pad * columns;
  }

private:
  [[no_unique_address]] cuda::tiles::extents<typename E::index_type, Pad> pad_;
};
template <class E, class P> layout_left_padded_mapping(E, P)
    -> layout_left_padded_mapping<E, __detail::static_or_dynamic<P>>;

// ---- any mapping ------------------------------------------------------------------------------
// The static stride, or dynamic_stride. Specialize it for your own mappings.
template <class M> struct layout_mapping_static_stride {
  TESSERA_HOST_API constexpr __detail::size_t operator()(__detail::size_t dim) const noexcept {
    if constexpr (requires { M::static_stride(0); }) {
      __detail::size_t value = 0;
      lookup(dim, value, __detail::indices_t<__detail::size_t(M::extents_type::rank())>());
      return value;
    } else {
      return __detail::size_t(dynamic_stride);
    }
  }

private:
  template <__detail::size_t... K> TESSERA_HOST_API static constexpr void
  lookup(__detail::size_t dim, __detail::size_t &value, __detail::indices<K...>) noexcept {
    ((dim == K ? void(value = M::static_stride(K)) : void()), ...);
  }
};

// From rank() indices to an offset, in elements, with the stride of each dimension.
template <class M>
concept layout_mapping = requires(const M m, typename M::rank_type dim) {
  typename M::extents_type;
  typename M::index_type;
  typename M::layout_type;
  static_cast<typename M::index_type>(m.stride(dim));
  m.extents();
} && extents_like<typename M::extents_type> && M::is_always_strided();

// Same extents and same strides, whatever the types.
template <layout_mapping L, layout_mapping R>
TESSERA_HOST_API constexpr bool layout_mapping_equal(const L &x, const R &y) noexcept {
  if (!extents_equal(x.extents(), y.extents()))
    return false;
  for (__detail::size_t k = 0; k < __detail::size_t(L::extents_type::rank()); ++k)
    if (__detail::size_t(x.stride(k)) != __detail::size_t(y.stride(k)))
      return false;
  return true;
}

} // namespace cuda::tiles
