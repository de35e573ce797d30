# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a program that is tested may take. HEDDLE_TEST_SLOWNESS=20 makes every limit twenty times as long: for
programs that run under qemu-user, as `scripts/cross-test` does it."""

import os


def seconds(number):
    return number * float(os.environ.get("HEDDLE_TEST_SLOWNESS", "1"))
