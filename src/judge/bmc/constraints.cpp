// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/constraints.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/check.h"
#include "judge/bmc/order.h"

namespace heddle::judge::bmc {
namespace {

struct TooManyClauses {};

/// One touch of a cell.
struct CellAccess {
  EventNumber event = 0;
  const CellTouch* touch = nullptr;
  Bit is_made;  ///< the thread comes there and gets behind it, and the address is this one
};
struct CellAccesses {
  std::vector<CellAccess> reads, writes;
};

/// Of a lock or condition that is used plainly.
struct SyncUses {
  std::array<std::vector<CellAccess>, 7> by_role;
  [[nodiscard]] const std::vector<CellAccess>& in(TouchRole role) const {
    return by_role[static_cast<std::size_t>(role)];
  }
};

/// A signal, and who may be woken by it.
struct SentSignal {
  EventNumber event = 0;
  std::vector<std::pair<Bit, ThreadNumber>> wakes;
};

class RaceFinder {
 public:
  RaceFinder(Unrolled& unrolled, const RaceLimits& limits)
      : execution_(unrolled.execution),
        circuit_(unrolled.circuit),
        initial_(unrolled.initial),
        limits_(limits),
        sat_(limits.stop),
        clauses_(circuit_, sat_),
        order_(execution_, circuit_, clauses_) {}

  smt::Answer find(const std::function<bool(const Witness&)>& is_enough) {
    try {
      require_program_order();
      require_values();
      require_race();
    } catch (const TooManyClauses&) {
      return smt::Answer::Unknown;
    }
    // A conflict costs about as much as there are clauses.
    const std::uint64_t conflicts = std::min(limits_.conflicts, limits_.effort / (sat_.clauses() + 1));
    for (std::uint32_t i = 0; i < limits_.witnesses; ++i) {
      const smt::Answer answer = sat_.solve({}, conflicts);
      if (answer != smt::Answer::Sat) return answer;
      clauses_.read_model();
      const Witness found = witness();
      if (is_enough(found)) return answer;
      clauses_.require({!is_next(found.first), !is_next(found.second)});
    }
    return smt::Answer::Sat;
  }

  [[nodiscard]] std::uint64_t clauses() const { return sat_.clauses(); }

 private:
  [[nodiscard]] Bit is_done(PointNumber point) const { return execution_.points[point].is_done; }

  void require_program_order() {
    for (const UnrolledThread& thread : execution_.threads)
      for (std::size_t i = 1; i < thread.points.size(); ++i)
        clauses_.require({!is_done(thread.points[i]), is_done(thread.points[i - 1])});
    for (const Demand& demand : execution_.demands)
      clauses_.require({!is_done(demand.point), !demand.condition, demand.holds});
    for (const Wait& wait : execution_.waits) {
      clauses_.require({!is_done(wait.later), !wait.condition, is_done(wait.earlier)});
      clauses_.require({!is_done(wait.later), !wait.condition, order_.before(wait.earlier, wait.later)});
    }
  }

  void require_values() {
    std::map<Cell, CellAccesses> cells;
    std::map<Cell, SyncUses> uses;
    for (EventNumber e = 0; e < execution_.events.size(); ++e) {
      const UnrolledEvent& event = execution_.events[e];
      const Bit is_made = circuit_.both(event.condition, is_done(event.point));
      for (const CellTouch& touch : event.touches) {
        if (touch.role != TouchRole::Memory) {
          uses[touch.cell].by_role[static_cast<std::size_t>(touch.role)].push_back(
              {e, &touch, circuit_.both(is_made, touch.if_here)});
          continue;
        }
        CellAccesses& of = cells[touch.cell];
        (touch.is_write ? of.writes : of.reads).push_back({e, &touch, circuit_.both(is_made, touch.if_here)});
      }
    }
    for (const auto& [cell, of] : cells)
      for (const CellAccess& read : of.reads) require_source(read, of.writes, initial_.at(cell));
    for (const auto& [cell, of] : uses) {
      require_exclusion(of.in(TouchRole::Take), of.in(TouchRole::Give), initial_.at(cell));
      require_signals(of);
    }
  }

  /// At most one of them.
  void require_one_at_most(const std::vector<Bit>& bits) {
    Bit any = Bit::no();
    for (std::size_t i = 0; i < bits.size(); ++i) {
      clauses_.require({!any, !bits[i]});
      if (i + 1 == bits.size()) break;
      const Bit next = circuit_.input();
      clauses_.require({!any, next});
      clauses_.require({!bits[i], next});
      any = next;
    }
  }

