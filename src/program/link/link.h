// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units into one Program, as a linker would.
//
//   a.c: static int s; int f(void);            one Program: f is b.c's; two globals, `s@a.c` and `s@b.c`
//   b.c: static int s; int f(void) { … }
//
// - External beats common beats weak beats link-once beats a declaration; between equals the first unit's counts.
// - Internal symbols stay apart. When a name is taken, each internal one gets `@` and its unit's name: nothing depends
// on the
//   order of the units.
// - Two external definitions are a conflict and stay apart: each unit sees its own, everybody else the first.
// - Link-once bodies come in once. Bodies that differ under one name are a conflict; the first is kept.
// - Internal functions of one header with one content become one, if nothing tells them apart: no internal memory in
// them
//   or in what they call, their address not taken.
// - Aliases stand for their target. Types are one if they say the same, to any depth; files, constants, strings are
// shared.
// - Constructors run by priority, then in the order of the units.
//
// Linear in what is kept, besides types: those take as many rounds as their longest path through pointers tells apart.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "program/model/program.h"

namespace heddle {

/// Something a linker would refuse or a C++ standard forbid; the Program exists in spite of it.
struct LinkConflict {
  enum class Kind : std::uint8_t {
    DefinedTwice,     ///< two external definitions, kept apart
    SeparateModules,  ///< the same for symbols that every kernel module or program has: these units never run as one
    BodiesDiffer,     ///< link-once definitions that are not the same
    InsideObject,     ///< an alias into the middle of an object: units that use its name see memory nobody defines
  };
  Kind kind = Kind::DefinedTwice;
  std::string symbol;
  std::vector<std::string> units;  ///< the one that is kept (or that others see) first
  std::string what;                ///< a sentence for the user
};

struct Linked {
  Program program;
  std::vector<LinkConflict> conflicts;  ///< in the order of units and symbols
};

/// What units of these names are called in symbols and conflicts: a name that was there before gets `#2`, `#3` …
std::vector<std::string> unit_labels(const std::vector<std::string>& names);

/// Fails when units are for machines that differ in pointers or byte order.
Result<Linked> link(std::vector<Program> units);

}  // namespace heddle
