// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/local_writes.h"

#include <algorithm>
#include <cstdlib>

#include "api/action.h"

namespace heddle::scan {
namespace {

bool may_write(const api::Touch& touch, api::Argument argument) {
  if (touch.mode != api::Touch::Mode::Write && touch.mode != api::Touch::Mode::Free) return false;
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

LocalWrites::LocalWrites(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                         const FunctionBody& body)
    : in_(input), summaries_(summaries), body_(body) {
  if (body.loops.empty()) return;
  std::vector<Spot> spots(body.function.value_count());
  for (std::uint32_t rank = 0; rank < body.block_count(); ++rank) {
    const Block& block = body.block(rank);
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) visit(rank, i, spots);
  }
  std::ranges::sort(writes_, {}, [](const LocalWrite& w) { return std::pair(w.local, w.rank); });
}

void LocalWrites::write(Spot to, std::uint32_t rank, const ByteRange& bytes) {
  if (to.local == Spot::nowhere || bytes.is_empty()) return;
  writes_.push_back({to.local, rank, to.is_exact ? bytes.moved(to.offset) : ByteRange::everything()});
}

void LocalWrites::visit(std::uint32_t rank, std::uint32_t number, std::vector<Spot>& spots) {
  const Function& f = body_.function;
  const Instruction& instruction = f.instructions[number];
  const auto operands = f.operands_of(instruction);
  const auto spot = [&](Operand o) { return o.is_value() ? spots[o.index()] : Spot{}; };
  Spot& result = spots[f.result_of(number).index()];
  switch (instruction.opcode) {
    case Opcode::Alloca: result.local = f.result_of(number).index(); return;
    case Opcode::Cast: result = spot(operands[0]); return;
    case Opcode::Gep: {
      const GepInfo& info = f.geps[instruction.extra];
      result = spot(operands[0]);
      result.is_exact &= std::ranges::all_of(info.strides, [](std::int64_t stride) { return stride == 0; }) &&
                         std::abs(info.constant_offset) < ByteRange::farthest;
      if (result.is_exact) result.offset += static_cast<std::int32_t>(info.constant_offset);
      return;
    }
    case Opcode::Store:
      if (!in_.assumptions.stable_paths) write(spot(operands[0]), rank, ByteRange::everything());
      return write(spot(operands[1]), rank, ByteRange::at(0, in_.bytes_of(instruction.access_type)));
    case Opcode::Phi:
    case Opcode::Select:
      for (const Operand o : operands)
        if (!in_.assumptions.stable_paths) write(spot(o), rank, ByteRange::everything());
      return;
    case Opcode::Call:
    case Opcode::Invoke:
      for (std::size_t k = 1; k <= f.arguments_of(instruction).size(); ++k)
        if (spot(operands[k]).local != Spot::nowhere) write(spot(operands[k]), rank, written_by(instruction, k));
      return;
    case Opcode::MemCopy:
    case Opcode::MemSet:
      for (const Operand o : operands) write(spot(o), rank, ByteRange::everything());
      return;
    default: return;
  }
}

/// What a call may write of the memory that one of its operands points to.
ByteRange LocalWrites::written_by(const Instruction& call, std::size_t operand) const {
  const Operand callee = body_.function.operands_of(call)[0];
  if (!callee.is_function()) return ByteRange::everything();
  const FunctionId id = callee.as_function();
  const auto argument = static_cast<int>(operand - 1);
  if (const api::Model* model = in_.models[id.index()]) {
    const bool is_written = std::ranges::any_of(
        model->effects, [&](const api::Effect& effect) { return may_write(api::action_of(effect), argument); });
    return is_written ? ByteRange::everything() : ByteRange{};
  }
  const FunctionSummary& summary = summaries_[id.index()];
  const bool is_known = std::ranges::binary_search(in_.targets.callees(body_.id), id);
  if (!is_known || summary.missing != FunctionSummary::Missing::None) return ByteRange::everything();
  const auto parameter = static_cast<std::uint32_t>(argument);
  return summary.escapes(parameter) && !in_.assumptions.stable_paths ? ByteRange::everything()
                                                                     : summary.written(parameter);
}

bool LocalWrites::is_written_from(std::uint32_t rank, std::uint32_t local, std::int32_t offset) const {
  const ByteRange pointer = ByteRange::at(offset, in_.word_bytes());
  const auto writes = std::ranges::equal_range(writes_, local, {}, &LocalWrite::local);
  return std::ranges::any_of(
      writes, [&](const LocalWrite& write) { return write.rank >= rank && write.bytes.overlaps(pointer); });
}

}  // namespace heddle::scan
