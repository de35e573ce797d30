#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two reports of heddle, or two folders of them: a change that should change no result changes no report.

    heddle verify a.c --format json -o old/a.json        with the build of before
    heddle verify a.c --format json -o new/a.json        with the build of now
    tests/compare_reports.py old new                      folders: reports of the same relative path, *.json
    tests/compare_reports.py old/a.json new/a.json        or two files
    tests/compare_reports.py --self-test                  plants every kind of difference and looks whether it is seen

A pair is a variable and two accesses, in either order; an access is its file, line, column, kind, function and thread.
Compared are the verdict, the set of pairs, each pair's verdict, locks, atomicity and id, the order of the pairs,
obstacles, assumptions, what was also seen, the traces of a proof and what was read (coverage). With --full every other
field of a pair too: reasons, stacks, opinions, guard.

Each difference is one line, `REPORT: what`. A pair that is the same but for one field is one line, not two. Order is
told by the fewest pairs that moved.

    --ignore-ids       ids of races may differ
    --ignore-words     sentences may differ: obstacles are compared by place, threads by their parts if there are any
    --explained FILE   differences that are meant, one per line: `REPORT PATTERN :: FRAGMENT OF THE LINE :: WHY`, # for
                       comments. They are printed with the reason and do not fail; an explanation of nothing does

