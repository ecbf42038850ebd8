/* Prints what the function `answer` of a library returns. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **words) {
  void *library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    puts(dlerror());
    return 1;
  }
  int (*answer)(void);
  *(void **)&answer = dlsym(library, "answer");
  printf("%d\n", answer());
  return 0;
}
