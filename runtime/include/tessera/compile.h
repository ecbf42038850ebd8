/* Compiles CUDA Tile C++ from memory to a cubin: libtessera_compile.so, for hosts that would call
 * NVRTC. A C header.
 *
 * Any number of threads may call the functions at the same time. Only one thread may use a program
 * at a time; the results of its accessors belong to it and live until it is destroyed. NVIDIA's
 * nvcc, found as tessera-nvcc finds it (docs/user/nvcc.md), does the last step; temporary files are
 * in TMPDIR and removed when a function returns.
 */
#ifndef TESSERA_COMPILE_H
#define TESSERA_COMPILE_H

#include "macros_begin.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tesseraStatus {
  TESSERA_SUCCESS = 0,
  TESSERA_REFUSED = 1,          /* the program has errors; the log has them with their locations */
  TESSERA_INVALID_ARGUMENT = 2, /* a null pointer, or options that request no image */
  TESSERA_NO_COMPILER = 3,      /* no nvcc, or no CUDA toolkit with it */
  TESSERA_INTERNAL_ERROR = 4    /* an error of Tessera or of this machine; see the log */
} tesseraStatus;

/* The result of one call of tesseraCompile. */
typedef struct tesseraProgram tesseraProgram;

/* Compiles `source`, a translation unit, for one architecture.
 *
 * name     the name of the source in messages and __FILE__, for instance "kernel.cu"; #include
 *          "..." searches its folder. The file need not exist.
 * options  those of tessera-nvcc, one word each, with values after `=` or as the next word: -arch
 *          (required), -I, -isystem, -D, -U, -include, -std, -lineinfo, --use_fast_math and others
 *          that nvcc takes. --tile-only leaves out the SIMT kernels of the source. --simt-text
 *          stops after the generated code, which needs no nvcc. Inputs, outputs and other products
 *          are invalid.
 * program  receives the result, also on failure: it has the log then. Null after
 *          TESSERA_INVALID_ARGUMENT for a null pointer.
 */
tesseraStatus tesseraCompile(const char *source, const char *name, int optionCount,
                             const char *const *options, tesseraProgram **program);

/* The cubin and its size in bytes; null and 0 if there is none. For sm_90 and newer its kernels are
 * launched with block (1, 1, 1) and no dynamic shared memory, others as by <tessera/image.h>.
 */
const void *tesseraGetImage(const tesseraProgram *program, size_t *size);

/* The SIMT CUDA C++ that the image was compiled from; empty if the program is refused. */
const char *tesseraGetText(const tesseraProgram *program);

/* Errors and warnings of Tessera and of nvcc, one per line, each ending with \n; may be empty. */
const char *tesseraGetLog(const tesseraProgram *program);

/* The (mangled) names of the image's tile kernels, in source order. */
int tesseraGetKernelCount(const tesseraProgram *program);
const char *tesseraGetKernelName(const tesseraProgram *program, int index); /* null beyond them */

/* Frees the program. Null has no effect. */
void tesseraDestroy(tesseraProgram *program);

#ifdef __cplusplus
}
#endif

#include "macros_end.h"

#endif
