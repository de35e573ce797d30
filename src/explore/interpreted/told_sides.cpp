// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/told_sides.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_passages = 400'000;  // of an execution: beyond, telling takes longer than running

}  // namespace

using interpret::Passage;

ToldSides::ToldSides(const Program& program, const api::ApiModels& models, CodeEffects::AddressOf address_of,
                     bool at_accesses, std::string obstacle)
    : program_(program),
      sides_(program, models, std::move(address_of), {}, at_accesses),
      obstacle_(std::move(obstacle)) {
  if (obstacle_.empty()) obstacle_ = sides_.obstacle();
}

void ToldSides::add_step(ThreadIndex thread, std::span<const Passage> passages) {
  if (passages_.size() <= most_passages) passages_.insert(passages_.end(), passages.begin(), passages.end());
  steps_.push_back({thread, passages_.size()});
}

void ToldSides::rewind(std::size_t length) {
  if (length >= steps_.size()) return;
  steps_.resize(length);
  passages_.resize(length == 0 ? 0 : steps_.back().end);
}

std::optional<std::vector<std::vector<SideMark>>> ToldSides::marks() {
  if (passages_.size() > most_passages) return std::nullopt;
  SideMarks marks(unknown_);
  std::size_t at = 0;
  for (const Step& step : steps_) {
    marks.begin_step(step.thread);
    for (; at < step.end; ++at) follow(passages_[at], marks);
  }
  return marks.take();
}

void ToldSides::follow(const Passage& passage, SideMarks& marks) {
  const FramePlace frame{passage.depth, passage.function.index()};
  switch (passage.kind) {
    case Passage::Kind::Jump: return jump(passage, frame, marks);
    case Passage::Kind::Enter: {
      const Side* side = passage.caller.valid() ? sides_.side(passage.caller, passage.from, passage.function) : nullptr;
      if (side != nullptr) marks.begin(frame, SideMarks::at_return, *side, passage.event);
      return;
    }
    case Passage::Kind::Return: {
      const Function& function = program_.functions[passage.function];
      const bool returns = function.instructions[passage.from].opcode == Opcode::Return;
      return marks.leave(frame, returns, passage.event);
    }
  }
}

void ToldSides::jump(const Passage& passage, const FramePlace& frame, SideMarks& marks) {
  const Function& function = program_.functions[passage.function];
  const BlockId from = block_of(function, passage.from), to = block_of(function, passage.to);
  const Opcode opcode = function.instructions[passage.from].opcode;
  const auto place = [](BlockId block) {
    return block.valid() ? SideMarks::Place{block.index()} : SideMarks::at_return;
  };
  if (opcode == Opcode::CondBranch || opcode == Opcode::Switch)
    if (const Side* side = sides_.side(passage.function, from, to))
      marks.begin(frame, place(sides_.meeting_of(passage.function, from)), *side, passage.event);
  marks.arrive(frame, place(to), passage.event);
}

}  // namespace heddle::explore
