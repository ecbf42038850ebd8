// The C++ overloads of the CUDA runtime that take a device variable itself, for a plain C++
// compiler.
//
// cuda_runtime.h declares them for CUDA compilers only. Where kernels run on the host, a device
// variable is an ordinary variable.
#pragma once

#include <cuda_runtime.h>

#ifndef __CUDACC__

template <class T> cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  *address = const_cast<void *>(static_cast<const void *>(&symbol));
  return cudaSuccess;
}

template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
  *size = sizeof(T);
  return cudaSuccess;
}

template <class T> cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, count, offset, kind);
}

template <class T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), count, offset, kind);
}

template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from,
                                                       size_t count, size_t offset = 0,
                                                       cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                       cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync(static_cast<const void *>(&symbol), from, count, offset, kind,
                                   stream);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void *>(&symbol), count, offset, kind,
                                     stream);
}

// The overloads that take a kernel itself.

template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache configuration) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), configuration);
}

template <class... P> cudaError_t cudaFuncGetName(const char **name, void (*kernel)(P...)) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void *>(kernel));
}

#endif
