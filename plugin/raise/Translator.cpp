// The frame of the translation: arguments, blocks and their arguments, terminators, and the map
// from LLVM values to MLIR values.
#include "raise/Translator.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Target/LLVMIR/TypeFromLLVM.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace tessera::raising {

Translator::Translator(const frontend::TileProgram &program, const frontend::Kernel &kernel,
                       const llvm::Function &function, ModuleOp module,
                       const DiagnosticSink &diagnose)
    : program(program), kernel(kernel), function(function), module(module), diagnose(diagnose),
      builder(module.getContext()), loc(builder.getUnknownLoc()),
      locations(module.getContext(), function, kernel),
      tileTypes(module.getContext(), program, function), blockMemory(function, program, tileTypes),
      localTiles(function, tileTypes, blockMemory.variables()),
      spaces(function, blockMemory.variables()) {}

func::FuncOp Translator::translate() {
  if (function.arg_size() != kernel.parameters.size()) {
    bug(function,
        "kernel '" + kernel.displayName + "' has other parameters in LLVM IR than in C++");
    return {};
  }
  loc = locations.kernel();
  SmallVector<Type> types;
  for (const llvm::Argument &argument : function.args())
    types.push_back(typeOf(&argument));
  builder.setInsertionPointToEnd(module.getBody());
  result = create<func::FuncOp>(kernel.symbol, builder.getFunctionType(types, {}));
  result->setAttr(tile::kernelAttr, builder.getStringAttr(kernel.name));
  for (const frontend::Hint &hint : kernel.hints)
    if (hint.key == "occupancy" && hint.value > 0)
      result->setAttr(tile::occupancyAttr, builder.getI64IntegerAttr(hint.value));
    else if (hint.key == "num_worker_warps_per_cta" && hint.value > 0)
      result->setAttr(tile::workerWarpsAttr, builder.getI64IntegerAttr(hint.value));
  declareBlocks();
  declareArguments();
  allocateBlockMemory();
  for (const llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<const llvm::Function *>(&function))
    translateBlock(*block);
  return failed ? func::FuncOp() : result;
}

void Translator::declareArguments() {
  StringRef restrictSuffix = "__restrict";
  for (const llvm::Argument &argument : function.args()) {
    unsigned i = argument.getArgNo();
    const frontend::Parameter &parameter = kernel.parameters[i];
    StringRef spelling = StringRef(parameter.type).rtrim('_').rtrim();
    if (spelling.ends_with(restrictSuffix))
      spelling = spelling.drop_back(restrictSuffix.size()).rtrim();
    result.setArgAttr(i, tile::parameterNameAttr, builder.getStringAttr(parameter.name));
    result.setArgAttr(i, tile::typeAttr, builder.getStringAttr(spelling));
    if (parameter.isRestrict)
      result.setArgAttr(i, tile::restrictAttr, builder.getUnitAttr());
    if (Type pointee = elementType(builder.getContext(), parameter.element.pointee))
      result.setArgAttr(i, tile::pointeeAttr, TypeAttr::get(pointee));
    if (parameter.element.pointeeConst)
      result.setArgAttr(i, tile::constAttr, builder.getUnitAttr());
    if (parameter.element.kind != frontend::ElementKind::Pointer &&
        isUnsigned(parameter.element.kind))
      result.setArgAttr(i, tile::unsignedAttr, builder.getUnitAttr());
    if (llvm::Type *byValue = argument.getParamByValType()) {
      LLVM::TypeFromLLVMIRTranslator types(*builder.getContext());
      result.setArgAttr(i, tile::byvalAttr, TypeAttr::get(types.translateType(byValue)));
    }
    define(argument, result.front().getArgument(i));
  }
}

void Translator::declareBlocks() {
  for (const llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<const llvm::Function *>(&function)) {
    if (block->isEntryBlock()) {
      blocks[block] = result.addEntryBlock();
      for (const llvm::Argument &argument : function.args())
        blocks[block]
            ->getArgument(argument.getArgNo())
            .setLoc(locations.of(argument, kernel.parameters[argument.getArgNo()].name));
      continue;
    }
    Block *target = blocks[block] = result.addBlock();
    for (const llvm::PHINode &phi : block->phis()) {
      SmallVector<Value> arguments;
      for (Type type : typesOf(&phi))
        arguments.push_back(target->addArgument(type, locations.of(phi)));
      define(phi, arguments);
    }
  }
}

void Translator::translateBlock(const llvm::BasicBlock &block) {
  builder.setInsertionPointToEnd(blocks.at(&block));
  for (const llvm::Instruction &instruction : block) {
    loc = locations.of(instruction);
    if (instruction.isTerminator())
      translateTerminator(instruction);
    else if (!isa<llvm::PHINode>(instruction))
      translate(instruction);
  }
}

// The values that `from` passes to the arguments of `to`.
SmallVector<Value> Translator::edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  SmallVector<Value> operands;
  for (const llvm::PHINode &phi : to.phis()) {
    const llvm::Value *incoming = phi.getIncomingValueForBlock(&from);
    SmallVector<Type> types = typesOf(&phi);
    if (types.size() == 1)
      operands.push_back(value(incoming, types.front()));
    else
      for (auto [leaf, type] : llvm::zip_equal(values(incoming), types))
        operands.push_back(reinterpret(builder, loc, leaf, type));
  }
  return operands;
}

