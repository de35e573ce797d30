// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RaceReport: what a run ends with, in plain words and places; the one model that every writer (text, JSON, …) draws.
// It holds no ids of other stages, so that a report can outlive the Program it speaks of.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

enum class Verdict : std::uint8_t { RaceFree, Race, Unknown };  ///< of a whole program (`heddle verify`)
enum class RaceVerdict : std::uint8_t { Confirmed, Witnessed, Likely, Unlikely, Refuted };  ///< of one warning

struct ReportFrame {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;
};

/// A thread that may make an access.
struct ReportThread {
  std::string entry;
  bool is_multiple = false;  ///< several instances may run at once
  ReportFrame created = {};  ///< without a file: main, or started by somebody who was not seen
  std::string name = {};     ///< as a person would call it, where that is not `entry`: `lambda at pool.cpp:31`
};

/// Where a lock that is held at an access was taken.
struct ReportLock {
  std::string name;
  ReportFrame taken;
};

struct ReportAccess {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string kind;  ///< "read", "write", "free", …
  bool is_atomic = false;
  std::string path;  ///< the access as the source writes it: `d->priv->stats.rx_p`
  std::string function;
  std::string thread;                        ///< "main", "worker (many instances, created at a.c:12:3)"
  std::vector<std::string> locks;            ///< surely held: "m", "p->lock (shared)"
  std::vector<ReportFrame> stack;            ///< outermost last
  std::vector<ReportThread> threads = {};    ///< `thread` in parts; a few of them if very many come there
  std::vector<ReportLock> locks_taken = {};  ///< of `locks`, those of which it is known
  std::string user_path = {};  ///< what the user's code calls the memory, if the access is made in a library: `q.jobs`
};

/// What one look at a warning says for or against it. Opinions rank, they decide nothing.
struct ReportOpinion {
  std::int64_t points = 0;  ///< above zero: more suspicious
  std::string what;
};

/// The lock that most accesses to a variable hold.
struct ReportGuard {
  std::string lock;
  std::uint32_t holding = 0, accesses = 0;
  std::vector<ReportAccess> without = {};  ///< a few of those that do not hold it: place, kind and function only
  std::uint32_t more_without = 0;
};

struct ReportRace {
  std::string id;  ///< stable: survives line shifts
  std::string variable;
  RaceVerdict verdict = RaceVerdict::Likely;
  std::vector<std::string> reasons;          ///< why the two may overlap, in sentences
  std::vector<ReportAccess> accesses;        ///< two
  std::string parallel = {};                 ///< why their threads may run at the same time
  std::vector<ReportOpinion> opinions = {};  ///< in the order they were given
  std::optional<ReportGuard> guard = {};
  std::string judge = {};                    ///< the one that confirmed or refuted it; empty: nobody did
  std::string proof = {};                    ///< of a refuted one: what was checked, such as "exhaustion"
  std::string grade = {};                    ///< of a confirmed one: "replay", "unordered" or "met"
  std::string suppressed = {};               ///< where and why the user suppressed it; empty: not suppressed
  std::string baseline = {};                 ///< "new" or "unchanged" against an earlier report; empty: not compared
  std::vector<std::string> covered_by = {};  ///< ids: whoever makes this one real makes all of these real
  std::uint32_t group = 0;  ///< races with the same number are on one variable, whatever each access calls it
};

/// Something other than a race that keeps `verify` from an answer.
struct ReportObstacle {
  std::string where;  ///< file:line:column
  std::string what;   ///< "call of 'longjmp', which heddle does not treat"
};

/// Something wrong other than a race that the search met; it decides nothing about races.
struct ReportFinding {
  std::string kind;  ///< "deadlock", "failed assertion", "abort", "crash", "misused lock"
  std::string what;
  std::vector<ReportFrame> stack;  ///< innermost first
  std::string schedule;            ///< the file that shows it again with `heddle replay`; empty: none was written
};

/// A part of the program that was not looked at.
struct ReportBlindSpot {
  std::string what;
  bool may_hide = false;  ///< a thread or an access: without it, that nothing was found says little
};

struct ReportCoverage {
  std::uint64_t tried = 0;
  std::uint64_t parsed = 0;
  std::vector<std::string> failed;
  std::uint64_t skipped = 0;    ///< files the build compiles and heddle does not read: assembly, other languages
  std::uint64_t functions = 0;  ///< with a body
  std::uint64_t functions_reached = 0;  ///< by a thread root
  std::uint64_t instructions = 0;
  std::uint64_t threads = 0;                   ///< thread roots found, main included
  std::vector<ReportThread> thread_list = {};  ///< the same with their names, those of equal names once
  std::vector<ReportBlindSpot> blind_spots = {};
  bool was_run = false;            ///< the program ran; its code was not analysed
  bool is_project = false;         ///< it was captured; the rest is of such projects only
  std::string program;             ///< which of its programs; empty: all units
  std::uint64_t linked = 0;        ///< units that make up the program
  std::vector<std::string> notes;  ///< what the capture left out, and why
};

struct RaceReport {
  ReportCoverage coverage;
  Verdict verdict = Verdict::Unknown;
  std::vector<ReportRace> races;          ///< sorted, most important first
  std::vector<ReportObstacle> obstacles;  ///< sorted
  std::vector<ReportFinding> also_seen;   ///< in the order they were met
  std::uint64_t exhausted_traces = 0;     ///< the proof is a search that saw all of these; 0: it is not
  std::uint64_t visited_states = 0;       ///< the same
  std::vector<std::string> assumptions;   ///< names from docs/assumptions.md that this result rests on
  std::uint64_t not_listed = 0;           ///< suspected races beyond what a list may hold
  std::uint64_t filtered_out = 0;         ///< races that the user's filters left out
  std::string only_race = {};             ///< the ID of the one race that was asked for: the verdict is of that one
};

}  // namespace heddle
