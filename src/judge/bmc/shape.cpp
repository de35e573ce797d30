// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/shape.h"

namespace heddle::judge::bmc {

ObjectNumber Shape::object(const ObjectKey& key, std::uint64_t bytes) {
  const auto [known, is_new] = by_key_.try_emplace(key, static_cast<ObjectNumber>(objects_.size()));
  if (!is_new) return known->second;
  // Room behind the object, so that a pointer just behind it is not one to the next.
  if (bytes >= (std::uint64_t{1} << offset_bits_) / 2) throw NoEncoding{"it has an object of many bytes"};
  if (pointer_bits_ == 32 && objects_.size() >= (1U << 13U)) throw NoEncoding{"it makes many objects"};
  objects_.push_back({key, bytes, {}, nobody, false, {0, bytes}});
  return known->second;
}

std::uint32_t Shape::context(std::vector<std::uint32_t> place) {
  return contexts_.try_emplace(std::move(place), static_cast<std::uint32_t>(contexts_.size() + 1)).first->second;
}

void Shape::hold(ObjectNumber object, const std::set<ObjectNumber>& addresses) {
  std::set<ObjectNumber>& held = objects_[object].held;
  const std::size_t before = held.size();
  held.insert(addresses.begin(), addresses.end());
  if (held.size() > before) has_grown_ = true;
}

void Shape::use(ObjectNumber object, ThreadNumber thread) {
  UnrolledObject& of = objects_[object];
  if (of.is_shared || of.user == thread) return;
  if (of.user == nobody) {
    of.user = thread;
  } else {
    of.is_shared = true;
    has_grown_ = true;
  }
}

void Shape::meet_readers() {
  has_grown_ = has_grown_ || !has_readers_;
  has_readers_ = true;
}

std::vector<Cell> Shape::cells(ObjectNumber object, std::uint64_t begin, std::uint64_t end) {
  std::set<std::uint64_t>& cuts = objects_[object].cuts;
  for (const std::uint64_t cut : {begin, end})
    if (cuts.insert(cut).second) has_grown_ = true;
  std::vector<Cell> out;
  for (auto at = cuts.find(begin); *at != end;) {
    const std::uint64_t from = *at++;
    out.push_back({object, from, *at});
  }
  return out;
}

std::vector<Cell> Shape::all_cells(ObjectNumber object) const {
  std::vector<Cell> out;
  const std::set<std::uint64_t>& cuts = objects_[object].cuts;
  for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at) out.push_back({object, *at, *std::next(at)});
  return out;
}

}  // namespace heddle::judge::bmc
