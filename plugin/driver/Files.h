// Output files of the tools, written atomically. Only a regular file is ever replaced; a device, a
// pipe and standard output are written directly, also through links.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <string>

namespace tessera::driver {

// The contents of a file, written completely to a temporary file next to it if possible. Several
// are staged before the first is kept, so that a full disk leaves all of them unchanged.
class StagedFile {
public:
  // "-" is standard output. An existing file keeps its permissions.
  static llvm::Expected<StagedFile> make(llvm::StringRef path, std::string contents,
                                         unsigned permissions = llvm::sys::fs::all_read |
                                                                llvm::sys::fs::all_write);
  StagedFile(StagedFile &&other) noexcept;
  StagedFile &operator=(StagedFile &&) = delete;
  ~StagedFile();

  // Renames it to its final name.
  llvm::Error keep();
  // Streams are kept before files: their output cannot be taken back.
  bool isStream() const { return aside.empty(); }
  std::string name() const;

private:
  StagedFile(llvm::StringRef path, std::string contents);
  llvm::Error writeAside(const std::string &target, unsigned permissions);

  std::string path, contents;
  std::string target, aside; // the location and the complete file; empty: written directly
};

// One file, at once.
llvm::Error writeFile(llvm::StringRef path, std::string contents,
                      unsigned permissions = llvm::sys::fs::all_read | llvm::sys::fs::all_write);

// A tool whose output was lost reports it at its end, with the exit status 2.
void sayLostOutputAtExit(const char *tool);

} // namespace tessera::driver