  void stop_if_too_many() const {
    if (sat_.clauses() > limits_.clauses || limits_.stop.is_asked()) throw TooManyClauses{};
  }

  /// Who takes a lock takes it from one who gave it back, or as the first. Nobody else takes it from there, so those
  /// who take it are one chain.
  void require_exclusion(const std::vector<CellAccess>& takes, const std::vector<CellAccess>& gives,
                         const Word& initial) {
    std::vector<Bit> first;
    std::vector<std::vector<Bit>> from(gives.size());
    for (const CellAccess& take : takes) {
      if (take.is_made.is_no()) continue;
      const CellAccess* own = last_own_write(take, gives);
      std::vector<Bit> sources{!take.is_made};
      const auto add = [&](std::vector<Bit>& users) {
        const Bit is_it = circuit_.input();
        sources.push_back(is_it);
        users.push_back(is_it);
        clauses_.require({!is_it, take.is_made});
        return is_it;
      };
      for (std::size_t i = 0; i < gives.size(); ++i) {
        const CellAccess& give = gives[i];
        if (give.is_made.is_no() || !can_be_source(give, take, own)) continue;
        const Bit is_it = add(from[i]);
        clauses_.require({!is_it, give.is_made});
        clauses_.require({!is_it, before(give, take)});
      }
      if (own == nullptr && !is_not_zero(circuit_, initial).is_yes())
        clauses_.require({!add(first), !is_not_zero(circuit_, initial)});
      clauses_.require(sources);
      stop_if_too_many();
    }
    require_one_at_most(first);
    for (const std::vector<Bit>& users : from) require_one_at_most(users);
  }

  /// Who is woken was waiting when it was signalled; a signal wakes one.
  void require_signals(const SyncUses& of) {
    for (const CellAccess& signal : of.in(TouchRole::Signal)) signals_.push_back({signal.event, {}});
    const std::size_t first = signals_.size() - of.in(TouchRole::Signal).size();
    for (const CellAccess& wake : of.in(TouchRole::Wake)) {
      if (wake.is_made.is_no()) continue;
      const PointNumber begun = execution_.events[event(wake).begun].point, woken = event(wake).point;
      std::vector<Bit> sources{!wake.is_made};
      const auto add = [&](const CellAccess& signal) {
        if (signal.is_made.is_no() || is_same_thread(signal, wake)) return Bit::no();
        const PointNumber point = event(signal).point;
        if (order_.must_be_before(point, begun) || order_.must_be_before(woken, point)) return Bit::no();
        const Bit is_it = circuit_.input();
        sources.push_back(is_it);
        clauses_.require({!is_it, signal.is_made});
        clauses_.require({!is_it, order_.before(begun, point)});
        clauses_.require({!is_it, order_.before(point, woken)});
        return is_it;
      };
      for (const CellAccess& signal : of.in(TouchRole::Broadcast)) add(signal);
      for (std::size_t i = 0; i < of.in(TouchRole::Signal).size(); ++i)
        if (const Bit is_it = add(of.in(TouchRole::Signal)[i]); !is_it.is_no())
          signals_[first + i].wakes.emplace_back(is_it, event(wake).thread);
      clauses_.require(sources);
      stop_if_too_many();
    }
    for (std::size_t i = first; i < signals_.size(); ++i) {
      std::vector<Bit> users;
      for (const auto& [is_it, thread] : signals_[i].wakes) users.push_back(is_it);
      require_one_at_most(users);
    }
  }

  [[nodiscard]] const UnrolledEvent& event(const CellAccess& of) const { return execution_.events[of.event]; }

  [[nodiscard]] bool is_same_thread(const CellAccess& a, const CellAccess& b) const {
    return event(a).thread == event(b).thread;
  }

  Bit before(const CellAccess& a, const CellAccess& b) {
    if (is_same_thread(a, b)) return Bit::of(a.event < b.event);
    return order_.before(event(a).point, event(b).point);
  }

  /// Whoever makes the access has made the other one, of the same thread, before it: it is on every way there.
  [[nodiscard]] bool is_implied(Bit later, Bit earlier) const {
    if (earlier.is_yes() || later == earlier) return true;
    const Gate& gate = circuit_.gate(later.gate());
    if (later.is_negated() || gate.kind != Gate::Kind::And) return false;
    return is_implied(gate.first, earlier) || is_implied(gate.second, earlier);
  }

