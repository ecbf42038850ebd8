// Precompiled headers that an installation comes with, so that its first program does not wait for
// them: for kernels on the usual GPUs (plugin/bundle/precompile.py).
//
// They find headers by way of a folder with two links, to Tessera's own and to the CUDA toolkit's,
// wherever these are. They are for the headers that they were made from: all are compared with what
// is installed.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <optional>
#include <string>

namespace tessera::frontend {

class Roots {
public:
  // Nothing if the invocation has no CUDA toolkit.
  static std::optional<Roots> of(const clang::CompilerInvocation &invocation);

  // A text in which the folders have names that are equal on all machines.
  std::string shortened(std::string text) const;

  // The file that has this name in the folder of links.
  std::string resolved(llvm::StringRef name) const;

  // Makes the links. False if that is impossible.
  bool link(const std::string &links) const;

  // The folder of links in this one. Empty if its name is too long.
  std::string links(llvm::StringRef folder) const;

  // Makes the invocation read headers by way of these links.
  void relocate(clang::CompilerInvocation &invocation, llvm::StringRef links) const;

private:
  std::string tessera, cuda;
};

struct ShippedHeaders {
  std::string contents; // of the precompiled file
  std::string files;    // the headers, one a line
  std::string words;    // names in their includes, a blank line, their identifiers
};

// `key` without folders. Nothing if there is none, or if it is for other headers.
std::optional<ShippedHeaders> findShippedHeaders(llvm::StringRef key, const Roots &roots);

// The folder of links that forms are made with, in the present one: so it is equal in all builds.
std::string linksHere();

// A form that finds headers by way of other links.
std::string withLinks(std::string contents, const std::string &links);

// A line of the list of headers, by which findShippedHeaders knows them again: size, digest, name.
std::string contentsOf(llvm::StringRef file, llvm::StringRef name);

} // namespace tessera::frontend
