// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/inclusion/inclusions.h"

#include <algorithm>
#include <numeric>
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

std::vector<Target> further(Target target, std::int64_t by) {
  target.offset = further(target.offset, by);
  if (target.offset == anywhere) return {{target.object, anywhere}};
  if (!target.is_past || by >= 0) return {target};
  // Back among the elements, or still behind them: it was a part of what lies there.
  Target inside = target;
  inside.is_past = false;
  return {inside, target};
}

NodeIndex Inclusions::node() {
  nodes_.emplace_back();
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

ObjectIndex Inclusions::object(std::uint64_t bytes, bool is_code) {
  objects_.push_back({bytes, is_code, {}, {}});
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

void Inclusions::pass(Copy copy, Target target) {
  ++steps_;
  if (copy.stride == 0) {
    for (const Target there : further(target, copy.by)) give(copy.to, there);
    return;
  }
  const std::int64_t offset = further(target.offset, copy.by);
  if (offset == anywhere) return give(copy.to, {target.object, anywhere});
  target.offset = offset;
  copy.count != 0 && copy.stride > 0 ? pass_elements(copy, target) : pass_all(copy, target);
}

/// To each of so many elements, and behind the last.
void Inclusions::pass_elements(const Copy& copy, Target target) {
  if (copy.count <= most_strides && target.extent == 0) {
    for (std::int64_t k = 0; k < copy.count; ++k)
      give(copy.to, {target.object, target.offset + k * copy.stride, 0, 0, target.is_past});
  } else {
    const std::int64_t extent = target.extent + (copy.count - 1) * copy.stride;
    give(copy.to, {target.object, target.offset, extent, std::gcd(target.step, copy.stride), target.is_past});
  }
  target.offset += copy.count * copy.stride;
  target.is_past = true;
  give(copy.to, target);
}

/// To each element of the object, and behind the last.
void Inclusions::pass_all(const Copy& copy, Target target) {
  const std::int64_t step = std::gcd(copy.stride, target.extent == 0 ? 0 : target.step);
  const std::int64_t first = ((target.offset % step) + step) % step;
  const auto known = static_cast<std::int64_t>(std::min<std::uint64_t>(objects_[target.object].bytes, far_away));
  const std::int64_t bytes = known == 0 ? far_away : known;
  const std::int64_t count = (bytes - first + step - 1) / step;
  if (step == 1) return give(copy.to, {target.object, anywhere});
  if (count <= most_strides)
    for (std::int64_t k = 0; k < count; ++k) give(copy.to, {target.object, first + k * step});
  else
    give(copy.to, {target.object, first, (count - 1) * step, step});
  give(copy.to, {target.object, first + count * step, 0, 0, true});
}

void Inclusions::copy(NodeIndex from, NodeIndex to, std::int64_t by, std::int64_t stride, std::int64_t count) {
  if ((from == to && by == 0 && stride == 0) || !nodes_[from].copies.insert({to, by, stride, count}).second) return;
  const std::vector<Target> known = nodes_[from].targets;
  for (const Target target : known) pass({to, by, stride, count}, target);
}

void Inclusions::load(NodeIndex address, std::uint64_t bytes, NodeIndex to) {
  nodes_[address].loads.push_back({bytes, to});
  const std::vector<Target> known = nodes_[address].targets;
  for (const Target at : known)
    if (!at.is_past) read(at.object, {.offset = at.offset, .extent = at.extent, .bytes = bytes, .to = to});
}

void Inclusions::store(NodeIndex address, NodeIndex value, std::uint64_t bytes) {
  nodes_[address].stores.push_back({bytes, value});
  const std::vector<Target> known = nodes_[address].targets;
  for (const Target at : known)
    if (!at.is_past) write(at, {bytes, value});
}

void Inclusions::cut(NodeIndex address, std::optional<std::uint64_t> bytes) {
  if (bytes == 0) return;
  nodes_[address].stores.push_back({bytes.value_or(0), std::nullopt});
  const std::vector<Target> known = nodes_[address].targets;
  for (const Target at : known)
    if (!at.is_past) cut_at(at, bytes.value_or(0));
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
  const std::int64_t extent = at.offset == anywhere ? 0 : at.extent;
  const Span span{at.offset, extent, extent == 0 ? 0 : at.step};
  if (const auto known = objects_[at.object].cells.find(span); known != objects_[at.object].cells.end())
    return known->second;
  const NodeIndex made = node();
  objects_[at.object].cells.emplace(span, made);
  const std::vector<Reader> readers(objects_[at.object].readers.begin(), objects_[at.object].readers.end());
  for (const Reader& reader : readers)
    if (reaches(reader, span)) feed(reader, span, made);
  return made;
}

bool Inclusions::reaches(const Reader& reader, Span span) const {
  const auto [offset, extent, step] = span;
  if (reader.offset == anywhere || offset == anywhere) return true;
  return offset + extent + pointer_bytes_ > reader.offset &&
         (reader.bytes == 0 || offset < reader.offset + reader.extent + static_cast<std::int64_t>(reader.bytes));
}

/// A pointer in the cell may have some of the bytes, and not all of its own are among them.
bool Inclusions::cuts(const Reader& reader, Span span) const {
  const auto [offset, extent, cell_step] = span;
  if (reader.bytes == 0 || offset == anywhere || reader.offset == anywhere) return true;
  const auto word = static_cast<std::int64_t>(pointer_bytes_), bytes = static_cast<std::int64_t>(reader.bytes);
  // How far the pointer can lie behind the bytes.
  const std::int64_t least = offset - reader.offset - reader.extent, most = offset + extent - reader.offset;
  const std::int64_t step = std::gcd(extent == 0 ? 0 : cell_step, reader.extent == 0 ? 0 : reader.step);
  const auto may_be = [&](std::int64_t behind) {
    const std::int64_t rest = behind - (offset - reader.offset);
    return behind >= least && behind <= most && (step == 0 ? rest == 0 : rest % step == 0);
  };
  for (std::int64_t behind = 1 - word; behind < 0; ++behind)
    if (may_be(behind)) return true;
  for (std::int64_t behind = std::max<std::int64_t>(0, bytes - word + 1); behind < bytes; ++behind)
    if (may_be(behind)) return true;
  return false;
}

void Inclusions::cut_at(Target at, std::uint64_t bytes) {
  Reader reader{.offset = at.offset, .extent = at.extent, .bytes = bytes, .kind = Reader::Kind::Cut};
  reader.step = at.step;
  read(at.object, reader);
}

void Inclusions::feed(const Reader& reader, Span span, NodeIndex from) {
  ++steps_;
  if (reader.kind == Reader::Kind::Cut) {
    if (cuts(reader, span)) copy(from, from, anywhere);
    return;
  }
  if (reader.kind == Reader::Kind::Load) return copy(from, reader.to);
  const auto [offset, extent, step] = span;
  const bool is_known =
      offset != anywhere && reader.offset != anywhere && reader.extent == 0 && reader.moved.is_exact();
  Target to{reader.moved.object, anywhere};
  if (is_known) to = {reader.moved.object, further(reader.moved.offset, offset - reader.offset), extent, step};
  copy(from, cell(to));
}

void Inclusions::read(ObjectIndex object, const Reader& reader) {
  if (!objects_[object].readers.insert(reader).second) return;
  const std::vector<std::pair<Span, NodeIndex>> cells(objects_[object].cells.begin(), objects_[object].cells.end());
  for (const auto& [span, from] : cells)
    if (reaches(reader, span)) feed(reader, span, from);
}

/// More than a pointer: several may be in it, wherever one fits.
void Inclusions::write(Target at, const Store& store) {
  ++steps_;
  cut_at(at, store.bytes);
  if (!store.value) return;
  constexpr std::uint64_t most = 64;
  const std::uint64_t words = (store.bytes + pointer_bytes_ - 1) / pointer_bytes_;
  if (at.offset == anywhere || words > most) return copy(*store.value, cell({at.object, anywhere}));
  for (std::uint64_t k = 0; k < std::max<std::uint64_t>(words, 1); ++k)
    copy(*store.value,
         cell({at.object, at.offset + static_cast<std::int64_t>(k * pointer_bytes_), at.extent, at.step}));
}

void Inclusions::move_between(const Move& move, Target to, Target from) {
  if ((move.bytes && *move.bytes == 0) || to.is_past || from.is_past) return;
  read(from.object, {.offset = from.offset,
                     .extent = from.extent,
                     .bytes = move.bytes.value_or(0),
                     .kind = Reader::Kind::Move,
                     .moved = to});
}

void Inclusions::tell(NodeIndex at) {
  const std::vector<Target> fresh = std::exchange(nodes_[at].fresh, {});
  nodes_[at].is_waiting = false;
  // What is said meanwhile tells itself what is known.
  for (const Target target : fresh) {
    const std::vector<Copy> copies(nodes_[at].copies.begin(), nodes_[at].copies.end());
    for (const Copy& copy : copies) pass(copy, target);
    if (target.is_past) continue;
    for (std::size_t k = 0; k < nodes_[at].loads.size(); ++k) {
      const Load load = nodes_[at].loads[k];
      read(target.object, {.offset = target.offset, .extent = target.extent, .bytes = load.bytes, .to = load.to});
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
  for (const auto& [span, node] : objects_[at.object].cells)
    if (reaches({.offset = at.offset, .extent = at.extent, .bytes = bytes}, span))
      out.insert(nodes_[node].targets.begin(), nodes_[node].targets.end());
  return {out.begin(), out.end()};
}

}  // namespace heddle::alias
