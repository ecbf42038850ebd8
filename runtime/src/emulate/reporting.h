// How the engine reports: report(kind, place, text). Reports of one kind from one place in one
// kernel are counted, not repeated.
#pragma once

#include <tessera/emulate/engine.h>

#include <span>
#include <string>

namespace tessera::emulate {

// `place` is a return address into the kernel, or null. `text` is called only if the report is new.
template <class Text>
void report(const char *kind, const char *kernel, const void *place, Text &&text);

bool is_new_report(const char *kind, const char *kernel, const void *place);
// `more` comes behind the place.
void add_report(const void *place, std::string text, const std::string &more = {});
// " at x.cu:12": the line of the program that is running; empty if it is unknown.
std::string line_here();
// " [x.cu:12; program 0x1234]"
std::string describe_code(const void *place);

// A report with the places that an instruction and its callers are.
void add_report_at(std::span<void *const> frames, std::string text);

// After a failure nothing that runs later can be trusted: launches do nothing until the reports are
// taken.
void halt_launches(const failure &why);
bool launches_halted();

template <class Text>
void report(const char *kind, const char *kernel, const void *place, Text &&text) {
  if (is_new_report(kind, kernel, place))
    add_report(place, text());
}

} // namespace tessera::emulate
