// What a test says about reports. Every kernel here is run by run_and_report, so that no test
// leaves reports to the next one.
#pragma once

#include <tessera/emulate/engine.h>
#include <tessera/emulate/report.h>

#include <tessera/host/allocations.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::emulate {

// The arrays of tests are the host's.
inline const bool is_host_memory_open = (host::allocations().know_all(false), true);

// Runs `body` in one block and gives what was reported.
template <class Body>
std::vector<std::string> run_and_report(unsigned threads, std::size_t shared_bytes, Body body) {
  run(1, threads, shared_bytes, body, "kernel");
  return take_reports();
}

// Exactly one report, which says all of these.
template <class... Parts> void expect_one(const std::vector<std::string> &reports, Parts... parts) {
  EXPECT_THAT(reports, testing::ElementsAre(testing::AllOf(testing::HasSubstr(parts)...)));
}

inline void expect_none(const std::vector<std::string> &reports) {
  EXPECT_THAT(reports, testing::IsEmpty());
}

} // namespace tessera::emulate
