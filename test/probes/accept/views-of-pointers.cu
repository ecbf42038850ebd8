// accept: views of spans whose elements are pointers
#include "../show.h"

namespace of_pointers_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto i = ct::iota<I8>();
  ct::store(o + i, i);
  auto view = ct::partition_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<8>{}};
  view.store(p + 7 - i, 0);
  auto q = view.load(0);
  ct::store(o + i, ct::load(q));
  auto m = view.load_masked(0);
  ct::store(o + 8 + i, ct::load(m));
  pp[0] = o + 40;
  pp[1] = o + 41;
  *pp[1] = 9;
  for (int j = 0; j < 32; ++j)
    f[j] = 0;
}
} // namespace of_pointers_

namespace store_ptr_ptr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<8>{}};
  v.store_masked(p + ct::iota<I8>(), 0);
  const int **cp = (const int **)(f);
  auto w = ct::partition_view{ct::tensor_span{cp, ct::extents{8}}, ct::shape<8>{}};
  w.store(p + 3 + ct::iota<I8>(), 0);
  ct::store(o + ct::iota<I8>(), ct::load(w.load(0)));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace store_ptr_ptr_

namespace view_ptr_full_pad_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{6}}, ct::shape<8>{}};
  auto i = ct::iota<I8>();
  v.store_masked(p + i, 0);
  auto q = v.load_masked(0);
  ct::store(o + i, ct::load_masked(q, q, -1));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace view_ptr_full_pad_

namespace strided_view_ptr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  for (int j = 0; j < 8; ++j)
    pp[j] = p + j;
  auto v = ct::strided_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}, ct::strides{4_ic}};
  ct::store(o + ct::iota<tile<int, 4>>(), ct::load(v.load(1)));
  v.store(p + ct::iota<tile<int, 4>>() * 3, 0);
  ct::store(o + 8 + ct::iota<tile<int, 4>>(), ct::load(v.load_masked(0)));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace strided_view_ptr_

namespace gather_view_ptr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  for (int j = 0; j < 8; ++j)
    pp[j] = p + j;
  auto v = ct::gather_scatter_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}, 0_ic};
  auto i = ct::iota<tile<int, 4>>();
  ct::store(o + i, ct::load(v.load(i * 2)));
  v.store(p + 20 + i, 7 - i);
  auto q = v.load_masked(i + 5);
  ct::store(o + 8 + i, ct::load_masked(q, q, -1));
  v.store_masked(p + 30 + i, i * 3);
  for (int j = 0; j < 8; ++j)
    o[20 + j] = *pp[j];
  const int *const *cc = reinterpret_cast<const int *const *>(f);
  auto w = ct::gather_scatter_view{ct::tensor_span{cc, ct::extents{8}}, ct::shape<4>{}, 0_ic};
  ct::store(o + 32 + i, ct::load(w.load(i)));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace gather_view_ptr_

namespace gather_view_ptr_zero_pad_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  for (int j = 0; j < 8; ++j)
    pp[j] = p + j;
  auto v = ct::gather_scatter_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}, 0_ic};
  auto q = v.load_masked(ct::view_padding_zero_t{}, ct::iota<tile<int, 4>>() + 6);
  ct::store(o + ct::iota<tile<int, 4>>(), ct::element_cast<int>(q == nullptr));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace gather_view_ptr_zero_pad_

namespace view_void_ptr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  void **pp = reinterpret_cast<void **>(f);
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}};
  v.store(p + ct::iota<tile<int, 4>>(), 0);
  auto q = v.load(0);
  ct::store(o + ct::iota<tile<int, 4>>(), ct::element_cast<int>(q == p + 2));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace view_void_ptr_

namespace view_ptr_atomics_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{6}}, ct::shape<4>{}};
  v.atomic_store(p + ct::iota<tile<int, 4>>(), ct::memory_order_relaxed_t{}, 0);
  auto q = v.atomic_load(ct::memory_order_relaxed_t{}, 0);
  ct::store(o + ct::iota<tile<int, 4>>(), ct::load(q));
  for (int j = 0; j < 16; ++j)
    f[j] = 0;
}
} // namespace view_ptr_atomics_

int main() {
  SHOW(of_pointers_::k);
  SHOW(store_ptr_ptr_::k);
  SHOW(view_ptr_full_pad_::k);
  SHOW(strided_view_ptr_::k);
  SHOW(gather_view_ptr_::k);
  SHOW(gather_view_ptr_zero_pad_::k);
  SHOW(view_void_ptr_::k);
  SHOW(view_ptr_atomics_::k);
  return probe_bad;
}
