// Code and edits of code, without Clang: the results of all queries of a program's AST.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::frontend {

struct TextEdit {
  size_t begin, end; // bytes of the file
  std::string text;
};

// An operation of tile code and its names: the variable that receives its result, the memory or the
// tile that it operates on, the value that it takes. Empty: no name.
struct NamedLocation {
  std::string result = {}, object = {}, value = {};
  std::string file = {};
  unsigned line = 0, column = 0;
};

struct EditedFile {
  std::string name;     // as the user spelled it
  std::string contents; // after the edits
  // The program's own macros that are defined at the end of the main file.
  std::vector<std::string> macros = {};
  // Of the main file: may the rest of the program, in any file, name a declaration of cuda_tile.h?
  bool namesTileHeader = false;
  // Of the main file: the names for checks on the CPU, in all files.
  std::vector<NamedLocation> namedLocations = {};
};

// Applies edits to text. Of two overlapping edits the earlier or longer one wins; insertions at one
// offset keep their order.
std::string applyEdits(const std::string &text, const std::vector<TextEdit> &edits);

// Blanks of the same length; line ends stay, so later line numbers do not change.
std::string blanksFor(std::string_view text);

} // namespace tessera::frontend
