// The CPU's process writes the record that the others follow; they write their findings, lines of
// JSON, which are counted here.
#include "driver/Verify.h"

#include "driver/Files.h"
#include "driver/Processes.h"
#include "driver/Run.h"
#include "driver/Translate.h"
#include "support/Counted.h"
#include "support/Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace llvm;

namespace tessera::driver {
namespace {

constexpr int foundSomething = 86; // as the emulator's programs end

int fail(const Twine &message, int status = Outcome::unusable) {
  errs() << "tessera: " << message << '\n';
  return status;
}

std::vector<Target> targetsOf(const Options &options) {
  if (options.isTargetChosen)
    return {Target::Cpu, options.texts.front().target};
  std::vector<Target> targets = {Target::Cpu, Target::Emulate};
  if (hasGpu())
    targets.push_back(Target::Gpu);
  return targets;
}

StringRef nameOf(Target target) { return target == Target::Gpu ? "GPU" : "emulator"; }

// A target's program in a folder of its own.
struct Built {
  Target target;
  std::unique_ptr<TemporaryFolder> folder;

  std::string program() const { return *folder / "program"; }
};

// The exit status, 0 or another after a message.
int buildEach(const Outcome &outcome, const Options &options, std::vector<Built> &programs) {
  for (auto [text, contents] : zip_equal(options.texts, outcome.texts)) {
    Built &one = programs.emplace_back(Built{text.target, std::make_unique<TemporaryFolder>()});
    if (!*one.folder)
      return fail(one.folder->problem());
    Options own = options;
    own.texts = {text};
    if (text.target != Target::Cpu)
      own.commandLine.arguments.push_back("-DTESSERA_VERIFY_LAUNCHES=1");
    Outcome ofText = outcome;
    ofText.texts = {contents};
    if (int status = build(ofText, own, *one.folder, one.program()))
      return status;
  }
  return 0;
}

void set(const char *variable, const Twine &value) {
  setenv(variable, value.str().c_str(), /*overwrite=*/1);
}

Words wordsOf(const Built &built, const Options &options) {
  Words words = {built.program()};
  words.insert(words.end(), options.programArguments.begin(), options.programArguments.end());
  return words;
}

// A target's findings.
struct Findings {
  json::Array all;
  int64_t launches = 0, elements = 0, sampled = 0, differences = 0, reports = 0, lost = 0, left = 0;
  double largest = 0;

  void add(json::Value finding) {
    const json::Object &one = *finding.getAsObject();
    StringRef kind = one.getString("kind").value_or("");
    if (kind == "launch") {
      ++launches;
      elements += one.getInteger("elements").value_or(0);
      sampled += one.getInteger("blocks") != one.getInteger("of");
      largest = std::max(largest, one.getNumber("largest").value_or(INFINITY));
    }
    differences += kind == "difference", reports += kind == "report", lost += kind == "launches";
    left += kind == "not compared";
    all.push_back(std::move(finding));
  }
  bool isEmpty() const { return !differences && !reports && !lost; }
  std::string summary() const {
    auto ofLaunches = [](int64_t number) {
      return std::to_string(number) + (number == 1 ? " launch" : " launches");
    };
    std::string text = ofLaunches(launches) + " compared, " + counted(elements, "element");
    if (sampled)
      text += ", a sample of the blocks of " + ofLaunches(sampled);
    if (left)
      text += ", " + std::to_string(left) + " more on one of the two only";
    if (differences)
      text += ", differences in " + ofLaunches(differences);
    else
      text += formatv(", at most {0:f1} ulps apart", largest).str();
    return text + ", " + counted(reports, "report");
  }
};

Findings readFindings(const std::string &file) {
  Findings findings;
  if (auto buffer = MemoryBuffer::getFile(file))
    for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
      auto [line, others] = rest.split('\n');
      rest = others;
      if (Expected<json::Value> value = json::parse(line); value && value->getAsObject())
        findings.add(std::move(*value));
      else
        consumeError(value.takeError()); // of a process that was ended
    }
  return findings;
}

// Runs a target's program along the record; its output is that of the CPU's.
int follow(const Built &built, const Options &options, const std::string &keeper) {
  Words words = wordsOf(built, options);
  if (built.target == Target::Gpu && !keeper.empty())
    words.insert(words.begin(), {keeper, "--kill-after=2", std::to_string(options.timeout)});
  std::string output;
  return execute(words, {nullptr, nullptr, &output});
}

int writeReport(const std::string &file, json::Array findings) {
  if (file.empty())
    return 0;
  std::string text = formatv("{0:2}\n", json::Value(std::move(findings)));
  if (Error error = writeFile(file, text))
    return fail(formatv(message::CannotWrite, file, toString(std::move(error))));
  return 0;
}

} // namespace

int verify(Options options) {
  const std::vector<Target> targets = targetsOf(options);
  if (is_contained(targets, Target::Gpu) && !hasGpu())
    return fail(message::NoGpu);
  if (!hasGpu())
    errs() << "tessera: " << message::VerifyWithoutGpu << '\n';
  options.texts.clear();
  for (Target target : targets)
    options.texts.push_back({target, "", ""});
  Outcome outcome = translate(options, errs());
  if (outcome.status)
    return outcome.status;
  std::vector<Built> programs;
  if (int status = buildEach(outcome, options, programs))
    return status;
  Options onGpu = options;
  onGpu.texts = {options.texts.back()};
  std::optional<std::string> keeper = findTimeKeeper(onGpu);
  if (!keeper)
    return Outcome::unusable;

  nameSymbolizer();
  const TemporaryFolder &folder = *programs.front().folder;
  const Verification how = options.verification.value_or(Verification());
  set("TESSERA_VERIFY_BLOCKS", Twine(how.blocks));
  set("TESSERA_VERIFY_ULPS", formatv("{0}", how.ulps).str());
  set("TESSERA_VERIFY_RECORD", folder / "record");
  const Ending onCpu = runLimited(wordsOf(programs.front(), options), options, "");
  unsetenv("TESSERA_VERIFY_RECORD");
  const int expected = statusAfter(onCpu, options, "");
  if (onCpu.signal || onCpu.status < 0)
    return expected;

  set("TESSERA_VERIFY_FOLLOW", folder / "record");
  bool isRight = true;
  json::Array report;
  for (const Built &built : drop_begin(programs)) {
    const std::string file = *built.folder / "findings";
    set("TESSERA_VERIFY_FINDINGS", file);
    const int status = follow(built, options, *keeper);
    Findings found = readFindings(file);
    const bool isSame = status == expected || (found.reports && status == foundSomething);
    if (!isSame)
      fail(formatv(message::VerifyOtherStatus, expected, status, nameOf(built.target)));
    const bool isGood = found.isEmpty() && isSame;
    if (found.launches || !isGood)
      fail(formatv(isGood ? message::Verified : message::VerifyFound, nameOf(built.target),
                   found.summary()));
    else
      fail(message::VerifiedNothing);
    isRight &= isGood;
    std::move(found.all.begin(), found.all.end(), std::back_inserter(report));
  }
  if (int status = writeReport(how.report, std::move(report)))
    return status;
  return isRight ? expected : foundSomething;
}

} // namespace tessera::driver
