#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks heddle, or ThreadSanitizer, against the expectations written in tests/programs.

    tests/run_programs.py --heddle build/release/heddle     what heddle says about every program
    tests/run_programs.py --tsan                            are the labels themselves true?

Labels and tags are described in tests/programs/README.md. The last line is `N passed, M failed`.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import limits

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
LABEL = re.compile(r"//\s*(RACE!|RACE|NORACE)(?:\s+(\w+))?:\s*(\S.*)$")
TAG = re.compile(r"^// (FLAGS|UNDECIDED|CONFIRMED|NOT-RUNNABLE|TSAN-MISSES|TSAN-ALARMS): *(\S.*)$")
PIN = re.compile(r"->\s*(refuted|separated)\(([\w-]+)\)\s*$")
HEAD_LINES = 8
VERDICTS = ("race-free", "race", "unknown")
VERIFY_SECONDS = limits.seconds(120)
TSAN_RUNS_RACY, TSAN_RUNS_SAFE, RUN_SECONDS = 20, 3, 10
TSAN_OPTIONS = (
    "exitcode=0 report_thread_leaks=0 report_mutex_bugs=0 report_signal_unsafe=0 "
    "history_size=5 suppress_equal_addresses=0"
)


@dataclasses.dataclass(frozen=True)
class Label:
    kind: str
    name: str
    why: str


@dataclasses.dataclass
class Program:
    path: pathlib.Path
    labels: dict
    tags: dict
    malformed: list

    @property
    def title(self):
        return str(self.path.relative_to(PROGRAMS))

    @property
    def is_cpp(self):
        return self.path.suffix == ".cpp"

    @property
    def flags(self):
        flags = self.tags.get("FLAGS", "").split()
        if self.is_cpp and not any(flag.startswith("-std=") for flag in flags):
            flags.insert(0, "-std=c++17")
        return flags

    def names(self, kind):
        """name -> lines, of the labels of one kind."""
        lines = {}
        for line, label in sorted(self.labels.items()):
            if label.kind == kind:
                lines.setdefault(label.name, set()).add(line)
        return lines

    def is_racy(self):
        return bool(self.names("RACE!"))


def read_program(path):
    labels, tags, malformed = {}, {}, []
    for number, text in enumerate(path.read_text().splitlines(), start=1):
        tag = TAG.match(text)
        if tag and number <= HEAD_LINES:
            tags[tag[1]] = tag[2]
            continue
        comment = text.partition("//")[2]
        label = LABEL.search(text)
        if label and (label[1] == "NORACE") == (label[2] is None):
            labels[number] = Label(label[1], label[2] or "", label[3])
        elif re.search(r"\b(NO)?RACE\b", comment):
            malformed.append(f"line {number}: malformed label")
    return Program(path, labels, tags, malformed)


def label_problems(program):
    problems = list(program.malformed)
    stem, suffix = program.path.stem, program.path.suffix
    if stem.endswith("_racy") != program.is_racy():
        problems.append("the name says _racy or _safe, the labels say otherwise")
    partner = stem[:-5] + ("_safe" if stem.endswith("_racy") else "_racy") + suffix
    if not (program.path.parent / partner).exists():
        problems.append(f"no partner {partner}")
    if program.is_racy() and "UNDECIDED" in program.tags:
        problems.append("UNDECIDED is for programs without a race")
    return problems


# ---- pairs of lines against labels: the same rules for heddle's report and for ThreadSanitizer's


def pair_problem(program, pair):
    """Why a reported pair of lines is not an expected one, or None."""
    labels = [program.labels.get(line) for line in pair]
    for line, label in zip(pair, labels):
        where = f"line {line}" if line else "a line outside the program"
        if label is None:
            return f"report on {where}, which has no label"
        if label.kind == "NORACE":
            return f"report on {where}, which is NORACE: {label.why}"
    if labels[0].name != labels[1].name:
        return f"report pairs lines {pair[0]} and {pair[1]}, labelled {labels[0].name} and {labels[1].name}"
    return None


