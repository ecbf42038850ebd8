// cuda::interoperable_array_descriptor: an array that another library or language owns, passed to a
// kernel by value: a pointer, extents and strides, with a documented layout in memory (an mdspan
// has none).
//
// It is constructed from any strided mdspan, and converts to cuda::std::mdspan and std::mdspan with
// layout_stride in host and SIMT code, and to cuda::tiles::tensor_span in tile code
// (tensor_span.h). Tile kernels take it with --extensions.
#pragma once

#include "config.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace cuda {
template <class dtype, ::std::uint64_t ndim> struct interoperable_array_descriptor;
}

namespace tessera::interop {

// A view of an array of Rank dimensions with constant strides.
template <class View, std::uint64_t Rank>
concept strided_array = requires(const View &v) {
  typename View::element_type;
  v.data_handle();
  v.extents().extent(0);
  v.mapping().stride(0);
} && std::uint64_t(View::rank()) == Rank;

// The type in which a mapping stores its strides.
template <class Mapping> using strides_of =
    std::remove_cvref_t<decltype(std::declval<const Mapping &>().strides())>;

// A view that can be constructed from any extents and strides of Rank numbers: an mdspan with
// layout_stride, or a tensor_span with a layout_strided.
template <class View, class Element, std::uint64_t Rank>
concept any_strided_array =
    strided_array<View, Rank> &&
    std::is_convertible_v<Element *, typename View::data_handle_type> &&
    View::extents_type::rank_dynamic() == Rank &&
    requires(typename View::extents_type e, strides_of<typename View::mapping_type> s) {
      { typename View::mapping_type(e, s) };
    };

} // namespace tessera::interop

namespace cuda {

// data: the element at index 0; shape: elements in each dimension; strides: elements from one index
// to the next. Trivially copyable and of standard layout; uninitialized by default.
template <class dtype, ::std::uint64_t ndim> struct interoperable_array_descriptor {
  dtype *data;
  ::std::uint64_t shape[ndim];
  ::std::uint64_t strides[ndim];

  interoperable_array_descriptor() = default;
  TESSERA_INTEROP_API constexpr interoperable_array_descriptor(
      dtype *pointer, const ::std::uint64_t (&extents)[ndim],
      const ::std::uint64_t (&distances)[ndim]) noexcept
      : data(pointer) {
    for (::std::uint64_t k = 0; k < ndim; ++k)
      shape[k] = extents[k], strides[k] = distances[k];
  }
  // The array of any mdspan or tensor_span of this rank; elements may become const.
  template <class mdspan>
    requires ::tessera::interop::strided_array<::std::remove_cvref_t<mdspan>, ndim> &&
             ::std::is_convertible_v<typename ::std::remove_cvref_t<mdspan>::data_handle_type,
                                     dtype *>
  TESSERA_INTEROP_API constexpr interoperable_array_descriptor(mdspan &&ms) noexcept
      : data(ms.data_handle()) {
    for (::std::uint64_t k = 0; k < ndim; ++k) {
      shape[k] = static_cast<::std::uint64_t>(ms.extents().extent(k));
      strides[k] = static_cast<::std::uint64_t>(ms.mapping().stride(k));
    }
  }
  // The same array, its elements const.
  TESSERA_INTEROP_API constexpr
  operator interoperable_array_descriptor<const dtype, ndim>() const noexcept
    requires(!::std::is_const_v<dtype>)
  {
    return {data, shape, strides};
  }
  // An mdspan or tensor_span that takes any strides.
  template <class View>
    requires ::tessera::interop::any_strided_array<View, dtype, ndim>
  TESSERA_INTEROP_API constexpr operator View() const noexcept {
    return view<View>(::std::make_index_sequence<ndim>());
  }

private:
  template <class View, ::std::size_t... K>
  TESSERA_INTEROP_API constexpr View view(::std::index_sequence<K...>) const noexcept {
    using mapping = typename View::mapping_type;
    using lengths = typename View::extents_type;
    using distances = ::tessera::interop::strides_of<mapping>;
    using index = typename lengths::index_type;
    return View(data, mapping(lengths(static_cast<index>(shape[K])...),
                              distances{static_cast<index>(strides[K])...}));
  }
};

// An array without dimensions is one element.
template <class dtype> struct interoperable_array_descriptor<dtype, 0> {
  dtype *data;

  interoperable_array_descriptor() = default;
  TESSERA_INTEROP_API constexpr explicit interoperable_array_descriptor(dtype *pointer) noexcept
      : data(pointer) {}
  TESSERA_INTEROP_API constexpr
  operator interoperable_array_descriptor<const dtype, 0>() const noexcept
    requires(!::std::is_const_v<dtype>)
  {
    return interoperable_array_descriptor<const dtype, 0>(data);
  }
};

template <class mdspan> interoperable_array_descriptor(mdspan &&) -> interoperable_array_descriptor<
    typename ::std::remove_cvref_t<mdspan>::element_type,
    static_cast<::std::uint64_t>(::std::remove_cvref_t<mdspan>::rank())>;

} // namespace cuda
