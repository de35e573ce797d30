// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/separate.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "locks/excludes.h"
#include "threads/parallel.h"

namespace heddle::topdown {

namespace {

using race::SeparationReason;

SeparationReason reason_of(threads::Order order) {
  switch (order) {
    case threads::Order::SameThread: return SeparationReason::SameThread;
    case threads::Order::NotCreatedYet: return SeparationReason::NotCreatedYet;
    case threads::Order::AlreadyJoined: return SeparationReason::AlreadyJoined;
    case threads::Order::Overlap: break;
  }
  fail_check("order", "threads that may overlap are not separated");
}

class Separator {
 public:
  explicit Separator(const TopDownResult& result) : result_(result), u_(*result.universe) {}

  [[nodiscard]] std::optional<SeparationReason> reason(const GuardedAccess& a, const GuardedAccess& b) const {
    if (!writes(a.kind) && !writes(b.kind)) return SeparationReason::BothRead;
    if (a.is_atomic && b.is_atomic) return SeparationReason::BothAtomic;
    if (!may_touch_same(a, b)) return SeparationReason::OtherBytes;
    if (const threads::Order order = threads::order_of(*result_.threads, phase(a), phase(b));
        order != threads::Order::Overlap)
      return reason_of(order);
    if (are_in_other_phases(a, b)) return SeparationReason::Barrier;
    if (have_common_lock(a, b)) return SeparationReason::CommonLock;
    if (has_flag_between(a, b) || has_flag_between(b, a)) return SeparationReason::FlagBetween;
    if (have_own_shares(a, b)) return SeparationReason::OwnShare;
    if (have_own_tickets(a, b)) return SeparationReason::OwnTicket;
    if (are_apart(a, b) || are_apart(b, a)) return SeparationReason::ApartInMemory;
    if (are_separate_chunks(a, b)) return SeparationReason::OwnChunk;
    if (are_separate_instances(a, b)) return SeparationReason::OwnObject;
    if (is_slot_of_next(a, b) || is_slot_of_next(b, a)) return SeparationReason::SlotOfNext;
    return std::nullopt;
  }

  /// Whether a lock held at one access and one held at the other are one lock, if the two accesses meet at one byte.
  bool must_be_one_lock(const GuardedAccess& a, const HeldLock& x, const GuardedAccess& b, const HeldLock& y) const {
    if (x.kind != y.kind) return false;
    switch (x.kind) {
      case HeldLock::Kind::Exact:
        return x.object == y.object && x.offset == y.offset && !result_.false_locks.contains({x.object, x.offset});
      case HeldLock::Kind::Relative: return x.offset == y.offset && overlap_means_equal(a, b) && !is_false_somewhere(a);
      case HeldLock::Kind::Indexed: {
        const bool same_shape = x.object == y.object && x.offset == y.offset && x.factor == y.factor &&
                                x.access_factor == y.access_factor && x.access_offset == y.access_offset;
        const bool tells_index =
            a.size == b.size && a.size != 0 && std::abs(x.access_factor) >= static_cast<std::int64_t>(a.size);
        return same_shape && tells_index && !is_false_lock_object(x.object);
      }
      case HeldLock::Kind::Frozen: return x.form == y.form;
    }
    return false;
  }

 private:
  threads::Phase phase(const GuardedAccess& a) const {
    return {a.thread, [this, &a](threads::ThreadId t) { return u_.maps.contains(a.created, t.index()); },
            [this, &a](threads::ThreadId t) { return u_.maps.contains(a.joined, t.index()); }};
  }

  bool may_touch_same(const GuardedAccess& a, const GuardedAccess& b) const {
    const Target& p = a.target;
    const Target& q = b.target;
    if (a.size == 0 && b.size == 0) return true;  // both go on for an unknown length
    if (a.size == 0) return q.high + static_cast<std::int64_t>(b.size) > p.low;
    if (b.size == 0) return p.high + static_cast<std::int64_t>(a.size) > q.low;
    const auto size_a = static_cast<std::int64_t>(a.size);
    const auto size_b = static_cast<std::int64_t>(b.size);
    if (p.high + size_a <= q.low || q.high + size_b <= p.low) return false;
    const auto stride = static_cast<std::int64_t>(std::gcd(p.stride, q.stride));
    if (stride == 0) return true;
    const std::int64_t distance = (((p.low - q.low) % stride) + stride) % stride;
    return distance < size_b || stride - distance < size_a;
  }

