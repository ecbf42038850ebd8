// Text and edits of text, without Clang: what is left of a program when its AST has been asked
// everything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::frontend {

struct TextEdit {
  size_t begin, end; // bytes of the file
  std::string text;
};

// An operation of tile code and what it is about: the variable that takes its result; the memory or
// the tile that it is of; the value that it is given. Empty: it has no name.
struct NamedPlace {
  std::string result = {}, object = {}, value = {};
  std::string file = {};
  unsigned line = 0, column = 0;
};

struct EditedFile {
  std::string name;     // as the user named it
  std::string contents; // after the edits
  // The program's own macros that are in force at the end of the main file.
  std::vector<std::string> macros = {};
  // Of the main file: whether what is left of the program, in whichever file, may name something
  // that cuda_tile.h declares.
  bool namesTileHeader = false;
  // Of the main file: what checks on the CPU name, in all files.
  std::vector<NamedPlace> namedPlaces = {};
};

// Applies edits to text. Of two that overlap the one that begins first, or is longer, wins;
// insertions at one place keep their order.
std::string applyEdits(const std::string &text, const std::vector<TextEdit> &edits);

// As many blanks as the text is long; its lines stay, and with them the numbers of those behind.
std::string blanksFor(std::string_view text);

} // namespace tessera::frontend
