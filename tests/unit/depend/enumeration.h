// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a triple of a random system happens, by an enumeration that knows neither the judge nor the interpreter nor
// C: it runs the statements themselves, one access at a time, raises whoever may come before each, and keeps whole
// states.
#pragma once
#include <deque>
#include <functional>
#include <set>

#include "tests/unit/depend/random_system.h"

namespace heddle::depend {

struct Mask {
  int kind = 0;    ///< 3, 4: that interrupt; 255: all, by off(255); 0: all, by save()
  int let_in = 0;  ///< of all: a bit for each that on() named since
  auto operator<=>(const Mask&) const = default;
};

struct Run {
  int entry = 0, at = 0, half = 0, held = 0, rounds = 0;  ///< `half`: accesses of its statement that are made
  int lent = -1;  ///< the entry whose priority it has, since that one waits for a lock of it
  int lent_lock = -1;
  bool wrote = false;  ///< the cell of the triple, since its first access
  std::vector<Mask> masks;
  auto operator<=>(const Run&) const = default;
};

struct State {
  std::array<int, variables + 3> memory{};   ///< a, b, c, where p leads, e[0], e[1]
  std::vector<Run> stack, aside;             ///< aside: they wait for locks
  std::array<int, 4> locks{-1, -1, -1, -1};  ///< entries that have them; l0, l1, h0, h1
  int phase = 0, owner = -1;                 ///< of the triple; the entry that made the first access
  int cell = -1;                             ///< of the first access
  bool went_round = false;                   ///< the loop of the first access, since then
  auto operator<=>(const State&) const = default;
};

/// Which triples count. Strict: in one round of a loop, with nothing that the entry itself writes there in between, and
/// not read by who has written it himself: what everybody would call one.
enum class Counts : std::uint8_t { All, Strict };

/// All states that can be reached, with the triple's part in them.
class Enumeration {
 public:
  Enumeration(const Code& code, const std::array<Touch, 3>& wanted, Counts counts = Counts::All)
      : code_(code), wanted_(wanted), is_strict_(counts == Counts::Strict) {}

  bool happens() {
    State begin;
    if (code_.has == Has::Main) begin.stack.push_back({});
    add(begin);
    while (!todo_.empty() && !happened_) {
      const State state = todo_.front();
      todo_.pop_front();
      if (comes_back(state)) continue;
      for (int e = 0; e < 3; ++e)
        if (may_come(state, e)) {
          State next = state;
          next.stack.emplace_back().entry = e;
          add(next);
        }
      if (!state.stack.empty()) step(state);
    }
    return happened_;
  }

 private:
  [[nodiscard]] static bool may_come(const State& state, int entry) {
    if (!state.stack.empty() && std::max(state.stack.back().entry, state.stack.back().lent) >= entry)
      return false;  // main never ends
    if (std::ranges::find(state.aside, entry, &Run::entry) != state.aside.end()) return false;
    for (const Run& run : state.stack)
      for (const Mask& mask : run.masks)
        if (mask.kind == 0 || (mask.kind == 255 && (entry == 0 || (mask.let_in >> (entry + 2) & 1) == 0)) ||
            (entry > 0 && mask.kind == entry + 2))
          return false;
    return true;
  }

  [[nodiscard]] const Statement& statement_of(const Run& run) const {
    return code_.bodies[static_cast<std::size_t>(run.entry)][static_cast<std::size_t>(run.at)];
  }
  [[nodiscard]] static int& lock_of(State& state, const Statement& s) {
    const bool is_mutex = s.kind == Statement::Kind::Lock || s.kind == Statement::Kind::LockEnd;
    return state.locks[static_cast<std::size_t>(s.number + (is_mutex ? 0 : 2))];
  }

  /// Who has got what he waited for goes before those below him, the highest first.
  bool comes_back(State state) {
    std::ranges::sort(state.aside, std::greater(), &Run::entry);
    for (std::size_t i = 0; i < state.aside.size(); ++i) {
      if (lock_of(state, statement_of(state.aside[i])) >= 0) continue;
      if (!state.stack.empty() && state.stack.back().entry > state.aside[i].entry) continue;
      state.stack.push_back(state.aside[i]);
      state.aside.erase(state.aside.begin() + static_cast<std::ptrdiff_t>(i));
      std::ranges::sort(state.aside);
      add(state);
      return true;
    }
    return false;
  }

