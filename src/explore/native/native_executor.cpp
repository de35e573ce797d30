// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/native_executor.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/check.h"
#include "explore/native/touches.h"

namespace heddle::explore {
namespace {

constexpr const char* goes_another_way =
    "the program did something else on the same schedule: it depends on what cannot be put back, such as the "
    "processor's clock, another process or a file that is changed";

constexpr DeedKind kind_of(std::uint8_t kind) {
  switch (kind) {
    case HEDDLE_DEED_READ: return DeedKind::Read;
    case HEDDLE_DEED_WRITE: return DeedKind::Write;
    case HEDDLE_DEED_ATOMIC_READ: return DeedKind::AtomicRead;
    case HEDDLE_DEED_ATOMIC_WRITE: return DeedKind::AtomicWrite;
    case HEDDLE_DEED_FREE: return DeedKind::Free;
    case HEDDLE_DEED_ACQUIRE: return DeedKind::Acquire;
    case HEDDLE_DEED_RELEASE: return DeedKind::Release;
    case HEDDLE_DEED_ACQUIRE_SHARED: return DeedKind::AcquireShared;
    case HEDDLE_DEED_RELEASE_SHARED: return DeedKind::ReleaseShared;
    case HEDDLE_DEED_SPAWN: return DeedKind::Spawn;
    case HEDDLE_DEED_JOIN: return DeedKind::Join;
    case HEDDLE_DEED_SECTION_BEGIN: return DeedKind::SectionBegin;
    case HEDDLE_DEED_SECTION_END: return DeedKind::SectionEnd;
    case HEDDLE_DEED_THREAD_END: return DeedKind::ThreadEnd;
    case HEDDLE_DEED_FENCE: return DeedKind::Fence;
    case HEDDLE_DEED_USES: return DeedKind::Uses;
    case HEDDLE_DEED_ASKS: return DeedKind::Asks;
    default: return DeedKind::SyncReset;
  }
}

Deed deed_of(const heddle_deed& done) {
  Deed deed;
  deed.kind = kind_of(done.kind);
  deed.is_lock = (done.flags & HEDDLE_IS_LOCK) != 0;
  deed.is_use = done.size != 0 && (uses_object(deed.kind) || deed.kind == DeedKind::SyncReset);
  deed.is_certain = (done.flags & HEDDLE_UNCERTAIN) == 0;
  deed.thread = done.thread;
  deed.size = done.size;
  deed.address = done.address;
  deed.key = done.key;
  if (is_atomic(deed.kind) || deed.kind == DeedKind::Fence) {
    deed.acquires = (done.flags & HEDDLE_ACQUIRES) != 0;
    deed.releases = (done.flags & HEDDLE_RELEASES) != 0;
    deed.consumes = (done.flags & HEDDLE_IS_CONSUME) != 0 && !deed.acquires;
    deed.replaces = (done.flags & HEDDLE_REPLACES) != 0;
  }
  return deed;
}

EndingKind ending_of(std::uint8_t ending) {
  switch (ending) {
    case HEDDLE_ASSERTION_FAILED: return EndingKind::AssertionFailed;
    case HEDDLE_ABORTED: return EndingKind::Aborted;
    case HEDDLE_CRASHED: return EndingKind::Crashed;
    case HEDDLE_INFEASIBLE: return EndingKind::Infeasible;
    case HEDDLE_LIMIT: return EndingKind::LimitMet;
    case HEDDLE_UNSUPPORTED: return EndingKind::Unsupported;
    default: return EndingKind::Running;
  }
}

bool is_memory(std::uint8_t op) {
  switch (op) {
    case HEDDLE_OP_READ:
    case HEDDLE_OP_WRITE:
    case HEDDLE_OP_ATOMIC_READ:
    case HEDDLE_OP_ATOMIC_WRITE:
    case HEDDLE_OP_ATOMIC_UPDATE: return true;
    default: return false;
  }
}

/// Which look at a lock or the like, or change it.
bool is_on_object(std::uint8_t op) {
  switch (op) {
    case HEDDLE_OP_LOCK:
    case HEDDLE_OP_LOCK_SHARED:
    case HEDDLE_OP_TRY_LOCK:
    case HEDDLE_OP_TRY_LOCK_SHARED:
    case HEDDLE_OP_UNLOCK:
    case HEDDLE_OP_WAIT:
    case HEDDLE_OP_SIGNAL:
    case HEDDLE_OP_BROADCAST:
    case HEDDLE_OP_BARRIER_ARRIVE:
    case HEDDLE_OP_SEMAPHORE_WAIT:
    case HEDDLE_OP_SEMAPHORE_TRY:
    case HEDDLE_OP_SEMAPHORE_POST:
    case HEDDLE_OP_ONCE: return true;
    default: return false;
  }
}

bool has_object(const heddle_view& view) { return heddle_asks(view.op) != 0 || view.op == HEDDLE_OP_BARRIER_LEAVE; }

}  // namespace

NativeExecutor::NativeExecutor(Machine& machine, const AccessTable& table, const MachineSettings& settings,
                               const NativeLimits& limits, Inputs* inputs, const NativeCode* code)
    : machine_(machine),
      settings_(settings),
      limits_(limits),
      inputs_(inputs),
      knew_weak_(machine.saw_weak()),
      knew_tries_(machine.saw_try()),
      words_(machine, table) {
  settings_.tells_ways = code != nullptr;
  if (code != nullptr) sides_.emplace(*code);
  own();
}

/// Whoever asks gets the program as this executor left it.
void NativeExecutor::own() const {
  if (machine_.lend_to(this, settings_)) repeat(path_.size());
}

void NativeExecutor::repeat(std::size_t length) const {
  next_answer_ = 0;
  machine_->answer = &NativeExecutor::answer;
  machine_->user = const_cast<NativeExecutor*>(this);
  machine_->asks = inputs_ != nullptr ? 1 : 0;
  machine_->records = 0;
  const std::size_t done = machine_->run(path_.data(), length);
  if (done != length || (length > 0 && mark() != marks_[length - 1])) throw std::runtime_error(goes_another_way);
  machine_->records = 1;
}

/// Of where all threads stand.
std::uint64_t NativeExecutor::mark() const {
  std::uint64_t mark = machine_->thread_count;
  for (ThreadIndex t = 0; t < machine_->thread_count; ++t) {
    const heddle_view& view = machine_.view(t);
    mark = (mark ^ view.progress) * 0x9e3779b97f4a7c15ULL;
    mark = (mark ^ view.object ^ view.op) * 0xc2b2ae3d27d4eb4fULL;
    mark ^= mark >> 29;
  }
  return mark;
}

std::uint64_t NativeExecutor::answer(void* executor, std::uint32_t thread, std::uint32_t count, std::uint32_t bits) {
  auto& self = *static_cast<NativeExecutor*>(executor);
  if (self.next_answer_ < self.answers_.size()) return self.answers_[self.next_answer_++];
  std::uint64_t value = self.settings_.input_value;
  if (self.inputs_ != nullptr) value = self.inputs_->choose({thread, bits, count, count == 0});
  self.answers_.push_back(value);
  ++self.next_answer_;
  return value;
}

void NativeExecutor::restart() {
  HEDDLE_CHECK(inputs_ == nullptr || path_.empty(), "an executor for one run does not go back");
  path_.clear();
  marks_.clear();
  answers_.clear();
  answers_before_.clear();
  deeds_.clear();
  step_ends_.clear();
  avoided_.clear();
  avoided_before_.clear();
  words_.keep_avoided(0);
  over_ = has_misused_lock_ = false;
  if (sides_) sides_->rewind(0);
  if (!machine_.lend_to(this, settings_)) machine_.restart();
  repeat(0);
}

void NativeExecutor::rewind(std::size_t length) {
  if (length >= path_.size()) return;
  path_.resize(length);
  marks_.resize(length);
  answers_.resize(answers_before_[length]);
  answers_before_.resize(length);
  step_ends_.resize(length);
  if (inputs_ == nullptr) deeds_.resize(length == 0 ? 0 : step_ends_.back());
  avoided_.resize(avoided_before_[length]);
  words_.keep_avoided(avoided_before_[length]);
  avoided_before_.resize(length);
  over_ = false;
  if (sides_) sides_->rewind(length);
  if (!machine_.lend_to(this, settings_)) machine_.restart();
  repeat(length);
}

Event NativeExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  own();
  if (inputs_ != nullptr && thread < machine_->thread_count) await_descriptor(thread);
  const heddle_view& view = machine_.view(thread);
  Event event = native::pending_event(thread, view, holds(thread, view.object));
  if (thread >= machine_->thread_count || !machine_->is_enabled(thread)) {
    event.end = StepEnd::Refused;
    return event;
  }
  answers_before_.push_back(answers_.size());
  avoided_before_.push_back(avoided_.size());
  if (inputs_ != nullptr) deeds_.clear();  // one run: the latest step is all that is asked for
  note_try(view.op);
  const heddle_choice taken{thread, choice};
  const std::uint64_t before = view.progress;
  HEDDLE_CHECK(machine_->run(&taken, 1) == 1, "an enabled thread did not go on");
  work_ += 1 + view.progress - before;
  path_.push_back({thread, machine_->choices > 1 ? choice : 0});
  marks_.push_back(mark());
  event.choices = machine_->choices;
  event.choice = path_.back().outcome;
  take_deeds();
  if (sides_) sides_->add_step(thread, {machine_->passages, machine_->passage_count}, machine_->lost_passages == 0);
  note_step(event);
  return event;
}

