// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run may do and is given: arguments and input, limits, which operations are scheduling points, what is
// recorded. The defaults are those of one run from start to end; a search sets stable_threads, stop_alone and the
// choices it wants to enumerate.
//
//   MachineOptions options;
//   options.switch_at_accesses = true;      // two threads may interleave at every plain access to shared memory
//   options.max_instructions = 100'000;     // beyond: the outcome is CapReached, and nothing is concluded from it
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::interpret {

/// Values that stand for all that the result of a call can be: by function and number of the call.
using InputValues = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>>;

struct MachineOptions {
  std::vector<std::string> arguments = {};  ///< argv[0] on; empty: "program", and the rest is a choice
  std::optional<std::string> input = {};    ///< what stdin holds; none: from the host, else each byte is a choice
  /// What the world outside may tell the program; what is not given is a choice. For a single run only: searches are
  /// closed.
  struct Host {
    std::function<std::string()> input = {};                                      ///< all of stdin, asked for once
    std::function<std::optional<std::string>(const std::string&)> file = {};      ///< a file's content
    std::function<std::optional<std::string>(const std::string&)> variable = {};  ///< of the environment
  };
  Host host = {};
  /// If there, a run stands for every input. A call for a number that nothing decides is an operation of its own with
  /// one of these values as its outcome; a call that is missing here gives a number that is not known: nothing may
  /// depend on it, as on one that is not initialised.
  std::shared_ptr<const InputValues> input_values = {};
  std::uint32_t max_threads = 256;
  std::uint64_t max_instructions = 1'000'000'000;      ///< of the whole run, undone ones not counted
  std::uint64_t max_section_instructions = 1'000'000;  ///< in one atomic section
  std::uint64_t max_heap_bytes = 1ULL << 30;           ///< live at once
  std::uint32_t max_stack_depth = 20'000;              ///< frames of one thread
  bool switch_at_accesses = false;                     ///< plain accesses to memory that may be shared are visible too
  bool spurious_wakeups = false;                       ///< a waiting thread is enabled: it may wake without a signal
  bool weak_tries = false;  ///< a try-lock that could succeed asks the Chooser whether it does
  bool stop_alone = false;  ///< operations are visible as soon as there was a second thread, even if it has ended
  bool stable_threads =
      false;  ///< a thread's number tells its creator and which of its threads it is, in all executions
  bool uninitialised_is_choice =
      false;                        ///< a branch on an uninitialised value asks the Chooser instead of ending the run
  bool allocation_failure = false;  ///< malloc asks the Chooser whether it fails
  bool record_passages = false;     ///< jumps, calls and returns, in passages()
  enum class Record : std::uint8_t { Nothing, Shared, Everything };
  Record record = Record::Shared;  ///< plain accesses in events(); Shared: while two threads exist, memory others may
                                   ///< know; and always memory that has held a lock
};

}  // namespace heddle::interpret
