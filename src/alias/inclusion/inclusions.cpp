// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/inclusion/inclusions.h"

#include <algorithm>
#include <utility>

namespace heddle::alias {

namespace {

constexpr std::int64_t far_away = std::int64_t{1} << 40;  // no object is as large

/// `anywhere`, and what leads so far away that it may as well be.
std::int64_t further(std::int64_t offset, std::int64_t by) {
  if (offset == anywhere || by == anywhere || by > far_away || by < -far_away) return anywhere;
  const std::int64_t out = offset + by;
  return out > far_away || out < -far_away ? anywhere : out;
}

}  // namespace

NodeIndex Inclusions::node() {
  nodes_.emplace_back();
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

ObjectIndex Inclusions::object(bool is_code) {
  objects_.push_back({is_code, {}, {}});
  return static_cast<ObjectIndex>(objects_.size() - 1);
}

void Inclusions::give(NodeIndex at, Target target) {
  Node& node = nodes_[at];
  const auto has = [&](Target t) { return std::ranges::binary_search(node.targets, t); };
  const Target all{target.object, anywhere};
  if (has(all) || has(target)) return;
  if (target.offset != anywhere) {
    const auto from = std::ranges::lower_bound(node.targets, all);
    const auto behind = std::find_if(from, node.targets.end(), [&](Target t) { return t.object != target.object; });
    if (static_cast<std::size_t>(behind - from) >= most_offsets) target = all;
  }
  if (target.offset == anywhere) std::erase_if(node.targets, [&](Target t) { return t.object == target.object; });
  node.targets.insert(std::ranges::upper_bound(node.targets, target), target);
  node.fresh.push_back(target);
  if (!std::exchange(node.is_waiting, true)) work_.push_back(at);
}

void Inclusions::pass(NodeIndex, Copy copy, Target target) {
  ++steps_;
  give(copy.to, {target.object, further(target.offset, copy.by)});
}

void Inclusions::copy(NodeIndex from, NodeIndex to, std::int64_t by) {
  if ((from == to && by == 0) || !nodes_[from].copies.insert({to, by}).second) return;
  const std::vector<Target> known = nodes_[from].targets;
  for (const Target target : known) pass(from, {to, by}, target);
}

void Inclusions::load(NodeIndex address, std::uint64_t bytes, NodeIndex to) {
  nodes_[address].loads.push_back({bytes, to});
  const std::vector<Target> known = nodes_[address].targets;
  for (const Target at : known) read(at.object, {at.offset, bytes, false, to, {}});
}

void Inclusions::store(NodeIndex address, NodeIndex value, std::uint64_t bytes) {
  nodes_[address].stores.push_back({bytes, value});
  const std::vector<Target> known = nodes_[address].targets;
  for (const Target at : known) write(at, {bytes, value});
}

void Inclusions::move(NodeIndex to, NodeIndex from, std::optional<std::uint64_t> bytes) {
  const auto number = static_cast<std::uint32_t>(moves_.size());
  moves_.push_back({to, from, bytes});
  nodes_[to].moves.push_back(number);
  if (from != to) nodes_[from].moves.push_back(number);
  const std::vector<Target> sources = nodes_[from].targets, places = nodes_[to].targets;
  for (const Target source : sources)
    for (const Target place : places) move_between(moves_[number], place, source);
}

void Inclusions::call(NodeIndex callee, std::uint32_t number) {
  nodes_[callee].calls.push_back(number);
  // Those that are known already are told of with the others.
  if (!nodes_[callee].targets.empty() && !std::exchange(nodes_[callee].is_waiting, true)) work_.push_back(callee);
  nodes_[callee].fresh = nodes_[callee].targets;
}

NodeIndex Inclusions::cell(Target at) {
  if (const auto known = objects_[at.object].cells.find(at.offset); known != objects_[at.object].cells.end())
    return known->second;
  const NodeIndex made = node();
  objects_[at.object].cells.emplace(at.offset, made);
  const std::vector<Reader> readers(objects_[at.object].readers.begin(), objects_[at.object].readers.end());
  for (const Reader& reader : readers)
    if (reaches(reader, at.offset)) feed(reader, at.offset, made);
  return made;
}

bool Inclusions::reaches(const Reader& reader, std::int64_t offset) const {
  if (reader.offset == anywhere || offset == anywhere) return true;
  return offset + pointer_bytes_ > reader.offset &&
         (reader.bytes == 0 || offset < reader.offset + static_cast<std::int64_t>(reader.bytes));
}

void Inclusions::feed(const Reader& reader, std::int64_t offset, NodeIndex from) {
  ++steps_;
  if (!reader.is_move) return copy(from, reader.to);
  const bool is_known = offset != anywhere && reader.offset != anywhere && reader.moved.offset != anywhere;
  const NodeIndex to =
      cell({reader.moved.object, is_known ? further(reader.moved.offset, offset - reader.offset) : anywhere});
  copy(from, to);
}

void Inclusions::read(ObjectIndex object, const Reader& reader) {
  if (!objects_[object].readers.insert(reader).second) return;
  const std::vector<std::pair<std::int64_t, NodeIndex>> cells(objects_[object].cells.begin(),
                                                              objects_[object].cells.end());
  for (const auto& [offset, from] : cells)
    if (reaches(reader, offset)) feed(reader, offset, from);
}

/// More than a pointer: several may be in it, wherever one fits.
void Inclusions::write(Target at, const Store& store) {
  ++steps_;
  constexpr std::uint64_t most = 64;
  const std::uint64_t words = (store.bytes + pointer_bytes_ - 1) / pointer_bytes_;
  if (at.offset == anywhere || words > most) return copy(store.value, cell({at.object, anywhere}));
  for (std::uint64_t k = 0; k < std::max<std::uint64_t>(words, 1); ++k)
    copy(store.value, cell({at.object, at.offset + static_cast<std::int64_t>(k * pointer_bytes_)}));
}

void Inclusions::move_between(const Move& move, Target to, Target from) {
  if (move.bytes && *move.bytes == 0) return;
  read(from.object, {from.offset, move.bytes.value_or(0), true, 0, to});
}

void Inclusions::tell(NodeIndex at) {
  const std::vector<Target> fresh = std::exchange(nodes_[at].fresh, {});
  nodes_[at].is_waiting = false;
  // What is said meanwhile tells itself what is known.
  for (const Target target : fresh) {
    const std::vector<Copy> copies(nodes_[at].copies.begin(), nodes_[at].copies.end());
    for (const Copy& copy : copies) pass(at, copy, target);
    for (std::size_t k = 0; k < nodes_[at].loads.size(); ++k) {
      const Load load = nodes_[at].loads[k];
      read(target.object, {target.offset, load.bytes, false, load.to, {}});
    }
    for (std::size_t k = 0; k < nodes_[at].stores.size(); ++k) write(target, Store(nodes_[at].stores[k]));
    for (std::size_t k = 0; k < nodes_[at].moves.size(); ++k) {
      const Move move = moves_[nodes_[at].moves[k]];
      if (move.from == at)
        for (const Target place : std::vector<Target>(nodes_[move.to].targets)) move_between(move, place, target);
      if (move.to == at)
        for (const Target source : std::vector<Target>(nodes_[move.from].targets)) move_between(move, target, source);
    }
    if (objects_[target.object].is_code)
      for (std::size_t k = 0; k < nodes_[at].calls.size(); ++k) (*found_)(nodes_[at].calls[k], target.object);
  }
}

bool Inclusions::solve(const std::function<void(std::uint32_t, ObjectIndex)>& found, std::uint64_t most_steps) {
  found_ = &found;
  while (!work_.empty()) {
    if (steps_ > most_steps) return false;
    const NodeIndex at = work_.back();
    work_.pop_back();
    tell(at);
  }
  return true;
}

std::vector<Target> Inclusions::contents(Target at, std::uint64_t bytes) const {
  std::set<Target> out;
  for (const auto& [offset, node] : objects_[at.object].cells)
    if (reaches({at.offset, bytes, false, 0, {}}, offset))
      out.insert(nodes_[node].targets.begin(), nodes_[node].targets.end());
  return {out.begin(), out.end()};
}

}  // namespace heddle::alias
