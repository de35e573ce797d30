// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs of lock operations with calls, branches and loops, for property tests: an exact semantics that runs
// one path (ConcreteLocks, run) and an abstract one that covers all (analyse), in lower or upper bounds. Locks are
// numbers. A path ends where no execution goes on: at a release of what is not held, and where a thread would hold one
// lock in two modes.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/check.h"
#include "locks/lock_state.h"

namespace heddle::locks::test {

struct Step {
  enum class Kind : std::uint8_t { Acquire, TryAcquire, Release, Wait, Call, Choice, Loop };
  Kind kind = Kind::Acquire;
  int lock = 0;
  Mode mode = Mode::Exclusive;
  int callee = 0;
  std::vector<Step> first;   ///< Choice, Loop
  std::vector<Step> second;  ///< Choice
  int point = 0;             ///< the place after this step; every one of a program is another
};

/// Function 0 is the thread; a function calls those behind it.
struct LockProgram {
  std::vector<std::vector<Step>> functions;
  int points = 0;
};

struct ProgramShape {
  int locks = 3;
  int functions = 3;
  int length = 5;
  int depth = 2;
  bool has_shared = true;
};
LockProgram random_program(std::mt19937& random, const ProgramShape& shape);

/// What one thread really holds, with Definition 6's history of each lock.
class ConcreteLocks {
 public:
  struct Held {
    int count = 0;
    Mode mode = Mode::Exclusive;
    std::map<int, Mode> since;
  };
  /// False: no execution goes on.
  bool acquire(int lock, Mode mode);
  bool release(int lock);
  bool wait(int lock);
  [[nodiscard]] const std::map<int, Held>& held() const { return held_; }

 private:
  std::map<int, Held> held_;
};

/// The points of the active calls, outermost first.
using Place = std::vector<int>;
/// Runs one random path; `at` sees every place with what is held there.
void run(const LockProgram& program, std::mt19937& random,
         const std::function<void(const Place&, const ConcreteLocks&)>& at);

template <Bound bound, Reentry reentry>
std::string to_text(const LockState<int, bound, reentry>& state) {
  std::string out = "L+";
  const auto mode = [](Mode m) { return m == Mode::Shared ? "s" : ""; };
  for (const auto& row : state.lockset.acquired)
    out += " " + std::to_string(row.lock) + mode(row.mode) + "*" + std::to_string(row.count);
  out += " L-";
  for (const auto& row : state.lockset.released)
    out += " " + std::to_string(row.lock) + "*" + std::to_string(row.count) +
           (row.weakened != 0 ? "w" + std::to_string(row.weakened) : "");
  const auto set = [&](const AcquiredSet<int>& since) {
    std::string all;
    for (const auto& x : since) all += (all.empty() ? "" : " ") + std::to_string(x.lock) + mode(x.mode);
    return "{" + all + "}";
  };
  out += " AH";
  for (const auto& row : state.history.rows) out += " " + std::to_string(row.lock) + ":" + set(row.since);
  out += " since " + set(state.history.since_entry) + " gone";
  for (const auto& row : state.history.interrupted)
    out += " " + std::to_string(row.lock) + "*" + std::to_string(row.depth);
  return out;
}

template <Bound bound>
class Analysis {
 public:
  using State = LockState<int, bound>;
  explicit Analysis(const LockProgram& program) : program_(program), at_(static_cast<std::size_t>(program.points)) {
    exits_.resize(program.functions.size());
    for (std::size_t f = program.functions.size(); f-- > 0;) exits_[f] = body(program.functions[f], State{});
  }
  /// From the start of the thread on: the states on the way, composed.
  [[nodiscard]] State at(const Place& place) const {
    State out;
    for (const int point : place) out = compose(out, *at_[static_cast<std::size_t>(point)]);
    return out;
  }

 private:
  State body(const std::vector<Step>& steps, State state) {
    for (const Step& s : steps) {
      if (s.kind == Step::Kind::Call) note(s.point, state);  // a place inside the callee begins before the call
      state = step(s, std::move(state));
      if (s.kind != Step::Kind::Call) note(s.point, state);
    }
    return state;
  }
  State step(const Step& s, State state) {
    switch (s.kind) {
      case Step::Kind::Acquire: state.acquire(s.lock, s.mode); return state;
      case Step::Kind::TryAcquire: {
        State taken = state;
        taken.acquire(s.lock, s.mode);
        return join(state, taken);
      }
      case Step::Kind::Release: state.release(s.lock); return state;
      case Step::Kind::Wait: state.wait(s.lock); return state;
      case Step::Kind::Call: return compose(state, exits_[static_cast<std::size_t>(s.callee)]);
      case Step::Kind::Choice: return join(body(s.first, state), body(s.second, state));
      case Step::Kind::Loop:
        for (int round = 0;; ++round) {
          State next = widen(state, body(s.first, state));
          if (next == state) return state;
          HEDDLE_CHECK(round < 40, "a loop does not settle");
          state = std::move(next);
        }
    }
    return state;
  }
  void note(int point, const State& state) {
    auto& known = at_[static_cast<std::size_t>(point)];
    known = known ? join(*known, state) : state;
  }

  const LockProgram& program_;
  std::vector<std::optional<State>> at_;
  std::vector<State> exits_;
};

}  // namespace heddle::locks::test
