# Runs suites and adds up what they say, for test/run.sh and test/nightly.sh, which source it: they
# set $build.
passed=0 failed=0

# count NAME PASSED FAILED SECONDS: the result of a suite.
count() {
  echo "== $1: $2 passed, $3 failed, $4 s"
  passed=$((passed + $2)) failed=$((failed + $3))
}

# attribute NAME FILE: a number of a JUnit report's first suite, or nothing.
attribute() {
  tr '\n\t' '  ' <"$2" | grep -oE '<testsuite [^>]*' | grep -oE " $1=\"[0-9]+\"" | head -n 1 |
    tr -dc 0-9
}

# junit_suite NAME REPORT COMMAND...: a command that writes a JUnit report. Its output is shown when
# something failed.
junit_suite() {
  local name=$1 report=$2 log=$build/$1.log begin=$SECONDS tests failures skipped
  shift 2
  echo "== $name"
  rm -f "$report"
  "$@" >"$log" 2>&1 || true
  tests=$(attribute tests "$report" || true) failures=$(attribute failures "$report" || true)
  skipped=$(attribute skipped "$report" || true)
  if [ -z "$tests" ] || [ "$failures" != 0 ]; then cat "$log"; fi
  count "$name" $((${tests:-0} - ${failures:-0} - ${skipped:-0})) "${failures:-1}" \
    $((SECONDS - begin))
}

# begin_suite NAME COMMAND...: a command whose last line is 'N passed, N failed', beside the suites
# that follow until end_suite NAME. When something failed, its lines with FAIL and the end of its
# output are shown.
declare -A process begun
begin_suite() {
  local name=$1
  shift
  echo "== $name"
  begun[$name]=$SECONDS
  "$@" >"$build/$name.log" 2>&1 &
  process[$name]=$!
}
end_suite() {
  local name=$1 log=$build/$1.log good=0 bad=1
  wait "${process[$name]}" || true
  if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
  fi
  if [ "$bad" != 0 ]; then
    head -n -40 "$log" | grep FAIL || true
    tail -n 40 "$log"
  fi
  count "$name" "$good" "$bad" $((SECONDS - ${begun[$name]}))
}

# plain_suite NAME COMMAND...: the same, alone.
plain_suite() {
  begin_suite "$@"
  end_suite "$1"
}