  /// The thread's latest write before the read that is surely made; what is older cannot be read.
  [[nodiscard]] const CellAccess* last_own_write(const CellAccess& read, const std::vector<CellAccess>& writes) const {
    const CellAccess* out = nullptr;
    for (const CellAccess& write : writes) {
      const UnrolledEvent& of = event(write);
      if (!is_same_thread(write, read) || write.event >= read.event) continue;
      if (is_implied(event(read).condition, of.condition) && write.touch->if_here.is_yes()) out = &write;
    }
    return out;
  }

  [[nodiscard]] bool can_be_source(const CellAccess& write, const CellAccess& read, const CellAccess* own) const {
    if (is_same_thread(write, read)) return write.event < read.event && (own == nullptr || write.event >= own->event);
    if (order_.must_be_before(event(read).point, event(write).point)) return false;
    return own == nullptr || !order_.must_be_before(event(write).point, event(*own).point);
  }

  void require_source(const CellAccess& read, const std::vector<CellAccess>& writes, const Word& initial) {
    if (read.is_made.is_no()) return;
    const CellAccess* own = last_own_write(read, writes);
    std::vector<Bit> sources{!read.is_made};
    for (const CellAccess& write : writes) {
      if (write.is_made.is_no() || !can_be_source(write, read, own)) continue;
      const Bit is_it = circuit_.input();
      sources.push_back(is_it);
      clauses_.require({!is_it, write.is_made});
      clauses_.require({!is_it, before(write, read)});
      require_equal(is_it, read.touch->value, write.touch->value);
      for (const CellAccess& other : writes)
        if (other.event != write.event || other.touch != write.touch) require_not_between(is_it, &write, other, read);
    }
    if (own == nullptr) {
      const Bit is_it = circuit_.input();
      sources.push_back(is_it);
      require_equal(is_it, read.touch->value, initial);
      for (const CellAccess& other : writes) require_not_between(is_it, nullptr, other, read);
    }
    clauses_.require(sources);
    stop_if_too_many();
  }

  void require_equal(Bit condition, const Word& a, const Word& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      clauses_.require({!condition, !a[i], b[i]});
      clauses_.require({!condition, a[i], !b[i]});
    }
  }

  void require_not_between(Bit condition, const CellAccess* write, const CellAccess& other, const CellAccess& read) {
    if (other.is_made.is_no()) return;
    // An update reads before it writes.
    const Bit behind = is_same_thread(read, other) ? Bit::of(other.event >= read.event) : before(read, other);
    const Bit in_front = write == nullptr ? Bit::no() : before(other, *write);
    clauses_.require({!condition, !other.is_made, in_front, behind});
  }

  /// Its thread stands before it.
  Bit is_next(EventNumber number) {
    const UnrolledEvent& of = execution_.events[number];
    const UnrolledPoint& point = execution_.points[of.point];
    if (of.in_section) return circuit_.both(of.condition, is_unseen(of.point));
    if (point.position == 0) return Bit::no();
    const PointNumber previous = execution_.threads[of.thread].points[point.position - 1];
    return circuit_.both(of.condition, circuit_.both(is_done(previous), !is_done(of.point)));
  }

  /// The section is made, and neither its own thread nor another one has done anything behind it.
  Bit is_unseen(PointNumber section) {
    const auto [known, is_new] = unseen_.try_emplace(section);
    if (!is_new) return known->second;
    const Bit out = known->second = circuit_.input();
    clauses_.require({!out, is_done(section)});
    for (PointNumber other = 0; other < execution_.points.size(); ++other) {
      if (other == section) continue;
      if (execution_.points[other].thread == execution_.points[section].thread) {
        if (order_.must_be_before(section, other)) clauses_.require({!out, !is_done(other)});
      } else {
        clauses_.require({!out, !is_done(other), !order_.may_be_known_before(section, other)});
      }
    }
    return out;
  }

  struct NextAccess {
    EventNumber event = 0;
    Bit is_there;
  };
  struct NextOfThread {
    std::array<std::vector<NextAccess>, 4> by_kind;  ///< 1: writes, 2: atomic, or in a section
  };

  Bit any_of(const std::vector<NextAccess>& accesses) {
    Bit out = Bit::no();
    for (const NextAccess& one : accesses) out = circuit_.either(out, one.is_there);
    return out;
  }

