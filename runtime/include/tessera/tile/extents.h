// Extents and strides: lists of numbers of which some are part of the type and the rest are stored. [tile:extents]
//
// A shape is a list of extents that are all static; tiles have shapes whose extents are powers of two.
#pragma once

#include <tessera/tile/constant.h>

namespace cuda::tiles {

enum { dynamic_extent = detail::size_t(-1) };  // as an extent: known at run time only
enum { dynamic_stride = detail::size_t(-1) };  // as a stride: known at run time only

namespace detail {

// What extents and strides share: D... with dynamic_extent where a value of type I is stored.
template <class I, size_t... D> struct static_list {
  static constexpr size_t rank = sizeof...(D);
  static constexpr size_t rank_dynamic = (size_t(0) + ... + (D == dynamic_extent));

  TESSERA_HOST_API static constexpr size_t static_value(size_t dim) noexcept {
    size_t value = 0, k = 0;
    ((k++ == dim ? void(value = D) : void()), ...);
    return value;
  }
};

// A chain of selections on dim, so that a constant dim leaves no table behind.
template <class List, class I, size_t... K>
TESSERA_HOST_API constexpr I list_value(size_t dim, const I *stored, indices<K...>) noexcept {
  I value{};
  size_t next = 0;
  ((List::static_value(K) == size_t(dynamic_extent) ? (K == dim ? void(value = stored[next]) : void(), void(++next))
                                                    : (K == dim ? void(value = I(List::static_value(K))) : void())),
   ...);
  return value;
}

template <class I, size_t N> struct stored_values {
  I values[N];
  TESSERA_HOST_API constexpr const I *get() const noexcept { return values; }
};
template <class I> struct stored_values<I, 0> {
  TESSERA_HOST_API constexpr const I *get() const noexcept { return nullptr; }
};

// The stored values out of one value per dimension, or out of the stored ones alone.
template <class List, class I, class... T> TESSERA_HOST_API constexpr stored_values<I, List::rank_dynamic> store_values(T... x) noexcept {
  stored_values<I, List::rank_dynamic> result{};
  if constexpr (List::rank_dynamic != 0) {
    size_t dim = 0, next = 0;
    ((sizeof...(T) == List::rank_dynamic || List::static_value(dim) == size_t(dynamic_extent) ? void(result.values[next++] = static_cast<I>(x)) : void(),
      void(++dim)),
     ...);
  }
  return result;
}

template <class T, class I> concept number_for = requires(T x, void (*f)(I)) { f(x); };
template <class List, class... T>
inline constexpr bool counts_match = sizeof...(T) != 0 && (sizeof...(T) == List::rank || sizeof...(T) == List::rank_dynamic);

template <class T> inline constexpr size_t static_or_dynamic = size_t(dynamic_extent);
template <auto V> inline constexpr size_t static_or_dynamic<integral_constant<V>> = size_t(V);

}  // namespace detail

// The lengths of an index space. Constructed from all extents or from the dynamic ones; `extents{4_ic, n}` has a static and a dynamic one.
template <integral I, detail::size_t... Exts>
  requires(!detail::is_cv<I>)
struct extents {
  using index_type = I;
  using rank_type = detail::size_t;

  constexpr extents() = default;
  template <detail::number_for<I>... T>
    requires detail::counts_match<detail::static_list<I, Exts...>, T...>
  TESSERA_HOST_API explicit(sizeof...(T) == 1) constexpr extents(T... x) noexcept : stored_(detail::store_values<list, I>(x...)) {}

  TESSERA_HOST_API static constexpr rank_type rank() noexcept { return list::rank; }
  TESSERA_HOST_API static constexpr rank_type rank_dynamic() noexcept { return list::rank_dynamic; }
  TESSERA_HOST_API static constexpr detail::size_t static_extent(rank_type dim) noexcept { return list::static_value(dim); }
  TESSERA_HOST_API constexpr index_type extent(rank_type dim) const noexcept {
    return detail::list_value<list>(dim, stored_.get(), detail::indices_t<sizeof...(Exts)>());
  }
  static consteval detail::size_t static_size() noexcept { return (detail::size_t(1) * ... * Exts); }

private:
  using list = detail::static_list<I, Exts...>;
  [[no_unique_address]] detail::stored_values<I, list::rank_dynamic> stored_{};
};
template <class... T> extents(T...) -> extents<detail::uint32_t, detail::static_or_dynamic<T>...>;

template <detail::size_t... Exts> using shape = extents<detail::uint32_t, Exts...>;
#ifdef TESSERA_CLANG
// Clang builds the deduction guides of an alias where it first needs them and then trips over local variables among the arguments.
namespace detail { using guides_of_shape_are_built = decltype(shape{0}); }
#endif

// Distances between neighbours along each dimension, in elements (of a mapping) or in elements between tiles (of a strided view).
template <integral I, detail::size_t... Strs>
  requires(!detail::is_cv<I>)
struct strides {
  using index_type = I;
  using rank_type = detail::size_t;

