#!/usr/bin/env bash
# Who may know whom: Clang's headers in frontend/, check/, diagnose/, driver/, nvcc/ and clangd/;
# MLIR's from raise/ to explain/ and in driver/; layout/ knows neither, runtime/ knows no LLVM at
# all. In frontend/, parse/ knows neither edit/ nor lower/, and edit/ does not know lower/. Prints
# the lines that break the rule.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# forbid PATTERN WHY FOLDER...: no file of the folders may include a header that matches.
forbid() {
  local pattern=$1 why=$2
  shift 2
  local include="^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)/"
  if grep -rnE "$include" "$@" 2>/dev/null; then
    echo "layering: $why" >&2
    failed=1
  fi
}

forbid 'clang' 'Clang headers belong to frontend/, check/, diagnose/, driver/, nvcc/ and clangd/' \
  plugin/{layout,raise,tile,plan,emit,explain} runtime
forbid 'mlir|mlir-c' 'MLIR headers belong to raise/, tile/, plan/, emit/, explain/ and driver/' \
  plugin/{layout,frontend,check,diagnose,nvcc,clangd} runtime
forbid 'frontend/(edit|lower)' 'frontend/parse/ knows neither edit/ nor lower/' \
  plugin/frontend/parse
forbid 'frontend/lower' 'frontend/edit/ does not know lower/' plugin/frontend/edit
forbid 'llvm|llvm-c' 'the runtime knows no LLVM' runtime
exit $failed