  /// The thread that owns a team has one at a time, and the threads of one team have ended before the next.
  bool is_one_at_a_time(ObjectId team) const {
    const threads::ContextId owner = u_.objects[team].context;
    return owner && !result_.threads->threads[result_.threads->contexts[owner].thread].multiple;
  }

  /// A barrier that all threads of a team wait at lies between the two.
  bool are_in_other_phases(const GuardedAccess& a, const GuardedAccess& b) const {
    bool found = false;
    u_.maps.for_each(a.teams, [&](std::uint32_t team, std::uint32_t place) {
      const auto other = u_.maps.find(b.teams, team);
      if (!other || found) return;
      const LabelId x = TeamPlace::from(place).phase, y = TeamPlace::from(*other).phase;
      found = x != 0 && y != 0 && x != y && is_one_at_a_time(ObjectId(team));
    });
    return found;
  }

  /// Two threads of a team: the numbers that the addresses depend on are never the same, or only one has the number
  /// with which one comes there.
  bool have_own_shares(const GuardedAccess& a, const GuardedAccess& b) const {
    for (const OwnIndex& x : a.own)
      for (const OwnIndex& y : b.own)
        if (x.label == y.label && x.factor == y.factor && is_one_at_a_time(u_.team_labels[x.label].team) &&
            (x.factor == 0 ? x.only == y.only && are_ordered_by_owner(a, x, b, y) : are_in_other_turns(a, x, b, y)))
          return true;
    return false;
  }
  /// One thread has the number. It makes both accesses, or the other one is made by a thread that works for it.
  bool are_ordered_by_owner(const GuardedAccess& a, const OwnIndex& x, const GuardedAccess& b,
                            const OwnIndex& y) const {
    if (x.owner != y.owner) return true;  // only one of the two has it
    if (a.thread == x.owner && b.thread == x.owner) return true;
    if (a.thread == b.thread) return table_parent(a.thread) == x.owner && !result_.threads->threads[a.thread].again;
    return has_ended(a, b, x.owner) || has_ended(b, a, x.owner);
  }
  /// What the owner started has ended before `a`, or is not started yet when the owner makes it.
  bool has_ended(const GuardedAccess& a, const GuardedAccess& b, ThreadId owner) const {
    if (table_parent(b.thread) != owner || b.thread == owner) return false;
    if (a.thread != owner && table_parent(a.thread) != owner) return false;
    return u_.maps.contains(a.joined, b.thread.index()) ||
           (a.thread == owner && !u_.maps.contains(a.created, b.thread.index()));
  }
  bool are_in_other_turns(const GuardedAccess& a, const OwnIndex& x, const GuardedAccess& b, const OwnIndex& y) const {
    return are_shorter(a, x, b, y, std::abs(x.factor));
  }
  /// Neither access reaches as far as the distance between the numbers that their addresses depend on.
  template <class Own>
  bool are_shorter(const GuardedAccess& a, const Own& x, const GuardedAccess& b, const Own& y,
                   std::int64_t distance) const {
    if (a.size == 0 || b.size == 0) return false;
    const auto reach = [&](FormId high, FormId low, std::uint64_t size) {
      const FormId gap = result_.universe->combine(high, low, -1, 64);
      return gap && u_.forms[gap].is_constant() && u_.forms[gap].constant <= distance - static_cast<std::int64_t>(size);
    };
    return reach(x.high, y.low, a.size) && reach(y.high, x.low, b.size);
  }

  /// Two numbers that one counter dealt out, to two threads, are at least its step apart.
  bool have_own_tickets(const GuardedAccess& a, const GuardedAccess& b) const {
    constexpr std::int64_t most_step = std::int64_t{1} << 31;
    for (const OwnTicket& x : a.tickets)
      for (const OwnTicket& y : b.tickets) {
        const auto counter = result_.counters.find(x.counter);
        if (x.counter == y.counter && x.factor == y.factor && counter != result_.counters.end() &&
            are_shorter(a, x, b, y, std::abs(x.factor) * std::min(counter->second, most_step)))
          return true;
      }
    return false;
  }

