#include "driver/NcuReport.h"

#include "support/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tessera::driver {
namespace {

constexpr StringLiteral durationMetric = "gpu__time_duration.sum",
                        registersMetric = "launch__registers_per_thread";

using Row = std::vector<std::string>;

// The cells of a line: in quotes or not; a quote within is doubled.
Row cellsOf(StringRef line) {
  Row cells;
  while (true) {
    std::string cell;
    if (line.consume_front("\"")) {
      while (!line.empty()) {
        if (line.consume_front("\"\""))
          cell += '"';
        else if (line.consume_front("\""))
          break;
        else {
          cell += line.front();
          line = line.drop_front();
        }
      }
      line = line.drop_until([](char c) { return c == ','; });
    } else {
      StringRef plain = line.take_until([](char c) { return c == ','; });
      cell = plain.trim().str();
      line = line.drop_front(plain.size());
    }
    cells.push_back(std::move(cell));
    if (!line.consume_front(","))
      return cells;
  }
}

// A number with or without separators of thousands; "n/a" and the like are none.
std::optional<double> numberOf(StringRef text) {
  std::string digits;
  for (char c : text.trim())
    if (c != ',' && c != ' ')
      digits += c;
  double value = 0;
  if (digits.empty() || StringRef(digits).getAsDouble(value))
    return std::nullopt;
  return value;
}

double nanosecondsIn(StringRef unit) {
  return StringSwitch<double>(unit)
      .Cases({"us", "usecond", "microsecond"}, 1e3)
      .Cases({"ms", "msecond", "millisecond"}, 1e6)
      .Cases({"s", "second"}, 1e9)
      .Default(1);
}

// "void tessera::kernels::rows_simt(const float *, int)" is rows_simt. ncu leaves names of internal
// linkage mangled: "_ZN7tessera7kernelsL9rows_simtEPKfi".
std::string nameOf(StringRef kernel) {
  const std::string demangled = demangle(kernel);
  StringRef name = StringRef(demangled).take_until([](char c) { return c == '(' || c == '<'; });
  size_t scope = name.rfind("::");
  name = scope == StringRef::npos ? name : name.drop_front(scope + 2);
  return name.rsplit(' ').second.empty() ? name.str() : name.rsplit(' ').second.str();
}

struct Table {
  Row header, units;

  std::optional<size_t> column(StringRef name) const {
    auto found = llvm::find(header, name);
    return found == header.end() ? std::nullopt : std::optional(size_t(found - header.begin()));
  }
  StringRef cell(const Row &row, StringRef name) const {
    std::optional<size_t> at = column(name);
    return at && *at < row.size() ? StringRef(row[*at]) : StringRef();
  }
};

MeasuredLaunch launchOf(const Table &table, const Row &row) {
  MeasuredLaunch launch;
  launch.kernel = nameOf(table.cell(row, "Kernel Name"));
  launch.gpu = table.cell(row, "CC").str();
  launch.nanoseconds = numberOf(table.cell(row, durationMetric)).value_or(0) *
                       nanosecondsIn(table.cell(table.units, durationMetric));
  launch.registers = numberOf(table.cell(row, registersMetric));
  for (const NcuMetric &metric : ncuMetrics())
    if (!metric.unit.empty())
      launch.shares.push_back({metric.unit.str(), numberOf(table.cell(row, metric.name)), {}});
  return launch;
}

} // namespace

ArrayRef<NcuMetric> ncuMetrics() {
  static constexpr NcuMetric metrics[] = {
      {durationMetric, ""},
      {registersMetric, ""},
      {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor core"},
      {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "memory"},
      {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2"},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
       "shared memory"}};
  return metrics;
}

std::optional<std::vector<MeasuredLaunch>> readNcuReport(StringRef text, std::string &problem) {
  Table table;
  std::vector<MeasuredLaunch> launches;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim("\r");
    if (line.starts_with("==") || line.trim().empty())
      continue;
    Row row = cellsOf(line);
    const bool isHeader = is_contained(row, "Kernel Name") && is_contained(row, "ID");
    if (table.header.empty() && isHeader)
      table.header = std::move(row);
    else if (table.header.empty() || row.size() != table.header.size() || isHeader)
      continue; // output of the program
    else if (table.cell(row, "ID").empty())
      table.units = std::move(row);
    else if (numberOf(table.cell(row, "ID")))
      launches.push_back(launchOf(table, row));
  }
  if (table.header.empty())
    return problem = message::NoNcuTable, std::nullopt;
  if (!table.column(durationMetric))
    return problem = formatv(message::NoNcuColumn, durationMetric), std::nullopt;
  return launches;
}

} // namespace tessera::driver
