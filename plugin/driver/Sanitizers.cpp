// Defaults of AddressSanitizer in the tools. LLVM's and MLIR's own libraries are not instrumented:
// their allocators do not unpoison memory that the inline parts of the same allocators, compiled
// into the tools, have poisoned; and Clang leaks its memory until the process ends.
// NOLINTBEGIN(bugprone-reserved-identifier): the name is the sanitizer's.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=0"; }
// NOLINTEND(bugprone-reserved-identifier)