void Translator::translateTerminator(const llvm::Instruction &terminator) {
  const llvm::BasicBlock &from = *terminator.getParent();
  if (auto *branch = dyn_cast<llvm::BranchInst>(&terminator)) {
    Block *first = blocks.at(branch->getSuccessor(0));
    SmallVector<Value> firstOperands = edge(from, *branch->getSuccessor(0));
    if (branch->isUnconditional())
      create<cf::BranchOp>(first, firstOperands);
    else
      create<cf::CondBranchOp>(value(branch->getCondition()), first, firstOperands,
                               blocks.at(branch->getSuccessor(1)),
                               edge(from, *branch->getSuccessor(1)));
    return;
  }
  if (auto *select = dyn_cast<llvm::SwitchInst>(&terminator))
    return translateSwitch(*select);
  // Control after code that never returns (a trap in the last block) is arbitrary: it returns.
  if (!isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator))
    unexpected(terminator,
               Twine("a control transfer of this kind (") + terminator.getOpcodeName() + ")");
  if (addressOfBlockMemory)
    create<tile::FreeBlockMemoryOp>(addressOfBlockMemory);
  create<func::ReturnOp>();
}

void Translator::translateSwitch(const llvm::SwitchInst &instruction) {
  const llvm::BasicBlock &from = *instruction.getParent();
  SmallVector<APInt> cases;
  SmallVector<Block *> targets;
  SmallVector<SmallVector<Value>> operands;
  for (auto &entry : instruction.cases()) {
    cases.push_back(entry.getCaseValue()->getValue());
    targets.push_back(blocks.at(entry.getCaseSuccessor()));
    operands.push_back(edge(from, *entry.getCaseSuccessor()));
  }
  create<cf::SwitchOp>(value(instruction.getCondition()), blocks.at(instruction.getDefaultDest()),
                       edge(from, *instruction.getDefaultDest()), cases, targets,
                       llvm::to_vector_of<ValueRange>(operands));
}

// ---- values ----

namespace {

// The scalars and vectors that make up a type.
void collectLeaves(llvm::Type *type, SmallVectorImpl<llvm::Type *> &leaves) {
  if (!isa<llvm::StructType, llvm::ArrayType>(type))
    return leaves.push_back(type);
  unsigned count =
      isa<llvm::StructType>(type) ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    collectLeaves(llvm::GetElementPtrInst::getTypeAtIndex(type, i), leaves);
}

} // namespace

SmallVector<Type> Translator::typesOf(const llvm::Value *value) {
  if (value->getType()->isVoidTy())
    return {};
  if (value->getType()->isVectorTy())
    return {tileTypes.of(value)};
  SmallVector<llvm::Type *> leaves;
  collectLeaves(value->getType(), leaves);
  SmallVector<Type> types;
  for (llvm::Type *leaf : leaves) {
    Type type = leaf->isVectorTy() ? TileTypes::plain(builder.getContext(), leaf)
                                   : scalarType(builder.getContext(), leaf);
    if (!type) {
      std::string spelling;
      llvm::raw_string_ostream(spelling) << *leaf;
      refuse(*value, Refusal::ValueType, {spelling});
      type = builder.getI32Type();
    }
    types.push_back(type);
  }
  return types;
}

Type Translator::typeOf(const llvm::Value *value) {
  SmallVector<Type> types = typesOf(value);
  return types.size() == 1 ? types.front() : Type();
}

SmallVector<Value> Translator::values(const llvm::Value *value) {
  if (auto *literal = dyn_cast<llvm::Constant>(value))
    return constants(literal, typesOf(value));
  auto entry = valueMap.find(value);
  if (entry != valueMap.end())
    return {entry->second.begin(), entry->second.end()};
  bug(*value, "a value is used before it is raised");
  SmallVector<Value> poisons;
  for (Type type : typesOf(value))
    poisons.push_back(create<ub::PoisonOp>(type));
  return poisons;
}

Value Translator::value(const llvm::Value *value) { return values(value).front(); }

Value Translator::value(const llvm::Value *source, Type type) {
  if (auto *literal = dyn_cast<llvm::Constant>(source))
    return constant(literal, type);
  Value found = value(source);
  if (Value same = reinterpret(builder, loc, found, type))
    return same;
  bug(*source, "a tile whose bits are read as another number of elements");
  return create<ub::PoisonOp>(type);
}

void Translator::define(const llvm::Value &instruction, ValueRange results) {
  valueMap[&instruction] = SmallVector<Value, 1>(results.begin(), results.end());
}

// ---- diagnostics ----

void Translator::refuse(const llvm::Value &at, Refusal id, ArrayRef<std::string> arguments) {
  failed = true;
  Diagnostic diagnostic = refusal(id, locations.source(at), arguments);
  diagnostic.callers = Locations::callers(at);
  diagnose(diagnostic);
}

void Translator::bug(const llvm::Value &at, const Twine &message) {
  failed = true;
  diagnose({Diagnostic::Bug, locations.source(at), "raise: " + message.str()});
}

void Translator::poison(const llvm::Instruction &instruction) {
  SmallVector<Value> poisons;
  for (Type type : typesOf(&instruction))
    poisons.push_back(create<ub::PoisonOp>(type));
  define(instruction, poisons);
}

} // namespace tessera::raising
