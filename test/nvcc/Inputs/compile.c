/* Compiles by libtessera_compile: compile MODE FILE OPTIONS...
 *
 * once     prints status, log, sizes and the kernels' names
 * unnamed  the same of a source without a name
 * text     prints the text as well
 * eight    eight threads compile the same three times each, beside one another: every result is that
 *          of a compilation alone
 * three    three threads do so once */
#include <tessera/compile.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char source[1 << 20];
static int count, times = 3;
static const char *const *options;
static tesseraProgram *expected;

static const char *name = "program.cu";

static tesseraStatus compile(tesseraProgram **program) {
  return tesseraCompile(source, name, count, options, program);
}

static void *work(void *wrong) {
  for (int i = 0; i < times; i++) {
    tesseraProgram *program;
    size_t size, expected_size;
    if (compile(&program) != TESSERA_SUCCESS)
      *(int *)wrong = 1;
    const void *image = tesseraGetImage(program, &size);
    const void *other = tesseraGetImage(expected, &expected_size);
    *(int *)wrong |= strcmp(tesseraGetText(program), tesseraGetText(expected)) != 0;
    *(int *)wrong |= size != expected_size || (size && memcmp(image, other, size) != 0);
    *(int *)wrong |= strcmp(tesseraGetLog(program), tesseraGetLog(expected)) != 0;
    tesseraDestroy(program);
  }
  return wrong;
}

static int beside(int threadCount) {
  pthread_t threads[8];
  int wrong[8] = {0}, sum = 0;
  for (int i = 0; i < threadCount; i++)
    pthread_create(&threads[i], NULL, work, &wrong[i]);
  for (int i = 0; i < threadCount; i++)
    pthread_join(threads[i], NULL), sum += wrong[i];
  printf("%d threads differ\n", sum);
  return sum;
}

int main(int argc, char **argv) {
  FILE *file = fopen(argv[2], "r");
  if (!file)
    return 2;
  source[fread(source, 1, sizeof source - 1, file)] = 0;
  count = argc - 3, options = (const char *const *)(argv + 3);
  if (!strcmp(argv[1], "unnamed"))
    name = "";
  tesseraStatus status = compile(&expected);
  size_t size;
  const void *image = tesseraGetImage(expected, &size);
  printf("status %d, %s image\n%s", status, image && size ? "an" : "no", tesseraGetLog(expected));
  for (int i = 0; i < tesseraGetKernelCount(expected); i++)
    printf("kernel %s\n", tesseraGetKernelName(expected, i));
  if (tesseraGetKernelName(expected, tesseraGetKernelCount(expected)))
    printf("one kernel too many\n");
  if (!strcmp(argv[1], "text"))
    printf("%s", tesseraGetText(expected));
  int result = 0;
  if (!strcmp(argv[1], "eight"))
    result = beside(8);
  else if (!strcmp(argv[1], "three"))
    times = 1, result = beside(3);
  tesseraDestroy(expected);
  tesseraDestroy(NULL);
  tesseraProgram *none;
  if (tesseraCompile(NULL, "x", 0, NULL, &none) != TESSERA_INVALID_ARGUMENT || none)
    printf("no source is taken\n");
  return result;
}
