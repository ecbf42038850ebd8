/* Launches of compiled kernels from C, and from languages that bind C: Rust, Go, Julia.
 *
 * A program that exports kernels by <tessera/interop/export.h> becomes a shared library by
 * `tessera build --extensions`, for GPUs or with --target=cpu. These functions, which are in
 * libtessera_launch.so, open a kernel of it and launch it:
 *
 *   tessera_kernel *scale;
 *   if (tessera_kernel_open("kernels.so", "scale", &scale) != TESSERA_OK)
 *     fprintf(stderr, "%s\n", tessera_error_message());
 *   float factor = 2;
 *   unsigned grid[3] = {blocks, 1, 1};
 *   tessera_argument arguments[] = {TESSERA_ARRAY(&x), TESSERA_ARRAY(&y), TESSERA_VALUE(factor)};
 *   tessera_kernel_launch(scale, grid, stream, arguments, 3);
 *
 * Arguments are held against the kernel's parameters before anything runs; where an array's memory
 * is, is not looked at. All functions may be called on several threads at once. */
#ifndef TESSERA_C_API_H
#define TESSERA_C_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tessera_status {
  TESSERA_OK = 0,
  TESSERA_NOT_FOUND = 1,        /* no such library, or no such kernel in it */
  TESSERA_INVALID_ARGUMENT = 2, /* an argument does not fit; nothing has run */
  TESSERA_LAUNCH_FAILED = 3     /* CUDA refuses the launch; on the CPU, the kernel has failed */
} tessera_status;

/* Formats of numbers: DLPack's codes. A number has a code and bits. */
typedef enum tessera_code {
  TESSERA_INT = 0,
  TESSERA_UINT = 1,
  TESSERA_FLOAT = 2,
  TESSERA_BFLOAT = 4,
  TESSERA_COMPLEX = 5,
  TESSERA_BOOL = 6
} tessera_code;

typedef enum tessera_kind {
  TESSERA_NUMBER = 0,
  TESSERA_POINTER = 1,
  TESSERA_DESCRIPTOR = 2, /* cuda::interoperable_array_descriptor */
  TESSERA_RECORD = 3      /* a struct or a vector */
} tessera_kind;

/* An opened kernel. */
typedef struct tessera_kernel tessera_kernel;

typedef struct tessera_parameter {
  tessera_kind kind;
  uint8_t code, bits;       /* of the number, or of elements; bits is 0 where they are no numbers */
  uint8_t is_const;         /* of elements: the kernel does not change them */
  uint32_t rank;            /* of a descriptor */
  uint32_t size, alignment; /* of the value, in bytes */
} tessera_parameter;

/* An array of another library. Strides are in elements; without them (NULL) the last dimension is
 * side by side, and so on. */
typedef struct tessera_array {
  void *data;
  uint8_t code, bits;
  uint32_t rank;
  const int64_t *shape, *strides;
} tessera_array;

/* An array for a pointer or a descriptor, or a value of any parameter by its address. A pointer is
 * a value, too, whose elements are not looked at. */
typedef struct tessera_argument {
  const tessera_array *array;
  const void *value;
  size_t size; /* of the value, in bytes */
} tessera_argument;

/* Arguments: an array by the address of its tessera_array; a variable of the parameter's type. */
#ifdef __cplusplus
#define TESSERA_ARRAY(ADDRESS) (tessera_argument{(ADDRESS), nullptr, 0})
#define TESSERA_VALUE(VARIABLE) (tessera_argument{nullptr, &(VARIABLE), sizeof(VARIABLE)})
#else
#define TESSERA_ARRAY(ADDRESS) ((tessera_argument){(ADDRESS), NULL, 0})
#define TESSERA_VALUE(VARIABLE) ((tessera_argument){NULL, &(VARIABLE), sizeof(VARIABLE)})
#endif

/* The kernel of that name in a shared library, which stays loaded. `*kernel` is NULL where it is
 * not found. */
tessera_status tessera_kernel_open(const char *library, const char *name, tessera_kernel **kernel);
/* NULL may be closed. */
void tessera_kernel_close(tessera_kernel *kernel);

/* How many parameters the kernel has. */
unsigned tessera_kernel_parameter_count(const tessera_kernel *kernel);
/* TESSERA_INVALID_ARGUMENT where there is no parameter of that index. */
tessera_status tessera_kernel_parameter(const tessera_kernel *kernel, unsigned index,
                                        tessera_parameter *parameter);

/* Launches over a grid of three extents, each from 1 to 2^31 - 1, in a stream: a cudaStream_t, or
 * NULL for CUDA's default one. `count` arguments in the order of the parameters; they may go away
 * when the call returns, the arrays' elements not before the kernel has ended. On the CPU it has
 * ended when the call returns. */
tessera_status tessera_kernel_launch(const tessera_kernel *kernel, const unsigned grid[3],
                                     void *stream, const tessera_argument *arguments,
                                     unsigned count);
/* Returns when the work in the stream has ended. */
tessera_status tessera_kernel_wait(const tessera_kernel *kernel, void *stream);

/* What was wrong in this thread's last call that was not TESSERA_OK; until its next one. */
const char *tessera_error_message(void);

#ifdef __cplusplus
}
#endif

#endif
