#include "check/Check.h"
namespace tessera::check { std::unique_ptr<clang::ASTConsumer> makeConsumer() { return std::make_unique<clang::ASTConsumer>(); } }
