# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of random programs that each know their own truth: `generate_family` makes one of them."""

from families import errnos, exceptions, failing, inputs, moved, objects, places
from families.frame import Maker

FAMILIES = {"objects": objects.make, "failing": failing.make, "errno": errnos.make, "exceptions": exceptions.make,
            "inputs": inputs.make, "places": places.make, "moved": moved.make}


def generate_family(name, families=None):
    names = families or list(FAMILIES)
    maker = Maker(name, names[hash_of(name) % len(names)])
    FAMILIES[maker.prog.family](maker)
    maker.prog.static = not maker.chance(0.25)
    return maker.prog


def hash_of(name):
    """The same in every process."""
    return int(name.rpartition(":")[2]) // 4 if ":" in name else 0