def unreported(program, kind, pairs):
    """Labelled lines of one kind that no reported pair touches."""
    reported = {line for pair in pairs for line in pair}
    missing = []
    for name, lines in program.names(kind).items():
        missing += [f"{name} on line {line} is not reported" for line in sorted(lines - reported)]
    return missing


# ---- heddle


def own_line(program, access):
    """The access's line in the program; for one in a header, the innermost line of the program on its stack."""
    for place in [access] + access.get("stack", []):
        file = place.get("file")
        if file and os.path.realpath(file) == str(program.path):
            return place.get("line")
    return None


def reported_pairs(program, report):
    pairs = set()
    for race in report.get("races", []):
        lines = [own_line(program, access) for access in race["accesses"]]
        if race["verdict"] != "refuted":
            pairs.add((lines[0], lines[-1]))
    return sorted(pairs, key=lambda pair: [line or 0 for line in pair])


def refuted_problem(program, report, line, judge):
    """A label ending in `-> refuted(judge)` asks for a pair on that line that this judge refuted, or this proof."""
    for race in report.get("races", []):
        if race["verdict"] == "refuted" and judge in (race.get("judge"), race.get("proof")):
            if line in [own_line(program, access) for access in race["accesses"]]:
                return None
    return f"line {line}: not refuted by {judge}"


def separated_problem(heddle, program, line, reason):
    """A label ending in `-> separated(reason)` asks that pairs with that line were looked at, that something separates
    each of them, and that this reason separates one."""
    command = [heddle, "explain", f"{program.path}:{line}", str(program.path), "--format", "json"]
    if program.flags:
        command += ["--"] + program.flags
    done = subprocess.run(command, capture_output=True, text=True, timeout=VERIFY_SECONDS, errors="replace")
    if done.returncode != 0:
        return f"line {line}: heddle explain ended with {done.returncode}"
    reasons = [pair.get("separated", "nothing") for pair in json.loads(done.stdout)["pairs"]]
    if "nothing" in reasons:
        return f"line {line}: nothing separates a pair of it"
    if reason not in reasons:
        return f"line {line}: not separated by {reason} but by {', '.join(sorted(set(reasons))) or 'no pair at all'}"
    return None


def pin_problems(heddle, program, report):
    """What labels ask for besides the verdict."""
    problems = []
    for line, label in sorted(program.labels.items()):
        pin = PIN.search(label.why)
        if pin and pin[1] == "refuted":
            problems.append(refuted_problem(program, report, line, pin[2]))
        elif pin:
            problems.append(separated_problem(heddle, program, line, pin[2]))
    return [problem for problem in problems if problem]


def judge_racy(program, verdict, pairs, obstacles):
    if verdict == "race-free":
        return ["WRONG PROOF: verdict race-free"]
    problems = [problem for problem in (pair_problem(program, pair) for pair in pairs) if problem]
    if verdict != "race" and "CONFIRMED" in program.tags:
        problems.append(f"verdict {verdict}, expected race")
    if verdict == "race" and not pairs:
        problems.append("verdict race without a race in the report")
    if verdict == "unknown" and not obstacles:
        problems += unreported(program, "RACE!", pairs)
    return problems


def judge_safe(program, verdict, pairs, obstacles):
    if verdict == "race":
        return ["WRONG RACE: verdict race"] + [f"race on lines {a} and {b}" for a, b in pairs]
    undecided, alarms = "UNDECIDED" in program.tags, program.names("RACE")
    if verdict == "race-free":
        if undecided:
            return ["better than expected: remove UNDECIDED"]
        return ["better than expected: remove the RACE labels"] if alarms else []
    if undecided:
        foreign = [pair for pair in pairs if not all(line in program.labels for line in pair)]
        return [pair_problem(program, pair) for pair in foreign]
    if not alarms:
        reasons = [f"report on lines {a} and {b}" for a, b in pairs]
        reasons += [f"obstacle: {obstacle.get('what')} ({obstacle.get('where')})" for obstacle in obstacles]
        return ["verdict unknown, expected race-free"] + reasons
    problems = [problem for problem in (pair_problem(program, pair) for pair in pairs) if problem]
    return problems + ["better than expected: " + line for line in unreported(program, "RACE", pairs)]


