// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/board.h"

#include <algorithm>

#include "interpret/machine/set_up.h"

namespace heddle::depend {

using interpret::Core;
using interpret::Frame;
using interpret::Slot;
using interpret::Thread;
using interpret::ThreadStatus;

namespace {

interpret::MachineOptions options_for(std::size_t places) {
  interpret::MachineOptions options;
  options.max_threads = static_cast<std::uint32_t>(places) + 2;
  options.max_instructions = ~std::uint64_t{0};
  options.max_stack_depth = 500;
  options.max_heap_bytes = 1 << 24;
  options.record = interpret::MachineOptions::Record::Everything;
  return options;
}

void add_masks(Hasher& hasher, const Masks& masks) {
  hasher.add(masks.size());
  for (const MaskStep& mask : masks) {
    hasher.add(mask.mask).add(static_cast<std::uint64_t>(mask.of)).add(static_cast<std::uint64_t>(mask.number));
    hasher.add(mask.except.size());
    for (const std::int64_t number : mask.except) hasher.add(static_cast<std::uint64_t>(number));
  }
}

}  // namespace

std::uint64_t Board::NoChooser::choose(const interpret::Choice& choice) {
  gaps_.untried.insert("not every answer of '" + std::string(choice.source) + "' is tried");
  return 0;
}

Board::Board(Setting& setting, std::vector<bool> part, std::optional<Cut> cut, Gaps& gaps)
    : setting_(setting), gaps_(gaps), chooser_(gaps), part_(std::move(part)), cut_(cut) {
  const System& system = setting.system;
  for (std::size_t e = 0; e < system.entries().size(); ++e)
    places_.insert(places_.end(), system.entries()[e].is_multiple ? 2 : 1, e);
  core_ = std::make_unique<Core>(setting.program, options_for(places_.size()), chooser_);
  interpret::set_up(*core_, setting.models);
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const auto thread = core_->threads.add()) core_->threads.finish(core_->threads[*thread]);
  if (!setting.program.layout.little_endian) add_gap("the most significant byte comes first on the target");
  for (const std::string_view what : setting.program.unseen) add_gap(std::string(what));
  for (std::size_t g = 0; g < setting.program.globals.size(); ++g) {
    const Global& global = setting.program.globals[GlobalId(g)];
    const interpret::ObjectId object = core_->image.placement.global_object[g];
    if (object != 0 && !global.is_constant && setting.relevance().matters(GlobalId(g)) &&
        !setting.is_device(GlobalId(g)))
      kept_.push_back(object);
  }
  first_made_ = static_cast<interpret::ObjectId>(core_->memory.object_count());
  state_.masks.resize(places_.size());
  state_.begun.resize(system.entries().size());
}

Board::~Board() = default;

/// Thread 0 is the machine's own, and never runs.
Thread& Board::thread_at(std::uint32_t place) { return core_->threads[place + 1]; }
const Thread& Board::thread_at(std::uint32_t place) const { return core_->threads[place + 1]; }

bool Board::is_under_way(std::uint32_t place) const {
  return std::ranges::find(state_.stack, place) != state_.stack.end() ||
         std::ranges::find(state_.paused, place) != state_.paused.end();
}

Board::Point Board::point_of(std::uint32_t place) const {
  const Thread& thread = thread_at(place);
  if (thread.frames.empty()) return {};
  const Frame& frame = thread.frames.back();
  return {thread.frames.size(), frame.code == nullptr ? FunctionId() : frame.code->id, frame.pc};
}

std::vector<Board::Point> Board::frames_of(std::uint32_t place) const {
  std::vector<Point> points;
  for (const Frame& frame : thread_at(place).frames)
    points.push_back({points.size() + 1, frame.code == nullptr ? FunctionId() : frame.code->id, frame.pc});
  return points;
}

// --- who may come

std::optional<std::uint32_t> Board::free_place(std::size_t entry) const {
  for (std::uint32_t p = 0; p < places_.size(); ++p)
    if (places_[p] == entry && std::ranges::find(state_.stack, p) == state_.stack.end()) return p;
  return std::nullopt;
}

bool Board::may_come(std::size_t entry) const {
  const System& system = setting_.system;
  const SystemEntry& who = system.entries()[entry];
  if (who.kind == EntryKind::Init || !part_[entry]) return false;
  if (!may_interrupt_top(entry)) return false;
  for (const std::uint32_t place : state_.stack)
    for (const MaskStep& mask : state_.masks[place])
      if (system.keeps_out(mask, entry)) return false;
  const auto place = free_place(entry);
  if (!place) {
    if (who.is_multiple) gaps_.unfollowed.insert("more than two runs of '" + system.name(entry) + "' may be under way");
    return false;
  }
  const bool is_paused = std::ranges::find(state_.paused, *place) != state_.paused.end();
  if (is_paused && !may_go_on_waiting(*place)) return false;
  return who.kind != EntryKind::Main || !state_.begun[entry] || is_paused;
}

