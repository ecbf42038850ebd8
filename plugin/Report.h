// How stages fail, and what the compiler is at when it does.
//
// A stage returns a Result: a value, or a Failure. Only Reports makes a Failure, and it prints a
// fault of the compiler where no error was printed before: an exit status without a message cannot
// be said. A Step names stage, pass and kernel for the report of a crash.
#pragma once

#include "frontend/Program.h"

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

// Bad news about a kernel, at a place in the source. The kind is said where the news is made, never
// guessed: an Error is about the program, Unsupported is a legal program that is refused, a Bug is
// ours.
struct Diagnostic {
  enum Kind { Error, Unsupported, Warning, Note, Bug, Remark } kind = Error;
  frontend::Location location;
  std::string message;
  // Of code that was inlined, the calls that led there, the innermost first. What is in a system
  // header is said of the first that is not.
  std::vector<frontend::Location> callers = {};
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
  Failure failure() const;            // only of a failure

private:
  std::optional<T> value;
};

// Hands diagnostics on and remembers whether there was an error.
class Reports {
public:
  // `hasErrors` knows of errors that were printed without this object.
  explicit Reports(
      DiagnosticSink sink, std::function<bool()> hasErrors = [] { return false; })
      : sink(std::move(sink)), hasErrors(std::move(hasErrors)) {}

  void operator()(const Diagnostic &diagnostic) {
    // What is inlined many times is wrong once.
    const frontend::Location &at = diagnostic.location;
    if (diagnostic.kind != Diagnostic::Note && diagnostic.kind != Diagnostic::Remark &&
        !said.insert({at.file, at.line, at.column, diagnostic.message}).second)
      return;
    wasRefused |= diagnostic.kind == Diagnostic::Error ||
                  diagnostic.kind == Diagnostic::Unsupported || diagnostic.kind == Diagnostic::Bug;
    sink(diagnostic);
  }
  bool any() const { return wasRefused || hasErrors(); }

  // The end of a stage that went wrong in the step `where`, at `location`.
  Failure failure(const llvm::Twine &where, const frontend::Location &location = {}) {
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

// What the compiler is at, for as long as the object lives.
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
