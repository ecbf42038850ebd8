// One image of a program's kernels: translated, compiled by nvcc, finished.
#pragma once

#include "driver/Options.h"
#include "nvcc/Architectures.h"

namespace tessera::nvcc {

struct ImageRequest {
  // Of the program; its text is made for the one architecture and lies in `folder`.
  driver::Options translation;
  const Toolkit *toolkit = nullptr;
  const driver::TemporaryFolder *folder = nullptr;
  CodeWish code;
  Words options; // nvcc's, but for what says which image is made of what
  // Leaves out the SIMT kernels of the program. (PTX has them all the same.)
  bool isTileOnly = false;
  bool isDry = false;      // only names the steps
  bool isTextOnly = false; // makes no image
  // What nvcc writes to standard output is a message, too.
  bool takesOutput = false;
  bool isUseWanted = false; // the options ask ptxas already what kernels take
};

struct Image {
  int status = 0;         // as of a tool: 0, or the message is out
  bool isRefused = false; // by the translation or by nvcc
  std::string contents, text;
  std::vector<std::string> kernels; // the symbols of tile kernels
};

Image makeImage(ImageRequest request, llvm::raw_ostream &messages);

} // namespace tessera::nvcc