VERIFY = ["verify", "--search-budget", "1500000"]


def report_file(folder, words, program):
    """Where the report of `heddle WORDS PROGRAM` goes."""
    return folder / ("-".join([program.title.replace("/", "-"), *words]) + ".json")


def run_heddle(heddle, program, folder):
    """(report, None) or (None, what went wrong)."""
    output = report_file(folder, VERIFY, program)
    command = [heddle, *VERIFY, str(program.path), "--format", "json", "-o", str(output)]
    if program.flags:
        command += ["--"] + program.flags
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=VERIFY_SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return None, f"no answer within {VERIFY_SECONDS} s"
    last_words = (done.stderr.strip().splitlines() or ["no message"])[-1]
    if done.returncode not in (0, 1, 3):
        return None, f"exit code {done.returncode}: {last_words}"
    try:
        report = json.loads(output.read_text())
    except (OSError, ValueError) as error:
        return None, f"no readable report ({error}): {last_words}"
    if report.get("verdict") not in VERDICTS:
        return None, f"unknown verdict {report.get('verdict')!r}"
    return report, None


def check_heddle(heddle, program, folder):
    report, trouble = run_heddle(heddle, program, folder)
    if trouble:
        return [trouble]
    try:
        pairs = reported_pairs(program, report)
        pins = pin_problems(heddle, program, report)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        return [f"report of an unexpected form: {type(error).__name__} {error}"]
    judge = judge_racy if program.is_racy() else judge_safe
    return judge(program, report["verdict"], pairs, report.get("obstacles") or []) + pins


# ---- ThreadSanitizer


def tsan_compilers(folder):
    """All (C, C++) compilers that can link a ThreadSanitizer runtime.

    Both are used: clang does not watch the fields of a local structure whose address escapes, gcc 12 does.
    """
    probe, found = folder / "probe.c", []
    probe.write_text("int main(void) { return 0; }\n")
    for c, cpp in (("clang-19", "clang++-19"), ("gcc", "g++")):
        if shutil.which(c) and shutil.which(cpp):
            command = [c, "-fsanitize=thread", str(probe), "-o", str(folder / "probe")]
            if subprocess.run(command, capture_output=True).returncode == 0:
                found.append((c, cpp))
    if not found:
        sys.exit("no compiler with a ThreadSanitizer runtime: install libclang-rt-19-dev or gcc")
    return found


def tsan_pairs(program, text):
    """Pairs of program lines in the race reports of one run."""
    pairs = set()
    for block in text.split("=================="):
        if not re.search(r"ThreadSanitizer: (data race|heap-use-after-free)", block):
            continue
        lines = []
        for stanza in re.split(r"\n\s*\n", block):
            if re.search(r"^\s+(previous )?(atomic )?(read|write) of size", stanza, re.I | re.M):
                frame = re.search(re.escape(program.path.name) + r":(\d+)", stanza)
                lines.append(int(frame[1]) if frame else None)
        pairs.add((lines[0], lines[-1]) if lines else (None, None))
    return sorted(pairs, key=lambda pair: [line or 0 for line in pair])


