// Arrays of other libraries in tile code: `ct::tensor_span{x}` of a descriptor x, with its strides,
// or of tessera::interop::contiguous_last(x), which is contiguous along the last dimension.
#pragma once

#include "../macros_begin.h"

#include "array_descriptor.h"

#include <cuda_tile.h>

namespace tessera::interop {

template <class Sequence> struct dynamic_list;
template <std::size_t... K> struct dynamic_list<std::index_sequence<K...>> {
  template <std::size_t> static constexpr std::size_t dynamic = std::size_t(-1);
  using extents = cuda::tiles::extents<std::uint64_t, dynamic<K>...>;
  // The last one is 1.
  using strides = cuda::tiles::extents<std::uint64_t, (K + 1 == sizeof...(K) ? 1 : dynamic<K>)...>;
};
template <std::uint64_t Rank> using lists = dynamic_list<std::make_index_sequence<Rank>>;

template <class dtype, std::uint64_t ndim> using strided_span =
    cuda::tiles::tensor_span<dtype, typename lists<ndim>::extents,
                             cuda::tiles::layout_strided<typename lists<ndim>::extents>>;
template <class dtype, std::uint64_t ndim> using contiguous_span =
    cuda::tiles::tensor_span<dtype, typename lists<ndim>::extents,
                             cuda::tiles::layout_strided<typename lists<ndim>::strides>>;

// The array as a span whose type has last stride 1, which loads and stores along the last dimension
// need for wide accesses. The behaviour is undefined if the last stride of x is not 1; descriptors
// made with `layout::contiguous_last` (foreign_array.h) have been checked.
template <class dtype, std::uint64_t ndim>
  requires(ndim > 0)
TESSERA_INTEROP_API constexpr contiguous_span<dtype, ndim>
contiguous_last(const cuda::interoperable_array_descriptor<dtype, ndim> &x) noexcept {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    using span = contiguous_span<dtype, ndim>;
    return span(x.data,
                typename span::mapping_type(typename lists<ndim>::extents(x.shape[K]...),
                                            typename lists<ndim>::strides(x.strides[K]...)));
  }(std::make_index_sequence<ndim>());
}

} // namespace tessera::interop

namespace cuda::tiles {
template <class dtype, ::std::uint64_t ndim>
tensor_span(interoperable_array_descriptor<dtype, ndim>)
    -> tensor_span<dtype, typename ::tessera::interop::lists<ndim>::extents,
                   layout_strided<typename ::tessera::interop::lists<ndim>::extents>>;
} // namespace cuda::tiles

#include "../macros_end.h"
