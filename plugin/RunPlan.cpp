// The passes with their instrumentation. What they are told are attributes of the module.
#include "RunPlan.h"

#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tessera {

namespace {

// Names the current pass and kernel for a crash report, and the pass that failed.
class PassTrace : public PassInstrumentation {
public:
  explicit PassTrace(std::string &failed) : failed(failed) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    steps.push_back(std::make_unique<Step>("plan, pass " + name(pass), kernelName(op)));
  }
  void runAfterPass(Pass *, Operation *) override { steps.pop_back(); }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    steps.pop_back();
    if (failed.empty())
      failed = "plan, pass " + name(pass) + ", kernel '" + kernelName(op) + "'";
  }

private:
  static std::string name(Pass *pass) {
    return (pass->getArgument().empty() ? pass->getName() : pass->getArgument()).str();
  }
  static std::string kernelName(Operation *op) {
    auto kernel = op->getAttrOfType<StringAttr>(tile::kernelAttr);
    return kernel ? kernel.str() : "";
  }

  std::string &failed;
  std::vector<std::unique_ptr<Step>> steps; // innermost last
};

// Printing after passes and timing, as the options request.
void instrument(PassManager &manager, const PipelineOptions &options) {
  if (!options.dumpAfter.empty()) {
    manager.getContext()->disableMultithreading();
    manager.enableIRPrinting([](Pass *, Operation *) { return false; },
                             [&options](Pass *pass, Operation *) {
                               return options.dumpAfter == "all" ||
                                      pass->getArgument() == options.dumpAfter;
                             },
                             /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/false,
                             /*printAfterOnlyOnFailure=*/false, *options.dumpStream);
  }
  if (options.timing)
    manager.enableTiming();
}

void tellPlan(ModuleOp module, const PipelineOptions &options) {
  module->setAttr(tile::targetAttr,
                  tile::TargetAttr::get(module.getContext(), options.target->name));
  if (!options.isImage)
    module->setAttr(tile::launchedAttr, UnitAttr::get(module.getContext()));
  plan::setPolicy(module, options.policy);
  for (auto kernel : module.getOps<func::FuncOp>())
    if (auto own = options.ofKernels.find({kernel.getName().str(), options.target->name.str()});
        own != options.ofKernels.end())
      plan::setPolicy(kernel, own->second);
}

} // namespace

Result<ModuleOp> runPlan(ModuleOp module, const PipelineOptions &options, Reports &reports) {
  tellPlan(module, options);
  std::string failedPass;
  PassManager manager(module.getContext());
  if (options.isWhole)
    plan::buildWholePipeline(manager, options.checks);
  else
    plan::buildPipeline(manager, options.checks, options.forgottenBarrier);
  manager.addInstrumentation(std::make_unique<PassTrace>(failedPass));
  instrument(manager, options);
  if (failed(manager.run(module)) || reports.any())
    return reports.failure(failedPass.empty() ? "plan" : failedPass);
  return module;
}

} // namespace tessera