void Board::look_when_idle(Stand& stand) const {
  const auto& entries = setting_.system.entries();
  for (const EntryKind first : {EntryKind::Init, EntryKind::Main}) {
    for (std::size_t e = 0; e < entries.size(); ++e)
      if (entries[e].kind == first && part_[e] && !state_.begun[e]) stand.raises.push_back(e);
    if (!stand.raises.empty()) return;
  }
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (may_come(e)) stand.raises.push_back(e);
}

Board::Stand Board::look() {
  Stand stand;
  finish_calls();
  if (state_.is_over) {
    stand.kind = Stand::Kind::Over;
    return stand;
  }
  if (!state_.stack.empty()) stand.kind = Stand::Kind::Runs;
  stand.raises = coming_back();
  stand.must_raise = !stand.raises.empty();
  if (stand.must_raise) return stand;
  if (state_.stack.empty()) {
    look_when_idle(stand);
    return stand;
  }
  find_next();
  stand.input = next_.input;
  stand.is_round = state_.goes_round;
  stand.may_pause = state_.may_pause;
  look_for_raises(stand);
  if (const auto lent = lending()) stand.raises.push_back(places_[lent->place]);
  return stand;
}

bool Board::may_disturb_next(std::size_t entry) const {
  return next_.touches_all || std::ranges::any_of(next_.touched, [&](const Touched& touched) {
           return touched.variable.valid() ? setting_.may_disturb(entry, touched.variable, touched.writes)
                                           : touched.is_shared;
         });
}

void Board::look_for_raises(Stand& stand) const {
  const std::uint32_t place = state_.stack.back();
  const Frame& frame = thread_at(place).frames.back();
  const bool begins_mask = next_.mask && next_.mask->step == MaskStep::Step::Begin;
  const bool ends = !setting_.is_order_transitive() && frame.code != nullptr && point_of(place).depth == 2 &&
                    frame.code->code[frame.pc].op == interpret::Op::Return;
  const bool is_for_all = begins_mask || ends || state_.goes_round || next_.lock != nullptr;
  if (!is_for_all && !next_.touches_all && next_.touched.empty()) return;
  std::vector<std::size_t> coming;
  for (std::size_t e = 0; e < setting_.system.entries().size(); ++e)
    if (may_come(e)) coming.push_back(e);
  for (const std::size_t one : coming)
    if (is_for_all || std::ranges::any_of(coming, [&](std::size_t other) {
          return setting_.is_related(one, other) && may_disturb_next(other);
        }))
      stand.raises.push_back(one);
  // It is run in one step, or in two of many ways to make it.
  const bool is_wide =
      (next_.way == Way::Run || next_.way == Way::Part) && next_.bytes > setting_.system.atomic_bytes();
  const bool matters = std::ranges::any_of(next_.touched, [&](const Touched& touched) {
    return touched.variable.valid() && setting_.relevance().matters(touched.variable);
  });
  if (is_wide && matters && !stand.raises.empty()) gaps_.untried.insert("an access in several steps decides something");
}

void Board::raise(std::size_t entry) {
  const auto lent = lending();
  state_.has_waited.reset();
  if (lent && places_[lent->place] == entry) return lend(*lent);
  const auto place = free_place(entry);
  if (!place) return;
  state_.goes_round = state_.may_pause = false;
  const EntryKind kind = setting_.system.entries()[entry].kind;
  if (kind == EntryKind::Init || kind == EntryKind::Main) state_.begun[entry] = true;
  state_.stack.push_back(*place);
  const auto paused = std::ranges::find(state_.paused, *place);
  is_resumed_ = paused != state_.paused.end();
  std::erase_if(state_.waiting, [&](const auto& waiting) { return waiting.first == *place; });
  if (is_resumed_)
    state_.paused.erase(paused);
  else
    begin(*place);
}

/// What a controller masks by number may stay masked; then less may come than was looked at.
void Board::leave_masks(std::uint32_t place) {
  if (!state_.masks[place].empty())
    gaps_.assumed.insert("what '" + setting_.system.name(places_[place]) + "' leaves masked is let in when it ends");
  state_.masks[place].clear();
}

void Board::pause() {
  state_.has_waited.reset();
  state_.goes_round = state_.may_pause = false;
  leave_masks(state_.stack.back());
  state_.paused.push_back(state_.stack.back());
  std::ranges::sort(state_.paused);
  state_.stack.pop_back();
}

