// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/dying_code.h"

#include <algorithm>

#include "api/action.h"
#include "flow/cfg.h"
#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

/// Whether the program goes on somewhere though the call does not return.
bool survives(const api::Effect& effect) {
  return api::treat(
      api::action_of(effect),
      [](const api::End& end) {
        switch (end.of) {
          case api::End::Of::Thread:
          case api::End::Of::Frame: return true;
          case api::End::Of::Terminate: return end.may_return;
          case api::End::Of::Program:
          case api::End::Of::Exit: return false;
        }
        return true;
      },
      api::Always<true, api::DoUnsupported>{},
      api::Always<false, api::TakeLock, api::GiveLock, api::SetUpObject, api::StartThread, api::RunLater,
                  api::LeaveThread, api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::RunOnce,
                  api::UseThreadValue, api::MakeMemory, api::Touch, api::TouchAtomic, api::MovePointers,
                  api::ReturnValue, api::CallBack, api::Assume, api::MaskEntries>{});
}

}  // namespace

bool DyingCode::at(FunctionId function, std::uint32_t instruction) {
  const std::vector<bool>& dying = blocks(function);
  return !dying.empty() && dying[block_of(in_.program.functions[function], instruction).index()];
}

const std::vector<bool>& DyingCode::blocks(FunctionId function) {
  Blocks& out = known_[function.index()];
  if (out.is_known) return out.dying;
  out.is_known = true;
  constexpr int deep = 4;
  const Function& f = in_.program.functions[function];
  std::vector<bool> dying(f.blocks.size());
  for (std::size_t b = 0; b < f.blocks.size(); ++b) dying[b] = end_of(f, f.blocks[b], deep) == End::Program;
  if (std::ranges::find(dying, true) == dying.end()) return out.dying;
  const flow::Cfg cfg = flow::build_cfg(f, flow::Liveness::Skip);
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t k = cfg.order.size(); k-- > 0;) {
      const std::size_t block = cfg.order[k].index();
      const auto& next = cfg.successors[block];
      if (dying[block] || next.empty() || !std::ranges::all_of(next, [&](BlockId to) { return dying[to.index()]; }))
        continue;
      dying[block] = changed = true;
    }
  }
  if (!dying[0]) out.dying = std::move(dying);
  return out.dying;
}

DyingCode::End DyingCode::end_of(const Function& function, const Block& block, int depth) const {
  const auto code = function.instructions_of(block);
  if (code.empty() || code.back().opcode != Opcode::Unreachable) return End::Other;
  for (std::size_t i = code.size(); i-- > 0;)
    if (code[i].is_call())
      if (const Operand callee = function.operands_of(code[i])[0]; callee.is_function())
        return end_by(callee.as_function(), depth);
  return End::Program;
}

DyingCode::End DyingCode::end_by(FunctionId callee, int depth) const {
  const Function& f = in_.program.functions[callee];
  if (!f.has_body()) {
    const api::Model* model = in_.models[callee.index()];
    const bool is_survived = model != nullptr && std::ranges::any_of(model->effects, survives);
    return is_survived ? End::Survived : End::Program;
  }
  if (depth == 0) return End::Survived;
  const bool is_survived =
      std::ranges::any_of(f.blocks, [&](const Block& block) { return end_of(f, block, depth - 1) == End::Survived; });
  return is_survived ? End::Survived : End::Program;
}

}  // namespace heddle::scan
