// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/native_sides.h"

#include <algorithm>

#include "explore/native/own_symbols.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_passages = 400'000;  // of an execution: beyond, telling takes longer than running

template <class Rows, class Number>
auto* find_row(const Rows& rows, std::uint64_t key, Number number) {
  const auto at = std::ranges::lower_bound(rows, key, {}, number);
  return at != rows.end() && (*at).*number == key ? &*at : nullptr;
}

/// Frames of calls lie below those of their callers.
FramePlace frame_of(const heddle_passage& passage, std::uint64_t function) { return {~passage.frame, function}; }

}  // namespace

NativeCode::NativeCode(SideTable table) : table_(std::move(table)) { place_all(own_addresses(table_.symbols)); }

NativeCode::NativeCode(SideTable table, std::span<const std::uint64_t> addresses) : table_(std::move(table)) {
  place_all(addresses);
}

void NativeCode::place_all(std::span<const std::uint64_t> addresses) {
  for (Side& side : table_.sides) place(side, addresses);
  for (SideTable::Branch& branch : table_.branches) {
    if (!branch.is_call) continue;
    for (SideTable::Way& way : branch.ways) way.value = way.value < addresses.size() ? addresses[way.value] : 0;
    std::erase_if(branch.ways, [](const SideTable::Way& way) { return way.value == 0; });
  }
}

std::uint64_t NativeCode::placed(std::uint64_t address, std::span<const std::uint64_t> addresses) {
  const auto place = symbol_place(address, addresses.size());
  if (!place) return address == section_lock || address == system_objects.address ? address : 0;
  const std::uint64_t begin = addresses[place->symbol];
  return begin == 0 ? 0 : begin + static_cast<std::uint64_t>(place->offset);
}

/// A lock that lies nowhere is not acquired; if it is released, that may be any.
void NativeCode::place(LockUpdate& update, std::span<const std::uint64_t> addresses) {
  for (LockName& lock : update.acquired) lock.address = placed(lock.address, addresses);
  std::erase_if(update.acquired, [](const LockName& lock) { return lock.address == 0; });
  for (std::uint64_t& address : update.addresses) {
    address = placed(address, addresses);
    if (address == 0) update.releases_anything = true;
  }
}

void NativeCode::place(Side& side, std::span<const std::uint64_t> addresses) {
  for (SideAccess& access : side.accesses) {
    Bytes& bytes = access.variable.bytes;
    bytes.address = bytes.size == 0 ? 0 : placed(bytes.address, addresses);
    if (bytes.address == 0) bytes.size = 0;
    place(access.before, addresses);
  }
  for (LockUpdate& end : side.ends) place(end, addresses);
}

const SideTable::AccessFacts* NativeCode::find_access(AccessKey key) const {
  return find_row(table_.accesses, key, &SideTable::AccessFacts::key);
}

const SideTable::Branch* NativeCode::find_branch(std::uint64_t place) const {
  return find_row(table_.branches, place, &SideTable::Branch::place);
}

const SideTable::Ask* NativeCode::find_ask(std::uint64_t place) const {
  return find_row(table_.asks, place, &SideTable::Ask::place);
}

const Side* NativeCode::side_of(const SideTable::Branch& branch, std::uint64_t value) const {
  const auto way = std::ranges::find(branch.ways, value, &SideTable::Way::value);
  const std::uint32_t side = way == branch.ways.end() ? branch.otherwise : way->side;
  return side == SideTable::no_side ? nullptr : &table_.sides[side];
}

NativeSides::NativeSides(const NativeCode& code) : code_(code) {
  everything_.everything = true;
  anything_.condition = everything_;
  anything_.may_do_anything = true;
}

void NativeSides::add_step(ThreadIndex thread, std::span<const heddle_passage> passages, bool is_whole) {
  if (passages_.size() <= most_passages) passages_.insert(passages_.end(), passages.begin(), passages.end());
  steps_.push_back({thread, passages_.size(), is_whole});
}

void NativeSides::rewind(std::size_t length) {
  if (length >= steps_.size()) return;
  steps_.resize(length);
  passages_.resize(length == 0 ? 0 : steps_.back().end);
}

std::optional<std::vector<std::vector<SideMark>>> NativeSides::marks() {
  const auto is_whole = [](const Step& step) { return step.is_whole; };
  if (passages_.size() > most_passages || !std::ranges::all_of(steps_, is_whole)) return std::nullopt;
  SideMarks marks(unknown_);
  std::size_t at = 0;
  for (const Step& step : steps_) {
    marks.begin_step(step.thread);
    for (; at < step.end; ++at) follow(passages_[at], marks);
  }
  return marks.take();
}

void NativeSides::follow(const heddle_passage& passage, SideMarks& marks) {
  switch (static_cast<heddle_passage_kind>(passage.kind)) {
    case HEDDLE_PASSAGE_BRANCH: return branch(passage, marks);
    case HEDDLE_PASSAGE_MEET: return marks.arrive(frame_of(passage, 0), passage.place, passage.deed);
    case HEDDLE_PASSAGE_LEAVE: return marks.leave(frame_of(passage, passage.place), true, passage.deed);
    case HEDDLE_PASSAGE_LAND:
      if (passage.way == 0) return marks.land(frame_of(passage, passage.place), passage.deed);
      return marks.leave(frame_of(passage, passage.place), false, passage.deed);  // a jump back to here
    case HEDDLE_PASSAGE_ASK:
    case HEDDLE_PASSAGE_ANSWER: return ask(passage, marks);
  }
}

void NativeSides::branch(const heddle_passage& passage, SideMarks& marks) {
  const SideTable::Branch* row = code_.find_branch(passage.place);
  if (row == nullptr) return marks.begin(frame_of(passage, 0), SideMarks::at_return, anything_, passage.deed);
  const Side* side = code_.side_of(*row, passage.way);
  if (side == nullptr) return;
  marks.begin(frame_of(passage, row->function), row->meeting, *side, passage.deed, row->is_call);
}

/// A branch of which no side is known, and that is over at once: nothing that comes behind counts if it does.
void NativeSides::anything(const heddle_passage& passage, SideMarks& marks) {
  marks.begin(frame_of(passage, 0), passage.place, anything_, passage.deed);
  marks.arrive(frame_of(passage, 0), passage.place, passage.deed);
}

/// Who calls back does so by what it was given; who is unknown by whatever others did.
void NativeSides::ask(const heddle_passage& passage, SideMarks& marks) {
  const SideTable::Ask* row = code_.find_ask(passage.place);
  if (row == nullptr) return;
  const bool is_answer = passage.kind == HEDDLE_PASSAGE_ANSWER;
  if (row->calls_back && !is_answer) anything(passage, marks);
  if (is_answer)
    marks.doubt(passage.deed, row->written);
  else
    marks.ask(passage.deed);
  if (row->is_unknown) anything(passage, marks);
}

const Origin& NativeSides::origin_of(AccessKey key) {
  const SideTable::AccessFacts* facts = code_.find_access(key);
  return facts == nullptr ? everything_ : code_.origin(facts->origin);
}

const std::vector<Region>& NativeSides::regions_of(AccessKey key) {
  const SideTable::AccessFacts* facts = code_.find_access(key);
  return facts == nullptr ? anywhere_ : facts->regions;
}

bool NativeSides::is_answer(AccessKey key) {
  const SideTable::AccessFacts* facts = code_.find_access(key);
  return facts == nullptr || facts->is_answer;
}

}  // namespace heddle::explore
