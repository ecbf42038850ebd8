/* Launches the kernels of c_api.cu by the C API. */
#include <tessera/c_api.h>

#include <stdio.h>
#include <stdlib.h>

static tessera_kernel *open_kernel(const char *library, const char *name) {
  tessera_kernel *kernel;
  if (tessera_kernel_open(library, name, &kernel) != TESSERA_OK) {
    puts(tessera_error_message());
    exit(1);
  }
  return kernel;
}

static void describe(const tessera_kernel *kernel) {
  static const char *const kinds[] = {"number", "pointer", "descriptor", "record"};
  unsigned i;
  printf("scale has %u parameters:", tessera_kernel_parameter_count(kernel));
  for (i = 0; i < tessera_kernel_parameter_count(kernel); ++i) {
    tessera_parameter parameter;
    tessera_kernel_parameter(kernel, i, &parameter);
    printf("%s %s", i ? "," : "", kinds[parameter.kind]);
    if (parameter.kind == TESSERA_DESCRIPTOR && parameter.code == TESSERA_FLOAT)
      printf(" of float%d%s", parameter.bits, parameter.is_const ? " const" : "");
  }
  puts("");
}

static void report(tessera_status status) {
  printf("%d: %s\n", (int)status, status == TESSERA_OK ? "" : tessera_error_message());
}

int main(int count, char **words) {
  const char *library = count == 2 ? words[1] : "";
  const unsigned one[3] = {1, 1, 1}, none[3] = {1, 0, 1};
  float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0}, factor = 2;
  const int64_t shape[] = {2, 3}, turned[] = {1, 2}, backwards[] = {3, -1};
  const tessera_array from = {x, TESSERA_FLOAT, 32, 2, shape, turned};
  const tessera_array to = {y, TESSERA_FLOAT, 32, 2, shape, NULL};
  tessera_array other;
  struct {
    int first, second;
  } added = {1, 0};
  int five = 5, seven = 2, zero = 0;
  double wide = 2;
  const int *pointer = &five;
  int *sum = &seven;
  tessera_kernel *scale = open_kernel(library, "scale"), *add = open_kernel(library, "add"),
                 *absent;
  tessera_argument arguments[4];
  tessera_parameter parameter;

  describe(scale);
  arguments[0] = TESSERA_ARRAY(&from);
  arguments[1] = TESSERA_ARRAY(&to);
  arguments[2] = TESSERA_VALUE(factor);
  arguments[3] = TESSERA_VALUE(added);
  if (tessera_kernel_launch(scale, one, NULL, arguments, 4) != TESSERA_OK ||
      tessera_kernel_wait(scale, NULL) != TESSERA_OK)
    puts(tessera_error_message());
  printf("scaled: %g %g %g %g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
  {
    tessera_argument pointers[2];
    pointers[0] = TESSERA_VALUE(pointer);
    pointers[1] = TESSERA_VALUE(sum);
    tessera_kernel_launch(add, one, NULL, pointers, 2);
  }
  printf("pointers: %d\n", seven);
  tessera_kernel_close(NULL);

  printf("nothing: %d\n", (int)(tessera_kernel_open("nowhere.so", "scale", &absent) == TESSERA_OK));
  report(tessera_kernel_open("nowhere.so", "scale", &absent));
  report(tessera_kernel_open(library, "turn", &absent));
  if (absent)
    puts("a kernel that is not there");
  report(tessera_kernel_launch(scale, one, NULL, arguments, 3));
  report(tessera_kernel_launch(scale, none, NULL, arguments, 4));
  other = from, other.bits = 64, arguments[0] = TESSERA_ARRAY(&other);
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  other = from, other.rank = 1;
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  arguments[0] = TESSERA_ARRAY(&from), arguments[1] = TESSERA_ARRAY(&other);
  other = to, other.strides = backwards;
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  arguments[1] = TESSERA_ARRAY(&to), arguments[2] = TESSERA_ARRAY(&to);
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  arguments[2] = TESSERA_VALUE(wide);
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  arguments[2] = TESSERA_VALUE(factor), arguments[3] = TESSERA_ARRAY(NULL);
  report(tessera_kernel_launch(scale, one, NULL, arguments, 4));
  report(tessera_kernel_parameter(scale, 4, &parameter));

  pointer = &zero;
  arguments[0] = TESSERA_VALUE(pointer), arguments[1] = TESSERA_VALUE(sum);
  report(tessera_kernel_launch(add, one, NULL, arguments, 2));
  zero = 2;
  tessera_kernel_launch(add, one, NULL, arguments, 2);
  printf("and the next one: %d\n", seven);
  tessera_kernel_close(scale);
  tessera_kernel_close(add);
  return 0;
}