  /// If the two touch a common byte, they begin at the same one.
  bool overlap_means_equal(const GuardedAccess& a, const GuardedAccess& b) const {
    if (a.size != b.size || a.size == 0) return false;
    const auto stride = static_cast<std::int64_t>(std::gcd(a.target.stride, b.target.stride));
    if (stride == 0) return a.target.low == b.target.low;
    return (a.target.low - b.target.low) % stride == 0 && stride >= static_cast<std::int64_t>(a.size);
  }

  bool have_common_lock(const GuardedAccess& a, const GuardedAccess& b) const {
    const auto must_be_one = [&](const HeldLock& x, const HeldLock& y) { return must_be_one_lock(a, x, b, y); };
    return locks::find_exclusion(a.locks, b.locks, must_be_one).first != nullptr;
  }

  /// `a` is made before a flag is set, and `b` after that.
  bool has_flag_between(const GuardedAccess& a, const GuardedAccess& b) const {
    if (a.flags_now == 0 || (b.seen == 0 && b.flags_now == 0)) return false;
    const auto number_in = [&](flow::MapId map, std::uint32_t cell) {
      const auto info = u_.maps.find(map, cell);
      return info ? u_.infos[InfoId(*info)].number : Interval::of_width(64);
    };
    bool found = false;
    u_.maps.for_each(a.flags_now, [&](std::uint32_t cell, std::uint32_t info) {
      const auto flag = result_.flags.find(CellId(cell));
      if (flag == result_.flags.end()) return;
      const Interval set = flag->second;
      const bool is_before = meet(u_.infos[InfoId(info)].number, set).is_empty();
      found = found || (is_before && (number_in(b.seen, cell).leq(set) || number_in(b.flags_now, cell).leq(set)));
    });
    return found;
  }

  /// Two instances of one thread, each in its own part of memory: both addresses depend on the thread's argument in the
  /// same way, and the arguments of two instances lie far enough apart.
  bool are_separate_instances(const GuardedAccess& a, const GuardedAccess& b) const {
    if (a.thread != b.thread || a.argument_factor == 0 || a.argument_factor != b.argument_factor) return false;
    const threads::Thread& thread = result_.threads->threads[a.thread];
    if (thread.separation == threads::Separation::FreshObject) return a.argument_factor == 1;
    if (a.size == 0 || b.size == 0 || thread.separation != threads::Separation::Step ||
        result_.threads->threads[table_parent(a.thread)].multiple)
      return false;
    const auto step = distance_of_neighbours(thread, a.argument_factor);
    const std::int64_t distance = std::abs(a.argument_distance - b.argument_distance);
    return step && distance + static_cast<std::int64_t>(std::max(a.size, b.size)) <= *step;
  }

  std::int64_t argument_factor(const GuardedAccess& a, FormId form) const {
    for (const Term& t : u_.forms[form].terms) {
      const Symbol& s = u_.symbols[t.symbol];
      if (s.kind == SymbolKind::Argument) return s.a == a.thread.index() ? t.factor : 0;
    }
    return 0;
  }
  bool mentions_argument(FormId form) const {
    return std::any_of(u_.forms[form].terms.begin(), u_.forms[form].terms.end(), [&](const Term& t) {
      const SymbolKind kind = u_.symbols[t.symbol].kind;
      return kind == SymbolKind::Argument || kind == SymbolKind::Own;
    });
  }

  /// Everything `a` touches lies before everything `b` touches, whatever the frozen numbers in their bounds are.
  bool are_apart(const GuardedAccess& a, const GuardedAccess& b) const {
    if (!a.highest || !b.lowest || a.size == 0 || mentions_argument(a.highest) || mentions_argument(b.lowest))
      return false;
    const FormId gap = result_.universe->combine(b.lowest, a.highest, -1, 64);
    return gap && u_.forms[gap].is_constant() && u_.forms[gap].constant >= static_cast<std::int64_t>(a.size);
  }

