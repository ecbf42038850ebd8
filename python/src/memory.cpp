// Asked of the system: /proc/self/maps has a line for each range, in the order of addresses.
#include "memory.h"

#include <cstdio>
#include <memory>

namespace tessera::python {

bool isReachable(const interop::foreign_array &array) {
  auto next = reinterpret_cast<std::uintptr_t>(array.data);
  std::uintptr_t last = next + array.type.bytes() - 1;
  for (std::size_t k = 0; k < array.rank(); ++k)
    last += std::uintptr_t(array.shape[k] - 1) *
            std::uintptr_t(array.shape[k] > 1 ? array.strides[k] : 0);

  std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "r"),
                                                        std::fclose);
  char line[4096], rights[8];
  unsigned long begin, end;
  while (maps && std::fgets(line, sizeof line, maps.get())) {
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || end <= next)
      continue;
    const bool isAllowed = rights[0] == 'r' && (array.is_read_only || rights[1] == 'w');
    if (begin > next || !isAllowed)
      return false;
    if (end > last)
      return true;
    next = end;
  }
  return false;
}

} // namespace tessera::python
