#!/usr/bin/env bash
# Who may know whom: the folders of plugin/ in their layers; Clang's headers in frontend/, check/,
# diagnose/, driver/, nvcc/ and clangd/; MLIR's from raise/ to explain/, in tileir/ and in the
# tools' driver/ and tileiras/; layout/ and support/ know neither, runtime/ knows no LLVM at all. In
# frontend/, parse/ knows neither edit/ nor lower/, and edit/ does not know lower/. In plan/ a phase
# knows no later one. Prints the lines that break the rule.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# forbid PATTERN WHY FOLDER...: no file of the folders may include a header that matches. (Clang's
# list of keywords is a table, and no interface.)
forbid() {
  local pattern=$1 why=$2
  shift 2
  local include="^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)/"
  if grep -rnE "$include" "$@" 2>/dev/null | grep -v '"clang/Basic/TokenKinds.def"'; then
    echo "layering: $why" >&2
    failed=1
  fi
}

# knows FOLDER FOLDER...: of plugin/, the first folder includes its own headers and those of the
# others. "pipeline" is what lies in plugin/ itself.
knows() {
  local others="clang|llvm|mlir|tessera" files=("plugin/$1/")
  others+=$(printf '|%s' "$@")
  if [[ $1 == pipeline ]]; then files=(plugin/*.h plugin/*.cpp); fi
  if grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z]+/' "${files[@]}" |
    grep -vE "include[[:space:]]*\"($others)/"; then
    echo "layering: plugin/$1 knows ${*:2}, and no other folder" >&2
    failed=1
  fi
}

knows support
knows layout
# An instruction of a machine is a row of target/ and an enumerator of tile/.
knows target support tile
knows tile support layout target
knows frontend support target
knows diagnose support frontend
knows check support frontend diagnose
# Where the front ends meet.
knows structure support tile
knows raise support tile frontend structure
knows tileir support target tile structure
knows plan support layout target tile
knows emit support layout target tile plan
knows explain support layout target tile plan emit
knows pipeline support target tile frontend raise structure plan emit explain
knows driver support target tile frontend diagnose check plan emit explain tileir structure
knows nvcc support target frontend driver
knows clangd support target frontend driver nvcc
knows bundle lld frontend driver clangd
knows tileiras support target tile structure emit frontend driver nvcc tileir
if grep -rn '#include "[A-Z][A-Za-z]*\.h"' plugin/*/ | grep -vE '^plugin/(driver|tileiras)/'; then
  echo 'layering: only plugin/driver and plugin/tileir structureas know the pipeline' >&2
  failed=1
fi
# Of folders that know Clang, tileiras takes the headers that do not.
shared='frontend/parse/Installation|driver/(Crashes|Files|KernelFacts|Processes|Signals)'
if grep -rnE '#include "(frontend|driver|nvcc)/' plugin/tileiras |
  grep -vE "\"($shared|nvcc/(Cubin|RuntimeCompiler|Toolkit))\.h\""; then
  echo 'layering: plugin/tileiras has no Clang in it' >&2
  failed=1
fi

forbid 'clang' 'Clang headers belong to frontend/, check/, diagnose/, driver/, nvcc/ and clangd/' \
  plugin/{support,layout,target,structure,raise,tileir,tileiras,tile,plan,emit,explain} runtime
forbid 'mlir|mlir-c' \
  'MLIR headers belong to structure/, raise/, tileir/, tile/, plan/, emit/, explain/ and tools' \
  plugin/{support,layout,frontend,check,diagnose,nvcc,clangd} runtime
forbid 'frontend/(edit|lower)' 'frontend/parse/ knows neither edit/ nor lower/' \
  plugin/frontend/parse
forbid 'frontend/lower' 'frontend/edit/ does not know lower/' plugin/frontend/edit
# A phase of the plan knows what runs before it: no pass foresees another. analysis/ is for all.
phases=(analysis normalize tiling mma pipeline layout memory naming)
for i in "${!phases[@]}"; do
  later=$(printf '|%s' "${phases[@]:i+1}")
  [ -z "${later#|}" ] || forbid "plan/(${later#|})" "plan/${phases[i]}/ knows no later phase" \
    "plugin/plan/${phases[i]}"
done
forbid 'llvm|llvm-c' 'the runtime knows no LLVM' runtime
exit $failed
