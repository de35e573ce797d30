// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/shape.h"

namespace heddle::judge::bmc {

ObjectNumber Shape::object(const ObjectKey& key, std::uint64_t bytes) {
  const auto [known, is_new] = by_key_.try_emplace(key, static_cast<ObjectNumber>(objects_.size()));
  if (!is_new) return known->second;
  // Room behind the object, so that a pointer just behind it is not one to the next.
  if (bytes >= (std::uint64_t{1} << offset_bits_) / 2) throw NoEncoding{"it has an object of many bytes"};
  if (pointer_bits_ == 32 && objects_.size() >= (1U << 13U)) throw NoEncoding{"it makes many objects"};
  objects_.push_back({key, bytes, nobody, false, {0, bytes}});
  return known->second;
}

std::uint32_t Shape::context(std::vector<std::uint32_t> place) {
  return contexts_.try_emplace(std::move(place), static_cast<std::uint32_t>(contexts_.size() + 1)).first->second;
}

void Shape::hold(ObjectNumber object, std::uint64_t begin, std::uint64_t end, const std::set<Target>& addresses) {
  if (addresses.empty()) return;
  constexpr std::uint32_t many = 12;  // growths, after which nobody follows a pointer that goes on and on
  for (std::uint64_t chunk = begin / chunk_bytes; chunk * chunk_bytes < end; ++chunk) {
    Held& held = held_[{object, chunk}];
    const std::size_t before = held.addresses.size();
    for (const Target& one : addresses)
      if (!held.addresses.contains({one.object, any_offset})) held.addresses.insert(one);
    if (held.addresses.size() == before) continue;
    has_grown_ = true;
    if (++held.growths <= many) continue;
    std::set<Target> wide;
    for (const Target& one : held.addresses) wide.insert({one.object, any_offset});
    held.addresses = std::move(wide);
  }
}

std::set<Target> Shape::held(ObjectNumber object, std::uint64_t begin, std::uint64_t end) const {
  std::set<Target> out;
  for (auto at = held_.lower_bound({object, begin / chunk_bytes});
       at != held_.end() && at->first.first == object && at->first.second * chunk_bytes < end; ++at)
    out.insert(at->second.addresses.begin(), at->second.addresses.end());
  return out;
}

/// A byte that changes again and again may be any, and so may those behind it that are written with it: numbers count.
void Shape::note_written(ObjectNumber object, std::uint64_t offset, Bits bits) {
  constexpr std::uint8_t many = 3;
  bool is_any = false;
  for (std::uint64_t i = 0; i < bits.size() / 8; ++i) {
    const std::uint64_t at = offset + i, shift = at % chunk_bytes * 8;
    WrittenBits& known = written_[{object, at / chunk_bytes}];
    std::uint64_t set = 0, cleared = 0;
    for (std::uint64_t k = 0; k < 8; ++k) {
      if (is_any || !bits[i * 8 + k].is_no()) set |= std::uint64_t{1} << (shift + k);
      if (is_any || !bits[i * 8 + k].is_yes()) cleared |= std::uint64_t{1} << (shift + k);
    }
    if ((set & ~known.set) == 0 && (cleared & ~known.cleared) == 0) continue;
    has_grown_ = true;
    if (++known.growths[at % chunk_bytes] > many) {
      is_any = true;
      set = cleared = std::uint64_t{255} << shift;
    }
    known.set |= set;
    known.cleared |= cleared;
  }
}

bool Shape::is_written(ObjectNumber object, std::uint64_t begin, std::uint64_t end) const {
  for (std::uint64_t at = begin; at < end; ++at) {
    const WrittenBits* known = written({object, at / chunk_bytes});
    if (known != nullptr && ((known->set | known->cleared) >> (at % chunk_bytes * 8) & 255U) != 0) return true;
  }
  return false;
}

const WrittenBits* Shape::written(ChunkPlace place) const {
  const auto known = written_.find(place);
  return known == written_.end() ? nullptr : &known->second;
}

void Shape::make_special(ObjectNumber lock, std::uint64_t offset) {
  if (special_.insert({lock, offset}).second) has_grown_ = true;
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
