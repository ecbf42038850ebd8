// How stages fail, and what the compiler is doing when it crashes.
//
// A stage returns a Result: a value, or a Failure. Only Reports makes a Failure, and it prints an
// internal error if no error was printed before: an exit status without a message is impossible. A
// Step names stage, pass and kernel for a crash report.
#pragma once

#include "support/FileLocation.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera {

// A diagnostic about a kernel, at a source location. Its creator states the kind: an Error is about
// the program, Unsupported is a legal program that is refused, a Bug is ours.
struct Diagnostic {
  enum Kind { Error, Unsupported, Warning, Note, Bug, Remark } kind = Error;
  FileLocation location;
  std::string message;
  // For inlined code, the calls that led there, the innermost first. A diagnostic in a system
  // header is reported at the first caller that is not.
  std::vector<FileLocation> callers = {};
};
using DiagnosticSink = std::function<void(const Diagnostic &)>;

// Proof that an error has been printed.
class Failure {
  friend class Reports;
  Failure() = default;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Failure) {}

  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }   // NOLINT(bugprone-unchecked-optional-access)
  T *operator->() { return &*value; } // NOLINT(bugprone-unchecked-optional-access)
  Failure failure() const;            // only for a failure

private:
  std::optional<T> value;
};

// Forwards diagnostics and remembers whether there was an error.
class Reports {
public:
  // `hasErrors` knows of errors that were printed without this object.
  explicit Reports(
      DiagnosticSink sink, std::function<bool()> hasErrors = [] { return false; })
      : sink(std::move(sink)), hasErrors(std::move(hasErrors)) {}

  void operator()(const Diagnostic &diagnostic) {
    // Code that is inlined many times is reported once.
    const FileLocation &at = diagnostic.location;
    if (diagnostic.kind != Diagnostic::Note && diagnostic.kind != Diagnostic::Remark &&
        !said.insert({at.file, at.line, at.column, diagnostic.message}).second)
      return;
    wasRefused |= diagnostic.kind == Diagnostic::Error ||
                  diagnostic.kind == Diagnostic::Unsupported || diagnostic.kind == Diagnostic::Bug;
    sink(diagnostic);
  }
  bool any() const { return wasRefused || hasErrors(); }

  // The end of a stage that failed in the step `where`, at `location`.
  Failure failure(const llvm::Twine &where, const FileLocation &location = {}) {
    if (!any())
      (*this)({Diagnostic::Bug, location, where.str() + " failed and did not say why"});
    return Failure();
  }

private:
  DiagnosticSink sink;
  std::function<bool()> hasErrors;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>> said;
  bool wasRefused = false;
};

template <class T> Failure Result<T>::failure() const {
  assert(!value);
  return Reports([](const Diagnostic &) {}, [] { return true; }).failure("");
}

// The current step of the compiler, while the object lives.
class Step : public llvm::PrettyStackTraceEntry {
public:
  Step(const llvm::Twine &step, const llvm::Twine &kernel)
      : step(step.str()), kernel(kernel.str()) {}
  void print(llvm::raw_ostream &out) const override {
    out << "tessera: " << step;
    if (!kernel.empty())
      out << ", kernel '" << kernel << "'";
    out << '\n';
  }

private:
  std::string step, kernel;
};

} // namespace tessera
