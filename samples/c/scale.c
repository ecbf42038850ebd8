/* Launches a kernel from C. Without a GPU:
 *
 *   tessera build --extensions --target=cpu scale.cu -o scale.so
 *   cc scale.c -I runtime/include -L build/lib -ltessera_launch -o scale
 *   LD_LIBRARY_PATH=build/lib ./scale ./scale.so
 */
#include <stdio.h>
#include <tessera/c_api.h>

int main(int count, char **words) {
  float x[20][30], y[30][20];
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 30; ++j)
      x[i][j] = (float)(100 * i + j);

  /* y is x turned: its strides say so. */
  const int64_t shape[] = {20, 30}, strides[] = {1, 20};
  const tessera_array from = {x, TESSERA_FLOAT, 32, 2, shape, NULL};
  const tessera_array to = {y, TESSERA_FLOAT, 32, 2, shape, strides};
  const float factor = 2;
  const tessera_argument arguments[] = {TESSERA_ARRAY(&from), TESSERA_ARRAY(&to),
                                        TESSERA_VALUE(factor)};
  const unsigned grid[] = {2, 2, 1};

  tessera_kernel *scale;
  if (tessera_kernel_open(count > 1 ? words[1] : "./scale.so", "scale", &scale) != TESSERA_OK ||
      tessera_kernel_launch(scale, grid, NULL, arguments, 3) != TESSERA_OK ||
      tessera_kernel_wait(scale, NULL) != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_error_message());
    return 1;
  }
  printf("%g %g\n", y[1][0], y[0][1]);
  tessera_kernel_close(scale);
  return 0;
}
