// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TeamLabels: names for what the threads of one team do together.
//
// A team is a number of threads that wait at one barrier, all at the same calls in the same order (OpenMP asks for
// that). So between two barriers all of them have passed the same call last: a *phase* is named by it. Two accesses of
// one team in phases of different names are ordered, by the barrier between them.
//
// A *share* is what one thread got of something that was dealt out to the team, each number to one thread: its number
// in the team, its turns of a loop. The latter is named by the call where the loop begins.
//
// The call is named by the way from the team's region to it, which is the same for every thread of the team.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "base/id.h"

namespace heddle::topdown {

struct Object;
using ObjectId = Id<Object>;

struct TeamLabel {
  enum class Of : std::uint8_t { Start, Barrier, Loop, Number };
  ObjectId team;  ///< that holds the barrier
  Of of = Of::Start;
  std::vector<std::uint32_t> path;  ///< calls
  friend auto operator<=>(const TeamLabel&, const TeamLabel&) = default;
  /// The same thread gets the same share each time, as long as the team exists.
  [[nodiscard]] bool is_fixed() const { return of == Of::Number; }
};

using LabelId = std::uint32_t;  ///< 0: none, or not known which

class TeamLabels {
 public:
  LabelId of(const TeamLabel& label) {
    const auto [at, is_new] = ids_.try_emplace(label, static_cast<LabelId>(labels_.size() + 1));
    if (is_new) labels_.push_back(label);
    return at->second;
  }
  [[nodiscard]] const TeamLabel& operator[](LabelId id) const { return labels_[id - 1]; }

 private:
  std::vector<TeamLabel> labels_;
  std::map<TeamLabel, LabelId> ids_;
};

/// A number of a share, as a key: a thread that was started by the one that has it keeps that in mind.
struct InheritedNumber {
  static constexpr std::int64_t most = 63;
  LabelId label = 0;
  std::int64_t number = 0;
  [[nodiscard]] bool has_key() const { return number >= 0 && number <= most; }
  [[nodiscard]] std::uint32_t key() const { return label * 64 + static_cast<std::uint32_t>(number); }
  static InheritedNumber from(std::uint32_t key) { return {key / 64, key % 64}; }
};

/// What State::teams has for a team: how deep its region was called, and the phase.
struct TeamPlace {
  static constexpr std::uint32_t inherited = 0xfff;  ///< a depth: the thread works for one of the team
  std::uint32_t depth = inherited;
  LabelId phase = 0;
  [[nodiscard]] std::uint32_t number() const { return depth << 20 | phase; }
  static TeamPlace from(std::uint32_t number) { return {number >> 20, number & 0xfffffU}; }
};

}  // namespace heddle::topdown
