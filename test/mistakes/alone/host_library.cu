// [tile:spaces] The host's library in tile code: what is refused is the call, and not what the
// library does in it.
#include <chrono>
#include <cuda_tile.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

__tile_global__ void library(float *p, int n) {
  std::vector<float> v(n);
  //                 ^ error: tile code calls 'vector', which is not a __tile__ function;
  //                --extensions allows it [tile:spaces/call-of-other]
  // right: float v[16];
  std::string s("ab");
  //          ^ error: tile code calls 'basic_string', which is not a __tile__ function;
  //            --extensions allows it [tile:spaces/call-of-other]
  // right: const char *s = "ab";
  int i = std::stoi("12");
  //      ^ error: tile code calls 'stoi', which is not a __tile__ function
  //        [tile:spaces/call-of-host]
  // right: int i = 12;
  auto u = std::make_unique<int>(3);
  //       ^ error: tile code calls 'make_unique', which is not a __tile__ function
  //         [tile:spaces/call-of-host]
  // right: int u = 3;
  std::map<int, int> m;
  //                 ^ error: tile code calls 'map', which is not a __tile__ function
  //                [tile:spaces/call-of-host]
  // right: int m[16];
  auto now = std::chrono::steady_clock::now();
  //                                    ^ error: tile code calls 'now', which is not a __tile__
  //                function [tile:spaces/call-of-host]
  // right: auto now = p[1];
  p[0] = std::hash<int>{}(n);
  //     ^ error: tile code calls 'hash', which is not a __tile__ function
  //       [tile:spaces/call-of-host]
  // right: p[0] = n;
  std::function<int(int)> f = [](int x) { return x; };
  //                      ^ error: tile code calls 'function', which is not a __tile__ function
  //                [tile:spaces/call-of-host]
  // right: auto f = [](int x) { return x; };
}