/// Who repeats a run is faster than what the outside sends.
void NativeExecutor::await_descriptor(ThreadIndex thread) const {
  constexpr int rounds = 500, milliseconds = 10;
  const auto waits = [&] { return machine_.view(thread).op == HEDDLE_OP_DESCRIPTOR && !machine_->is_enabled(thread); };
  for (int i = 0; i < rounds && waits(); ++i)
    if (machine_->wait_outside(milliseconds) != 0 && waits()) usleep(milliseconds * 1000);  // another one's came
}

void NativeExecutor::take_deeds() {
  const std::span made(machine_->deeds, machine_->deed_count);
  for (const heddle_deed& one : made) {
    deeds_.push_back(deed_of(one));
    if ((one.flags & HEDDLE_IS_WEAK) == 0 || knew_weak_) continue;
    machine_.note_weak();
    if (inputs_ == nullptr) add_gap(orders_unknown);
  }
  left_traces_ = machine_->left_traces != 0;
  step_ends_.push_back(deeds_.size());
}

void NativeExecutor::note_step(Event& event) {
  const heddle_view& view = machine_.view(event.thread);
  if (!settings_.only_at) native::add_touches(event, deeds(), settings_.at_accesses);
  if (event.operation == Operation::Wake && view.woke_alone != 0) event.operation = Operation::WakeAlone;
  if (view.op == HEDDLE_OP_NONE) event.end = StepEnd::Finished;
  event.used_up = view.op == HEDDLE_OP_CONTINUE;  // it sleeps, or runs on and on
  if (view.op == HEDDLE_OP_FAILED) {
    event.end = StepEnd::Halted;
    avoided_.push_back(ending_of(view.ending));
    words_.add_avoided(event.thread, avoided_.back(), machine_->ending_text);
    const std::string what = machine_->ending_text == nullptr ? "the program failed" : machine_->ending_text;
    if (view.ending == HEDDLE_CRASHED || view.ending == HEDDLE_LIMIT) add_gap(what);
    if (view.ending == HEDDLE_UNSUPPORTED) add_gap("cannot be run under control: " + what);
  }
  if (machine_->gap != nullptr) {
    has_misused_lock_ = true;
    add_gap(machine_->gap);
  }
  if (machine_->open_end != nullptr) add_gap(machine_->open_end);
  if (machine_->gave_input != 0) add_gap(input_was_chosen);
  if (machine_->had_several != 0) add_gap("one step had several choices");
  constexpr std::size_t most_deeds = 4'000'000;
  if (path_.size() >= limits_.events || deeds_.size() >= most_deeds) {
    over_ = true;
    add_gap(cut_at_limit);
  }
}

