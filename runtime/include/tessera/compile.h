/* Compiles CUDA Tile C++ from memory to a cubin: libtessera_compile.so, for hosts that would call
 * NVRTC. A C header.
 *
 * Every function may be called by any number of threads at once. A program is one thread's at a
 * time; what its accessors return belongs to it and lives until it is destroyed. NVIDIA's nvcc does
 * the last step and is found as tessera-nvcc finds it (docs/nvcc.md); temporary files lie in TMPDIR
 * and are gone when a function returns.
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
  TESSERA_REFUSED = 1,          /* the program has errors; the log has them with their places */
  TESSERA_INVALID_ARGUMENT = 2, /* a null pointer, or options that ask for no image */
  TESSERA_NO_COMPILER = 3,      /* no nvcc, or no CUDA toolkit with it */
  TESSERA_INTERNAL_ERROR = 4    /* a fault of Tessera or of this machine; the log says which */
} tesseraStatus;

/* What became of one call of tesseraCompile. */
typedef struct tesseraProgram tesseraProgram;

/* Compiles `source`, a translation unit, for one architecture.
 *
 * name     what messages and __FILE__ call the source, for instance "kernel.cu"; #include "..."
 *          searches its folder. No such file needs to be there.
 * options  as tessera-nvcc takes them, one word each, with values behind `=` or as the next word:
 *          -arch (which must be given), -I, -isystem, -D, -U, -include, -std, -lineinfo,
 *          --use_fast_math and others that reach nvcc. --tile-only leaves out the SIMT kernels of
 *          the source. --simt-text stops at the text, for which no nvcc is needed. Inputs, outputs
 *          and other products are invalid.
 * program  where the result goes, also where the status is no success: it has the log then. Null
 *          after TESSERA_INVALID_ARGUMENT for a null pointer.
 */
tesseraStatus tesseraCompile(const char *source, const char *name, int optionCount,
                             const char *const *options, tesseraProgram **program);

/* The cubin and its size in bytes; null and 0 where there is none. For sm_90 and newer its kernels
 * are launched with block (1, 1, 1) and no dynamic shared memory, others as <tessera/image.h> does.
 */
const void *tesseraGetImage(const tesseraProgram *program, size_t *size);

/* The SIMT CUDA C++ that the image was compiled from; empty where the program is refused. */
const char *tesseraGetText(const tesseraProgram *program);

/* Errors and warnings of Tessera and of nvcc, lines that end with \n; empty if there are none. */
const char *tesseraGetLog(const tesseraProgram *program);

/* The tile kernels of the image by their (mangled) names, in the order of the source. */
int tesseraGetKernelCount(const tesseraProgram *program);
const char *tesseraGetKernelName(const tesseraProgram *program, int index); /* null beyond them */

/* Gives back what the program holds. Null is no program. */
void tesseraDestroy(tesseraProgram *program);

#ifdef __cplusplus
}
#endif

#include "macros_end.h"

#endif
