// The names of the plan's passes, for options that take one.
#include "plan/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// The passes of a pipeline in textual form: names of passes and operations, options in braces, and
// the passes on an operation in parentheses after its name.
void addNames(const OpPassManager &pipeline, std::vector<std::string> &names) {
  std::string text;
  llvm::raw_string_ostream out(text);
  pipeline.printAsTextualPipeline(out);
  int braces = 0;
  for (StringRef rest = text; !rest.empty();) {
    StringRef name = rest.take_until([](char c) { return StringRef("(){},").contains(c); });
    rest = rest.drop_front(name.size());
    bool isPass = braces == 0 && !name.empty() && !rest.starts_with("(");
    if (isPass && !llvm::is_contained(names, name))
      names.push_back(name.str());
    braces += rest.starts_with("{") - rest.starts_with("}");
    rest = rest.drop_front(rest.empty() ? 0 : 1);
  }
}

} // namespace

std::vector<std::string> passNames() {
  std::vector<std::string> names;
  for (bool areChecked : {true, false}) {
    Checks checks;
    checks.bounds = checks.nan = areChecked;
    OpPassManager all(ModuleOp::getOperationName());
    buildPipeline(all, checks, 0);
    addNames(all, names);
  }
  OpPassManager inner(func::FuncOp::getOperationName());
  buildSharedMemoryPasses(inner);
  addNames(inner, names);
  return names;
}

} // namespace tessera::plan
