// Tensor spans: the layouts of arrays, and layouts, accessors and spans of the program's own that
// views take.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;

// [tile:layout_mapping] What a mapping has: rows of `pitch` elements, of which every second counts.
struct spread {
  template <class E> struct mapping {
    using extents_type = E;
    using rank_type = typename E::rank_type;
    using index_type = typename E::index_type;
    using layout_type = spread;
    E lengths;
    index_type pitch;
    __host__ __device__ __tile__ static constexpr bool is_always_strided() { return true; }
    __host__ __device__ __tile__ static constexpr size_t static_stride(rank_type d) {
      return d == 0 ? ct::dynamic_extent : 2;
    }
    __host__ __device__ __tile__ constexpr index_type stride(rank_type d) const {
      return d == 0 ? pitch : 2;
    }
    __host__ __device__ __tile__ constexpr const E &extents() const { return lengths; }
  };
};
template <class E> struct ct::layout_mapping_static_stride<spread::mapping<E>> {
  __host__ __device__ __tile__ constexpr size_t operator()(typename E::rank_type d) const {
    return d == 0 ? ct::dynamic_extent : 2;
  }
};
// [tile:accessor_policy]
template <class T> struct plain {
  using element_type = T;
  using data_handle_type = T *;
  using reference = T &;
};
template <class T> constexpr bool ct::enable_contiguous_accessor_policy<plain<T>> = true;
struct remote : plain<int> {};
// [tile:tensor_span_like]
template <class T, class M> struct handle {
  using mapping_type = M;
  using accessor_type = plain<T>;
  using extents_type = typename M::extents_type;
  using layout_type = typename M::layout_type;
  using index_type = typename M::index_type;
  using rank_type = typename M::rank_type;
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using data_handle_type = T *;
  using reference = T &;
  T *first;
  M map;
  plain<T> policy = {};
  __host__ __device__ __tile__ constexpr T *data_handle() const { return first; }
  __host__ __device__ __tile__ constexpr const M &mapping() const { return map; }
  __host__ __device__ __tile__ constexpr const plain<T> &accessor() const { return policy; }
};
using rectangle = ct::extents<int, ct::dynamic_extent, 4>;
static_assert(ct::layout_mapping<spread::mapping<rectangle>> && !ct::layout_mapping<spread>);
static_assert(ct::accessor_policy<plain<const float>> && !ct::accessor_policy<remote>);
static_assert(ct::tensor_span_like<handle<float, spread::mapping<rectangle>>>);
static_assert(!ct::tensor_span_like<plain<float>> && !ct::tensor_span_like<int *>);
// [tile:layout_policy] A factory of mappings.
static_assert(std::is_same_v<ct::layout_right::mapping<rectangle>::extents_type, rectangle>);
static_assert(std::is_same_v<ct::layout_right::mapping<rectangle>::layout_type, ct::layout_right>);

// [tile:tensor_span] A pointer, a mapping and an accessor; row-major where nothing else is said.
// [tile:tensor_span_element_type] [tile:tensor_span_value_type] With and without its cv.
using constant = ct::tensor_span<const float, ct::shape<2, 4>>;
static_assert(std::is_same_v<constant::element_type, const float>);
static_assert(std::is_same_v<constant::value_type, float>);
// [tile:tensor_span_shape] [tile:tensor_span_rank] Those of the mapping.
static_assert(constant::rank() == 2 && constant::mapping_type::extents_type::static_extent(1) == 4);
template <class V, class T>
concept stores = requires(V v, T t) { v.store(t, 0, 0); };
using constant_view = decltype(ct::partition_view{constant(nullptr, {}), ct::shape<2, 4>{}});
static_assert(!stores<constant_view, tile<float, 2, 4>>);
__tile_global__ void row_major(const float *in, float *out) {
  auto span = ct::tensor_span{in, ct::extents{2_ic, 4_ic}};
  out[0] = span.mapping().stride(0) * 10 + span.mapping().stride(1);
  auto view = ct::partition_view{span, ct::shape<1, 4>{}};
  ct::store(out + 1 + ct::iota<tile<int, 1, 4>>(), view.load(1, 0));
}

// [tile:layout_mapping_function] [tile:tensor_span_function] Element (i, j) is at p + i stride(0) +
// j stride(1), as loads and stores of the view find it; what the view does not name stays.
// [tile:layout_mapping_shape] Outside of extents() is padding.
template <class V> __tile__ void negate_tiles(V view) {
  for (int i = 0; i < 2; ++i)
    view.store_masked(-view.load_masked(i, 0), i, 0);
}
__tile_global__ void of_the_program(float *a, float *b, int pitch, int rows) {
  using M = spread::mapping<rectangle>;
  M map{rectangle{rows}, pitch};
  negate_tiles(ct::partition_view{handle<float, M>{a, map}, ct::shape<2, 4>{}});
  negate_tiles(ct::partition_view{ct::tensor_span{b, map, plain<float>{}}, ct::shape<2, 4>{}});
}
// [tile:layout_mapping_equivalent] Equal extents and strides, whatever the types.
__tile_global__ void equivalent(int *out, int four) {
  auto right = ct::layout_right_mapping{ct::extents<int, 2, 4>{}};
  spread::mapping<rectangle> own{rectangle{2}, four};
  out[0] = ct::layout_mapping_equal(right, ct::layout_right_mapping{ct::extents{2, four}});
  out[1] = ct::layout_mapping_equal(
      right, ct::layout_strided_mapping{ct::extents{2, 4}, ct::strides{four, 1}});
  out[2] = ct::layout_mapping_equal(right, own);
  out[3] = ct::layout_mapping_equal(
      own, ct::layout_strided_mapping{ct::extents{2, 4}, ct::strides{4, 2}});
  out[4] = ct::layout_mapping_equal(right, ct::layout_right_mapping{ct::extents{4, 2}});
}

int main() {
  run::array<float> in(8, [](int i) { return i; }), out(5);
  row_major<<<1, 1>>>(in, out);
  run::expect("row major", out, [](int i) { return i ? 3 + i : 41; });
  run::array<float> a(40, [](int i) { return i + 1; }), b(40, [](int i) { return i + 1; });
  of_the_program<<<1, 1>>>(a, b, 9, 3);
  auto wanted = [](int i) { return i < 27 && i % 9 < 8 && i % 9 % 2 == 0 ? -i - 1 : i + 1; };
  run::expect("span", a, wanted);
  run::expect("mapping", b, wanted);
  run::array<int> same(5);
  equivalent<<<1, 1>>>(same, 4);
  run::expect("equivalent", same, [](int i) { return i < 2 || i == 3; });
  return run::finish();
}
