// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FactReads: which objects' entries in SharedMemory a computation looked at, and which of them have changed since, so
// that its result can be kept for as long as it would come out the same.
//
//   reads.begin();  … shared.read(cell of x) …  Kept kept = reads.end();      kept.objects = {x}
//   reads.is_current(kept)                                                    until shared.write(cell of x, …)
//
// Computations nest: what an inner one looked at, the outer one did too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "topdown/domain/universe.h"

namespace heddle::topdown {

class FactReads {
 public:
  struct Kept {
    std::uint64_t since = 0;
    std::vector<ObjectId> objects;  ///< sorted
  };

  void read(ObjectId object) {
    if (open_.empty()) return;
    std::uint64_t& last = at(last_read_, object);
    if (last == open_.back().number) return;
    last = open_.back().number;
    open_.back().kept.objects.push_back(object);
  }
  void changed(ObjectId object) { at(last_change_, object) = ++time_; }

  void begin() { open_.push_back({++time_, {time_, {}}}); }
  Kept end() {
    Kept kept = std::move(open_.back().kept);
    open_.pop_back();
    std::ranges::sort(kept.objects);
    const auto twins = std::ranges::unique(kept.objects);
    kept.objects.erase(twins.begin(), twins.end());
    repeat(kept);
    return kept;
  }
  /// A kept result is used: the computation that uses it looked at the same, as it was then.
  void repeat(const Kept& kept) {
    if (open_.empty()) return;
    Kept& outer = open_.back().kept;
    outer.objects.insert(outer.objects.end(), kept.objects.begin(), kept.objects.end());
    if (!is_current(kept)) outer.since = std::min(outer.since, kept.since);
  }
  [[nodiscard]] bool is_current(const Kept& kept) const {
    return std::ranges::all_of(kept.objects, [&](ObjectId object) {
      return object.index() >= last_change_.size() || last_change_[object.index()] <= kept.since;
    });
  }

 private:
  struct Open {
    std::uint64_t number = 0;
    Kept kept;
  };
  static std::uint64_t& at(std::vector<std::uint64_t>& times, ObjectId object) {
    if (times.size() <= object.index()) times.resize(object.index() + 1);
    return times[object.index()];
  }

  std::uint64_t time_ = 0;
  std::vector<Open> open_;  ///< innermost last
  std::vector<std::uint64_t> last_change_, last_read_;
};

}  // namespace heddle::topdown
