// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/memory_classes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heddle::alias {

namespace {

// Offsets beyond this are not told apart: no object of interest is larger, and sums must not leave 32 bits.
constexpr std::int64_t farthest = std::numeric_limits<std::int32_t>::max() / 4;

}  // namespace

ClassId MemoryClasses::fresh() {
  nodes_.emplace_back();
  objects_.emplace_back(nodes_.size() - 1);
  return ClassId(nodes_.size() - 1);
}

ClassId MemoryClasses::object_of(Place place) const {
  ClassId at = place.object ? place.object : place.cls;
  while (objects_[at.index()] != at) at = objects_[at.index()] = objects_[objects_[at.index()].index()];
  return at;
}

std::int32_t MemoryClasses::reduce(const Node& node, std::int64_t offset) const {
  if (node.period != 0) {
    const auto period = static_cast<std::int64_t>(node.period);
    offset %= period;
    if (offset < 0) offset += period;
  }
  return static_cast<std::int32_t>(std::clamp(offset, -farthest, farthest));
}

Place MemoryClasses::find(Place place) const {
  if (!place.valid()) return place;
  ClassId root = place.cls;
  std::int64_t shift = 0;
  while (nodes_[root.index()].parent.valid()) {
    shift += nodes_[root.index()].shift;
    root = nodes_[root.index()].parent;
  }
  // The nodes on the way point to the root from now on.
  std::int64_t rest = shift;
  for (ClassId at = place.cls; at != root;) {
    Node& node = nodes_[at.index()];
    const std::int64_t own = node.shift;
    const ClassId next = node.parent;
    node.parent = root;
    node.shift = reduce(nodes_[root.index()], rest);
    rest -= own;
    at = next;
  }
  return {root, reduce(nodes_[root.index()], place.offset + shift), object_of(place)};
}

Place MemoryClasses::at(Place place, std::int64_t distance) const {
  const Place now = find(place);
  if (!now.valid()) return now;
  return {now.cls, reduce(nodes_[now.cls.index()], now.offset + std::clamp(distance, -farthest, farthest)), now.object};
}

Place MemoryClasses::known_content(Place place) const {
  const Place now = find(place);
  if (!now.valid()) return {};
  const std::vector<Link>& links = nodes_[now.cls.index()].links;
  const auto link = std::ranges::lower_bound(links, now.offset, {}, &Link::offset);
  return link != links.end() && link->offset == now.offset ? find(link->target) : Place{};
}

std::vector<Place> MemoryClasses::known_contents(Place place) const {
  std::vector<Place> out;
  for (const Link& link : nodes_[find(place).cls.index()].links) out.push_back(find(link.target));
  return out;
}

Place MemoryClasses::content(Place place) {
  if (const Place known = known_content(place); known.valid()) return known;
  const Place now = find(place);
  const Place target{fresh(), 0, {}};
  std::vector<Link>& links = nodes_[now.cls.index()].links;
  links.insert(std::ranges::lower_bound(links, now.offset, {}, &Link::offset), {now.offset, target});
  return find(target);
}

void MemoryClasses::unify(Place a, Place b) {
  if (!a.valid() || !b.valid()) return;
  pending_.emplace_back(a, b);
  merge_pending();
}

void MemoryClasses::copy(Place a, Place b) {
  if (!a.valid() || !b.valid()) return;
  merge_one(find(a), find(b));
  merge_pending();
}

void MemoryClasses::merge_pending() {
  while (!pending_.empty()) {
    const Place x = find(pending_.back().first), y = find(pending_.back().second);
    pending_.pop_back();
    objects_[x.object.index()] = y.object;
    merge_one(x, y);
  }
}

void MemoryClasses::repeat(Place place, std::uint64_t stride) {
  const Place now = find(place);
  if (!now.valid() || stride == 0) return;
  set_period(now.cls, stride);
  unify(now, now);
}

void MemoryClasses::merge_one(Place a, Place b) {
  if (a.cls == b.cls) {
    if (a.offset != b.offset)
      set_period(a.cls, static_cast<std::uint64_t>(std::abs(std::int64_t{a.offset} - b.offset)));
    return;
  }
  if (nodes_[a.cls.index()].links.size() < nodes_[b.cls.index()].links.size()) std::swap(a, b);
  Node& kept = nodes_[a.cls.index()];
  Node& gone = nodes_[b.cls.index()];
  const std::int64_t shift = std::int64_t{a.offset} - b.offset;
  const std::uint32_t period = gone.period;
  std::vector<Link> links = std::move(gone.links);
  gone.links = {};
  gone.parent = a.cls;
  gone.shift = reduce(kept, shift);
  merges_.emplace_back(b.cls, a.cls);
  if (period != 0) set_period(a.cls, period);
  absorb(a.cls, std::move(links), shift);
}

void MemoryClasses::set_period(ClassId id, std::uint64_t period) {
  Node& node = nodes_[id.index()];
  const auto now = static_cast<std::uint32_t>(
      std::gcd(std::uint64_t{node.period}, std::min<std::uint64_t>(period, static_cast<std::uint64_t>(farthest))));
  if (now == node.period) return;
  node.period = now;
  absorb(id, std::exchange(node.links, {}), 0);
}

void MemoryClasses::absorb(ClassId into, std::vector<Link> links, std::int64_t shift) {
  Node& node = nodes_[into.index()];
  for (const Link& link : links) {
    const std::int32_t offset = reduce(node, link.offset + shift);
    const auto place = std::ranges::lower_bound(node.links, offset, {}, &Link::offset);
    if (place != node.links.end() && place->offset == offset)
      pending_.emplace_back(place->target, link.target);
    else
      node.links.insert(place, {offset, link.target});
  }
}

void MemoryClasses::compact(std::initializer_list<std::vector<Place>*> places) {
  for (std::vector<Place>* list : places)
    for (Place& place : *list) place = find(place);
  for (Node& node : nodes_)
    for (Link& link : node.links) link.target = find(link.target);
  std::vector<ClassId> numbers(nodes_.size()), objects(objects_.size());
  std::size_t object_count = 0;
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (objects_[i] == ClassId(i)) objects[i] = ClassId(object_count++);
  objects_.clear();
  for (std::size_t i = 0; i < object_count; ++i) objects_.emplace_back(i);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].parent.valid()) continue;
    numbers[i] = ClassId(kept);
    nodes_[i].links.shrink_to_fit();
    if (kept != i) nodes_[kept] = std::move(nodes_[i]);
    ++kept;
  }
  nodes_.resize(kept);
  nodes_.shrink_to_fit();
  const auto renumber = [&](Place& place) {
    if (!place.valid()) return;
    place.cls = numbers[place.cls.index()];
    place.object = objects[place.object.index()];
  };
  for (std::vector<Place>* list : places) std::ranges::for_each(*list, renumber);
  for (Node& node : nodes_)
    for (Link& link : node.links) renumber(link.target);
}

std::vector<std::pair<ClassId, ClassId>> MemoryClasses::take_merges() { return std::exchange(merges_, {}); }

}  // namespace heddle::alias
