// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction of a run: what it is to the others, and how it is carried out. Most of them the machine runs; masks,
// inputs and devices are ours.
#include <algorithm>

#include "depend/judge/board.h"
#include "interpret/library/repeatable.h"
#include "interpret/machine/step.h"
#include "program/model/inline_asm.h"

namespace heddle::depend {

using interpret::CallCode;
using interpret::Code;
using interpret::External;
using interpret::Frame;
using interpret::Memory;
using interpret::Op;
using interpret::Shape;
using interpret::Slot;
using interpret::Thread;

namespace {

constexpr std::ptrdiff_t most_nested = 8;  ///< begins of one mask in one run that are counted

std::uint64_t low_bits(std::uint64_t value, std::uint64_t bits) {
  return bits >= 64 ? value : value & ((1ULL << bits) - 1);
}

}  // namespace

// --- what comes next

GlobalId Board::variable_at(std::uint64_t address) const {
  const interpret::ObjectId id = core_->memory.find(address);
  if (id != 0)
    return core_->memory.object(id).kind == interpret::ObjectKind::Global ? core_->memory.object(id).global
                                                                          : GlobalId();
  const interpret::UndefinedGlobal* undefined = core_->image.undefined_global(address);
  return undefined != nullptr ? undefined->global : setting_.register_at(address);
}

void Board::find_next() {
  next_ = {};
  const Frame& frame = thread_at(state_.stack.back()).frames.back();
  if (frame.code == nullptr) return;
  const Function& function = setting_.program.functions[frame.code->id];
  const Instruction& instruction = function.instructions[frame.pc];
  const Code& code = frame.code->code[frame.pc];
  if (instruction.is_call()) {
    next_.mask = setting_.system.mask_step(
        function, instruction, [&](std::size_t which) { return number_given(frame.code->calls[code.extra], which); });
    find_call(frame, code);
    return;
  }
  find_touched(frame, code);
  const bool is_load = code.op == Op::Load || code.op == Op::LoadPointer;
  const bool is_store = code.op == Op::Store || code.op == Op::StorePointer;
  if (code.op == Op::Load || code.op == Op::Store) next_.bytes = code.detail;
  if (!is_load && !is_store) return find_parts(frame, code);
  const Slot& pointer = *core_->frames.slot_at(thread_at(state_.stack.back()), is_load ? code.a : code.b);
  const std::uint64_t address = core_->space.address_of(pointer);
  const GlobalId variable = variable_at(address);
  const bool is_register = !variable.valid() && instruction.has_flag(Instruction::is_volatile) && pointer.undef == 0 &&
                           core_->memory.find(address) == 0;
  if (!is_register && !(variable.valid() && setting_.is_device(variable))) return find_parts(frame, code);
  next_.way = is_load ? Way::DeviceRead : Way::DeviceWrite;
  if (code.op == Op::Load) next_.input = &setting_.inputs().of(frame.code->id, frame.pc, code.width);
}

std::optional<std::int64_t> Board::number_given(const CallCode& site, std::size_t which) const {
  if (which >= site.arguments.size() || !site.arguments[which].type.valid() ||
      core_->image.shape_of(site.arguments[which].type).kind != TypeKind::Int)
    return std::nullopt;
  const Slot& given = *core_->frames.slot_at(thread_at(state_.stack.back()), site.arguments[which].slot);
  const std::uint32_t bits = core_->image.shape_of(site.arguments[which].type).bits;
  if (given.undef != 0 || bits == 0 || bits > 64) return std::nullopt;
  const std::uint64_t sign = 1ULL << (bits - 1);
  return static_cast<std::int64_t>((low_bits(given.bits, bits) ^ sign) - sign);
}

void Board::touch(const Frame& frame, std::int32_t slot, bool writes) {
  const Thread& thread = thread_at(state_.stack.back());
  const Slot& pointer = slot < 0 ? *(core_->image.decoded.constants_end() + slot)
                                 : thread.slots[frame.base + static_cast<std::uint32_t>(slot)];
  const std::uint64_t address = core_->space.address_of(pointer);
  const GlobalId variable = variable_at(address);
  const interpret::ObjectId object = core_->memory.find(address);
  const bool is_shared = !variable.valid() && object != 0 && core_->memory.object(object).is_shared;
  if (is_shared) add_gap("memory that is no variable is shared");  // who else touches it is not known beforehand
  if (variable.valid() || is_shared) next_.touched.push_back({variable, is_shared, writes});
}

void Board::find_touched(const Frame& frame, const Code& code) {
  switch (code.op) {
    case Op::Load:
    case Op::LoadPointer:
    case Op::LoadMany:
    case Op::AtomicLoad: touch(frame, code.a, false); return;
    case Op::Store:
    case Op::StorePointer:
    case Op::StoreMany:
    case Op::AtomicStore: touch(frame, code.b, true); return;
    case Op::CmpXchg:
    case Op::AtomicRmw:
    case Op::MemSet: touch(frame, code.a, true); return;
    case Op::MemCopy:
      touch(frame, code.a, true);
      touch(frame, code.b, false);
      return;
    default: return;
  }
}

void Board::find_call(const Frame& frame, const Code& code) {
  if (code.op == Op::Unsupported) return;
  const CallCode& site = frame.code->calls[code.extra];
  for (const interpret::CallArgument& argument : site.arguments)
    if (argument.byval != 0) touch(frame, argument.slot, false);
  if (next_.mask) next_.way = Way::Mask;
  FunctionId callee = site.callee;
  if (code.op == Op::Asm && !next_.mask) next_.way = Way::Assembly;
  if (code.op == Op::CallIndirect) {
    const Slot& target = *core_->frames.slot_at(thread_at(state_.stack.back()), site.target);
    const std::size_t index = Memory::function_at(core_->space.address_of(target), setting_.program.functions.size());
    if (target.undef == 0 && index < setting_.program.functions.size()) callee = FunctionId(index);
  }
  if (code.op == Op::CallIndirect && callee.valid() && setting_.relevance().is_mask(callee))
    add_gap("a mask is called through a pointer");
  if (code.op == Op::Asm || code.op == Op::Call || next_.mask) return;
  if (!callee.valid() || callee.index() >= setting_.program.functions.size()) return;
  const Function& called = setting_.program.functions[callee];
  if (called.has_body()) return;
  next_.callee = callee;
  next_.lock = site.callee.valid() ? setting_.relevance().locks().of(callee) : nullptr;
  if (next_.lock != nullptr) return find_lock(frame, site);
  const External::Kind kind = core_->image.externals[callee.index()].kind;
  if (kind == External::Kind::Unknown || kind == External::Kind::Unsupported || kind == External::Kind::Nondet ||
      setting_.relevance().is_unknown(callee)) {
    next_.way = Way::Result;
    const Shape& result = core_->image.shape_of(site.result);
    if (result.slots == 1 && result.kind == TypeKind::Int)
      next_.input = &setting_.inputs().of(frame.code->id, frame.pc, result.bits);
    return;
  }
  if (called.is_intrinsic || kind == External::Kind::Nothing) return;
  next_.touches_all = std::ranges::any_of(site.arguments, [&](const interpret::CallArgument& argument) {
    return core_->frames.slot_at(thread_at(state_.stack.back()), argument.slot)->object != 0;
  });
  if (kind != External::Kind::Native || !interpret::is_repeatable(called.name))
    add_gap("'" + std::string(called.name) + "' is not followed");
}

// --- masks

void Board::apply(const MaskStep& step, std::uint32_t place, std::vector<Masks>& masks) const {
  if (step.step == MaskStep::Step::Begin) {
    // A loop that begins the same mask again and again has no end otherwise; too few keep out too little.
    if (std::ranges::count(masks[place], step) < most_nested) masks[place].push_back(step);
    return;
  }
  // The latest begin is that of the highest run.
  const bool ends_one = step.step == MaskStep::Step::Restore && step.of != MaskStep::Of::Unknown;
  for (auto at = state_.stack.rbegin(); at != state_.stack.rend(); ++at) {
    const std::size_t before = masks[*at].size();
    end_mask(masks[*at], step);
    if (ends_one && masks[*at].size() < before) return;
  }
}

void Board::finish_calls() {
  while (!state_.calls.empty()) {
    OpenCall& call = state_.calls.back();
    const bool is_under_way = std::ranges::find(state_.stack, call.place) != state_.stack.end();
    if (is_under_way && thread_at(call.place).frames.size() > call.depth) return;
    if (is_under_way) {
      apply(call.step, call.place, call.before);
      state_.masks = std::move(call.before);
    }
    state_.calls.pop_back();
  }
}

void Board::run_mask() {
  const Thread& thread = thread_at(place_);
  const Frame& frame = thread.frames.back();
  const Code& code = frame.code->code[frame.pc];
  const MaskStep step = *next_.mask;
  if (code.op == Op::Call) {  // begins when it returns, ends when it is called: nobody is kept out too long
    state_.calls.push_back({place_, thread.frames.size(), step, state_.masks});
    if (step.step != MaskStep::Step::Begin) apply(step, place_, state_.masks);
    run_plain();
    return;
  }
  apply(step, place_, state_.masks);
  const FunctionId function = frame.code->id;
  if (setting_.relevance().matters(function, setting_.program.functions[function].result_of(frame.pc)))
    add_gap("what a mask was before decides something");
  const std::vector<Slot> zeros(frame.code->calls[code.extra].result_slots);
  core_->frames.finish_call(thread_at(place_), zeros.data(), zeros.size());
}

// --- carrying out

void Board::execute(std::uint64_t input) {
  place_ = state_.stack.back();
  before_ = point_of(place_);
  seen_.clear();
  taken_.reset();
  waits_ = false;
  state_.has_waited.reset();
  state_.goes_round = state_.may_pause = false;
  const auto number = static_cast<interpret::ThreadIndex>(place_ + 1);
  core_->threads.give_turn_to(number);
  core_->threads.save(number);
  switch (next_.way) {
    case Way::Run: run_plain(); break;
    case Way::Part: run_part(); break;
    case Way::Mask: run_mask(); break;
    case Way::Lock: run_lock(input); break;
    case Way::Result:
    case Way::Assembly: run_result(input); break;
    case Way::DeviceRead:
    case Way::DeviceWrite: run_device(input); break;
  }
  after_step();
}

void Board::run_plain() {
  const Frame& frame = thread_at(place_).frames.back();
  if (setting_.program.layout.pointer_bits < 32 && frame.code != nullptr) {
    const Op op = frame.code->code[frame.pc].op;
    state_.is_over = op == Op::LoadPointer || op == Op::StorePointer;  // the machine's addresses are longer
    if (state_.is_over) return add_gap("pointers of 16 bits lie in memory");
  }
  interpret::run_step(*core_, place_ + 1, 1);
  for (const interpret::Event& event : core_->recorder.events()) {
    const bool writes = event.kind == interpret::EventKind::Write || event.kind == interpret::EventKind::AtomicWrite;
    const bool reads = event.kind == interpret::EventKind::Read || event.kind == interpret::EventKind::AtomicRead;
    if (reads || writes)
      seen_.push_back({variable_at(event.address), event.address, event.size,
                       low_bits(event.value, std::uint64_t{event.size} * 8), writes});
  }
  const Point after = point_of(place_);
  const Thread& thread = thread_at(place_);
  if (thread.status == interpret::ThreadStatus::Finished || !core_->account.is_running()) return;
  if (after.depth == before_.depth && after.instruction == before_.instruction &&
      !core_->enabling.is_enabled(place_ + 1)) {
    add_gap("'" + setting_.system.name(places_[place_]) + "' waits for others");
    state_.is_over = true;
  }
}

/// A call of a function that is not defined, or assembly: nothing but a result.
void Board::run_result(std::uint64_t input) {
  Thread& thread = thread_at(place_);
  const Frame& frame = thread.frames.back();
  const Code& code = frame.code->code[frame.pc];
  const CallCode& site = frame.code->calls[code.extra];
  const Function& function = setting_.program.functions[frame.code->id];
  const CallInfo& info = function.calls[function.instructions[frame.pc].extra];
  const bool is_assembly = next_.way == Way::Assembly;
  const std::string name =
      is_assembly ? "inline assembly" : "'" + std::string(setting_.program.functions[next_.callee].shown_name()) + "'";
  if (is_assembly && !only_waits_or_reads(info.asm_text)) add_gap("inline assembly is not followed");
  const bool result_matters = setting_.relevance().matters(frame.code->id, function.result_of(frame.pc));
  if (result_matters && next_.input == nullptr) add_gap("what " + name + " gives is not a number");
  if (next_.input != nullptr && !next_.input->is_complete)
    gaps_.untried.insert("not every value that " + name + " may give is tried");
  if (!is_assembly) look_at_arguments(name, site);
  std::vector<Slot> result(site.result_slots);
  // A handle, say: not null, and the same for all that it is copied to.
  constexpr std::uint64_t first_handle = 0x7d4'0000, apart = 16;
  if (result_matters && core_->image.shape_of(site.result).kind == TypeKind::Pointer && result.size() == 1)
    result[0].bits = first_handle + apart * ((frame.code->id.index() * 31 + frame.pc) % 4096);
  if (next_.input != nullptr) {
    const std::uint32_t bits = core_->image.shape_of(site.result).bits;
    result[0].bits = low_bits(next_.input->matters ? input : ++state_.inputs, bits);
    taken_ = {name, result[0].bits};
  }
  if (info.no_return)
    state_.is_over = true;
  else
    core_->frames.finish_call(thread, result.data(), result.size());
}

/// An undefined function may write behind a pointer, call what it is given, or wait.
void Board::look_at_arguments(const std::string& name, const CallCode& site) {
  const std::size_t running = places_[place_];
  if (setting_.is_endless(running) && setting_.is_waited_for(running))
    add_gap(name + " may let others run in the middle of '" + setting_.system.name(running) + "'");
  if (core_->image.externals[next_.callee.index()].kind == External::Kind::Unsupported &&
      !setting_.relevance().is_unknown(next_.callee))
    add_gap(name + " is not followed");
  if (!site.callee.valid()) add_gap(name + " is called through a pointer");
  for (const interpret::CallArgument& argument : site.arguments) {
    const Slot& given = *core_->frames.slot_at(thread_at(place_), argument.slot);
    if (given.object != 0 && !core_->memory.object(given.object).is_constant) add_gap(name + " gets a pointer");
    const std::size_t index = Memory::function_at(given.bits, setting_.program.functions.size());
    const auto is_it = [&](const SystemEntry& entry) { return entry.function.index() == index; };
    if (index < setting_.program.functions.size() && std::ranges::none_of(setting_.system.entries(), is_it))
      add_gap(name + " gets a function");
  }
}

void Board::run_device(std::uint64_t input) {
  Thread& thread = thread_at(place_);
  Frame& frame = thread.frames.back();
  const Code& code = frame.code->code[frame.pc];
  const bool writes = next_.way == Way::DeviceWrite;
  const std::uint64_t address = core_->space.address_of(*core_->frames.slot_at(thread, writes ? code.b : code.a));
  const GlobalId variable = variable_at(address);
  const std::string name =
      variable.valid() ? "'" + std::string(setting_.program.globals[variable].shown_name()) + "'" : "a device register";
  Slot value = writes ? *core_->frames.slot_at(thread, code.a) : Slot{};
  if (!writes) {
    if (next_.input == nullptr) add_gap("a pointer is read from " + name);
    if (next_.input != nullptr && !next_.input->is_complete)
      gaps_.untried.insert("not every value of " + name + " is tried");
    const bool matters = next_.input != nullptr && next_.input->matters;
    const auto known = std::ranges::find(state_.registers, address, [](const auto& pair) { return pair.first; });
    const bool is_kept = !matters && known != state_.registers.end();
    value.bits = low_bits(matters ? input : is_kept ? known->second : ++state_.inputs, code.width);
    thread.slots[frame.base + static_cast<std::uint32_t>(code.dst)] = value;
    taken_ = {name, value.bits};
  }
  if (writes) {
    std::erase_if(state_.registers, [&](const auto& pair) { return pair.first == address; });
    state_.registers.emplace_back(address, value.bits);
  }
  seen_.push_back({variable, address, code.detail, value.bits, writes});
  ++frame.pc;
}

void Board::after_step() {
  using interpret::OutcomeKind;
  const Thread& thread = thread_at(place_);
  const interpret::RunOutcome& outcome = core_->account.outcome();
  if (outcome.kind != OutcomeKind::Running) {
    const bool is_end = outcome.kind == OutcomeKind::Exited || outcome.kind == OutcomeKind::Aborted ||
                        outcome.kind == OutcomeKind::AssertionFailed || outcome.kind == OutcomeKind::Infeasible;
    if (!is_end) add_gap("a run ends in " + outcome.what);
    state_.is_over = true;
  }
  for (const char* doubt : core_->account.doubts()) add_gap(doubt);
  if (core_->threads.size() > places_.size() + 1) add_gap("threads are started");
  if (state_.is_over) return;
  if (thread.status == interpret::ThreadStatus::Finished) {
    state_.stack.pop_back();
    leave_masks(place_);
    leave_locks();
    return;
  }
  const std::size_t entry = places_[place_];
  const Point after = point_of(place_);
  if (after.depth != before_.depth || !after.function.valid()) return;
  state_.goes_round = setting_.loops.goes_round(after.function, before_.instruction, after.instruction);
  state_.may_pause = state_.goes_round && after.depth == 2 && setting_.system.entries()[entry].is_task() &&
                     setting_.is_endless(entry) && setting_.is_waited_for(entry) &&
                     setting_.loops.is_endless(after.function, after.instruction);
}

}  // namespace heddle::depend
