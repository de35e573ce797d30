#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a project calls its files, names and lines does not reach the terminal as a command.

  screens.py --heddle build/release/heddle

Files with escapes in their names, `#line` with escapes, marks of direction in source lines, and a report of somebody
else; each command's text must have none of them. JSON must keep them exactly. Ends with `N passed, M failed`.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

EVIL = "\x1b]0;PWNED\x07\x1b[31mx.c"
IN_C = EVIL.replace("\x1b", "\\033").replace("\x07", "\\007")
PROGRAM = f"""#include <pthread.h>
int hits;
static void *run(void *p) {{ hits++; /* \u202e\u2066 \x1b]52;c;AAAA\x07 */ return p; }}
#line 3 "{IN_C}"
int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); hits = 2; return 0; }}
"""
FORBIDDEN = ("\x1b", "\x07", "\u202e", "\u2066", "\r", "\x9b")


def run(heddle, folder, *arguments):
    done = subprocess.run([heddle, *arguments], cwd=folder, capture_output=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def checks(heddle, folder):
    """(name, text) of everything that goes to a screen."""
    name = "a\x1b[2J\u202eb.c"
    (folder / name).write_text(PROGRAM)
    (folder / "plain.c").write_text(PROGRAM)
    for file in (name, "plain.c"):
        for command in (["verify"], ["verify", "--details"], ["scan"], ["scan", "--details"], ["check"],
                        ["explain", "hits"]):
            yield f"{command[0]} {file!r}", "".join(run(heddle, folder, command[0], file, *command[1:]))
    yield "an error", "".join(run(heddle, folder, "verify", "no\x1b[1m.c"))
    yield "replay", "".join(run(heddle, folder, "verify", "plain.c", "--schedule", "s")) + "".join(
        run(heddle, folder, "replay", "s"))
    out, _ = run(heddle, folder, "scan", "plain.c", "--format", "json")
    report = json.loads(out)
    assert any(EVIL in access["file"] for race in report["races"] for access in race["accesses"]), "JSON is exact"
    for race in report["races"]:
        race["variable"] = "x\x1b[2J\nheddle: 0 suspected races"
        race["reasons"] = ["because\x1b[1m"]
        for access in race["accesses"]:
            access["function"] = "f\x1b\u202e"
    (folder / "r.json").write_text(json.dumps(report))
    yield "explain of a report", "".join(
        run(heddle, folder, "explain", report["races"][0]["id"], "--report", "r.json"))
    subprocess.run(["rm", "-rf", ".heddle"], cwd=folder, check=True)
    yield "capture", "".join(run(heddle, folder, "capture", "--", "cc", "-w", "-c", name, "-o", "o.o"))
    yield "scan of a capture", "".join(run(heddle, folder, "scan"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/release/heddle")
    heddle = str(pathlib.Path(parser.parse_args().heddle).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in checks(heddle, pathlib.Path(folder)):
            found = [repr(bad) for bad in FORBIDDEN if bad in text]
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print(f"FAILED: {name}: {', '.join(found)} in\n{text!r}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.pop("NO_COLOR", None)
    sys.exit(main())
