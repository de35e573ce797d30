// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What heddle asks of a worker and what that answers. A worker is an instrumented program under its driver
// (runtime/driver/), in a process of its own; it does one job after the other.
//
//   heddle ── WorkJob: these shares, 64 executions ──▶ worker
//          ◀── WorkAnswer: sights, what is left, wishes, a race ──
//
// Both go through a socket, each with its length in front. An answer comes from a process that runs somebody else's
// program: it is checked before it is believed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explore/search/share.h"
#include "explore/shares/sights.h"

namespace heddle::explore {

/// Of the program, learnt in whatever execution: a search that knew it from its beginning sees more.
struct Learnt {
  bool tries = false;  ///< locks are tried
  bool weak = false;   ///< atomic accesses are weaker than sequential consistency
  bool acts = false;   ///< it changes files or talks to others: two workers would be in each other's way
  friend bool operator==(const Learnt&, const Learnt&) = default;
  friend Learnt operator|(const Learnt& a, const Learnt& b) {
    return {a.tries || b.tries, a.weak || b.weak, a.acts || b.acts};
  }
};

void write(ByteWriter& out, const Learnt& learnt);
[[nodiscard]] Learnt read_learnt(ByteReader& in);

struct WorkJob {
  enum class Kind : std::uint8_t {
    Find,   ///< looks for a race in runs
    Search  ///< works on a share
  };
  Kind kind = Kind::Search;
  bool prune = false;
  bool finds_all = false;  ///< goes on behind races, for every pair that is not known
  std::vector<AccessPair> known;
  Learnt learnt;
  std::uint64_t seconds = 0;       ///< 0: no limit
  std::uint64_t instructions = 0;  ///< Find: the budget
  std::uint64_t executions = 0;    ///< Search: then the rest is given back
  std::uint64_t events = 0;        ///< the same
  Share share;
};

struct WorkAnswer {
  std::string text;  ///< driver_result.h: races, if there are any
  Learnt learnt;
  Sights sights;
  ShareReport report;
};

std::string to_bytes(const WorkJob& job);
std::string to_bytes(const WorkAnswer& answer);
Result<WorkJob> job_from(std::string_view bytes);
Result<WorkAnswer> work_answer_from(std::string_view bytes);

/// In front of each message: its length in eight bytes, lowest first.
inline constexpr std::size_t length_bytes = 8;
/// Longer ones are not sent and not believed.
inline constexpr std::uint64_t longest_message = std::uint64_t{1} << 32;

}  // namespace heddle::explore
