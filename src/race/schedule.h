// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule: one execution of a program up to the state in which two threads stand before racing accesses, or up to a
// failure. A search that finds an execution writes this type, replay runs it, reports draw it.
//
//   heddle-schedule 1
//   program 4a5f…90                   content of the program it belongs to
//   source count.c                    one line per source
//   flag -DN=2                        for clang, in order
//   data-model ILP32
//   profile sv-comp                   as --profile was given
//   native                            it ran as a real program, not in the interpreter
//   seal 5d41402abc4b2a76b9719d…      of the user who ran it: only who explored a program is not asked before it runs
//   project .heddle                   instead of sources: a captured project, and
//   target bin/server                 which of its programs
//   hook-all                          how it was instrumented: private memory, too, and
//   tell-ways                         branches, for pruning
//   input FILE                        what it reads as its standard input
//   argument -n                       of the real program, in order; with \n, \s and \\ for line feed, space, backslash
//   threads 300                       room for so many: it decides where their memory lies
//   value 1 7                         thread 1 asks for a nondeterministic value and gets 7; in order, thread by thread
//   run 0 12                          thread 0 makes 12 steps
//   run 1 3 8f00b204e9800998          a third word is a mark of what these steps were (explore/evidence/mark.h)
//   race 0 1                          now these two race; or: "unordered 0 1" (the last step, thread 1's, made an
//                                     access that nothing orders behind one that thread 0 made before), "fails 1" (the
//                                     last step, thread 1's, ended the program or misused a lock), "deadlock" (now no
//                                     thread can go on)
//
// Of tasks and interrupts (`heddle depend --keep`), instead of the lines from `threads` on:
//
//   oil app.oil                       as --oil was given
//   raise 6 isr                       before line 6 of whoever runs (0: nobody does) the entry 'isr' comes
//   go 6                              nobody comes before line 6, although somebody could
//   go 6 77                           the same, or not, and what is asked for there is 77
//   pause 9                           the task in line 9 waits for its next turn
//   take 5                            the access in line 5 is the first one of the triple; "pass 5": it is not
//   triple x<R#5>,<W#13>,<R#6>        has happened now; "in-steps x<…": its first and last access are one of the
//   program
//
// Threads are numbered in the order in which this execution creates them, main is 0. A step is one operation that other
// threads can feel, plain accesses to memory they may know included, with what follows it up to the next one. Text, one
// item per line, in that order; '#' starts a comment.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::race {

struct Schedule {
  struct Slice {
    std::uint32_t thread = 0;
    std::uint64_t steps = 0;
    std::uint64_t mark = 0;  ///< of the steps; 0: none
    friend bool operator==(const Slice&, const Slice&) = default;
  };
  struct Value {
    std::uint32_t thread = 0;
    std::uint64_t value = 0;
    friend bool operator==(const Value&, const Value&) = default;
  };

  /// Something that was chosen while tasks and interrupts run.
  struct Turn {
    enum class Kind : std::uint8_t { Raise, GoOn, Pause, Take, Pass };
    Kind kind = Kind::GoOn;
    std::uint32_t line = 0;                   ///< where the run on top stands; 0: nobody runs
    std::string entry = {};                   ///< Raise
    std::optional<std::uint64_t> value = {};  ///< GoOn: of an input
    friend bool operator==(const Turn&, const Turn&) = default;
  };

  enum class Ending : std::uint8_t { Race, Unordered, Failure, Deadlock, Triple };

  std::string program;  ///< hex of what decides how it runs: Subject::identity
  std::vector<std::string> sources;
  std::vector<std::string> flags;
  std::string data_model;                   ///< ILP32, LP64 or empty: the host's
  std::vector<std::string> models;          ///< the user's model files
  std::vector<std::string> profiles;        ///< as given to --profile
  bool is_native = false;                   ///< of the real program (`heddle explore`), not of the interpreter
  std::string seal = {};                    ///< of the user who ran it (pipeline/native/schedule_seal.h)
  std::string project = {};                 ///< folder of the captured project; empty: the sources
  std::string target = {};                  ///< which of its programs
  bool hooks_all = false;                   ///< private memory was watched, too
  bool tells_ways = false;                  ///< and branches
  std::string input = {};                   ///< the real program's standard input; empty: none
  std::vector<std::string> arguments = {};  ///< of the real program
  std::uint32_t max_threads = 300;          ///< of the machine that runs it
  std::vector<Value> values;
  std::vector<Slice> slices;
  std::string oil = {};          ///< of tasks and interrupts: an OSEK OIL file
  std::vector<Turn> turns = {};  ///< of tasks and interrupts, instead of slices
  std::string triple = {};       ///< that happened with the last turn
  bool is_in_steps = false;      ///< the triple's first and last access are one that is made in several steps
  Ending ending = Ending::Race;
  std::uint32_t first_thread = 0;  ///< the racing threads; of a failure: the thread that failed
  std::uint32_t second_thread = 0;
  std::uint64_t end_mark = 0;  ///< of what the two stand before; 0: none

  /// Adds steps of a thread, to the last slice where possible.
  void run(std::uint32_t thread, std::uint64_t steps = 1);
  [[nodiscard]] std::uint64_t steps() const;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

std::string to_text(const Schedule& schedule);
/// `name` is for messages: `name:line: what`.
Result<Schedule> parse_schedule(std::string_view text, const std::string& name);
Result<Schedule> read_schedule(const std::string& file);
Result<void> write_schedule(const std::string& file, const Schedule& schedule);

}  // namespace heddle::race
