# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/test and scripts/cross-test, behind common.sh: runs suites and adds up what they say.

logs="$root/build/test-logs"
mkdir -p "$logs"
rm -f "$logs"/*.counted "$logs"/*.time
names=()             # of the suites, in the order in which they were started
declare -A running=()  # process: number of the suite
trap 'trap - INT TERM; kill 0' INT TERM  # what runs in the background does not hear Ctrl-C

# run_suite NUMBER NAME COMMAND…: the command ends with `N passed, M failed`; no such line, or a failure it did not
# count, is one. What it says goes to its log, and what it counted to NUMBER.counted: passed, failed, seconds, and
# seconds of the processor, which other work on the machine changes less.
run_suite() {
  local number="$1" log="$logs/${2// /-}.log" status=0 line good bad began=$SECONDS processor
  local TIMEFORMAT='%U %S'
  shift 2
  { time "$@" >"$log" 2>&1; } 2>"$logs/$number.time" || status=$?
  processor="$(awk '{ printf "%d", $1 + $2 }' "$logs/$number.time")"
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
  echo "$good $bad $((SECONDS - began)) ${processor:-0}" >"$logs/$number.counted"
}

# await: until one of the running suites has ended; shows what it said.
await() {
  local process
  wait -n -p process "${!running[@]}" || true
  say "${names[${running[$process]}]}"
  cat "$logs/${names[${running[$process]}]// /-}.log"
  unset "running[$process]"
}

# suite NAME COMMAND…: as many at a time as there are processors.
suite() {
  while [ "${#running[@]}" -ge "$(nproc)" ]; do await; done
  run_suite "${#names[@]}" "$@" &
  running[$!]="${#names[@]}"
  names+=("$1")
}

# alone: waits until nothing else runs.
alone() { while [ "${#running[@]}" -gt 0 ]; do await; done; }

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
  local number good bad seconds processor passed=0 failed=0
  alone
  say "summary ($((SECONDS / 60)) min $((SECONDS % 60)) s; each suite: seconds, seconds of the processor)"
  printf '%4d s         building heddle\n' "$built"
  for number in "${!names[@]}"; do
    read -r good bad seconds processor <"$logs/$number.counted" || { good=0 bad=1 seconds=0 processor=0; }
    printf '%4d s %4d s  %-50s %5d passed, %d failed\n' "$seconds" "$processor" "${names[$number]}" "$good" "$bad"
    passed=$((passed + good))
    failed=$((failed + bad))
  done
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
