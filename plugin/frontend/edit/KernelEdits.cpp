// A kernel is named as in its own body; a parameter without a name gets one.
#include "frontend/edit/KernelEdits.h"
#include "frontend/edit/EntryNames.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace tessera::frontend {
namespace {

template <class List, class Spell> std::string join(const List &list, Spell spell) {
  std::string text;
  for (unsigned i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + spell(i);
  return text;
}

// A parameter's type, or the element type of a pack.
QualType elementType(const FunctionDecl *kernel, unsigned i) {
  QualType type = kernel->getParamDecl(i)->getType();
  auto *pack = type->getAs<PackExpansionType>();
  return pack ? pack->getPattern() : type;
}

bool isReference(const FunctionDecl *kernel, unsigned i) {
  return elementType(kernel, i)->isReferenceType();
}

// Its name would hide the kernel's, which cannot be qualified in an unnamed namespace.
bool isRenamed(const FunctionDecl *kernel, unsigned i) {
  const ParmVarDecl *parameter = kernel->getParamDecl(i);
  return parameter->getDeclName() == kernel->getDeclName() && !parameter->isParameterPack() &&
         unnamedNamespaceOf(kernel);
}

std::string parameterName(const FunctionDecl *kernel, unsigned i) {
  StringRef name = kernel->getParamDecl(i)->getName();
  return name.empty() || isRenamed(kernel, i) ? "__tessera_argument_" + std::to_string(i)
                                              : name.str();
}

std::string argument(const FunctionDecl *kernel, unsigned i) {
  return parameterName(kernel, i) + (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
}

// The kernel's own parameters as the arguments of another call.
std::string argumentsOf(const FunctionDecl *kernel) {
  return join(kernel->parameters(), [&](unsigned i) {
    std::string name = parameterName(kernel, i);
    bool isPassedOn = elementType(kernel, i)->isRValueReferenceType();
    return (isPassedOn ? "static_cast<decltype(" + name + ")>(" + name + ")" : name) +
           (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
  });
}

// As in the function's type, which has no top-level qualifiers of parameters. In a type that
// depends on a template's arguments, GCC keeps __restrict__.
std::string parameterTypes(const FunctionDecl *kernel) {
  return join(kernel->parameters(), [&](unsigned i) {
    std::string type = "decltype(" + parameterName(kernel, i) + ")";
    return (kernel->isTemplated() ? "__tessera_parameter<" + type + ">" : type) +
           (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
  });
}

std::string templateParameterName(const NamedDecl *parameter, unsigned i) {
  return parameter->getName().empty() ? "__tessera_template_parameter_" + std::to_string(i)
                                      : parameter->getNameAsString();
}

bool isInvented(const NamedDecl *parameter) {
  auto *type = dyn_cast<TemplateTypeParmDecl>(parameter);
  return type && type->isImplicit();
}

// The kernel as named in its own body: "::ns::k<T, N>". Parameters invented by `auto` are
// deduced.
std::string reference(const FunctionDecl *kernel) {
  std::string name = nameInBody(kernel);
  const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  if (!pattern)
    return name;
  std::string arguments;
  for (auto [i, parameter] : llvm::enumerate(*pattern->getTemplateParameters()))
    if (!isInvented(parameter))
      arguments += (arguments.empty() ? "" : ", ") + templateParameterName(parameter, i) +
                   (parameter->isParameterPack() ? "..." : "");
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

// Parameters that the following body names by the program's name.
std::string renamedParameters(const FunctionDecl *kernel) {
  std::string variables;
  for (unsigned i = 0; i < kernel->getNumParams(); ++i)
    if (isRenamed(kernel, i)) {
      std::string name = parameterName(kernel, i), type = "decltype(" + name + ")";
      variables += llvm::formatv(" {0} {1} = static_cast<{0}>({2});", type,
                                 kernel->getParamDecl(i)->getNameAsString(), name);
    }
  return variables;
}

} // namespace

// The code after a kernel's opening brace if a launch calls the kernel itself. A graph keeps the
// call with its arguments.
void KernelEdits::takeLaunch(FunctionDecl *kernel, const std::string &pending,
                             const std::string &before) {
  std::string captures = "=";
  for (unsigned i = 0; i < kernel->getNumParams(); ++i)
    if (isReference(kernel, i))
      captures += ", &" + argument(kernel, i);
  editor.insertAfter(kernel->getBody()->getBeginLoc(),
                     " if (auto *__tessera = " + pending + ") return __tessera_run(__tessera, " +
                         before + "[" + captures + "] { (" + reference(kernel) + ")(" +
                         argumentsOf(kernel) + "); });" + renamedParameters(kernel));
}

// cudaLaunchKernel knows its address if the kernel has a body.
void KernelEdits::rewriteSimtKernel(FunctionDecl *kernel) {
  nameParameters(kernel);
  std::string name = "\"" + kernel->getNameAsString() + "\"";
  takeLaunch(kernel,
             "__tessera_simt_launch<void (*)(" + parameterTypes(kernel) + "), &" +
                 reference(kernel) + ">([] { return " + name + "; })",
             name + ", ");
}

void KernelEdits::rewriteKernel(FunctionDecl *kernel) {
  nameParameters(kernel);
  if (target == Target::Cpu)
    return takeLaunch(kernel, "__tessera_tile_launch()", "");
  // Attributes on a kernel's parameters are not valid on its entry.
  for (const ParmVarDecl *parameter : kernel->parameters())
    if (auto *attribute = parameter->getAttr<CUDAGridConstantAttr>();
        attribute && attribute->getLocation().isMacroID())
      editor.remove(sources.getExpansionRange(attribute->getLocation()).getAsRange());
  // The generated kernel takes the addresses of reference parameters.
  std::string arguments = join(kernel->parameters(), [&](unsigned i) {
    return (isReference(kernel, i) ? "&" : "") + argument(kernel, i);
  });
  std::string type = "void (*)(" + parameterTypes(kernel) + ")", definition;
  // nvcc (13.0) crashes on an empty pack of such types among template arguments.
  if (llvm::any_of(kernel->parameters(), [](auto *one) { return one->isParameterPack(); })) {
    definition = "using __tessera_type = " + type + "; ";
    type = "__tessera_type";
  }
  editor.replace(kernel->getBody()->getSourceRange(), "{ " + definition + "__tessera_launch<" +
                                                          type + ", &" + reference(kernel) + ">(" +
                                                          arguments + "); }");
}

void KernelEdits::removeRestrictOfPacks(const FunctionDecl *kernel) {
  for (const ParmVarDecl *parameter : kernel->parameters())
    if (parameter->isParameterPack()) {
      auto isAt = [](SourceLocation location) {
        return [=](const Token &token) { return token.getLocation() == location; };
      };
      auto begin = llvm::find_if(record.tokens, isAt(parameter->getBeginLoc()));
      auto end = std::find_if(begin, record.tokens.end(), isAt(parameter->getEndLoc()));
      for (const Token &token : llvm::make_range(begin, end))
        if (token.is(tok::kw_restrict))
          editor.remove(token.getLocation());
    }
}

void KernelEdits::nameParameters(const FunctionDecl *kernel) {
  for (unsigned i = 0; i < kernel->getNumParams(); ++i)
    if (SourceLocation name = kernel->getParamDecl(i)->getLocation(); isRenamed(kernel, i))
      editor.replace(name, parameterName(kernel, i));
    else if (kernel->getParamDecl(i)->getName().empty())
      editor.insertBefore(name, " " + parameterName(kernel, i));
  if (const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate())
    for (auto [i, parameter] : llvm::enumerate(*pattern->getTemplateParameters()))
      if (parameter->getName().empty() && !isInvented(parameter))
        editor.insertBefore(parameter->getLocation(), " " + templateParameterName(parameter, i));
}

} // namespace tessera::frontend
