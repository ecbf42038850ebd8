// One image of a program's kernels: translated, compiled by nvcc, finished.
#pragma once

#include "driver/Options.h"
#include "nvcc/Architectures.h"

namespace tessera::nvcc {

struct ImageRequest {
  // Of the program; its code is made for the one architecture and is in `folder`.
  driver::Options translation;
  const Toolkit *toolkit = nullptr;
  const driver::TemporaryFolder *folder = nullptr;
  CodeWish code;
  Words options; // nvcc's, except those that select the image and its source
  // Leaves out the SIMT kernels of the program. (PTX has them all the same.)
  bool isTileOnly = false;
  bool isDry = false;      // only prints the steps
  bool isTextOnly = false; // makes no image
  // nvcc's standard output also counts as messages.
  bool takesOutput = false;
  bool isUseWanted = false; // the options already request ptxas's report
};

struct Image {
  int status = 0;         // as of a tool: 0, or the message is printed
  bool isRefused = false; // by the translation or by nvcc
  std::string contents, text;
  std::vector<std::string> kernels; // the symbols of tile kernels
};

Image makeImage(ImageRequest request, llvm::raw_ostream &messages);

} // namespace tessera::nvcc
