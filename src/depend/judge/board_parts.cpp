// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access that the processor makes in several steps, in two: the lowest bytes, as many as it takes at once; then,
// perhaps behind an interruption, the rest. Where exactly it is cut does not matter as long as no branch or address
// depends on the variable; where one does, other orders and cuts may lead elsewhere (Board::look_for_raises).
#include <algorithm>

#include "depend/judge/board.h"

namespace heddle::depend {

using interpret::Code;
using interpret::Frame;
using interpret::Op;
using interpret::Slot;
using interpret::Thread;

namespace {

bool is_block_op(Op op) { return op == Op::MemCopy || op == Op::MemSet; }

Slot behind(Slot pointer, std::uint64_t bytes) {
  pointer.bits += bytes;
  return pointer;
}

}  // namespace

/// The next instruction is the one to cut, or a half of it is made.
void Board::find_parts(const Frame& frame, const Code& code) {
  if (!cut_ || next_.way != Way::Run) return;
  const bool is_it = std::ranges::any_of(next_.touched, [&](const Touched& touched) {
    return touched.variable == cut_->variable && touched.writes == cut_->writes;
  });
  const Instruction& instruction = setting_.program.functions[frame.code->id].instructions[frame.pc];
  if (!is_it || !instruction.location || setting_.program.locations[instruction.location].line != cut_->line) return;
  const Thread& thread = thread_at(state_.stack.back());
  const bool is_plain = code.op == Op::Load || code.op == Op::Store;
  const Slot& length = *core_->frames.slot_at(thread, is_plain ? code.a : code.c);
  next_.bytes = is_plain ? code.detail : is_block_op(code.op) ? length.bits : 0;
  const std::uint64_t at_once = setting_.system.atomic_bytes();
  if (is_plain && next_.bytes <= at_once) return;
  const auto accessible = [&](std::int32_t slot, bool writes) {
    const Slot& pointer = *core_->frames.slot_at(thread, slot);
    return core_->memory.accessible(pointer, next_.bytes, writes) != nullptr;
  };
  const bool is_writing = code.op == Op::Store || is_block_op(code.op);
  const bool may_be_cut = (is_plain || (is_block_op(code.op) && length.undef == 0)) && next_.bytes > at_once &&
                          accessible(code.op == Op::Store ? code.b : code.a, is_writing) &&
                          (code.op != Op::MemCopy || accessible(code.b, false)) &&
                          (code.op != Op::Store || core_->frames.slot_at(thread, code.a)->undef == 0);
  if (!may_be_cut) return add_gap("this access is not run in several steps");
  next_.way = Way::Part;
}

void Board::run_part() {
  Thread& thread = thread_at(place_);
  Frame& frame = thread.frames.back();
  const Code& code = frame.code->code[frame.pc];
  const auto half = std::ranges::find(state_.halves, place_, &Half::place);
  const bool is_rest = half != state_.halves.end();
  const std::uint64_t at_once = setting_.system.atomic_bytes();
  const std::uint64_t from = is_rest ? at_once : 0, count = is_rest ? next_.bytes - at_once : at_once;
  const auto slot = [&](std::int32_t which) { return *core_->frames.slot_at(thread, which); };
  const Slot there = slot(code.op == Op::Store || (code.op == Op::MemCopy && !cut_->writes) ? code.b : code.a);
  const auto bytes = static_cast<std::uint32_t>(count);
  std::uint64_t value = 0;
  switch (code.op) {
    case Op::Load: value = core_->space.read_word(behind(there, from), bytes); break;
    case Op::Store:
      value = (slot(code.a).bits >> (from * 8)) & (count >= 8 ? ~0ULL : (1ULL << (count * 8)) - 1);
      core_->space.write_word(behind(there, from), bytes, value);
      break;
    case Op::MemCopy: core_->space.copy_bytes(behind(slot(code.a), from), behind(slot(code.b), from), count); break;
    default: core_->space.set_bytes(behind(slot(code.a), from), slot(code.b), count); break;
  }
  if (is_block_op(code.op) && count <= 8) value = core_->space.read_word(behind(there, from), bytes);
  const std::uint64_t address = core_->space.address_of(there) + from;
  seen_.push_back({variable_at(address), address, count, value, cut_->writes, is_rest ? Part::Rest : Part::First,
                   is_rest ? 0 : next_.bytes - at_once});
  if (!is_rest) {
    state_.halves.push_back({place_, value});
    return;
  }
  if (code.op == Op::Load) {
    seen_.back().whole = value = (value << (at_once * 8)) | half->value;
    thread.slots[frame.base + static_cast<std::uint32_t>(code.dst)] = Slot{value, 0, 0, 0};
  }
  state_.halves.erase(half);
  ++frame.pc;
}

}  // namespace heddle::depend