  void step_lock(State next, const Statement& s) {
    Run& run = next.stack.back();
    int& lock = lock_of(next, s);
    const int number = static_cast<int>(&lock - next.locks.data());
    if (closes(s.kind)) {
      lock = -1;
      ++run.at;
      const bool is_over = run.lent_lock == number;
      if (is_over) run.lent = run.lent_lock = -1;
      if (is_over) std::ranges::sort(next.stack, {}, &Run::entry);
      return add(next);
    }
    if (s.kind == Statement::Kind::Try) {
      State failed = next;
      failed.stack.back().at = behind(code_.bodies[static_cast<std::size_t>(run.entry)], run.at);
      add(failed);
    }
    if (lock < 0) {
      lock = run.entry;
      ++run.at;
      return add(next);
    }
    const int waits = run.entry, owner = lock;
    if (run.lent >= 0) return;  // who has borrowed a priority waits: not decided
    next.aside.push_back(run);
    std::ranges::sort(next.aside);
    next.stack.pop_back();
    add(next);
    lend(next, owner, waits, number);
  }

  /// Who has the lock and was interrupted runs on with the priority of who waits.
  void lend(State next, int owner, int waits, int lock) {
    const auto at = std::ranges::find(next.stack, owner, &Run::entry);
    if (at == next.stack.end() || std::next(at) == next.stack.end()) return;
    at->lent = waits;
    at->lent_lock = lock;
    std::rotate(at, std::next(at), next.stack.end());
    add(next);
  }

  /// The first half is the access; with the second it is over.
  void step_wide(State next, const Statement& s, int line) {
    Run& run = next.stack.back();
    run.half = 1 - run.half;
    if (run.half == 1) return arrive(next, {line, wide, s.kind == Statement::Kind::SetWide});
    ++run.at;
    happened_ = happened_ || (next.owner == run.entry && next.phase == 2 && line == wanted_[2].line);
    add(next);
  }

  void add(const State& state) {
    if (seen_.insert(state).second) todo_.push_back(state);
  }

  /// After an access of the top run. The first one may be the one that counts, or not.
  void arrive(const State& state, const Touch& touch, int cell = -1) {
    if (cell < 0) cell = touch.variable;
    const int top = state.stack.back().entry;
    if (state.phase == 0 && touch == wanted_[0]) {
      State taken = state;
      taken.phase = 1;
      taken.owner = top;
      taken.cell = cell;
      add(taken);
    }
    State next = state;
    const bool is_cell = state.phase > 0 && cell == state.cell, is_owner = top == state.owner;
    const bool is_fresh = !is_strict_ || touch.writes || !state.stack.back().wrote;
    if (state.phase == 1 && top > state.owner && touch == wanted_[1] && is_cell && is_fresh) next.phase = 2;
    if (state.phase == 2 && is_owner && touch == wanted_[2] && is_cell)
      happened_ = happened_ || !is_strict_ || !state.went_round || loop_at(wanted_[2]) != loop_at(wanted_[0]);
    if (is_strict_ && is_cell && is_owner && touch.writes) return;  // from now on it is about another value
    if (is_strict_ && is_cell && touch.writes) next.stack.back().wrote = true;
    add(next);
  }

  void step(const State& state) {
    State next = state;
    Run& run = next.stack.back();
    const Body& body = code_.bodies[static_cast<std::size_t>(run.entry)];
    if (run.at == static_cast<int>(body.size())) {
      if (next.owner == run.entry) return;  // the triple's run is over
      if (code_.has == Has::Main && run.entry == 0)
        run.at = 0;
      else
        next.stack.pop_back();
      add(next);
      return;
    }
    const Statement& s = body[static_cast<std::size_t>(run.at)];
    const int line = code_.first_line[static_cast<std::size_t>(run.entry)] + run.at;
    using Kind = Statement::Kind;
    int& memory = next.memory[static_cast<std::size_t>(s.to)];
    switch (s.kind) {
      case Kind::Set:
        memory = s.number;
        ++run.at;
        return arrive(next, {line, s.to, true});
      case Kind::Point:
        next.memory[pointer] = s.to;
        ++run.at;
        return arrive(next, {line, pointer, true});
      case Kind::Copy:
      case Kind::Next:
      case Kind::Put:
      case Kind::Get:
      case Kind::PutElement:
      case Kind::GetElement: return step_in_parts(next, s, line);
      case Kind::Input:
        for (memory = 0; memory < values; ++memory) {
          State chosen = next;
          ++chosen.stack.back().at;
          arrive(chosen, {line, s.to, true});
        }
        return;
      case Kind::If:
        run.at = memory == s.number ? run.at + 1 : behind(body, run.at);
        return arrive(next, {line, s.to, false});
      case Kind::Until:
        if (memory != s.number) ++run.at;
        return arrive(next, {line, s.to, false});
      case Kind::Loop: ++run.at; return add(next);
      case Kind::End: return end_block(next, body);
      case Kind::Lock:
      case Kind::Try:
      case Kind::LockEnd:
      case Kind::TryEnd: return step_lock(next, s);
      case Kind::SetWide:
      case Kind::GetWide: return step_wide(next, s, line);
      default:
        mask(next, s);
        ++next.stack.back().at;
        return add(next);
    }
  }

