// Messages of several printfs, printed as a whole at their end.
#include "block.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace tessera::emulate {

void begin_message() { running_block().message.clear(); }

void print(const char *format, ...) {
  std::va_list arguments, counted;
  va_start(arguments, format);
  va_copy(counted, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, counted);
  va_end(counted);
  if (length > 0) { // written with its end, which is dropped
    std::string &message = running_block().message;
    const std::size_t before = message.size();
    message.resize(before + static_cast<std::size_t>(length) + 1);
    std::vsnprintf(message.data() + before, static_cast<std::size_t>(length) + 1, format,
                   arguments);
    message.pop_back();
  }
  va_end(arguments);
}

void end_message() { std::fputs(std::exchange(running_block().message, {}).c_str(), stdout); }

} // namespace tessera::emulate
