// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle depend`: programs of tasks and interrupts. Which entries there are, who can interrupt whom, and where two
// accesses of one run straddle one of an interruption.
//
//   load → models, with the profile `firmware` → OIL file → depend/system/system.h → depend/risk/triples.h
//   → depend/judge/settle.h, if that is wanted → words
//
// With roots (depend_trees.h): → depend/tree/goal_tree.h → depend/tree/race_search.h → tree, page, JSON.
#pragma once
#include "depend/judge/settle.h"
#include "pipeline/load.h"
#include "report/race_report.h"

namespace heddle::pipeline {

/// Whether triples are run: which happen, which cannot. Where it is quick: a program and a list of moderate size.
enum class Settling : std::uint8_t { No, WhereQuick, Yes };

struct DependOptions {
  std::string oil = {};  ///< an OSEK OIL file; empty: the one that heddle.toml names, if any
  bool as_json = false;
  bool only_triples = false;          ///< a line for each, and nothing else
  std::size_t width = 100;            ///< of text for people
  bool knows_synchronisation = true;  ///< masks and conditions rule triples out
  bool lists_all = false;             ///< for people: nothing is left out
  Settling settles = Settling::WhereQuick;
  depend::SettleLimits limits = {};
  std::string kept = {};  ///< folder for the schedules of confirmed triples; empty: none are kept
};

struct Depended {
  std::string text;         ///< as the options ask
  RaceReport report;        ///< the same, for SARIF
  std::size_t triples = 0;  ///< that are not refuted
  bool looked = true;       ///< false: no entry can interrupt another, so there was nothing to look for
};
/// What `heddle depend` prints. Errors are bad input (exit code 2).
Result<Depended> depend_triples(const Input& input, const DependOptions& options, const Tell& tell = {});

/// What `heddle depend --entries` prints. Errors are bad input (exit code 2).
Result<std::string> depend_entries(const Input& input, const DependOptions& options, const Tell& tell = {});

}  // namespace heddle::pipeline
