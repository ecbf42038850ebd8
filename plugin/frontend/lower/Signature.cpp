// The template's name is looked up, so that headers, aliases and macros have Clang's meaning.
#include "frontend/lower/Signature.h"

#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr llvm::StringLiteral arrayTemplate = "cuda::interoperable_array_descriptor";

class Writer {
public:
  Writer(ASTContext &context, llvm::raw_ostream &out)
      : context(context), policy(context.getPrintingPolicy()), json(out) {
    policy.FullyQualifiedName = true;
    policy.SuppressTagKeyword = true;
    policy.Bool = true;
  }

  void write(llvm::ArrayRef<FunctionTemplateDecl *> templates) {
    json.array([&] {
      for (FunctionTemplateDecl *one : templates)
        json.object([&] { writeTemplate(*one); });
    });
  }

private:
  void writeTemplate(const FunctionTemplateDecl &one) {
    parameters = one.getTemplateParameters();
    json.attributeArray("template", [&] {
      for (const NamedDecl *parameter : *parameters)
        json.object([&] { writeTemplateParameter(*parameter); });
    });
    json.attributeArray("parameters", [&] {
      for (const ParmVarDecl *parameter : one.getTemplatedDecl()->parameters())
        json.object([&] {
          json.attribute("name", parameter->getName());
          json.attributeObject("type", [&] { writeType(parameter->getType()); });
        });
    });
  }

  void writeTemplateParameter(const NamedDecl &parameter) {
    json.attribute("name", parameter.getName());
    std::string written;
    llvm::raw_string_ostream stream(written);
    llvm::StringRef kind = "template";
    if (auto *type = dyn_cast<TemplateTypeParmDecl>(&parameter)) {
      kind = "type";
      if (type->hasDefaultArgument())
        type->getDefaultArgument().getArgument().print(policy, stream, /*IncludeType=*/false);
    } else if (auto *value = dyn_cast<NonTypeTemplateParmDecl>(&parameter)) {
      kind = "value";
      if (value->hasDefaultArgument())
        value->getDefaultArgument().getArgument().print(policy, stream, /*IncludeType=*/false);
    }
    json.attribute("kind", kind);
    if (parameter.isTemplateParameterPack())
      json.attribute("pack", true);
    if (!written.empty())
      json.attribute("default", written);
  }

  void writeType(QualType given) {
    QualType type = given.getCanonicalType().getUnqualifiedType();
    if (auto *pointer = type->getAs<PointerType>()) {
      writeElement("pointer", pointer->getPointeeType());
    } else if (auto *parameter = type->getAs<TemplateTypeParmType>()) {
      // A canonical parameter has an index and no name.
      json.attribute("parameter", parameters->getParam(parameter->getIndex())->getName());
    } else if (llvm::ArrayRef<TemplateArgument> parts = partsOfArray(type); parts.size() == 2) {
      writeElement("array", parts[0].getAsType());
      writeRank(parts[1]);
    } else {
      json.attribute(type->isDependentType() ? "dependent" : "type", given.getAsString(policy));
    }
  }

  void writeElement(llvm::StringRef of, QualType element) {
    json.attributeObject(of, [&] { writeType(element); });
    if (element.isConstQualified())
      json.attribute("const", true);
  }

  // The arguments of an array descriptor; empty for other types.
  static llvm::ArrayRef<TemplateArgument> partsOfArray(QualType type) {
    if (auto *dependent = type->getAs<TemplateSpecializationType>())
      if (TemplateDecl *of = dependent->getTemplateName().getAsTemplateDecl();
          of && of->getQualifiedNameAsString() == arrayTemplate)
        return dependent->template_arguments();
    if (auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsRecordDecl()))
      if (made->getQualifiedNameAsString() == arrayTemplate)
        return made->getTemplateArgs().asArray();
    return {};
  }

  void writeRank(const TemplateArgument &rank) {
    if (rank.getKind() == TemplateArgument::Integral)
      return json.attribute("rank", rank.getAsIntegral().getExtValue());
    if (rank.getKind() != TemplateArgument::Expression)
      return;
    const Expr *expression = rank.getAsExpr()->IgnoreParenImpCasts();
    if (auto *use = dyn_cast<DeclRefExpr>(expression))
      if (auto *parameter = dyn_cast<NonTypeTemplateParmDecl>(use->getDecl()))
        return json.attribute("rank", parameters->getParam(parameter->getIndex())->getName());
    if (Expr::EvalResult value;
        !expression->isValueDependent() && expression->EvaluateAsInt(value, context))
      json.attribute("rank", value.Val.getInt().getExtValue());
  }

  ASTContext &context;
  PrintingPolicy policy;
  llvm::json::OStream json;
  const TemplateParameterList *parameters = nullptr;
};

class Reader : public ASTConsumer {
public:
  Reader(std::string name, std::string &json) : name(std::move(name)), json(json) {}

  void HandleTranslationUnit(ASTContext &context) override {
    json.clear();
    llvm::raw_string_ostream out(json);
    Writer(context, out).write(find(context));
  }

private:
  std::vector<FunctionTemplateDecl *> find(ASTContext &context) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(name).split(words, "::", -1, /*KeepEmpty=*/false);
    std::vector<DeclContext *> scopes = {context.getTranslationUnitDecl()};
    std::vector<FunctionTemplateDecl *> found;
    for (auto [i, word] : llvm::enumerate(words)) {
      std::vector<DeclContext *> inner;
      for (DeclContext *scope : scopes)
        for (NamedDecl *one : scope->lookup(&context.Idents.get(word.trim()))) {
          one = one->getUnderlyingDecl();
          if (auto *alias = dyn_cast<NamespaceAliasDecl>(one))
            one = alias->getNamespace();
          auto *kernel = dyn_cast<FunctionTemplateDecl>(one);
          if (i + 1 == words.size() && kernel && isTileKernel(kernel->getTemplatedDecl()) &&
              !llvm::is_contained(found, kernel->getMostRecentDecl()))
            found.push_back(kernel->getMostRecentDecl()); // which has all default arguments
          else if (auto *scope = dyn_cast<DeclContext>(one); scope && !kernel)
            inner.push_back(scope);
        }
      scopes = std::move(inner);
    }
    return found;
  }

  std::string name, &json;
};

} // namespace

std::unique_ptr<ASTConsumer> makeSignatureReader(std::string name, std::string &json) {
  return std::make_unique<Reader>(std::move(name), json);
}

} // namespace tessera::frontend
