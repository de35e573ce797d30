// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/check.h"
#include "interpret/code/values.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

void Core::end_run(OutcomeKind kind, std::string what) {
  outcome.kind = kind;
  outcome.what = std::move(what);
  outcome.thread = current;
  outcome.stack = stack(current);
  throw RunOver{};
}

void Core::add_note(Note::Kind kind, std::string what) {
  constexpr std::size_t enough = 100;
  if (notes.size() >= enough) return;
  std::vector<StackEntry> where = stack(current);
  for (const Note& note : notes)
    if (note.kind == kind && !note.stack.empty() && !where.empty() && note.stack.front() == where.front()) return;
  notes.push_back({kind, std::move(what), current, std::move(where)});
}

std::vector<StackEntry> Core::stack(ThreadIndex index) const {
  std::vector<StackEntry> out;
  const auto& frames = threads[index].frames;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    if (frame->code != nullptr) out.push_back({frame->code->id, frame->pc});
  return out;
}

PathId Core::path_of(Thread& thread) {
  auto& frames = thread.frames;
  if (frames.empty()) return 0;
  if (frames.back().path != ~PathId{0}) return frames.back().path;
  std::size_t known = frames.size();
  while (known > 0 && frames[known - 1].path == ~PathId{0}) --known;
  for (std::size_t i = known; i < frames.size(); ++i) {
    if (i == 0) {
      frames[0].path = 0;
      continue;
    }
    const Frame& caller = frames[i - 1];
    if (caller.code == nullptr) {
      frames[i].path = caller.path;
      continue;
    }
    const auto key = std::tuple(caller.path, caller.code->id.index(), caller.pc);
    const auto [it, is_new] = path_index.try_emplace(key, static_cast<PathId>(paths.size()));
    if (is_new) paths.push_back({caller.path, {caller.code->id, caller.pc}});
    frames[i].path = it->second;
  }
  return frames.back().path;
}

std::uint64_t Core::choose(Choice choice) {
  if (is_rehearsal) return 0;
  choice.thread = current;
  const Thread& thread = threads[current];
  if (!thread.frames.empty() && thread.frames.back().code != nullptr) {
    choice.function = thread.frames.back().code->id;
    choice.instruction = thread.frames.back().pc;
  }
  const std::uint64_t answer = chooser.choose(choice);
  HEDDLE_CHECK(choice.count == 0 || answer < choice.count, "an answer that is no candidate");
  return answer;
}

std::uint64_t Core::uninitialised_branch(std::uint32_t bits) {
  if (!options.uninitialised_is_choice) undefined("a branch depends on an uninitialised value");
  return choose_value(bits, false, "uninitialised value");
}

std::uint64_t Core::choose_value(std::uint32_t bits, bool is_float, std::string_view source) {
  return choose({ChoiceKind::Value, bits, 0, is_float, 0, {}, 0, source}) & mask_of(bits);
}

/// Formats that no search knows get the value of a double.
void Core::choose_float(const Shape& shape, std::string_view source, Slot* to) {
  const bool is_known = shape.format == FloatFormat::Single || shape.format == FloatFormat::Double;
  const Slot chosen{choose_value(is_known ? shape.bits : 64, true, source), 0, 0, 0};
  const NumberType from = is_known ? shape.number() : NumberType{64, FloatFormat::Double};
  cast_number({CastOp::FpExt, from, shape.number()}, &chosen, to, platform.rules);
}

}  // namespace heddle::interpret
