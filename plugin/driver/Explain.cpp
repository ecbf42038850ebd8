#include "driver/Explain.h"

#include "driver/Output.h"
#include "driver/Profile.h"
#include "driver/Registers.h"
#include "explain/Page.h"
#include "explain/Remarks.h"
#include "plan/analysis/Occupancy.h"
#include "tessera/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace tessera::driver {
namespace {

// A kernel for one architecture, with a compiler's results.
struct Explained {
  const frontend::Kernel &kernel;
  EmittedKernel &emitted;
  RegisterUse use;
  int64_t blocks;

  std::vector<explain::Remark> remarks() const {
    const std::string name = emitted.displayName(kernel.displayName);
    std::vector<explain::Remark> remarks = {
        explain::registersRemark(kernel.location, name, use.registers, use.spilled, blocks)};
    if (auto less = emitted.again.forUse(use.spilled, use.isSerialised))
      remarks.push_back(
          explain::plansAgainRemark(kernel.location, name, less->leavesOutOf(emitted.policy)));
    return remarks;
  }
};

std::vector<Explained> kernelsOf(Outcome &outcome, const Measured &measured) {
  std::vector<Explained> result;
  for (Portion &portion : outcome.portions)
    for (EmittedKernel &emitted : portion.emitted) {
      StringRef symbol = emitted.coarsenedFrom.empty() ? emitted.symbol : emitted.coarsenedFrom;
      auto kernel =
          llvm::find_if(portion.kernels, [&](const auto &one) { return one.symbol == symbol; });
      auto use = measured.uses.find({emitted.name, portion.target->name.str()});
      RegisterUse known = use == measured.uses.end() ? RegisterUse() : use->second;
      result.push_back(
          {*kernel, emitted, known,
           plan::blocksOfMultiprocessor(*portion.target, emitted.threads,
                                        int64_t(emitted.sharedMemory), known.registers)});
    }
  return result;
}

// The study of a kernel, with its registers.
json::Value studyOf(const Explained &one) {
  json::Value study = std::move(one.emitted.study);
  json::Object &data = *study.getAsObject();
  if (!one.use.registers)
    return study;
  data["registers"] = one.use.registers;
  data["spills"] = one.use.spilled;
  data["blocks"] = one.blocks;
  json::Array &remarks = *data.getArray("remarks");
  json::Value location = *remarks.front().getAsObject()->get("location"); // the kernel's own
  const std::vector<explain::Remark> ofRegisters = one.remarks(); // outlives the reverse view
  for (const explain::Remark &remark : reverse(ofRegisters))
    remarks.insert(remarks.begin() + 1, json::Object{{"location", location},
                                                     {"topic", remark.topic},
                                                     {"text", json::fixUTF8(remark.text)}});
  return study;
}

void collectFiles(const json::Array &study, SetVector<StringRef> &files) {
  for (const json::Value &value : study)
    if (const json::Array *line = value.getAsArray())
      for (const json::Value &loc : drop_begin(*line))
        if (std::optional<StringRef> file = (*loc.getAsArray())[0].getAsString())
          files.insert(*file);
}

// The program's files that contain its kernels, the main one first.
json::Array filesData(const json::Array &kernels, const Options &options) {
  SetVector<StringRef> files;
  files.insert(options.commandLine.file);
  for (const json::Value &kernel : kernels)
    collectFiles(*kernel.getAsObject()->getArray("lines"), files);
  json::Array data;
  for (StringRef file : files)
    if (auto text = MemoryBuffer::getFile(file))
      data.push_back(json::Object{{"name", json::fixUTF8(file)},
                                  {"text", json::fixUTF8((*text)->getBuffer())}});
  return data;
}

// Only for GPU code, and only if no earlier stage is dumped.
Measured measure(const Outcome &outcome, const Options &options) {
  bool isWanted = options.measures && options.settings.pipeline.dumpStage.empty() &&
                  options.texts.front().target == Target::Gpu;
  return isWanted ? measureRegisters(outcome.texts.front(), options) : Measured();
}

// What was measured of a kernel, and of the one that runs in its place for large grids.
std::vector<KernelProfile> profilesOf(ArrayRef<KernelProfile> all, const Explained &one,
                                      const Outcome &outcome) {
  std::vector<StringRef> names = {one.emitted.name};
  for (const Portion &portion : outcome.portions)
    for (const EmittedKernel &emitted : portion.emitted)
      if (emitted.coarsenedFrom == one.emitted.symbol)
        names.push_back(emitted.name);
  std::vector<KernelProfile> own;
  copy_if(all, std::back_inserter(own),
          [&](const KernelProfile &profile) { return is_contained(names, profile.kernel); });
  return own;
}

// Adds them to the study of a kernel: as data, and as remarks behind its first.
void addProfiles(json::Value &study, ArrayRef<KernelProfile> profiles) {
  if (profiles.empty())
    return;
  json::Object &data = *study.getAsObject();
  json::Array list, &remarks = *data.getArray("remarks");
  json::Value location = *remarks.front().getAsObject()->get("location");
  for (const KernelProfile &one : profiles) {
    list.push_back(one.data());
    remarks.insert(remarks.begin() + 1, json::Object{{"location", location},
                                                     {"topic", "kernel"},
                                                     {"text", json::fixUTF8(one.sentence())}});
  }
  data["profiles"] = std::move(list);
}

std::string pageFor(Outcome &outcome, const Options &options, ArrayRef<KernelProfile> profiles) {
  Measured measured = measure(outcome, options);
  json::Array kernels;
  for (const Explained &one : kernelsOf(outcome, measured))
    if (one.emitted.coarsenedFrom.empty()) {
      const std::vector<KernelProfile> own = profilesOf(profiles, one, outcome);
      json::Value study = studyOf(one);
      addProfiles(study, own);
      kernels.push_back(std::move(study));
    }
  json::Array files = filesData(kernels, options);
  json::Object data{{"program", json::fixUTF8(options.commandLine.file)},
                    {"version", "tessera " TESSERA_VERSION_STRING},
                    {"files", std::move(files)},
                    {"kernels", std::move(kernels)}};
  if (!measured.compiler.empty())
    data["compiler"] = measured.compiler;
  return explain::pageOf(std::move(data), options.commandLine.file + " \u00b7 Tessera");
}

} // namespace

int explainKernels(Outcome &outcome, const Options &options) {
  std::vector<KernelProfile> profiles;
  if (!options.profile.empty()) {
    auto read = readProfile(options.profile);
    if (!read)
      return Outcome::unusable;
    profiles = std::move(*read);
  }
  if (!options.texts.front().output.empty()) {
    outcome.texts = {pageFor(outcome, options, profiles)};
    return writeOutputs(outcome, options);
  }
  for (const Explained &one : kernelsOf(outcome, measure(outcome, options))) {
    const FileLocation &at = one.kernel.location;
    for (const KernelProfile &profile : profiles)
      if (profile.kernel == one.emitted.name)
        errs() << at.file << ':' << at.line << ':' << at.column
               << ": remark: " << profile.sentence() << '\n';
    if (one.use.registers)
      for (const explain::Remark &remark : one.remarks())
        errs() << remark.location.file << ':' << remark.location.line << ':'
               << remark.location.column << ": remark: " << remark.message() << '\n';
  }
  return 0;
}

} // namespace tessera::driver
