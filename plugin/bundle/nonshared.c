// The bundle's libc_nonshared.a: functions of C that the C library does not have as symbols, since
// they hand on which program or library they are in.
extern void *__dso_handle __attribute__((visibility("hidden")));
int __cxa_atexit(void (*function)(void *), void *argument, void *object);
int __cxa_at_quick_exit(void (*function)(void *), void *object);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *object);

#define IN_THIS_OBJECT __attribute__((visibility("hidden")))

IN_THIS_OBJECT int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, 0, &__dso_handle);
}

IN_THIS_OBJECT int at_quick_exit(void (*function)(void)) {
  return __cxa_at_quick_exit((void (*)(void *))function, &__dso_handle);
}

IN_THIS_OBJECT int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                                  void (*child)(void)) {
  return __register_atfork(prepare, parent, child, &__dso_handle);
}