The exit code is 0 if there is no difference. The last line is `N passed, M failed`, one count per report (and per
explanation of nothing).
"""
import argparse
import bisect
import collections
import copy
import fnmatch
import json
import pathlib
import sys

PLACE = ("file", "line", "column", "kind", "function", "thread")
LOOSE = ("variable", "thread", "kind", "function", "column", "line", "file")  # where one differs, one line tells it
COMPARED = {"id", "variable", "verdict", "accesses"}
COMPARED_OF_ACCESS = {*PLACE, "atomic", "locks"}


def thread_of(access, options):
    if options.ignore_words and access.get("threads"):
        return json.dumps(access["threads"])
    return access["thread"]


class Pair:
    """One entry of `races`, with its place in the list."""

    def __init__(self, race, rank, options):
        sides = []
        for access in race["accesses"]:
            place = dict({field: access[field] for field in PLACE}, thread=thread_of(access, options))
            sides.append((place, access))
        sides.sort(key=lambda side: json.dumps([side[0], sorted(side[1]["locks"])], sort_keys=True))
        self.race, self.rank = race, rank
        self.places, self.accesses = [place for place, _ in sides], [access for _, access in sides]

    def key(self, without=None):
        """What makes it this pair; `without` a field: what is left of that."""
        kept = [{field: value for field, value in place.items() if field != without} for place in self.places]
        sides = sorted(json.dumps(place, sort_keys=True) for place in kept)
        return (None if without == "variable" else self.race["variable"], *sides)

    def agreement(self, other):
        """How many fields agree, side by side; then whether ids and verdicts do."""
        sides = zip(self.places, self.accesses, other.places, other.accesses)
        equal = sum(sum(p[f] == q[f] for f in PLACE) + (sorted(a["locks"]) == sorted(b["locks"]))
                    for p, a, q, b in sides)
        return equal, self.race["id"] == other.race["id"], self.race["verdict"] == other.race["verdict"]

    def turned_towards(self, other):
        """The same pair with its sides in the order that agrees most with the sides of `other`."""
        turned = copy.copy(self)
        turned.places, turned.accesses = self.places[::-1], self.accesses[::-1]
        return turned if turned.agreement(other) > self.agreement(other) else self

    def __str__(self):
        spots = [f"{p['file']}:{p['line']}:{p['column']} {p['kind']} in {p['function']} ({access['thread']})"
                 for p, access in zip(self.places, self.accesses)]
        return f"'{self.race['variable']}': " + " / ".join(spots)


def matched(old, new, without=None):
    """Pairs of both reports with the same key, and what is left. Of several with one key, the likeliest meet."""
    left = collections.defaultdict(list)
    for pair in new:
        left[pair.key(without)].append(pair)
    both, lonely = [], []
    for pair in old:
        candidates = left[pair.key(without)]
        if not candidates:
            lonely.append(pair)
            continue
        best = max(candidates, key=lambda candidate: candidate.turned_towards(pair).agreement(pair))
        candidates.remove(best)
        both.append((pair, best.turned_towards(pair)))
    taken = {pair.rank for _, pair in both}
    return both, lonely, [pair for pair in new if pair.rank not in taken]


def changes(field, old, new):
    """The values of one field on both sides."""
    if field == "variable":
        return f"'{old.race['variable']}' → '{new.race['variable']}'"
    sides = [(was[field], now[field]) for was, now in zip(old.places, new.places)]
    return " and ".join(f"{was} → {now}" for was, now in sides if was != now)


def full_differences(old, new):
    fields = {f for f in (old.race.keys() | new.race.keys()) - COMPARED if old.race.get(f) != new.race.get(f)}
    for was, now in zip(old.accesses, new.accesses):
        fields |= {f for f in (was.keys() | now.keys()) - COMPARED_OF_ACCESS if was.get(f) != now.get(f)}
    return [f"other fields differ: {', '.join(sorted(fields))}"] if fields else []


def pair_differences(old, new, options):
    """Of two pairs that are the same pair."""
    out = []
    if old.race["verdict"] != new.race["verdict"]:
        out.append(f"verdict {old.race['verdict']} → {new.race['verdict']}")
    if old.race["id"] != new.race["id"] and not options.ignore_ids:
        out.append(f"id {old.race['id']} → {new.race['id']}")
    for place, was, now in zip(old.places, old.accesses, new.accesses):
        where = f"at {place['file']}:{place['line']}:{place['column']}"
        if sorted(was["locks"]) != sorted(now["locks"]):
            out.append(f"locks {where}: {{{', '.join(was['locks'])}}} → {{{', '.join(now['locks'])}}}")
        if was["atomic"] != now["atomic"]:
            out.append(f"atomic {where}: {was['atomic']} → {now['atomic']}")
    return out + (full_differences(old, new) if options.full else [])


def moved(both):
    """The fewest pairs that have to move to turn one order into the other: all but a longest rising sequence."""
    both = sorted(both, key=lambda two: two[0].rank)
    ends, at, before = [], [], [None] * len(both)
    for i, (_, new) in enumerate(both):
        slot = bisect.bisect_left(ends, new.rank)
        ends[slot:slot + 1], at[slot:slot + 1] = [new.rank], [i]
        before[i] = at[slot - 1] if slot else None
    stay, i = set(), at[-1] if at else None
    while i is not None:
        stay.add(i)
        i = before[i]
    return [two for i, two in enumerate(both) if i not in stay]


def race_differences(old, new, options):
    olds = [Pair(race, rank, options) for rank, race in enumerate(old["races"], 1)]
    news = [Pair(race, rank, options) for rank, race in enumerate(new["races"], 1)]
    both, gone, come = matched(olds, news)
    out = []
    for field in LOOSE:
        similar, gone, come = matched(gone, come, field)
        out += [f"{field} {changes(field, *two)}, pair {two[0]}" for two in similar]
        both += similar
    out += [f"pair gone: {pair}" for pair in gone] + [f"pair new: {pair}" for pair in come]
    out += [f"{what}, pair {was}" for was, now in both for what in pair_differences(was, now, options)]
    return out + [f"order: from place {was.rank} to {now.rank}, pair {was}" for was, now in moved(both)]


def list_differences(name, old, new):
    was = collections.Counter(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in old)
    now = collections.Counter(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in new)
    out = [f"{name} gone: {row}" for row in (was - now).elements()]
    return out + [f"{name} new: {row}" for row in (now - was).elements()]


def findings(report, options):
    """What was also seen; the name of a schedule's file is the user's choice."""
    fields = ("kind", "stack") if options.ignore_words else ("kind", "what", "stack")
    return [{field: row[field] for field in fields} for row in report.get("also_seen", [])]


def differences(old, new, options):
    out = [f"{field}: {old.get(field)} → {new.get(field)}" for field in ("verdict", "exhausted_traces", "visited_states")
           if old.get(field) != new.get(field)]
    out += race_differences(old, new, options)
    pick = (lambda row: row["where"]) if options.ignore_words else (lambda row: row)
    out += list_differences("obstacle", map(pick, old["obstacles"]), map(pick, new["obstacles"]))
    out += list_differences("assumption", old["assumptions"], new["assumptions"])
    out += list_differences("also seen", findings(old, options), findings(new, options))
    was, now = old["coverage"], new["coverage"]
    return out + [f"coverage {field}: {was.get(field)} → {now.get(field)}" for field in sorted(was.keys() | now.keys())
                  if was.get(field) != now.get(field)]


# ---- files and folders


def compare_files(old, new, options):
    reports = []
    for side, path in (("old", old), ("new", new)):
        try:
            reports.append(json.loads(path.read_text()))
        except FileNotFoundError:
            return [f"there is no {side} report"]
        except (OSError, ValueError) as error:
            return [f"the {side} report cannot be read: {error}"]
    try:
        return differences(*reports, options)
    except (KeyError, TypeError, AttributeError) as error:
        return [f"a report has an unexpected form: {type(error).__name__} {error}"]


def titles(old, new):
    """(title, old path, new path) of every report, sorted by title."""
    if old.is_dir() != new.is_dir():
        sys.exit("compare two files, or two folders")
    if not old.is_dir():
        return [(old.name, old, new)]
    names = {path.relative_to(folder) for folder in (old, new) for path in folder.rglob("*.json")}
    return [(str(name), old / name, new / name) for name in sorted(names)]


def read_explanations(path):
    out = []
    for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
        words = [word.strip() for word in line.split("::")]
        if not line.strip() or line.startswith("#"):
            continue
        if len(words) != 3 or not all(words):
            sys.exit(f"{path}:{number}: not of the form REPORT PATTERN :: FRAGMENT OF THE LINE :: WHY")
        out.append(words)
    return out


class Explanations:
    def __init__(self, path):
        self.rows = read_explanations(path)
        self.used = [False] * len(self.rows)

    def of(self, title, line):
        """Why this difference is meant, or None."""
        for i, (pattern, text, why) in enumerate(self.rows):
            if fnmatch.fnmatch(title, pattern) and text in line:
                self.used[i] = True
                return why
        return None

    def useless(self):
        return [" :: ".join(row) for row, used in zip(self.rows, self.used) if not used]


def compare(arguments, say=print):
    """(reports without an unexplained difference, others)."""
    explanations, passed, failed = Explanations(arguments.explained), 0, 0
    for title, old, new in titles(arguments.old, arguments.new):
        bad = False
        for line in compare_files(old, new, arguments):
            why = explanations.of(title, line)
            bad |= why is None
            say(f"{title}: {line}" + (f" [explained: {why}]" if why else ""))
        passed, failed = passed + (not bad), failed + bad
    for row in explanations.useless():
        say(f"explains nothing: {row}")
    return passed, failed + len(explanations.useless())


# ---- the whole run


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, nargs="?")
    parser.add_argument("new", type=pathlib.Path, nargs="?")
    parser.add_argument("--ignore-ids", action="store_true")
    parser.add_argument("--ignore-words", action="store_true")
    parser.add_argument("--full", action="store_true", help="compare every field of a pair")
    parser.add_argument("--explained", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if not arguments.self_test and not (arguments.old and arguments.new):
        parser.error("give two reports or two folders of reports")
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.self_test:
        import compare_reports_self_test  # it imports this file
        passed, failed = compare_reports_self_test.run()
    else:
        passed, failed = compare(arguments)
        if passed + failed == 0:
            sys.exit("there is no report to compare")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
