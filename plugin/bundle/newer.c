// What the C library has since a version that the bundle does not ask for (c_library.py), for code
// that was compiled for the newest: a member of libc_nonshared.a, from which a linker takes what the
// C library lacks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define IN_THIS_OBJECT __attribute__((visibility("hidden")))

// 2.30
IN_THIS_OBJECT pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

// Waits by the clock of the condition, which is the realtime one unless an attribute says otherwise.
IN_THIS_OBJECT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                          clockid_t clock, const struct timespec *until) {
  struct timespec now, realtime;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &realtime);
  const long second = 1000000000;
  long rest = until->tv_nsec - now.tv_nsec + realtime.tv_nsec;
  struct timespec translated = {until->tv_sec - now.tv_sec + realtime.tv_sec, rest};
  for (; translated.tv_nsec < 0; --translated.tv_sec)
    translated.tv_nsec += second;
  for (; translated.tv_nsec >= second; ++translated.tv_sec)
    translated.tv_nsec -= second;
  return pthread_cond_timedwait(condition, mutex, &translated);
}

// 2.32: is there one thread? No is always right.
IN_THIS_OBJECT char __libc_single_threaded = 0;

// 2.33
enum { version = 1 };
int __xstat(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);
#define ALIAS(NAME) IN_THIS_OBJECT __attribute__((alias(#NAME)))
IN_THIS_OBJECT int stat(const char *file, struct stat *status) {
  return __xstat(version, file, status);
}
IN_THIS_OBJECT int lstat(const char *file, struct stat *status) {
  return __lxstat(version, file, status);
}
IN_THIS_OBJECT int fstat(int file, struct stat *status) { return __fxstat(version, file, status); }
IN_THIS_OBJECT int fstatat(int folder, const char *file, struct stat *status, int flags) {
  return __fxstatat(version, folder, file, status, flags);
}
int stat64(const char *, struct stat64 *) ALIAS(stat);
int lstat64(const char *, struct stat64 *) ALIAS(lstat);
int fstat64(int, struct stat64 *) ALIAS(fstat);
int fstatat64(int, const char *, struct stat64 *, int) ALIAS(fstatat);

IN_THIS_OBJECT struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }

// 2.35: the object that has an instruction, and its table of frames.
static int findObject(struct dl_phdr_info *object, size_t size, void *wanted) {
  struct dl_find_object *found = wanted;
  const uintptr_t instruction = (uintptr_t)found->dlfo_map_start;
  const char *base = (const char *)object->dlpi_addr, *frames = 0, *start = 0, *end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *first = base + part->p_vaddr, *last = first + part->p_memsz;
    if (part->p_type == PT_GNU_EH_FRAME)
      frames = first;
    else if (part->p_type == PT_LOAD && (uintptr_t)first <= instruction &&
             instruction < (uintptr_t)last)
      start = first, end = last;
  }
  if (!start || !frames)
    return 0;
  found->dlfo_map_start = (void *)start;
  found->dlfo_map_end = (void *)end;
  found->dlfo_eh_frame = (void *)frames;
  return 1;
}
IN_THIS_OBJECT int _dl_find_object(void *instruction, struct dl_find_object *found) {
  *found = (struct dl_find_object){.dlfo_map_start = instruction};
  return dl_iterate_phdr(findObject, found) ? 0 : -1;
}

// 2.36
IN_THIS_OBJECT uint32_t arc4random(void) {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    abort();
  return number;
}
