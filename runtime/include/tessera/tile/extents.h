// Extents and strides: lists of numbers, some of which are part of the type; the rest are stored.
// [tile:extents]
//
// A shape is a list of extents that are all static; tiles have shapes whose extents are powers of
// two.
#pragma once

#include "constant.h"

namespace cuda::tiles {

// Stand in lists of extents and strides for what is known at run time only.
enum { dynamic_extent = __detail::size_t(-1) }; // as an extent: known at run time only
enum { dynamic_stride = __detail::size_t(-1) }; // as a stride: known at run time only

namespace __detail {

// The common part of extents and strides: D... with dynamic_extent where a value of type I is
// stored. Stored values are accessed by static positions only, so that SROA splits them into
// scalars.
template <class I, size_t... D> struct static_list {
  static constexpr size_t rank = sizeof...(D);
  static constexpr size_t rank_dynamic = (size_t(0) + ... + (D == dynamic_extent));

  TESSERA_HOST_API static constexpr size_t static_value(size_t dim) noexcept {
    size_t value = 0, k = 0;
    ((k++ == dim ? void(value = D) : void()), ...);
    return value;
  }
  // The index of dimension dim among the stored values.
  static consteval size_t slot(size_t dim) {
    size_t slot = 0;
    for (size_t k = 0; k < dim; ++k)
      slot += static_value(k) == size_t(dynamic_extent);
    return slot;
  }
  // The dimension of the stored value in a slot.
  static consteval size_t dimension(size_t of_slot) {
    size_t dim = 0;
    while (static_value(dim) != size_t(dynamic_extent) || slot(dim) != of_slot)
      ++dim;
    return dim;
  }

  // One value per dimension, or the stored ones alone. Constructed in place: SROA does not split an
  // array that is returned by value.
  struct storage {
    I values[rank_dynamic];

    storage() = default;
    template <class... T> TESSERA_HOST_API constexpr storage(T... x) noexcept
        : storage(indices_t<rank_dynamic>(), static_cast<I>(x)...) {}
    template <size_t Dim> TESSERA_HOST_API constexpr I at() const noexcept {
      if constexpr (constexpr size_t known = static_value(Dim); known == size_t(dynamic_extent))
        return values[slot(Dim)];
      else
        return static_cast<I>(known);
    }

  private:
    template <size_t... Slot, class... T>
    TESSERA_HOST_API constexpr storage(indices<Slot...>, T... x) noexcept
        : values{nth<sizeof...(T) == rank_dynamic ? Slot : dimension(Slot)>(x...)...} {}
  };
  struct nothing {
    nothing() = default;
    template <class... T> TESSERA_HOST_API constexpr nothing(T...) noexcept {}
    template <size_t Dim> TESSERA_HOST_API constexpr I at() const noexcept {
      return static_cast<I>(static_value(Dim));
    }
  };
  using stored = conditional_t<rank_dynamic == 0, nothing, storage>;

  template <size_t... K>
  TESSERA_HOST_API static constexpr I value(const stored &s, size_t dim, indices<K...>) noexcept {
    I value{};
    ((K == dim ? void(value = s.template at<K>()) : void()), ...);
    return value;
  }

private:
  template <size_t N, class... T>
  TESSERA_HOST_API static constexpr I nth(I first, T... rest) noexcept {
    if constexpr (N == 0)
      return first;
    else
      return nth<N - 1>(rest...);
  }
};

template <class T, class I>
concept number_for = requires(T x, void (*f)(I)) { f(x); };
template <class List, class... T> inline constexpr bool counts_match =
    sizeof...(T) != 0 && (sizeof...(T) == List::rank || sizeof...(T) == List::rank_dynamic);

template <class T> inline constexpr size_t static_or_dynamic = size_t(dynamic_extent);
template <auto V> inline constexpr size_t static_or_dynamic<integral_constant<V>> = size_t(V);

} // namespace __detail

// The lengths of an index space. Constructed from all extents or from the dynamic ones;
// `extents{4_ic, n}` has a static and a dynamic one.
template <integral I, __detail::size_t... Exts>
  requires(!__detail::is_cv<I>)
struct extents {
  using index_type = I;
  using rank_type = __detail::size_t;

  TESSERA_HOST_API constexpr extents() noexcept : stored_() {}
  template <__detail::number_for<I>... T>
    requires __detail::counts_match<__detail::static_list<I, Exts...>, T...>
  TESSERA_HOST_API explicit(sizeof...(T) == 1) constexpr extents(T... x) noexcept : stored_(x...) {}