  /// A read; behind it, where the statement goes through p or an index, an access to where that leads; then a write.
  void step_in_parts(State& next, const Statement& s, int line) {
    using Kind = Statement::Kind;
    Run& run = next.stack.back();
    const bool by_pointer = s.kind == Kind::Put || s.kind == Kind::Get;
    const bool by_index = s.kind == Kind::PutElement || s.kind == Kind::GetElement;
    if (run.half == 0) {
      const int from = by_pointer ? pointer : s.kind == Kind::Next ? s.to : s.from;
      run.half = by_pointer || by_index ? 1 : 2;
      run.held = next.memory[static_cast<std::size_t>(from)];
      return arrive(next, {line, from, false});
    }
    if (run.half == 1) {
      const int cell = by_pointer ? run.held : array + (run.held & 1), variable = by_pointer ? cell : array;
      const bool writes = s.kind == Kind::Put || s.kind == Kind::PutElement;
      int& there = next.memory[static_cast<std::size_t>(cell)];
      if (writes) there = s.number;
      run.held = writes ? 0 : there;
      run.half = writes ? 0 : 2;
      if (writes) ++run.at;
      return arrive(next, {line, variable, writes}, cell);
    }
    next.memory[static_cast<std::size_t>(s.to)] = s.kind == Kind::Next ? (run.held + 1) % values : run.held;
    run.half = run.held = 0;
    ++run.at;
    arrive(next, {line, s.to, true});
  }

  void end_block(State& next, const Body& body) {
    Run& run = next.stack.back();
    const int loop = loop_of(body, run.at);
    const bool goes_round = loop >= 0 && behind(body, loop) == run.at + 1 && ++run.rounds < 2;
    const bool is_owner = next.owner == run.entry;
    next.went_round = next.went_round || (goes_round && is_owner && loop == loop_at(wanted_[0]));
    if (!goes_round && loop >= 0 && behind(body, loop) == run.at + 1) run.rounds = 0;
    run.at = goes_round ? loop + 1 : run.at + 1;
    add(next);
  }

  /// Of a line; loops of different entries are never compared.
  [[nodiscard]] int loop_at(const Touch& touch) const {
    std::size_t e = 2;
    while (touch.line < code_.first_line[e]) --e;
    const int loop = loop_of(code_.bodies[e], touch.line - code_.first_line[e]);
    return loop < 0 ? touch.line + 1000 : loop;  // lines in no loop have nothing in common
  }

  static void mask(State& state, const Statement& s) {
    std::vector<Mask>& own = state.stack.back().masks;
    switch (s.kind) {
      case Statement::Kind::Off:
      case Statement::Kind::OffAll: {  // the first On ends them all
        const Mask mask{s.kind == Statement::Kind::Off ? s.number : 255};
        if (std::ranges::find(own, mask) == own.end()) own.push_back(mask);
        std::ranges::sort(own);
        return;
      }
      case Statement::Kind::Save:
        if (std::ranges::count(own, Mask{0}) < 8) own.push_back({0});
        std::ranges::sort(own);
        return;
      case Statement::Kind::Back:
        for (std::size_t i = state.stack.size(); i-- > 0;) {
          std::vector<Mask>& masks = state.stack[i].masks;
          const auto last = std::ranges::find(masks.rbegin(), masks.rend(), Mask{0});
          if (last == masks.rend()) continue;
          masks.erase(std::next(last).base());
          return;
        }
        return;
      case Statement::Kind::On:
      case Statement::Kind::OnAll:
        for (Run& run : state.stack) {
          for (Mask& mask : run.masks)
            if (mask.kind == 255) mask.let_in |= 1 << s.number;
          std::erase_if(run.masks, [&](const Mask& mask) {
            return mask.kind != 0 && (s.kind == Statement::Kind::OnAll || mask.kind == s.number);
          });
          std::ranges::sort(run.masks);
        }
        return;
      default: return;
    }
  }

  const Code& code_;
  std::array<Touch, 3> wanted_;
  bool is_strict_ = false;
  std::set<State> seen_;
  std::deque<State> todo_;
  bool happened_ = false;
};

}  // namespace heddle::depend
