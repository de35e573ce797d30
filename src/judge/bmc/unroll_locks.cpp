// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, semaphores, conditions, barriers: numbers beside the memory that the program gives them, with atomic updates.
// An operation that waits is an update that is only done where it need not wait.
//
// Mutexes and conditions that are used plainly have no such number: who takes one takes it from who gave it back, who
// is woken is woken by a signal (TouchRole). A lock that is tried or taken by readers, or a wait that time ends, asks
// for the state, and is special.
//
//   lock       0 free, 255 taken, else so many readers
//   semaphore  permits
//   condition  so many wait, and so many of those that waited were woken
//   barrier    how many it is for, how many have come, how often all have come
#include <algorithm>

#include "judge/bmc/unroller.h"

namespace heddle::judge::bmc {

namespace {
constexpr std::uint64_t taken = 255, lock_bytes = 1;
constexpr std::uint64_t count_bytes = 4;  // of a semaphore
constexpr std::uint64_t condition_bytes = 2, barrier_bytes = 8;

Word slice(Bits word, std::size_t byte, std::size_t bytes) {
  const Bits part = word.subspan(byte * 8, bytes * 8);
  return {part.begin(), part.end()};
}

Word together(Word first, Bits second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
}  // namespace

/// The latest access was only done where this holds.
void Unroller::demand(Path& path, Bit holds) {
  if (last_point_ == nobody)
    path.condition = circuit_.both(path.condition, holds);
  else
    execution_.demands.push_back({last_point_, path.condition, holds});
}

/// The state of the lock, and not the memory that it lies in.
std::vector<Unroller::Spot> Unroller::lock_spots(const Value& address, std::uint64_t bytes, Path& path) {
  std::vector<Spot> at = spots(address, 1, path);
  for (Spot& spot : at)
    spot.object =
        shape_.object({.kind = ObjectKey::Kind::Lock, .number = spot.object}, shape_[spot.object].bytes + bytes);
  return at;
}

bool Unroller::is_special(const std::vector<Spot>& at) const {
  return std::ranges::any_of(at, [&](const Spot& spot) { return shape_.is_special(spot.object, spot.offset); });
}

/// All of them, so that an operation need not be of both kinds.
void Unroller::make_special(const std::vector<Spot>& at) {
  for (const Spot& spot : at) shape_.make_special(spot.object, spot.offset);
}

Unroller::Value Unroller::named_lock(std::string_view name) {
  ObjectKey key{.kind = ObjectKey::Kind::Hidden};
  key.name = "lock " + std::string(name);
  return address_of(shape_.object(key, 1));
}

void Unroller::take_lock(const Site& site, Path& path, const api::TakeLock& action) {
  if (action.lock.kind == api::LockRef::Kind::Section) return begin_section(path);
  refuse_special_locks(site, action.lock);
  const bool is_shared = action.mode == api::LockMode::Shared;
  const Value lock =
      action.lock.kind == api::LockRef::Kind::Named ? named_lock(action.lock.name) : argument(site, action.lock.object);
  if (action.outcome.blocking) {
    take(site, path, lock, is_shared);
    return set_outcome(site, action.outcome, Bit::yes());
  }
  if (is_shared) shape_.meet_readers();
  Bit is_free = Bit::no();
  const std::vector<Spot> at = lock_spots(lock, lock_bytes, path);
  make_special(at);
  access_at(site, path, at, lock_bytes, lock_access, true, [&](const Value& old) {
    is_free = is_shared ? !equal(circuit_, old.bits, taken) : equal(circuit_, old.bits, 0);
    const Word now = is_shared ? add(circuit_, old.bits, constant(1, 8)) : constant(taken, 8);
    return std::pair(Value{now, 0}, is_free);
  });
  set_outcome(site, action.outcome, is_free);
}

void Unroller::take(const Site& site, Path& path, const Value& lock, bool is_shared) {
  if (is_shared) shape_.meet_readers();
  const std::vector<Spot> at = lock_spots(lock, lock_bytes, path);
  if (is_shared || is_special(at)) make_special(at);
  AccessHow how = lock_access;
  if (!is_special(at)) how.role = TouchRole::Take;
  Bit is_free = Bit::no();
  access_at(site, path, at, lock_bytes, how, true, [&](const Value& old) {
    is_free = is_shared ? !equal(circuit_, old.bits, taken) : equal(circuit_, old.bits, 0);
    return std::pair(Value{is_shared ? add(circuit_, old.bits, constant(1, 8)) : constant(taken, 8), 0}, Bit::yes());
  });
  demand(path, is_free);
}

void Unroller::give(const Site& site, Path& path, const Value& lock, bool is_part) {
  AccessHow how = lock_access;
  how.is_part = is_part;
  const bool has_readers = shape_.has_readers();
  const std::vector<Spot> at = lock_spots(lock, lock_bytes, path);
  if (is_special(at))
    make_special(at);
  else
    how.role = TouchRole::Give;
  access_at(site, path, at, lock_bytes, how, has_readers, [&](const Value& old) {
    Word now = constant(0, 8);
    if (has_readers) {
      const Bit is_writer = equal(circuit_, old.bits, taken);
      now = choose(circuit_, is_writer, now, subtract(circuit_, old.bits, constant(1, 8)));
    }
    return std::pair(Value{std::move(now), 0}, Bit::yes());
  });
}

/// 0: nobody has begun, 1: somebody runs it, 2: it has run.
void Unroller::run_once(const Site& site, Path& path, const api::RunOnce& action) {
  if (action.step != api::RunOnce::Step::Call) throw NoEncoding{"it has code that runs once"};
  const Value object = argument(site, action.object);
  Bit is_first = Bit::no(), is_over = Bit::no();
  const std::vector<Spot> at = lock_spots(object, lock_bytes, path);
  make_special(at);
  access_at(site, path, at, lock_bytes, lock_access, true, [&](const Value& old) {
    is_first = equal(circuit_, old.bits, 0);
    is_over = equal(circuit_, old.bits, 2);
    return std::pair(Value{constant(1, 8), 0}, is_first);
  });
  demand(path, circuit_.either(is_first, is_over));
  std::vector<Path> ways;
  Path runs = path;
  runs.condition = circuit_.both(path.condition, is_first);
  if (!runs.condition.is_no()) {
    std::vector<ValueNumber> arguments;
    if (action.argument != api::Effect::none) arguments.push_back(keep(argument(site, action.argument)));
    runs = call_one_of(argument(site, action.entry), arguments, runs, here(site), &site.frame).first;
    if (!runs.condition.is_no())
      access(site, runs, object, lock_bytes, lock_access, false,
             [&](const Value&) { return std::pair(Value{constant(2, 8), 0}, Bit::yes()); });
    if (!runs.condition.is_no()) ways.push_back(std::move(runs));
  }
  path.condition = circuit_.both(path.condition, !is_first);
  if (!path.condition.is_no()) ways.push_back(std::move(path));
  if (ways.empty())
    path.condition = Bit::no();
  else
    path = merge_paths(std::move(ways));
}

/// Their kind stands in the memory that the program initialises; that of a plain one is zero.
void Unroller::refuse_special_locks(const Site& site, const api::LockRef& lock) {
  const auto bytes = bytes_of(site, lock.bytes);
  if (lock.kind != api::LockRef::Kind::Object || !bytes) return;
  for (const Target& target : sets_[argument(site, lock.object).leads]) {
    const ObjectKey& key = shape_[target.object].key;
    if (key.kind != ObjectKey::Kind::Global) continue;
    const auto image = program_.globals[GlobalId(key.number)].bytes;
    const bool is_known = target.offset != any_offset;
    const std::uint64_t begin = is_known ? std::min<std::uint64_t>(target.offset, image.size()) : 0;
    const std::uint64_t size = is_known ? *bytes : image.size();
    const auto part = image.subspan(begin, std::min<std::uint64_t>(size, image.size() - begin));
    if (std::ranges::any_of(part, [](std::uint8_t byte) { return byte != 0; }))
      throw NoEncoding{"it has locks of a special kind"};
  }
}

void Unroller::begin_section(Path& path) {
  if (path.section_depth++ == 0 && path.is_public) path.section = new_point(true);
}

void Unroller::end_section(Path& path) {
  if (path.section_depth == 0) return;
  if (--path.section_depth == 0) path.section = nobody;
}

void Unroller::set_up(const Site& site, Path& path, const api::SetUpObject& action) {
  using What = api::SetUpObject::What;
  const auto put = [&](Word state) {
    const std::uint64_t bytes = state.size() / 8;
    access(site, path, argument(site, action.object), bytes, lock_access, false,
           [&](const Value&) { return std::pair(Value{state, 0}, Bit::yes()); });
  };
  switch (action.what) {
    case What::Semaphore: return put(resize(argument(site, action.value).bits, count_bytes * 8));
    case What::Barrier: return put(resize(resize(argument(site, action.value).bits, 16), barrier_bytes * 8));
    case What::LockKind:
      if (number_of(argument(site, action.value).bits) == 1) throw NoEncoding{"it has recursive locks"};
      return;
    case What::ThreadKind:
    case What::Lock:
    case What::LockEnd:
    case What::Other: return;
  }
}

void Unroller::use_semaphore(const Site& site, Path& path, const api::UseSemaphore& action) {
  const Value object = argument(site, action.object);
  if (action.step == api::UseSemaphore::Step::Post) {
    access(site, path, object, count_bytes, lock_access, true, [&](const Value& old) {
      return std::pair(Value{add(circuit_, old.bits, constant(1, count_bytes * 8)), 0}, Bit::yes());
    });
    return set_outcome(site, action.outcome, Bit::yes());
  }
  Bit has_one = Bit::no();
  const bool waits = action.outcome.blocking;
  access(site, path, object, count_bytes, lock_access, true, [&](const Value& old) {
    has_one = is_not_zero(circuit_, old.bits);
    return std::pair(Value{subtract(circuit_, old.bits, constant(1, count_bytes * 8)), 0},
                     waits ? Bit::yes() : has_one);
  });
  if (waits) demand(path, has_one);
  set_outcome(site, action.outcome, waits ? Bit::yes() : has_one);
}

/// A wait: it is known that one waits, the lock is given back, somebody wakes it, the lock is taken.
void Unroller::use_condition(const Site& site, Path& path, const api::UseCondition& action) {
  using Step = api::UseCondition::Step;
  const Value object = argument(site, action.object);
  const std::vector<Spot> at = lock_spots(object, condition_bytes, path);
  const bool waits = action.outcome.blocking;
  if (is_special(at) || (action.step == Step::Wait && !waits)) make_special(at);
  const bool is_plain = !is_special(at);
  const auto change = [&](AccessHow how, TouchRole role, const auto& next) {
    if (is_plain) how.role = role;
    access_at(site, path, at, condition_bytes, how, true, [&](const Value& old) {
      const auto [waiting, woken] = next(slice(old.bits, 0, 1), slice(old.bits, 1, 1));
      return std::pair(Value{together(waiting, woken), 0}, Bit::yes());
    });
  };
  const Word one = constant(1, 8);
  if (action.step != Step::Wait) {
    const TouchRole role = action.step == Step::Broadcast ? TouchRole::Broadcast : TouchRole::Signal;
    change(lock_access, role, [&](const Word& waiting, const Word& woken) {
      const Bit any = is_not_zero(circuit_, waiting);
      const Word count = action.step == Step::Broadcast ? waiting : resize(Word{any}, 8);
      return std::pair(subtract(circuit_, waiting, count), add(circuit_, woken, count));
    });
    return set_outcome(site, action.outcome, Bit::yes());
  }
  if (action.indirect) throw NoEncoding{"it waits with a lock that is not known"};
  const Value lock = argument(site, action.lock);
  change(lock_access, TouchRole::BeginWait,
         [&](const Word& waiting, const Word& woken) { return std::pair(add(circuit_, waiting, one), woken); });
  const EventNumber begun = last_point_ == nobody ? nobody : static_cast<EventNumber>(execution_.events.size() - 1);
  if (path.condition.is_no()) return;
  const PointNumber section = path.section;
  const auto at_the_same_time = [&](const auto& second) {
    if (section == nobody) path.section = last_point_;
    second();
    path.section = section;
  };
  // What nobody else sees is no event, and then nothing stands for both.
  at_the_same_time([&] { give(site, path, lock, last_point_ != nobody); });
  if (path.condition.is_no()) return;
  // To be woken and to have the lock again is one step.
  AccessHow how = lock_access;
  how.is_part = true;
  Bit is_woken = Bit::no();
  change(how, TouchRole::Wake, [&](const Word& waiting, const Word& woken) {
    is_woken = is_not_zero(circuit_, woken);
    // One that is over without that waits no longer.
    const Word rest = waits ? waiting : choose(circuit_, is_woken, waiting, subtract(circuit_, waiting, one));
    return std::pair(rest, choose(circuit_, is_woken, subtract(circuit_, woken, one), woken));
  });
  if (is_plain) {
    is_woken = circuit_.either(is_woken, last_common_);  // by a signal
    if (last_point_ != nobody) execution_.events.back().begun = begun;
  }
  if (waits) demand(path, is_woken);
  if (path.condition.is_no()) return;
  at_the_same_time([&] { take(site, path, lock, false); });
  set_outcome(site, action.outcome, waits ? Bit::yes() : is_woken);
}

void Unroller::wait_at_barrier(const Site& site, Path& path, const api::WaitAtBarrier& action) {
  if (action.step != api::WaitAtBarrier::Step::Wait) throw NoEncoding{"it has teams of threads"};
  const Value object = argument(site, action.object);
  Bit is_last = Bit::no();
  Word round;
  access(site, path, object, barrier_bytes, lock_access, true, [&](const Value& old) {
    const Word limit = slice(old.bits, 0, 2), come = add(circuit_, slice(old.bits, 2, 2), constant(1, 16));
    round = slice(old.bits, 4, 4);
    is_last = equal(circuit_, come, limit);
    const Word now = choose(circuit_, is_last, constant(0, 16), come);
    const Word next = choose(circuit_, is_last, add(circuit_, round, constant(1, 32)), round);
    return std::pair(Value{together(together(limit, now), next), 0}, Bit::yes());
  });
  if (path.condition.is_no()) return;
  const Value later =
      access(site, path, object, barrier_bytes, lock_access, true, [](const Value&) { return std::nullopt; });
  demand(path, circuit_.either(is_last, !equal(circuit_, slice(later.bits, 4, 4), round)));
}

}  // namespace heddle::judge::bmc