def run_once(binary):
    """(exit code, stderr); None as the exit code after a timeout."""
    environment = dict(os.environ, TSAN_OPTIONS=TSAN_OPTIONS)
    try:
        done = subprocess.run(
            [str(binary)], capture_output=True, text=True, timeout=RUN_SECONDS, env=environment, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr


def run_trouble(code, text, must_succeed):
    if code is None:
        return [f"did not end within {RUN_SECONDS} s"]
    if code < 0 or "FATAL: ThreadSanitizer" in text:
        return [f"crashed with code {code}: {text[:200]!r}"]
    return [f"exit code {code}"] if must_succeed and code != 0 else []


def watch_runs(program, binary, pairs):
    """Runs the program until every label is seen; adds what was seen to `pairs`, returns what went wrong."""
    racy = program.is_racy()
    for _ in range(TSAN_RUNS_RACY if racy else TSAN_RUNS_SAFE):
        code, text = run_once(binary)
        trouble = run_trouble(code, text, must_succeed=not racy)
        new = tsan_pairs(program, text)
        trouble += [problem for problem in (pair_problem(program, pair) for pair in new) if problem]
        if trouble:
            return trouble
        pairs.update(new)
        if racy and not unreported(program, "RACE!", pairs):
            return []
    return []


def check_with_compiler(compiler, program, folder, pairs):
    blind = "TSAN-MISSES" in program.tags or "TSAN-ALARMS" in program.tags
    binary = folder / (program.title.replace("/", "-") + ".bin")
    command = [compiler, "-g", "-pthread", "-w", *program.flags, str(program.path), "-o", str(binary)]
    if not blind:
        command.insert(1, "-fsanitize=thread")
    built = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if built.returncode != 0:
        return ["does not compile: " + (built.stderr.strip().splitlines() or ["no message"])[-1]]
    try:
        if blind:
            return run_trouble(*run_once(binary), must_succeed=not program.is_racy())
        return watch_runs(program, binary, pairs)
    finally:
        binary.unlink(missing_ok=True)


def check_tsan(compilers, program, folder):
    if "NOT-RUNNABLE" in program.tags:
        return []
    pairs = set()
    for pair_of_compilers in compilers:
        compiler = pair_of_compilers[program.is_cpp]
        if "-stdlib=libc++" in program.flags and not compiler.startswith("clang"):
            continue
        trouble = check_with_compiler(compiler, program, folder, pairs)
        if trouble:
            return [f"{compiler}: {problem}" for problem in trouble]
        if program.is_racy() and not unreported(program, "RACE!", pairs):
            return []
    return [] if "TSAN-MISSES" in program.tags else unreported(program, "RACE!", pairs)


# ---- the whole run


def check(program, arguments, compilers, folder):
    problems = label_problems(program)
    if arguments.heddle:
        problems += check_heddle(arguments.heddle, program, folder)
    if arguments.tsan:
        problems += ["tsan: " + problem for problem in check_tsan(compilers, program, folder)]
    return problems


def add_choice(parser):
    """The options that choose among the programs."""
    parser.add_argument("--only", metavar="TEXT", default="", help="only programs whose path contains TEXT")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth program only")
    parser.add_argument("--jobs", type=int, default=2)


def chosen_programs(arguments):
    paths = sorted(path for path in PROGRAMS.rglob("*") if path.suffix in (".c", ".cpp"))
    chosen = [path for path in paths if arguments.only in str(path.relative_to(PROGRAMS))]
    return [read_program(path) for path in chosen[::arguments.every]]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", help="check what this heddle says")
    add_choice(parser)
    parser.add_argument("--tsan", action="store_true", help="check the labels by running the programs")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the reports there, for --kept of other scripts")
    arguments = parser.parse_args()
    if not arguments.heddle and not arguments.tsan:
        parser.error("give --heddle, --tsan or both")
    if arguments.heddle and not shutil.which(arguments.heddle):
        parser.error(f"{arguments.heddle} is no executable file")
    return arguments


def main():
    arguments = parse_arguments()
    programs = chosen_programs(arguments)
    if not programs:
        sys.exit("no program matches")
    failed = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        folder = pathlib.Path(arguments.keep or name)
        folder.mkdir(parents=True, exist_ok=True)
        compilers = tsan_compilers(folder) if arguments.tsan else None
        results = pool.map(lambda program: check(program, arguments, compilers, folder), programs)
        for program, problems in zip(programs, results):
            failed += bool(problems)
            for problem in problems:
                print(f"FAIL {program.title}: {problem}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
