# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/test and scripts/cross-test, behind common.sh: runs suites and adds up what they say.

passed=0
failed=0
summary=()
logs="$root/build/test-logs"
mkdir -p "$logs"

# count NAME PASSED FAILED SECONDS
count() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  summary+=("$(printf '%4d s  %-44s %5d passed, %d failed' "$4" "$1" "$2" "$3")")
}

# suite NAME COMMAND…: the command ends with `N passed, M failed`; no such line, or a failure it did not count, is one.
suite() {
  local name="$1" log status=0 line good bad began=$SECONDS
  log="$logs/${1// /-}.log"
  shift
  say "$name"
  "$@" 2>&1 | tee "$log" || status=$?
  line="$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)"
  good="${line%% passed*}"
  bad="${line##*, }"
  bad="${bad%% failed*}"
  if [ -z "$line" ]; then
    good=0
    bad=1
  elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
    bad=1
  fi
  count "$name" "$good" "$bad" $((SECONDS - began))
}

# gtest_counts LOG…: what GoogleTest counted in these runs, as `N passed, M failed`. A run that died before its summary
# has no PASSED line and counts as one failure.
gtest_counts() {
  local good=0 bad=0 log n
  for log in "$@"; do
    n="$(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?.*/\1/p' "$log" | tail -n 1)"
    if [ -n "$n" ]; then good=$((good + n)); else bad=$((bad + 1)); fi
    n="$(sed -nE 's/^\[  FAILED  \] ([0-9]+) tests?, listed below.*/\1/p' "$log" | tail -n 1)"
    bad=$((bad + ${n:-0}))
  done
  echo "$good passed, $bad failed"
}

# finish: the times (`built`: seconds until heddle was built), the counts, the last line; fails if anything did.
finish() {
  say "summary ($((SECONDS / 60)) min $((SECONDS % 60)) s)"
  printf '%4d s  building heddle\n' "$built"
  printf '%s\n' "${summary[@]}"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