  /// Two instances of one thread, each in a range that its argument moves: [base + f·arg + c, base + f·arg + c'].
  bool are_separate_chunks(const GuardedAccess& a, const GuardedAccess& b) const {
    const threads::Thread& thread = result_.threads->threads[a.thread];
    if (a.thread != b.thread || thread.separation != threads::Separation::Step ||
        result_.threads->threads[table_parent(a.thread)].multiple)
      return false;
    if (!a.lowest || !a.highest || !b.lowest || !b.highest || a.size == 0 || b.size == 0) return false;
    const std::int64_t factor = argument_factor(a, a.lowest);
    for (const FormId f : {a.lowest, a.highest, b.lowest, b.highest})
      if (argument_factor(a, f) != factor || factor == 0) return false;
    // In terms of one argument the two ranges together must be shorter than the step from one argument to the next.
    auto constant_gap = [&](FormId high, FormId low) -> std::optional<std::int64_t> {
      const FormId gap = result_.universe->combine(high, low, -1, 64);
      return gap && u_.forms[gap].is_constant() ? std::optional(u_.forms[gap].constant) : std::nullopt;
    };
    const auto up = constant_gap(a.highest, b.lowest);
    const auto down = constant_gap(b.highest, a.lowest);
    if (!up || !down) return false;
    const auto step = distance_of_neighbours(thread, factor);
    if (!step) return false;
    return *up + static_cast<std::int64_t>(a.size) <= *step && *down + static_cast<std::int64_t>(b.size) <= *step;
  }

  /// |step · factor|, or nothing if so large that some number of instances could wrap around in an address.
  std::optional<std::int64_t> distance_of_neighbours(const threads::Thread& thread, std::int64_t factor) const {
    const numeric::Wide distance = numeric::Wide{thread.argument_step} * factor;
    const numeric::Wide most = u_.pointer_bits() < 64 ? numeric::Wide{1} << 16 : numeric::Wide{1} << 31;
    if (distance > most || distance < -most) return std::nullopt;
    return std::abs(static_cast<std::int64_t>(distance));
  }

  /// `a` prepares what the next instance will be given, `b` is in an instance that was started before.
  bool is_slot_of_next(const GuardedAccess& a, const GuardedAccess& b) const {
    if (b.argument_factor != 1 || a.size == 0 || b.size == 0) return false;
    const threads::Thread& thread = result_.threads->threads[b.thread];
    if (thread.separation != threads::Separation::Step || table_parent(b.thread) != a.thread ||
        result_.threads->threads[a.thread].multiple)
      return false;
    if (!distance_of_neighbours(thread, 1)) return false;
    for (const SlotOfNext& slot : a.next_slots) {
      const std::int64_t distance = std::abs(slot.distance - b.argument_distance);
      if (slot.thread == b.thread &&
          distance + static_cast<std::int64_t>(std::max(a.size, b.size)) <= std::abs(thread.argument_step))
        return true;
    }
    return false;
  }
  threads::ThreadId table_parent(threads::ThreadId t) const { return result_.threads->parent(t); }

  bool is_false_lock_object(ObjectId o) const {
    return std::any_of(result_.false_locks.begin(), result_.false_locks.end(),
                       [&](const auto& lock) { return lock.object == o; });
  }
  /// A lock next to the data may be a semaphore that is no lock: then the object it lies in is known for it.
  bool is_false_somewhere(const GuardedAccess& a) const { return is_false_lock_object(a.target.object); }

  const TopDownResult& result_;
  const Universe& u_;
};

}  // namespace

GuardedAccess circumstances_of(const GuardedAccess& access) {
  GuardedAccess out = access;
  out.context = {};
  out.instruction = 0;
  out.address = {};
  out.history = {};  // for judges
  out.kind = writes(access.kind) ? AccessKind::Write : AccessKind::Read;
  return out;
}

bool must_be_one_lock(const TopDownResult& result, const GuardedAccess& a, const HeldLock& x, const GuardedAccess& b,
                      const HeldLock& y) {
  return Separator(result).must_be_one_lock(a, x, b, y);
}

std::optional<SeparationReason> separate(const TopDownResult& result, const GuardedAccess& a, const GuardedAccess& b) {
  return Separator(result).reason(a, b);
}

}  // namespace heddle::topdown