/// Rounds in which a spinning thread holds a lock for a while were taken for unnoticed (search/spin.h).
void NativeExecutor::note_try(std::uint8_t op) {
  if (op != HEDDLE_OP_TRY_LOCK && op != HEDDLE_OP_TRY_LOCK_SHARED && op != HEDDLE_OP_SEMAPHORE_TRY) return;
  machine_.note_try();
  if (!knew_tries_ && !settings_.weak_tries && inputs_ == nullptr) add_gap(tries_unknown);
}

void NativeExecutor::add_gap(std::string gap) {
  if (!rehearses_) gaps_.insert(std::move(gap));
}

std::span<const Deed> NativeExecutor::deeds() const {
  return step_ends_.empty() ? std::span<const Deed>{} : deeds_of(step_ends_.size() - 1);
}

std::span<const Deed> NativeExecutor::deeds_of(std::size_t step) const {
  if (inputs_ != nullptr) {
    HEDDLE_CHECK(step + 1 == path_.size(), "an executor for one run keeps the latest step only");
    return deeds_;
  }
  const std::size_t begin = step == 0 ? 0 : step_ends_[step - 1];
  return std::span(deeds_).subspan(begin, step_ends_[step] - begin);
}

EndingKind NativeExecutor::state() const {
  own();
  bool waits = false;
  for (ThreadIndex t = 0; t < machine_->thread_count; ++t) {
    const heddle_view& view = machine_.view(t);
    if (view.op == HEDDLE_OP_FAILED) return ending_of(view.ending);
    if (machine_->is_enabled(t) || view.op == HEDDLE_OP_EXIT) return EndingKind::Running;
    waits = waits || view.op != HEDDLE_OP_NONE;
  }
  return waits ? EndingKind::Deadlock : EndingKind::Running;
}

