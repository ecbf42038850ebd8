// The engine's reports: report(kind, location, text). Reports of one kind from one location in one
// kernel are counted, not repeated.
#pragma once

#include <tessera/emulate/engine.h>

#include <span>
#include <string>
#include <vector>

namespace tessera::emulate {

// `location` is a return address into the kernel, or null. `text` is called
// only if the report is new.
template <class Text>
void report(const char *kind, const char *kernel, const void *location, Text &&text);

bool is_new_report(const char *kind, const char *kernel, const void *location);
// `more` follows the location.
void add_report(const void *location, std::string text, const std::string &more = {});
// " at x.cu:12": the line of the program that is running; empty if it is unknown.
std::string line_here();
// " [x.cu:12; program 0x1234]"
std::string describe_code(const void *location);

// A report whose locations are an instruction and its callers.
void add_report_at(std::span<void *const> frames, std::string text);

// After a failure, later results are unreliable: launches do nothing until the reports are taken.
void halt_launches(const failure &why);
bool launches_halted();

// The reports since the last call, which stay; launches run again.
std::vector<std::string> see_new_reports();

template <class Text>
void report(const char *kind, const char *kernel, const void *location, Text &&text) {
  if (is_new_report(kind, kernel, location))
    add_report(location, text());
}

} // namespace tessera::emulate
