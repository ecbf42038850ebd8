#include "driver/Profile.h"

#include "driver/Files.h"
#include "driver/Processes.h"
#include "driver/Run.h"
#include "driver/Translate.h"
#include "support/Counted.h"
#include "support/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace llvm;

namespace tessera::driver {
namespace {

constexpr double busy = 60; // percent of a unit's peak at which it limits a kernel

int fail(const Twine &message) {
  errs() << "tessera: " << message << '\n';
  return Outcome::unusable;
}

// TESSERA_NCU, PATH, or the toolkit's; empty after a message.
std::string findNcu(const Options &options) {
  const char *named = std::getenv("TESSERA_NCU");
  if (named && *named)
    return sys::fs::can_execute(named) ? named : (fail(formatv(message::NotNcu, named)), "");
  if (auto found = sys::findProgramByName("ncu"))
    return *found;
  std::string own = options.commandLine.cudaPath + "/bin/ncu";
  return sys::fs::can_execute(own) ? own : (fail(message::NoNcu), "");
}

std::optional<std::string> contentsOf(const std::string &file) {
  auto buffer = MemoryBuffer::getFile(file);
  if (buffer)
    return (*buffer)->getBuffer().str();
  return fail(formatv(message::CannotRead, file, buffer.getError().message())), std::nullopt;
}

// ncu's table for a run of the program, whose output is the tool's; nothing after a message, with
// the exit status.
std::optional<std::string> measure(const Outcome &outcome, const Options &options, int &status) {
  status = Outcome::unusable;
  std::string ncu = findNcu(options);
  if (ncu.empty())
    return std::nullopt;
  if (!std::getenv("TESSERA_NCU") && !hasGpu())
    return fail(message::NoGpuToProfile), std::nullopt;
  TemporaryFolder folder;
  if (!folder)
    return fail(folder.problem()), std::nullopt;
  Options own = options;
  own.action = Options::Run;
  own.commandLine.arguments.push_back("-gline-tables-only"); // ncu shows lines of the program
  std::string program = folder / "program", log = folder / "ncu.csv", metrics;
  if (int ofBuild = build(outcome, own, folder, program))
    return status = ofBuild, std::nullopt;
  for (const NcuMetric &metric : ncuMetrics())
    metrics += (metrics.empty() ? "" : ",") + metric.name.str();
  Words words = {ncu,         "--csv", "--page",     "raw", "--print-units",      "base",
                 "--metrics", metrics, "--log-file", log,   "--target-processes", "all",
                 program};
  words.insert(words.end(), options.programArguments.begin(), options.programArguments.end());
  outs().flush();
  const int ofNcu = execute(words);
  std::optional<std::string> text = contentsOf(log);
  if (ofNcu == 0 || !text)
    return text;
  for (StringRef rest = *text; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    rest = others;
    if (line.starts_with("==ERROR=="))
      errs() << line << '\n';
  }
  return fail(formatv(message::NcuFailed, ncu, ofNcu)), std::nullopt;
}

// What the plan predicts, from its comments: of the loop that takes the longest the cycles of each
// unit, or of a kernel that multiplies nothing the share of memory.
std::map<std::string, double> predictionOf(const EmittedKernel &emitted) {
  const Regex ofMemory("up to ([0-9]+) % of the peak of memory");
  SmallVector<StringRef> share;
  double percent = 0;
  if (ofMemory.match(emitted.head, &share) && !share[1].getAsDouble(percent))
    return {{"memory", percent}};
  const Regex comment("cycles: tensor core ([0-9]+), L2 ([0-9]+), shared memory ([0-9]+)");
  std::map<std::string, double> most;
  double longest = 0;
  for (StringRef rest = emitted.body; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    rest = others;
    SmallVector<StringRef> found;
    if (!comment.match(line, &found))
      continue;
    double cycles[3] = {};
    for (int i = 0; i < 3; ++i)
      (void)found[size_t(i) + 1].getAsDouble(cycles[i]);
    const double total = std::max({cycles[0], cycles[1], cycles[2]});
    if (total <= longest)
      continue;
    longest = total;
    most = {{"tensor core", 100 * cycles[0] / total},
            {"L2", 100 * cycles[1] / total},
            {"shared memory", 100 * cycles[2] / total}};
  }
  return most;
}

// Adds a launch to the mean of those before; time weighs the shares.
void add(KernelProfile &kernel, const MeasuredLaunch &launch) {
  const double before = kernel.microseconds * double(kernel.launches),
               own = launch.nanoseconds / 1e3, total = before + own;
  for (auto [mean, one] : zip_equal(kernel.shares, launch.shares))
    if (one.measured)
      mean.measured = total > 0 && mean.measured && before > 0
                          ? (*mean.measured * before + *one.measured * own) / total
                          : one.measured;
  ++kernel.launches;
  kernel.microseconds = total / double(kernel.launches);
}

// The kernels of the program that were launched, in the order of their names in the text.
std::vector<KernelProfile> profilesOf(const Outcome &outcome, ArrayRef<MeasuredLaunch> launches) {
  std::vector<KernelProfile> profiles;
  for (const Portion &portion : outcome.portions)
    for (const EmittedKernel &emitted : portion.emitted) {
      KernelProfile profile{emitted.name, emitted.name, {}, 0, 0, {}};
      StringRef symbol = emitted.coarsenedFrom.empty() ? emitted.symbol : emitted.coarsenedFrom;
      auto kernel = find_if(portion.kernels, [&](auto &one) { return one.symbol == symbol; });
      if (kernel != portion.kernels.end())
        profile.name = emitted.displayName(kernel->displayName);
      const std::map<std::string, double> predicted = predictionOf(emitted);
      for (const MeasuredLaunch &launch : launches) {
        if (launch.kernel != emitted.name && launch.kernel != emitted.name + "_simt")
          continue;
        if (profile.shares.empty()) {
          profile.gpu = launch.gpu;
          for (const UnitShare &share : launch.shares) {
            auto known = predicted.find(share.unit);
            profile.shares.push_back(
                {share.unit,
                 {},
                 known == predicted.end() ? std::nullopt : std::optional(known->second)});
          }
        }
        add(profile, launch);
      }
      if (profile.launches)
        profiles.push_back(std::move(profile));
    }
  return profiles;
}

std::string percent(std::optional<double> share) {
  return share ? formatv("{0:f0} %", *share).str() : "-";
}

void print(const KernelProfile &kernel, raw_ostream &out) {
  out << formatv("{0}: {1:f1} us in the mean of {2}\n", kernel.name, kernel.microseconds,
                 kernel.launches == 1 ? "1 launch" : std::to_string(kernel.launches) + " launches");
  out << formatv("  {0,-14}{1,10}{2,12}\n", "share of peak", "measured", "predicted");
  for (const UnitShare &share : kernel.shares)
    out << formatv("  {0,-14}{1,10}{2,12}\n", share.unit, percent(share.measured),
                   percent(share.predicted));
  out << "  " << kernel.limit() << '\n';
}

json::Value dataOf(std::optional<double> share) {
  return share ? json::Value(*share) : json::Value(nullptr);
}

} // namespace

std::string KernelProfile::limit() const {
  const UnitShare *most = nullptr;
  for (const UnitShare &share : shares)
    if (share.measured && (!most || share.measured > most->measured))
      most = &share;
  if (!most)
    return "what limits it was not measured";
  return formatv(most->measured.value_or(0) >= busy
                     ? "limited by: {0}, at {1} of its peak"
                     : "limited by: latency; no unit is busy, the most {0}, at {1} of its peak",
                 most->unit, percent(most->measured));
}

std::string KernelProfile::sentence() const {
  std::string text = formatv("{0}: measured {1:f1} us in the mean of {2}; ", name, microseconds,
                             launches == 1 ? "1 launch" : std::to_string(launches) + " launches");
  for (const UnitShare &share : shares)
    text +=
        share.unit + " " + percent(share.measured) +
        (share.predicted ? " (predicted " + percent(share.predicted) + "), " : std::string(", "));
  return text + limit();
}

json::Value KernelProfile::data() const {
  json::Array list;
  for (const UnitShare &share : shares)
    list.push_back(json::Object{{"unit", share.unit},
                                {"measured", dataOf(share.measured)},
                                {"predicted", dataOf(share.predicted)}});
  return json::Object{
      {"kernel", kernel},     {"name", json::fixUTF8(name)},  {"computeCapability", gpu},
      {"launches", launches}, {"microseconds", microseconds}, {"shares", std::move(list)},
      {"limit", limit()}};
}

std::optional<std::vector<KernelProfile>> readProfile(const std::string &file) {
  std::optional<std::string> text = contentsOf(file);
  if (!text)
    return std::nullopt;
  auto refuse = [&] { return fail(formatv(message::NotAProfile, file)), std::nullopt; };
  Expected<json::Value> value = json::parse(*text);
  if (!value)
    return consumeError(value.takeError()), refuse();
  const json::Object *all = value->getAsObject();
  const json::Array *kernels = all ? all->getArray("kernels") : nullptr;
  if (!kernels || all->getString("kind") != "tessera profile")
    return refuse();
  std::vector<KernelProfile> profiles;
  for (const json::Value &one : *kernels) {
    const json::Object *kernel = one.getAsObject();
    const json::Array *shares = kernel ? kernel->getArray("shares") : nullptr;
    if (!shares)
      return refuse();
    KernelProfile profile{kernel->getString("kernel").value_or("").str(),
                          kernel->getString("name").value_or("").str(),
                          kernel->getString("computeCapability").value_or("").str(),
                          kernel->getInteger("launches").value_or(0),
                          kernel->getNumber("microseconds").value_or(0),
                          {}};
    for (const json::Value &each : *shares)
      if (const json::Object *share = each.getAsObject())
        profile.shares.push_back({share->getString("unit").value_or("").str(),
                                  share->getNumber("measured"), share->getNumber("predicted")});
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

int profile(Options options) {
  Outcome outcome = translate(options, errs());
  if (outcome.status)
    return outcome.status;
  int status = Outcome::unusable;
  std::optional<std::string> table = options.recordOfNcu.empty() ? measure(outcome, options, status)
                                                                 : contentsOf(options.recordOfNcu);
  if (!table)
    return status;
  std::string problem;
  auto launches = readNcuReport(*table, problem);
  if (!launches)
    return fail(problem);
  std::vector<KernelProfile> profiles = profilesOf(outcome, *launches);
  if (profiles.empty())
    return fail(message::NothingProfiled);
  json::Array kernels;
  for (const KernelProfile &one : profiles) {
    print(one, outs());
    kernels.push_back(one.data());
  }
  if (options.profileOutput.empty())
    return 0;
  json::Object data{{"kind", "tessera profile"},
                    {"program", json::fixUTF8(options.commandLine.file)},
                    {"kernels", std::move(kernels)}};
  std::string text = formatv("{0:2}\n", json::Value(std::move(data)));
  if (Error error = writeFile(options.profileOutput, text))
    return fail(formatv(message::CannotWrite, options.profileOutput, toString(std::move(error))));
  return 0;
}

} // namespace tessera::driver