std::size_t NativeExecutor::thread_count() const {
  own();
  return machine_->thread_count;
}

Standing NativeExecutor::standing(ThreadIndex thread) const {
  own();
  switch (machine_.view(thread).op) {
    case HEDDLE_OP_NONE: return Standing::Finished;
    case HEDDLE_OP_FAILED: return Standing::Halted;
    case HEDDLE_OP_EXIT: return Standing::AtEnd;
    default: return machine_->is_enabled(thread) ? Standing::Enabled : Standing::Waits;
  }
}

std::vector<ThreadIndex> NativeExecutor::enabled() const {
  own();
  std::vector<ThreadIndex> result(machine_->thread_count);
  std::size_t count = 0;
  do {
    count = machine_->enabled(result.data());
  } while (count == 0 && waits_outside());
  result.resize(count);
  return result;
}

/// No thread can go on, but one waits for something that is not the program's, and got it.
bool NativeExecutor::waits_outside() const {
  constexpr int patience = 5'000;  // milliseconds
  bool any = false;
  for (ThreadIndex t = 0; t < machine_->thread_count; ++t) any = any || machine_.view(t).op == HEDDLE_OP_DESCRIPTOR;
  return any && machine_->wait_outside(patience) != 0;
}

std::optional<ContentHash> NativeExecutor::local_state(ThreadIndex thread) const {
  own();
  std::uint64_t words[2];
  if (machine_->local_state(thread, words) == 0) return std::nullopt;
  return ContentHash{words[0], words[1]};
}

bool NativeExecutor::left_traces(ThreadIndex) const { return left_traces_; }

std::vector<Event> NativeExecutor::blocked() const {
  std::vector<Event> result;
  own();
  for (ThreadIndex t = 0; t < machine_->thread_count; ++t)
    if (standing(t) == Standing::Waits)
      result.push_back(native::pending_event(t, machine_.view(t), holds(t, machine_.view(t).object)));
  return result;
}

