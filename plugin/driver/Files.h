// Files that the tools write: whole or not at all. Only a regular file is ever replaced; a device,
// a pipe and standard output take the text as it comes, through links, too.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <string>

namespace tessera::driver {

// What a file is to hold, complete beside its place where it can be. Several are staged before the
// first is kept, so that a full disk leaves all of them as they were.
class StagedFile {
public:
  // "-" is standard output. A file that is there already keeps its permissions.
  static llvm::Expected<StagedFile> make(llvm::StringRef path, std::string contents,
                                         unsigned permissions = llvm::sys::fs::all_read |
                                                                llvm::sys::fs::all_write);
  StagedFile(StagedFile &&other) noexcept;
  StagedFile &operator=(StagedFile &&) = delete;
  ~StagedFile();

  // Puts it in its place.
  llvm::Error keep();
  // Streams are kept before files: what they were given cannot be taken back.
  bool isStream() const { return aside.empty(); }
  std::string name() const;

private:
  StagedFile(llvm::StringRef path, std::string contents);
  llvm::Error writeAside(const std::string &target, unsigned permissions);

  std::string path, contents;
  std::string target, aside; // the place and the complete file; empty: written as it comes
};

// One file, at once.
llvm::Error writeFile(llvm::StringRef path, std::string contents,
                      unsigned permissions = llvm::sys::fs::all_read | llvm::sys::fs::all_write);

// A tool that has printed what did not come out says so when it ends, with the exit status 2.
void sayLostOutputAtExit(const char *tool);

} // namespace tessera::driver
