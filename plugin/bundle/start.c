// The bundle's crt1.o: where a program begins, on a machine that has no compiler. The C library runs
// the constructors and main; before version 2.34 it needs a function for the constructors, and newer
// ones call it where it is given.
typedef void Constructor(int, char **, char **);
#define HIDDEN __attribute__((visibility("hidden")))
extern Constructor *__preinit_array_start[] HIDDEN, *__preinit_array_end[] HIDDEN;
extern Constructor *__init_array_start[] HIDDEN, *__init_array_end[] HIDDEN;

__attribute__((used)) static void construct(int argc, char **argv, char **environment) {
  for (Constructor **one = __preinit_array_start; one != __preinit_array_end; ++one)
    (*one)(argc, argv, environment);
  for (Constructor **one = __init_array_start; one != __init_array_end; ++one)
    (*one)(argc, argv, environment);
}

// __libc_start_main(main, argc, argv, constructors, no destructors, those of the dynamic linker, end
// of the stack)
__asm__(".text\n"
        ".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "  .cfi_startproc\n"
        "  .cfi_undefined %rip\n"
        "  xorl %ebp, %ebp\n"
        "  movq %rdx, %r9\n"
        "  popq %rsi\n"
        "  movq %rsp, %rdx\n"
        "  andq $-16, %rsp\n"
        "  pushq %rax\n"
        "  pushq %rsp\n"
        "  xorl %r8d, %r8d\n"
        "  leaq construct(%rip), %rcx\n"
        "  movq main@GOTPCREL(%rip), %rdi\n"
        "  callq *__libc_start_main@GOTPCREL(%rip)\n"
        "  hlt\n"
        "  .cfi_endproc\n");