void Board::begin(std::uint32_t place) {
  const SystemEntry& entry = setting_.system.entries()[places_[place]];
  const Function& function = setting_.program.functions[entry.function];
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    if (setting_.relevance().matters(entry.function, ValueId(i)))
      add_gap("what '" + setting_.system.name(places_[place]) + "' is called with is not known");
  const auto number = static_cast<interpret::ThreadIndex>(place + 1);
  core_->threads.save(number);
  Thread& thread = core_->threads[number];
  const std::uint64_t saved_in = thread.saved_in;
  thread = {};
  thread.saved_in = saved_in;
  thread.entry = entry.function;
  thread.op = interpret::OpKind::Continue;
  thread.stack_top = core_->memory.stack_base(number);
  core_->threads.count_live();
  core_->threads.give_turn_to(number);
  core_->frames.push_native(thread, interpret::NativeKind::ThreadMain);
  thread.frames.back().pc = 1;  // behind the call of its function
  const interpret::FunctionCode& code = core_->image.decoded.functions[entry.function.index()];
  const std::vector<Slot> zeros(code.parameter_slots);
  core_->frames.push(thread, code, zeros);
}

// --- going back, and telling states apart

std::size_t Board::mark() {
  marks_.push_back(state_);
  return core_->journal.push_mark();
}

void Board::undo_to(std::size_t mark) {
  core_->journal.undo_to_mark(mark);
  marks_.resize(mark + 1);
  state_ = marks_[mark];
}

void Board::pop_mark() {
  core_->journal.pop_mark();
  marks_.pop_back();
}

void Board::add_run(Hasher& hasher, std::uint32_t place) const {
  const Thread& thread = thread_at(place);
  hasher.add(place).add(thread.frames.size()).add(static_cast<std::uint64_t>(thread.op));
  for (const Frame& frame : thread.frames) {
    hasher.add(frame.code == nullptr ? ~0ULL : frame.code->id.index()).add(frame.pc);
    if (frame.code == nullptr) {
      for (const std::uint64_t word : frame.state) hasher.add(word);
      continue;
    }
    for (const std::uint32_t slot : setting_.live().at(frame.code->id, frame.pc, core_->image.decoded)) {
      const Slot& value = thread.slots[frame.base + slot];
      hasher.add(value.bits).add(value.undef);
    }
  }
  for (const interpret::ObjectId id : thread.stack_objects) {
    const interpret::Object& object = core_->memory.object(id);
    hasher.add(object.base).add(std::string_view(reinterpret_cast<const char*>(object.data), object.size));
    hasher.add(std::string_view(reinterpret_cast<const char*>(object.undef), object.size));
  }
  add_masks(hasher, state_.masks[place]);
}

void Board::add_to(Hasher& hasher) const {
  const auto add_object = [&](const interpret::Object& object) {
    hasher.add(object.base).add(std::string_view(reinterpret_cast<const char*>(object.data), object.size));
    hasher.add(std::string_view(reinterpret_cast<const char*>(object.undef), object.size));
  };
  for (const interpret::ObjectId id : kept_) add_object(core_->memory.object(id));
  for (interpret::ObjectId id = first_made_; id < core_->memory.object_count(); ++id) {
    const interpret::Object& object = core_->memory.object(id);
    if (object.is_alive && object.kind != interpret::ObjectKind::Stack) add_object(object);
  }
  for (const interpret::Sync& row : core_->syncs.rows()) hasher.add(row.address).add(row.owner).add(row.count);
  hasher.add(state_.stack.size());
  for (const std::uint32_t place : state_.stack) add_run(hasher, place);
  hasher.add(state_.paused.size());
  for (const std::uint32_t place : state_.paused) add_run(hasher, place);
  for (const OpenCall& call : state_.calls) {
    hasher.add(call.place).add(call.depth);
    for (const Masks& masks : call.before) add_masks(hasher, masks);
  }
  hasher.add(state_.locks.size());
  for (const HeldLock& held : state_.locks)
    hasher.add(static_cast<std::uint64_t>(held.lock.kind)).add(held.lock.value).add(held.place).add(held.count);
  hasher.add(state_.halves.size());
  for (const Half& half : state_.halves)
    hasher.add(half.place).add(setting_.relevance().matters(cut_->variable) ? half.value : 0);
  hasher.add(state_.waiting.size());
  for (const Lent& lent : state_.lent) hasher.add(lent.place).add(lent.waiting).add(lent.index);
  hasher.add(state_.lent.size()).add(state_.has_waited ? *state_.has_waited : nobody);
  for (const auto& [place, lock] : state_.waiting)
    hasher.add(place).add(static_cast<std::uint64_t>(lock.kind)).add(lock.value);
  for (const bool begun : state_.begun) hasher.add(begun ? 1 : 0);
  hasher.add(state_.goes_round ? 1 : 0).add(state_.may_pause ? 1 : 0);
}

}  // namespace heddle::depend
