// The device memory of a program that is verified: its allocations by number, what a launch changes
// in them, and the record of all launches that one process writes and the others follow.
//
// Allocations are compared 16 bytes at a time. New ones are filled with one pattern, so that memory
// that nobody has written is the same in all processes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::verify {

using bytes = std::vector<unsigned char>;

// What the tool asks of this process: the environment variables TESSERA_VERIFY_RECORD and
// TESSERA_VERIFY_FOLLOW, each the name of a file.
bool is_on();
const char *file_to_record(); // null: none
const char *file_to_follow();
// TESSERA_VERIFY_BLOCKS: a launch of more blocks is sampled; 0: none is.
std::uint64_t most_blocks();

// The numbers of the blocks that are run of so many; the same in all processes. Empty: all.
std::vector<std::size_t> sample_of(std::uint64_t blocks);

void note_allocation(void *address, std::size_t size);
void forget_allocation(const void *address);

struct region {
  unsigned char *address;
  std::size_t size;
};
std::optional<region> allocation_of(unsigned number);

// The contents of all allocations, by their numbers.
using snapshot = std::map<unsigned, bytes>;
snapshot take_snapshot();
void restore(const snapshot &all);

// What is in memory behind a launch, where that changed it.
struct change {
  unsigned allocation;
  std::size_t offset;
  bytes now;
};
using changes = std::vector<change>;
changes changes_since(const snapshot &before);
// Puts the changes into memory.
void apply(const changes &all);

// A launch on the CPU. Of a sampled one, what the sample changes and what all blocks change.
struct recorded_launch {
  std::string kernel; // without template arguments
  std::uint64_t blocks = 0;
  bool is_sampled = false;
  changes of_sample, of_all;
};
void write(std::FILE *file, const recorded_launch &launch);
// Nothing at the end of the file.
std::optional<recorded_launch> read(std::FILE *file);

// "library::scale<float>" is scale.
std::string base_name(const std::string &kernel);

} // namespace tessera::verify