Creation NativeExecutor::creation_of(ThreadIndex thread) const {
  own();
  if (thread == 0) return {};
  const heddle_view& view = machine_.view(thread);
  return {view.creator, view.ordinal, view.argument};
}

std::uint64_t NativeExecutor::progress(ThreadIndex thread) const {
  own();
  return machine_.view(thread).progress;
}

NextOperation NativeExecutor::next(ThreadIndex thread) const {
  own();
  if (thread >= machine_->thread_count) return {};
  const heddle_view& view = machine_.view(thread);
  return {view.key, view.op == HEDDLE_OP_SECTION};
}

std::vector<NextAccess> NativeExecutor::next_accesses(ThreadIndex thread) {
  own();
  const heddle_view view = machine_.view(thread);
  if (!machine_->is_enabled(thread) && heddle_asks(view.op) == 0) return {};
  if (is_memory(view.op)) {
    const bool is_plain_call = view.op == HEDDLE_OP_READ || view.op == HEDDLE_OP_WRITE;
    if (is_plain_call && view.is_uncertain != 0) return {};
    const bool reads = view.op == HEDDLE_OP_READ || view.op == HEDDLE_OP_ATOMIC_READ;
    const bool is_plain = view.op == HEDDLE_OP_READ || view.op == HEDDLE_OP_WRITE;
    return {{{view.object, view.size}, !reads, !is_plain}};
  }
  if (view.op == HEDDLE_OP_SECTION) return section_accesses(thread);
  if (view.object_size == 0 || !is_on_object(view.op)) return {};
  return {{{view.object, view.object_size}, true, true}};
}

/// What a section touches shows when it is run; then the program goes back to where it stood.
std::vector<NextAccess> NativeExecutor::section_accesses(ThreadIndex thread) {
  std::vector<NextAccess> accesses;
  const std::size_t here = path_.size();
  const std::vector<Deed> kept = inputs_ != nullptr ? deeds_ : std::vector<Deed>{};
  const std::size_t given = inputs_ != nullptr ? inputs_->given().size() : 0;
  const bool rehearsed = rehearses_;
  rehearse(true);
  step(thread, 0);
  for (const Deed& deed : deeds())
    if (deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || is_atomic(deed.kind))
      accesses.push_back({{deed.address, deed.size}, !only_reads(deed.kind), is_atomic(deed.kind)});
  if (inputs_ != nullptr) inputs_->take_back(given);
  rewind(here);
  if (inputs_ != nullptr) deeds_ = kept;
  rehearse(rehearsed);
  return accesses;
}

std::optional<std::uint64_t> NativeExecutor::awaited_object(ThreadIndex thread) const {
  own();
  const heddle_view& view = machine_.view(thread);
  return has_object(view) ? std::optional(view.object) : std::nullopt;
}

bool NativeExecutor::holds(ThreadIndex thread, std::uint64_t lock) const {
  if (machine_.view(thread).held_count == 0) return false;
  std::array<std::uint64_t, HEDDLE_MOST_HELD> locks;
  return std::ranges::any_of(held_into(locks, thread), [&](std::uint64_t one) { return one == lock; });
}

std::vector<std::uint64_t> NativeExecutor::held(ThreadIndex thread) const {
  own();
  if (machine_.view(thread).held_count == 0) return {};
  std::array<std::uint64_t, HEDDLE_MOST_HELD> room;
  const std::span<std::uint64_t> locks = held_into(room, thread);
  std::ranges::sort(locks);
  return {locks.begin(), locks.end()};
}

std::span<std::uint64_t> NativeExecutor::held_into(std::span<std::uint64_t> room, ThreadIndex thread) const {
  const std::span<std::uint64_t> locks = room.first(machine_->held(thread, room.data(), room.size()));
  for (std::uint64_t& lock : locks) lock &= ~std::uint64_t{1};
  return locks;
}

}  // namespace heddle::explore
