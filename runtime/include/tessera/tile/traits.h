// Type traits: the dozen that the header needs, since it includes no standard header.
#pragma once

namespace cuda::tiles::__detail {

using size_t = decltype(sizeof(0));
using uint32_t = unsigned;

template <class T, class U> inline constexpr bool is_same = false;
template <class T> inline constexpr bool is_same<T, T> = true;

template <class T> struct remove_cv {
  using type = T;
};
template <class T> struct remove_cv<const T> {
  using type = T;
};
template <class T> struct remove_cv<volatile T> {
  using type = T;
};
template <class T> struct remove_cv<const volatile T> {
  using type = T;
};
template <class T> struct remove_cv<T *__restrict> { // what a reference to a parameter deduces
  using type = T *;
};
template <class T> using remove_cv_t = typename remove_cv<T>::type;

template <class T> inline constexpr bool is_const = false;
template <class T> inline constexpr bool is_const<const T> = true;
template <class T> inline constexpr bool is_volatile =
    !is_same<T, remove_cv_t<T>> && !is_same<const T, const remove_cv_t<T>>;
template <class T> inline constexpr bool is_cv = !is_same<T, remove_cv_t<T>>;

template <class T> struct remove_pointer {
  using type = T;
};
template <class T> struct remove_pointer<T *> {
  using type = T;
};
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;

template <bool B, class T, class U> struct conditional {
  using type = T;
};
template <class T, class U> struct conditional<false, T, U> {
  using type = U;
};
template <bool B, class T, class U> using conditional_t = typename conditional<B, T, U>::type;

template <class T, class... U> inline constexpr bool is_one_of = (is_same<T, U> || ...);

template <size_t... I> struct indices {};
template <size_t N, size_t... I> struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <size_t... I> struct make_indices<0, I...> {
  using type = indices<I...>;
};
template <size_t N> using indices_t = typename make_indices<N>::type;

} // namespace cuda::tiles::__detail

namespace cuda::tiles {

template <class T, class U>
concept same_as = __detail::is_same<T, U> && __detail::is_same<U, T>;

} // namespace cuda::tiles
