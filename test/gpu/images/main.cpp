// Loads an image of kernels.cu and launches its kernels by the driver API: "contract" with block 1
// and no dynamic shared memory, as hosts of tile cubins do; "constant" as the image says; "wrong"
// with block 1 an image that asks for more, which must end with an error.
//
//   main IMAGE contract|constant|wrong
#include <tessera/image.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const char *const product = "_Z7productILi256ELi128ELi128EEvPKfS1_Pf";

void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = "unknown";
  cuGetErrorName(result, &name);
  std::printf("error: %s: %s\n", what, name);
  std::exit(1);
}

template <class T> class device_array {
public:
  explicit device_array(const std::vector<T> &values) : size(values.size()) {
    check(cuMemAlloc(&pointer, size * sizeof(T)), "cuMemAlloc");
    check(cuMemcpyHtoD(pointer, values.data(), size * sizeof(T)), "cuMemcpyHtoD");
  }
  std::vector<T> read() const {
    std::vector<T> values(size);
    check(cuMemcpyDtoH(values.data(), pointer, size * sizeof(T)), "cuMemcpyDtoH");
    return values;
  }
  CUdeviceptr pointer = 0;

private:
  std::size_t size;
};

tessera::image::kernel find(CUmodule module, const char *name, bool by_constant) {
  tessera::image::kernel k;
  if (by_constant)
    check(tessera::image::find(module, name, k), name);
  else
    check(cuModuleGetFunction(&k.function, module, name), name);
  int shared = 0, threads = 0;
  check(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k.function), "attribute");
  check(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k.function),
        "attribute");
  std::printf("%s: block %u, dynamic %u; static %d bytes, at most %d threads\n", name, k.threads,
              k.shared_memory, shared, threads);
  return k;
}

// Small integers: products and sums are exact in tf32 and float.
int multiply(CUmodule module, bool by_constant) {
  constexpr int m = 256, n = 128, k = 128;
  std::vector<float> a(m * k), b(k * n), c(m * n, -1.0f);
  for (int i = 0; i < m * k; i++)
    a[i] = static_cast<float>(i * 7 % 13 - 6);
  for (int i = 0; i < k * n; i++)
    b[i] = static_cast<float>(i * 5 % 11 - 5);
  device_array<float> device_a(a), device_b(b), device_c(c);
  void *arguments[] = {&device_a.pointer, &device_b.pointer, &device_c.pointer};
  check(tessera::image::launch(find(module, product, by_constant), 1, 1, 1, nullptr, arguments),
        "launch of product");
  check(cuCtxSynchronize(), "product");
  c = device_c.read();
  int wrong = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + j];
      wrong += c[i * n + j] != sum;
    }
  return wrong;
}

int number(CUmodule module, bool by_constant) {
  constexpr int blocks = 1000;
  device_array<int> out(std::vector<int>(blocks * 64, -1));
  void *arguments[] = {&out.pointer};
  check(tessera::image::launch(find(module, "numbers", by_constant), blocks, 1, 1, nullptr,
                               arguments),
        "launch of numbers");
  check(cuCtxSynchronize(), "numbers");
  int wrong = 0, i = 0;
  for (int x : out.read())
    wrong += x != i++ / 64;
  return wrong;
}

// Does a launch with block 1 end with an error?
int misuse(CUmodule module) {
  device_array<int> out(std::vector<int>(64, -1));
  void *arguments[] = {&out.pointer};
  CUresult result =
      tessera::image::launch(find(module, "numbers", false), 1, 1, 1, nullptr, arguments);
  if (result == CUDA_SUCCESS)
    result = cuCtxSynchronize();
  const char *name = "unknown";
  cuGetErrorName(result, &name);
  std::printf("a launch with block 1 says %s\n", name);
  return result == CUDA_SUCCESS;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return std::printf("usage: main IMAGE contract|constant|wrong\n"), 2;
  check(cuInit(0), "cuInit");
  CUdevice device;
  CUcontext context;
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "context");
  CUmodule module;
  check(cuModuleLoad(&module, argv[1]), argv[1]);
  bool by_constant = !std::strcmp(argv[2], "constant");
  int wrong = !std::strcmp(argv[2], "wrong")
                  ? misuse(module)
                  : multiply(module, by_constant) + number(module, by_constant);
  std::printf("%s: %d wrong\n", wrong ? "failed" : "passed", wrong);
  return wrong != 0;
}
