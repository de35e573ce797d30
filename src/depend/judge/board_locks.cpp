// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks of operating systems on the board: which one a call is about, who has it, who waits for it.
#include <algorithm>

#include "depend/judge/board.h"
#include "program/model/function_queries.h"

namespace heddle::depend {

using interpret::CallCode;
using interpret::Frame;
using interpret::Shape;
using interpret::Slot;

/// The result of a call that may fail is an input: with some values the lock was taken, with others not.
void Board::find_lock(const Frame& frame, const CallCode& site) {
  next_.way = Way::Lock;
  const Shape& result = core_->image.shape_of(site.result);
  if (result.slots != 1 || result.kind != TypeKind::Int) return;
  const InputValues::Values& known = setting_.inputs().of(frame.code->id, frame.pc, result.bits);
  const LockCall& call = *next_.lock;
  if (!call.takes || call.success == api::Success::Always) {
    if (known.matters) next_.input = &known;
    return;
  }
  if (!call.may_fail) return;
  auto [at, is_new] = results_.try_emplace({frame.code->id, frame.pc});
  next_.input = &at->second;
  if (!is_new) return;
  InputValues::Values& values = at->second;
  values.is_complete = known.is_complete;
  for (const bool taken : {true, false}) {
    const std::uint64_t mask = result.bits >= 64 ? ~0ULL : (1ULL << result.bits) - 1;
    values.all.push_back(call.result_if(taken) & mask);
  }
  for (const std::uint64_t value : known.all)
    if (known.matters && std::ranges::find(values.all, value) == values.all.end()) values.all.push_back(value);
}

/// The variable that the operand of a frame was read from, where its own value, a null pointer, does not tell.
std::optional<Board::Lock> Board::handle_of(std::size_t depth, Operand operand) const {
  const auto& frames = thread_at(state_.stack.back()).frames;
  while (depth > 0 && frames[depth - 1].code != nullptr) {
    const Frame& frame = frames[depth - 1];
    const Function& function = setting_.program.functions[frame.code->id];
    const Operand plain = without_casts(function, operand);
    if (!plain.is_value()) return std::nullopt;
    if (!function.is_parameter(plain.as_value())) {
      const std::size_t made = function.definition(plain.as_value());
      if (function.instructions[made].opcode != Opcode::Load) return std::nullopt;
      const std::int32_t slot = frame.code->code[made].a;
      const Slot& address = slot < 0
                                ? *(core_->image.decoded.constants_end() + slot)
                                : thread_at(state_.stack.back()).slots[frame.base + static_cast<std::uint32_t>(slot)];
      const std::uint64_t where = core_->space.address_of(address);
      if (!variable_at(where).valid() || setting_.is_written(variable_at(where))) return std::nullopt;
      return Lock{Lock::Kind::Handle, where};
    }
    --depth;
    if (depth == 0 || frames[depth - 1].code == nullptr) return std::nullopt;
    const Function& caller = setting_.program.functions[frames[depth - 1].code->id];
    const auto arguments = caller.arguments_of(caller.instructions[frames[depth - 1].pc]);
    if (plain.as_value().index() >= arguments.size()) return std::nullopt;
    operand = arguments[plain.as_value().index()];
  }
  return std::nullopt;
}

std::optional<Board::Lock> Board::lock_of(const LockCall& call, const CallCode& site) {
  if (call.lock.kind != api::LockRef::Kind::Object)
    return Lock{Lock::Kind::Name, Hasher().add(call.lock.name).finish().low};
  const auto which = static_cast<std::size_t>(call.lock.object);
  if (call.lock.object < 0 || which >= site.arguments.size()) return std::nullopt;
  const interpret::Thread& thread = thread_at(place_);
  const Slot& given = *core_->frames.slot_at(thread, site.arguments[which].slot);
  if (given.undef != 0) return std::nullopt;
  const TypeId type = site.arguments[which].type;  // addresses of variables have none
  if (type.valid() && core_->image.shape_of(type).kind == TypeKind::Int) {
    const auto number = number_given(site, which);
    return number ? std::optional(Lock{Lock::Kind::Number, static_cast<std::uint64_t>(*number)}) : std::nullopt;
  }
  if (const std::uint64_t address = core_->space.address_of(given); address != 0)
    return Lock{Lock::Kind::Address, address};
  const Frame& frame = thread.frames.back();
  const Function& function = setting_.program.functions[frame.code->id];
  return handle_of(thread.frames.size(), function.arguments_of(function.instructions[frame.pc])[which]);
}

Board::HeldLock* Board::held(const Lock& lock) {
  const auto found = std::ranges::find(state_.locks, lock, &HeldLock::lock);
  return found == state_.locks.end() ? nullptr : &*found;
}

bool Board::is_held(const Lock& lock) const {
  return std::ranges::find(state_.locks, lock, &HeldLock::lock) != state_.locks.end();
}

bool Board::may_go_on_waiting(std::uint32_t place) const {
  return std::ranges::none_of(state_.waiting,
                              [&](const auto& waiting) { return waiting.first == place && is_held(waiting.second); });
}

/// Entries whose runs have what they waited for, and go before whoever runs now. None is above another one of them.
std::vector<std::size_t> Board::coming_back() const {
  std::vector<std::size_t> ready, highest;
  const System& system = setting_.system;
  const auto is_above = [&](std::size_t a, std::size_t b) {
    return system.can_interrupt(a, b) && !system.can_interrupt(b, a);
  };
  for (const auto& [place, lock] : state_.waiting) {
    const std::size_t entry = places_[place];
    const bool is_next = state_.stack.empty() || is_above(entry, places_[state_.stack.back()]);
    if (is_next && may_come(entry)) ready.push_back(entry);
  }
  for (const std::size_t entry : ready)
    if (std::ranges::none_of(ready, [&](std::size_t other) { return is_above(other, entry); }))
      highest.push_back(entry);
  return highest;
}

bool Board::may_interrupt_top(std::size_t entry) const {
  if (state_.stack.empty()) return true;
  const std::uint32_t top = state_.stack.back();
  const auto lent = std::ranges::find(state_.lent, top, &Lent::place);
  return setting_.system.can_interrupt(entry, places_[top]) &&
         (lent == state_.lent.end() || setting_.system.can_interrupt(entry, places_[lent->waiting]));
}

/// Who may be lent the priority of the one that has just been put aside: it is on the stack, and not on top.
std::optional<Board::Lent> Board::lending() const {
  if (!state_.has_waited) return std::nullopt;
  for (const auto& [place, lock] : state_.waiting) {
    const auto owner = std::ranges::find(state_.locks, lock, &HeldLock::lock);
    if (place != *state_.has_waited || owner == state_.locks.end()) continue;
    const auto at = std::ranges::find(state_.stack, owner->place);
    if (at == state_.stack.end() || std::next(at) == state_.stack.end()) return std::nullopt;
    return Lent{owner->place, place, static_cast<std::size_t>(at - state_.stack.begin()), lock};
  }
  return std::nullopt;
}

void Board::lend(const Lent& lent) {
  gaps_.assumed.insert("'" + setting_.system.name(places_[lent.place]) + "' is lent the priority of '" +
                       setting_.system.name(places_[lent.waiting]) + "', which waits for its lock");
  state_.goes_round = state_.may_pause = false;
  is_resumed_ = true;
  state_.stack.erase(state_.stack.begin() + static_cast<std::ptrdiff_t>(lent.index));
  state_.stack.push_back(lent.place);
  state_.lent.push_back(lent);
}

void Board::take_back(const Lock& lock) {
  const auto lent = std::ranges::find(state_.lent, lock, &Lent::lock);
  if (lent == state_.lent.end()) return;
  std::erase(state_.stack, lent->place);
  state_.stack.insert(state_.stack.begin() + static_cast<std::ptrdiff_t>(lent->index), lent->place);
  state_.lent.erase(lent);
}

void Board::run_lock(std::uint64_t input) {
  interpret::Thread& thread = thread_at(place_);
  const Frame& frame = thread.frames.back();
  const CallCode& site = frame.code->calls[frame.code->code[frame.pc].extra];
  const LockCall& call = *next_.lock;
  const std::string name = "'" + std::string(setting_.program.functions[next_.callee].shown_name()) + "'";
  const auto lock = lock_of(call, site);
  if (!lock) {
    add_gap("which lock " + name + " is about is not known");
    state_.is_over = true;
    return;
  }
  if (next_.input != nullptr && !next_.input->is_complete)
    gaps_.untried.insert("not every value that " + name + " may give is tried");
  const std::uint32_t bits = core_->image.shape_of(site.result).bits;
  const std::uint64_t value = next_.input != nullptr ? input : call.result_if(true);
  if (call.takes && call.is_taken_with(value, bits) && !take(*lock)) return;
  if (!call.takes) give(*lock);
  std::vector<Slot> result(site.result_slots);
  if (result.size() == 1) result[0].bits = value;
  if (next_.input != nullptr) taken_ = {name, value};
  core_->frames.finish_call(thread, result.data(), result.size());
}

/// False: it is not free, and the run waits or ends here.
bool Board::take(const Lock& lock) {
  HeldLock* found = held(lock);
  if (found == nullptr) {
    state_.locks.push_back({lock, place_});
    std::ranges::sort(state_.locks, {}, [](const HeldLock& one) { return std::pair(one.lock.kind, one.lock.value); });
    return true;
  }
  if (found->place == place_ && next_.lock->is_recursive) {
    constexpr std::uint32_t most_counted = 8;
    found->count = std::min(found->count + 1, most_counted);
    return true;
  }
  const std::string& name = setting_.system.name(places_[place_]);
  if (found->place == place_) add_gap("'" + name + "' takes a lock that it has");
  wait_for(lock);
  return false;
}

void Board::wait_for(const Lock& lock) {
  const SystemEntry& entry = setting_.system.entries()[places_[place_]];
  const std::string& name = setting_.system.name(places_[place_]);
  if (!entry.is_task()) {  // no operating system lets it wait
    if (!entry.is_interrupt()) add_gap("'" + name + "' waits for a lock");
    state_.is_over = true;
    return;
  }
  const bool masks =
      !state_.masks[place_].empty() || std::ranges::find(state_.calls, place_, &OpenCall::place) != state_.calls.end();
  if (masks) add_gap("'" + name + "' waits for a lock while it masks others");
  if (entry.is_multiple) add_gap("one of several runs of '" + name + "' waits for a lock");
  // Priorities may be lent on and on, to whom the one that has the lock waits for.
  const bool is_borrowed = std::ranges::find(state_.lent, place_, &Lent::place) != state_.lent.end();
  const std::uint32_t owner = held(lock)->place;
  const bool is_chain = std::ranges::any_of(state_.waiting, [&](const auto& one) { return one.first == owner; });
  if (is_borrowed || (is_chain && state_.stack.size() > 1)) add_gap("the priority of '" + name + "' may be lent on");
  if (is_borrowed) {
    state_.is_over = true;
    return;
  }
  waits_ = true;
  state_.has_waited = place_;
  state_.masks[place_].clear();
  state_.stack.pop_back();
  state_.paused.push_back(place_);
  std::ranges::sort(state_.paused);
  state_.waiting.emplace_back(place_, lock);
  std::ranges::sort(state_.waiting, {}, [](const auto& waiting) { return waiting.first; });
}

void Board::give(const Lock& lock) {
  HeldLock* found = held(lock);
  if (found == nullptr || found->place != place_)
    add_gap("'" + setting_.system.name(places_[place_]) + "' gives a lock that it does not have");
  if (found == nullptr || --found->count > 0) return;
  take_back(lock);
  std::erase_if(state_.locks, [&](const HeldLock& one) { return one.lock == lock; });
}

/// A run is over. What it has not given back stays taken.
void Board::leave_locks() {
  for (HeldLock& one : state_.locks) {
    if (one.place != place_) continue;
    add_gap("'" + setting_.system.name(places_[place_]) + "' ends and has a lock");
    one.place = nobody;
  }
}

}  // namespace heddle::depend
