// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks may write to a local whose address is taken: what was stored there before a loop is not known inside if
// the loop, or anything behind it, writes those bytes.
//
//   std::unique_lock l(m); while (!ready) c.wait(l);       l._M_device is &m in the loop as well: neither wait()
//                                                          nor unlock() write it
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

bool may_write(const api::Touch& touch, api::Argument argument) {
  if (touch.mode == api::Touch::Mode::Read) return false;
  switch (touch.extent) {
    case api::Touch::Extent::Object:
    case api::Touch::Extent::Reachable: return touch.object == argument;
    case api::Touch::Extent::Variadic: return argument >= touch.object;
    case api::Touch::Extent::Hidden: return false;
  }
  return true;
}

bool may_write(const api::TouchAtomic& touch, api::Argument argument) {
  switch (touch.step) {
    case api::TouchAtomic::Step::Read: return touch.value == argument;
    case api::TouchAtomic::Step::Write: return touch.object == argument;
    case api::TouchAtomic::Step::Update: return touch.object == argument || touch.expected == argument;
  }
  return true;
}

/// Whether a call may write memory that this argument points to, itself or by what it returns or hands on.
bool may_write(const api::Action& action, api::Argument argument) {
  return api::treat(
      action, [&](const api::SetUpObject& object) { return object.object == argument; },
      [&](const api::StartThread& start) {
        return start.handle == argument || start.argument == argument || (start.indirect && start.entry == argument);
      },
      [&](const api::RunLater& later) { return later.argument == argument; },
      [&](const api::LeaveThread& leave) {
        return leave.result == argument || (leave.indirect && leave.handle == argument);
      },
      [&](const api::WaitAtBarrier& wait) { return wait.object == argument; },
      [&](const api::UseSemaphore& use) { return use.object == argument; },
      [&](const api::RunOnce& once) { return once.object == argument || once.argument == argument; },
      [&](const api::UseThreadValue& use) { return use.key == argument || use.value == argument; },
      [&](const api::MakeMemory& make) { return make.into == argument || make.old == argument; },
      [&](const api::Touch& touch) { return may_write(touch, argument); },
      [&](const api::TouchAtomic& touch) { return may_write(touch, argument); },
      [&](const api::MovePointers& move) { return move.to == argument; },
      [&](const api::ReturnValue& value) { return value.object == argument; },
      [&](const api::CallBack& back) { return back.argument == argument || back.value == argument; },
      api::Always<false, api::TakeLock, api::GiveLock, api::UseCondition, api::End, api::Assume, api::MaskEntries>{},
      api::Always<true, api::DoUnsupported>{});
}

}  // namespace

void Summariser::note_writes_to_locals() {
  local_writes_.clear();
  if (loops_.empty()) return;
  struct Place {
    std::uint32_t local = none;
    std::int32_t offset = 0;
    bool is_exact = true;
  };
  std::vector<Place> places(f_->value_count());
  const auto place = [&](Operand o) { return o.is_value() ? places[o.index()] : Place{}; };
  const auto write = [&](Operand to, std::uint32_t rank, const ByteRange& bytes) {
    const Place at = place(to);
    if (at.local == none || bytes.is_empty()) return;
    local_writes_.push_back({at.local, rank, at.is_exact ? bytes.moved(at.offset) : ByteRange::everything()});
  };
  for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) {
    const Block& block = f_->blocks[cfg_.order[rank].index()];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Instruction& instruction = f_->instructions[i];
      const auto operands = f_->operands_of(instruction);
      Place& result = places[f_->result_of(i).index()];
      switch (instruction.opcode) {
        case Opcode::Alloca: result.local = f_->result_of(i).index(); break;
        case Opcode::Cast: result = place(operands[0]); break;
        case Opcode::Gep: {
          const GepInfo& info = f_->geps[instruction.extra];
          result = place(operands[0]);
          result.is_exact &= std::ranges::all_of(info.strides, [](std::int64_t stride) { return stride == 0; }) &&
                             std::abs(info.constant_offset) < ByteRange::farthest;
          if (result.is_exact) result.offset += static_cast<std::int32_t>(info.constant_offset);
          break;
        }
        case Opcode::Store: write(operands[1], rank, ByteRange::at(0, bytes_of(instruction.access_type))); break;
        case Opcode::Call:
        case Opcode::Invoke:
          for (std::size_t k = 1; k <= f_->arguments_of(instruction).size(); ++k)
            if (place(operands[k]).local != none) write(operands[k], rank, written_by(instruction, k));
          break;
        case Opcode::MemCopy:
        case Opcode::MemSet:
          for (const Operand o : operands) write(o, rank, ByteRange::everything());
          break;
        default: break;
      }
    }
  }
  std::ranges::sort(local_writes_, {}, [](const LocalWrite& w) { return std::pair(w.local, w.rank); });
}

/// What a call may write of the memory that one of its operands points to.
ByteRange Summariser::written_by(const Instruction& call, std::size_t operand) const {
  const Operand callee = f_->operands_of(call)[0];
  if (!callee.is_function()) return ByteRange::everything();
  const FunctionId id = callee.as_function();
  const auto argument = static_cast<int>(operand - 1);
  if (const api::Model* model = in_.models[id.index()]) {
    const bool is_written = std::ranges::any_of(
        model->effects, [&](const api::Effect& effect) { return may_write(api::action_of(effect), argument); });
    return is_written ? ByteRange::everything() : ByteRange{};
  }
  const FunctionSummary& summary = summaries_[id.index()];
  const bool is_known = std::ranges::binary_search(in_.targets.callees(id_), id);
  if (!is_known || summary.missing != FunctionSummary::Missing::None) return ByteRange::everything();
  return summary.written(static_cast<std::uint32_t>(argument));
}

/// Whether the block of this rank, or one behind it, may write the pointer there.
bool Summariser::is_written_from(std::uint32_t rank, std::uint32_t local, std::int32_t offset) const {
  const ByteRange pointer = ByteRange::at(offset, in_.program.layout.pointer_bits / 8);
  const auto writes = std::ranges::equal_range(local_writes_, local, {}, &LocalWrite::local);
  return std::ranges::any_of(
      writes, [&](const LocalWrite& write) { return write.rank >= rank && write.bytes.overlaps(pointer); });
}

}  // namespace heddle::scan
