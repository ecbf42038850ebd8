// What Nsight Compute's command line (ncu --csv --page raw) has measured of kernels.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::driver {

// The metrics that are asked for, and the unit of a GPU whose share of its peak each is. Empty: no
// share.
struct NcuMetric {
  llvm::StringLiteral name, unit;
};
llvm::ArrayRef<NcuMetric> ncuMetrics();

// The shares of a unit's peak in percent; nothing: not measured.
struct UnitShare {
  std::string unit;
  std::optional<double> measured, predicted;
};

// A launch; metrics that ncu does not know on a GPU are missing.
struct MeasuredLaunch {
  std::string kernel; // the name alone, as the generated text has it
  std::string gpu;    // "9.0", the compute capability
  double nanoseconds = 0;
  std::optional<double> registers;
  std::vector<UnitShare> shares; // without predictions
};

// Reads the rows behind the header, wherever other output stands around them; columns are found by
// their names, times have the unit of the second row. Nothing, and what is wrong, if there is no
// header or a column is missing.
std::optional<std::vector<MeasuredLaunch>> readNcuReport(llvm::StringRef text,
                                                         std::string &problem);

} // namespace tessera::driver
