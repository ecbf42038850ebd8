// Launches that give a kernel something else than it takes.
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile_global__ void scale(const float *from, float *to, int n) { to[n] = from[n]; }
namespace others { // of the same name
template <int N> __tile_global__ void sized(float *to) { to[0] = N; }
} // namespace others
template <int N> __tile_global__ void sized(float *to, int n) { to[n] = N; }
template <class T> __tile_global__ void of_type(T *to, T value) { to[0] = value; }
__tile_global__ void of_one(float *to) { to[0] = 1; }
__global__ void simt(float *to, int n) { to[n] = 1; }

struct buffer {
  float *data;
};

void launches(const float *from, float *to, void *raw, buffer own, int n) {
  scale<<<n, 1>>>(from, to);
  //                      ^ error: the launch of kernel 'scale' has 2 arguments, and the kernel
  //                takes 3: (const float *from, float *to, int n) [tile:launch/launch-count]
  // right: scale<<<n, 1>>>(from, to, n);
  scale<<<n, 1>>>(from, to, n, n);
  //                           ^ error: the launch of kernel 'scale' has 4 arguments, and the kernel
  //                takes 3: (const float *from, float *to, int n) [tile:launch/launch-count]
  scale<<<n, 1>>>();
  //              ^ error: the launch of kernel 'scale' has 0 arguments, and the kernel takes 3:
  //                (const float *from, float *to, int n) [tile:launch/launch-count]
  of_one<<<n, 1>>>();
  //               ^ error: the launch of kernel 'of_one' has 0 arguments, and the kernel takes 1:
  //                (float *to) [tile:launch/launch-count]
  of_one<<<n, 1>>>(to, n);
  //                   ^ error: the launch of kernel 'of_one' has 2 arguments, and the kernel takes
  //                1: (float *to) [tile:launch/launch-count]
  scale<<<n, 1>>>(from, n, to);
  //                    ^ error: the launch of kernel 'scale' passes int for 'to', which is float *
  //                [tile:launch/launch-type]
  // right: scale<<<n, 1>>>(from, to, n);
  scale<<<n, 1>>>(to, from, n);
  //                  ^ error: the launch of kernel 'scale' passes const float * for 'to', which is
  //                float * [tile:launch/launch-type]
  scale<<<n, 1>>>(from, raw, n);
  //                    ^ error: the launch of kernel 'scale' passes void * for 'to', which is float
  //                * [tile:launch/launch-type]
  scale<<<n, 1>>>(from, own, n);
  //                    ^ error: the launch of kernel 'scale' passes buffer for 'to', which is float
  //                * [tile:launch/launch-type]
  scale<<<to, 1>>>(from, to, n);
  //      ^ error: the launch of kernel 'scale' has float * as the number of blocks; write a number
  //        or a dim3, and 1 after it [tile:launch/launch-blocks]
  // right: scale<<<n, 1>>>(from, to, n);
  scale<<<n, own>>>(from, to, n);
  //         ^ error: the launch of kernel 'scale' has buffer as the number of blocks; write a
  //           number or a dim3, and 1 after it [tile:launch/launch-blocks]
  sized<4><<<n, 1>>>(to);
//^ error: the launch of kernel 'sized' has 1 argument, and the kernel takes 2: (float *to, int n)
//  [tile:launch/launch-count]
  sized<4><<<n, 1>>>(own, n);
//^ error: the launch of kernel 'sized' passes buffer for 'to', which is float *
//  [tile:launch/launch-type]
  sized<4><<<n, 1>>>(raw, n);
//^ error: the launch of kernel 'sized' passes void * for 'to', which is float *
//  [tile:launch/launch-type]
  sized<4><<<n, 1>>>(from, n);
//^ error: the launch of kernel 'sized' passes const float * for 'to', which is float *
//  [tile:launch/launch-type]
  sized<4><<<to, 1>>>(to, n);
  //         ^ error: the launch of kernel 'sized' has float * as the number of blocks; write a
  //           number or a dim3, and 1 after it [tile:launch/launch-blocks]
  of_type<<<n, 1>>>(to, n);
//^ error: the launch of kernel 'of_type' does not determine the template argument 'T'; write
//  of_type<...><<<blocks, 1>>>(...) [tile:launch/launch-deduces]
  simt<<<n, 1>>>(to, n);
}

template <int N> void launched_there(float *to, int n) { sized<N><<<n, 1>>>(to, n, n); }
//                                                       ^ error: the launch of kernel 'sized' has 3
//                  arguments, and the kernel takes 2: (float *to, int n) [tile:launch/launch-count]
// right: template <int N> void launched_there(float *to, int n) { sized<N><<<n, 1>>>(to, n); }
void launch(float *to) { launched_there<8>(to, 8); }
//                       ^ note: in launched_there<8>, called at newcomers_launches.cu:*
