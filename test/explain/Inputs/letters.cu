// What a page must not take for its own: </script><script>document.title = "taken"</script>, <!--
// <b onmouseover="document.title = 'taken'">bold</b> &amp; {{data}} "quotes" 'too' and umlauts: ä.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

/* A comment
   over two lines */
template <int N> __tile_global__ void letters(const float *__restrict__ x, float *__restrict__ y) {
  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{N, N}}, ct::shape<32, 32>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::extents{N, N}}, ct::shape<32, 32>{}};
  if (N < 32 && ct::bid().x > 3) printf("</script><!-- %d\n", 1);
  to.store(ct::transpose(from.load(0, 0)), 0, 0);
}
template __tile_global__ void letters<(3 < 4) ? 64 : 32>(const float *, float *);
