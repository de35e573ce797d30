# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder share: their arguments, and running cases in fresh folders."""
import argparse
import atexit
import os
import pathlib
import shutil
import tempfile

# The key of whoever runs the tests is left alone.
STATE = tempfile.mkdtemp(prefix="heddle-state-")
atexit.register(shutil.rmtree, STATE, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = STATE
os.environ.pop("HEDDLE_KEY_FILE", None)
KEY_FILE = pathlib.Path(STATE) / "heddle/key"


def heddle_and_choice(description):
    """The program under test, and which cases are wanted: those with that text in their names."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/release/heddle")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    return str(pathlib.Path(arguments.heddle).resolve()), arguments.only


def main_of(description, functions, place):
    """Each function is a case, and gets what `place` makes of the program under test and a fresh folder."""
    heddle, only = heddle_and_choice(description)
    cases = [(run.__name__, lambda folder, run=run: run(place(heddle, folder))) for run in functions]
    return run_cases(cases, only)


def run_cases(cases, only):
    """`cases`: pairs of a name and a function that gets a folder. The exit code; says `N passed, M failed`."""
    passed = failed = 0
    for name, run in cases:
        if only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                run(folder)
                passed += 1
            except Exception as problem:  # a case that cannot be run is none that holds
                failed += 1
                print(f"FAILED: {name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