  void require_race() {
    std::map<Cell, std::map<ThreadNumber, NextOfThread>> cells;
    for (EventNumber e = 0; e < execution_.events.size(); ++e) {
      const UnrolledEvent& of = execution_.events[e];
      if (!of.can_race || of.condition.is_no()) continue;
      const Bit next = is_next(e);
      for (const CellTouch& touch : of.touches) {
        const std::size_t kind = (touch.is_write ? 1U : 0U) + (of.is_atomic || of.in_section ? 2U : 0U);
        cells[touch.cell][of.thread].by_kind[kind].push_back({e, circuit_.both(next, touch.if_here)});
      }
    }
    std::vector<Bit> races;
    for (const auto& [cell, threads] : cells)
      for (auto a = threads.begin(); a != threads.end(); ++a)
        for (auto b = std::next(a); b != threads.end(); ++b)
          for (std::size_t x = 0; x < 4; ++x)
            for (std::size_t y = 0; y < 4; ++y) {
              const auto &first = a->second.by_kind[x], &second = b->second.by_kind[y];
              if (first.empty() || second.empty() || (x & y & 2U) != 0 || ((x | y) & 1U) == 0) continue;
              const Bit is_race = circuit_.both(any_of(first), any_of(second));
              races.push_back(is_race);
              pairs_.push_back({is_race, first, second});
            }
    clauses_.require(races);
  }

  struct RacingPair {
    Bit is_race;
    std::vector<NextAccess> first, second;
  };

  Witness witness() {
    Witness out;
    const auto pair = std::ranges::find_if(pairs_, [&](const RacingPair& one) { return clauses_.value(one.is_race); });
    HEDDLE_CHECK(pair != pairs_.end(), "a model without a race");
    const auto chosen = [&](const std::vector<NextAccess>& accesses) {
      return std::ranges::find_if(accesses, [&](const NextAccess& one) { return clauses_.value(one.is_there); })->event;
    };
    out.first = chosen(pair->first);
    out.second = chosen(pair->second);
    for (const SentSignal& signal : signals_)
      for (const auto& [is_it, thread] : signal.wakes)
        if (clauses_.value(is_it)) out.woken[signal.event] = thread;
    order_steps(out);
    out.values.resize(execution_.threads.size());
    for (const AskedValue& asked : execution_.asked) {
      if (!clauses_.value(asked.condition) || !clauses_.value(is_done(asked.behind))) continue;
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < asked.value.size() && i < 64; ++i)
        value |= std::uint64_t{clauses_.value(asked.value[i])} << i;
      out.values[asked.thread].push_back({value, asked.value.size()});
    }
    return out;
  }

  /// A thread goes on as long as nothing that has to come before is left.
  void order_steps(Witness& out) {
    std::vector<std::vector<PointNumber>> later(execution_.points.size());
    std::vector<std::uint32_t> waits_for(execution_.points.size(), 0);
    const auto takes_part = [&](PointNumber point) { return clauses_.value(is_done(point)); };
    for (const auto& [a, b] : order_.chosen()) {
      if (!takes_part(a) || !takes_part(b)) continue;
      later[a].push_back(b);
      ++waits_for[b];
    }
    std::vector<std::vector<EventNumber>> events(execution_.points.size());
    for (EventNumber e = 0; e < execution_.events.size(); ++e)
      if (clauses_.value(execution_.events[e].condition)) events[execution_.events[e].point].push_back(e);
    std::vector<std::size_t> at(execution_.threads.size(), 0);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (ThreadNumber t = 0; t < execution_.threads.size(); ++t) {
        const std::vector<PointNumber>& points = execution_.threads[t].points;
        for (; at[t] < points.size() && takes_part(points[at[t]]) && waits_for[points[at[t]]] == 0; ++at[t]) {
          const PointNumber point = points[at[t]];
          out.steps.push_back({t, point, events[point]});
          for (const PointNumber other : later[point]) --waits_for[other];
          goes_on = true;
        }
      }
    }
    for (ThreadNumber t = 0; t < execution_.threads.size(); ++t)
      HEDDLE_CHECK(at[t] == execution_.threads[t].points.size() || !takes_part(execution_.threads[t].points[at[t]]),
                   "the order of a model goes in a circle");
  }

  const Execution& execution_;
  Circuit& circuit_;
  const std::map<Cell, Word>& initial_;
  const RaceLimits& limits_;
  smt::Sat sat_;
  Clauses clauses_;
  Order order_;
  std::map<PointNumber, Bit> unseen_;
  std::vector<RacingPair> pairs_;
  std::vector<SentSignal> signals_;
};

}  // namespace

Looked find_races_in(Unrolled& unrolled, const RaceLimits& limits,
                     const std::function<bool(const Witness&)>& is_enough) {
  RaceFinder finder(unrolled, limits);
  const smt::Answer answer = finder.find(is_enough);
  return {answer, finder.clauses()};
}

}  // namespace heddle::judge::bmc