  constexpr strides() = default;
  template <detail::number_for<I>... T>
    requires detail::counts_match<detail::static_list<I, Strs...>, T...>
  TESSERA_HOST_API explicit(sizeof...(T) == 1) constexpr strides(T... x) noexcept : stored_(detail::store_values<list, I>(x...)) {}

  TESSERA_HOST_API static constexpr rank_type rank() noexcept { return list::rank; }
  TESSERA_HOST_API static constexpr rank_type rank_dynamic() noexcept { return list::rank_dynamic; }
  TESSERA_HOST_API static constexpr detail::size_t static_stride(rank_type dim) noexcept { return list::static_value(dim); }
  TESSERA_HOST_API constexpr index_type stride(rank_type dim) const noexcept {
    return detail::list_value<list>(dim, stored_.get(), detail::indices_t<sizeof...(Strs)>());
  }

private:
  using list = detail::static_list<I, Strs...>;
  [[no_unique_address]] detail::stored_values<I, list::rank_dynamic> stored_{};
};
template <class... T> strides(T...) -> strides<detail::uint32_t, detail::static_or_dynamic<T>...>;

namespace detail {
template <class T> concept ranked = requires {
  typename T::rank_type;
  typename T::index_type;
  size_t(T::rank());
  size_t(T::rank_dynamic());
} && integral<typename T::index_type> && !is_cv<typename T::index_type>;
}  // namespace detail

template <class E> concept extents_like = detail::ranked<E> && requires(const E e, typename E::rank_type dim) {
  detail::size_t(E::static_extent(dim));
  static_cast<typename E::index_type>(e.extent(dim));
};
template <class S> concept strides_like = detail::ranked<S> && requires(const S s, typename S::rank_type dim) {
  detail::size_t(S::static_stride(dim));
  static_cast<typename S::index_type>(s.stride(dim));
};
template <class E> concept shape_like = extents_like<E> && E::rank_dynamic() == 0;

namespace detail {
inline constexpr size_t max_tile_size = size_t(1) << 24;

template <size_t... D> consteval bool is_tile_shape() {
  size_t size = 1;
  bool ok = true;
  ((ok = ok && D != 0 && (D & (D - 1)) == 0 && D <= max_tile_size && (size *= D) <= max_tile_size), ...);
  return ok;
}
template <class S> inline constexpr bool tile_compatible = false;
template <size_t... D> inline constexpr bool tile_compatible<shape<D...>> = is_tile_shape<D...>();
}  // namespace detail

// The shapes that tiles may have: every extent a power of two, at most 2^24 elements.
template <class S> concept tile_shape = detail::tile_compatible<detail::remove_cv_t<S>>;

// Same rank and same values, whatever the types.
template <extents_like T, extents_like U> TESSERA_HOST_API constexpr bool extents_equal(const T &x, const U &y) noexcept {
  if (detail::size_t(T::rank()) != detail::size_t(U::rank())) return false;
  for (detail::size_t k = 0; k < detail::size_t(T::rank()); ++k)
    if (detail::size_t(x.extent(k)) != detail::size_t(y.extent(k))) return false;
  return true;
}
template <strides_like T, strides_like U> TESSERA_HOST_API constexpr bool strides_equal(const T &x, const U &y) noexcept {
  if (detail::size_t(T::rank()) != detail::size_t(U::rank())) return false;
  for (detail::size_t k = 0; k < detail::size_t(T::rank()); ++k)
    if (detail::size_t(x.stride(k)) != detail::size_t(y.stride(k))) return false;
  return true;
}

template <integral I, detail::size_t... X, integral J, detail::size_t... Y>
TESSERA_HOST_API constexpr bool operator==(const extents<I, X...> &x, const extents<J, Y...> &y) noexcept {
  return extents_equal(x, y);
}
template <integral I, detail::size_t... X, integral J, detail::size_t... Y>
TESSERA_HOST_API constexpr bool operator==(const strides<I, X...> &x, const strides<J, Y...> &y) noexcept {
  return strides_equal(x, y);
}

}  // namespace cuda::tiles