  TESSERA_HOST_API static constexpr rank_type rank() noexcept { return list::rank; }
  TESSERA_HOST_API static constexpr rank_type rank_dynamic() noexcept { return list::rank_dynamic; }
  TESSERA_HOST_API static constexpr __detail::size_t static_extent(rank_type dim) noexcept {
    return list::static_value(dim);
  }
  TESSERA_HOST_API constexpr index_type extent(rank_type dim) const noexcept {
    return list::value(stored_, dim, __detail::indices_t<sizeof...(Exts)>());
  }
  template <rank_type Dim> TESSERA_HOST_API constexpr index_type at() const noexcept {
    return stored_.template at<Dim>();
  }
  static consteval __detail::size_t static_size() noexcept {
    return (__detail::size_t(1) * ... * Exts);
  }

private:
  using list = __detail::static_list<I, Exts...>;
  [[no_unique_address]] typename list::stored stored_;
};
template <class... T> extents(T...)
    -> extents<__detail::uint32_t, __detail::static_or_dynamic<T>...>;

// All static: the shapes of tiles.
template <__detail::size_t... Exts> using shape = extents<__detail::uint32_t, Exts...>;
#ifdef TESSERA_CLANG
// Clang builds the deduction guides of an alias on first use and then fails on local variables
// among the arguments.
namespace __detail {
using guides_of_shape_are_built = decltype(shape{0});
}
#endif

// Distances between neighbours along each dimension, in elements (of a mapping) or in elements
// between tiles (of a strided view).
template <integral I, __detail::size_t... Strs>
  requires(!__detail::is_cv<I>)
struct strides {
  using index_type = I;
  using rank_type = __detail::size_t;

  TESSERA_HOST_API constexpr strides() noexcept : stored_() {}
  template <__detail::number_for<I>... T>
    requires __detail::counts_match<__detail::static_list<I, Strs...>, T...>
  TESSERA_HOST_API explicit(sizeof...(T) == 1) constexpr strides(T... x) noexcept : stored_(x...) {}

  TESSERA_HOST_API static constexpr rank_type rank() noexcept { return list::rank; }
  TESSERA_HOST_API static constexpr rank_type rank_dynamic() noexcept { return list::rank_dynamic; }
  TESSERA_HOST_API static constexpr __detail::size_t static_stride(rank_type dim) noexcept {
    return list::static_value(dim);
  }
  TESSERA_HOST_API constexpr index_type stride(rank_type dim) const noexcept {
    return list::value(stored_, dim, __detail::indices_t<sizeof...(Strs)>());
  }
  template <rank_type Dim> TESSERA_HOST_API constexpr index_type at() const noexcept {
    return stored_.template at<Dim>();
  }

private:
  using list = __detail::static_list<I, Strs...>;
  [[no_unique_address]] typename list::stored stored_;
};
template <class... T> strides(T...)
    -> strides<__detail::uint32_t, __detail::static_or_dynamic<T>...>;

namespace __detail {
template <class T>
concept ranked = requires {
  typename T::rank_type;
  typename T::index_type;
  size_t(T::rank());
  size_t(T::rank_dynamic());
} && integral<typename T::index_type> && !is_cv<typename T::index_type>;
} // namespace __detail

// A list of extents: rank(), static_extent(d) and extent(d), in elements.
template <class E>
concept extents_like = __detail::ranked<E> && requires(const E e, typename E::rank_type dim) {
  __detail::size_t(E::static_extent(dim));
  static_cast<typename E::index_type>(e.extent(dim));
};
// A list of strides: rank(), static_stride(d) and stride(d), in elements.
template <class S>
concept strides_like = __detail::ranked<S> && requires(const S s, typename S::rank_type dim) {
  __detail::size_t(S::static_stride(dim));
  static_cast<typename S::index_type>(s.stride(dim));
};
// Extents that are all known when the program is compiled.
template <class E>
concept shape_like = extents_like<E> && E::rank_dynamic() == 0;

namespace __detail {
inline constexpr size_t max_tile_size = size_t(1) << 24;

template <size_t... D> consteval bool is_tile_shape() {
  size_t size = 1;
  bool ok = true;
  ((ok = ok && D != 0 && (D & (D - 1)) == 0 && D <= max_tile_size && (size *= D) <= max_tile_size),
   ...);
  return ok;
}
template <class S> inline constexpr bool tile_compatible = false;
template <size_t... D> inline constexpr bool tile_compatible<shape<D...>> = is_tile_shape<D...>();
} // namespace __detail

// The shapes that tiles may have: every extent a power of two, at most 2^24 elements.
template <class S>
concept tile_shape = __detail::tile_compatible<__detail::remove_cv_t<S>>;

// Same rank and same values, whatever the types.
template <extents_like T, extents_like U>
TESSERA_HOST_API constexpr bool extents_equal(const T &x, const U &y) noexcept {
  if (__detail::size_t(T::rank()) != __detail::size_t(U::rank()))
    return false;
  for (__detail::size_t k = 0; k < __detail::size_t(T::rank()); ++k)
    if (__detail::size_t(x.extent(k)) != __detail::size_t(y.extent(k)))
      return false;
  return true;
}
template <strides_like T, strides_like U>
TESSERA_HOST_API constexpr bool strides_equal(const T &x, const U &y) noexcept {
  if (__detail::size_t(T::rank()) != __detail::size_t(U::rank()))
    return false;
  for (__detail::size_t k = 0; k < __detail::size_t(T::rank()); ++k)
    if (__detail::size_t(x.stride(k)) != __detail::size_t(y.stride(k)))
      return false;
  return true;
}

template <integral I, __detail::size_t... X, integral J, __detail::size_t... Y>
TESSERA_HOST_API constexpr bool operator==(const extents<I, X...> &x,
                                           const extents<J, Y...> &y) noexcept {
  return extents_equal(x, y);
}
template <integral I, __detail::size_t... X, integral J, __detail::size_t... Y>
TESSERA_HOST_API constexpr bool operator==(const strides<I, X...> &x,
                                           const strides<J, Y...> &y) noexcept {
  return strides_equal(x, y);
}

} // namespace cuda::tiles
