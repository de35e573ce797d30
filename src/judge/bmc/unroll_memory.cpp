// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: accesses to what a thread has for itself, which are part of its state, and to what others know, which are
// events.
#include <algorithm>

#include "judge/bmc/unroller.h"

namespace heddle::judge::bmc {

namespace {
constexpr std::uint64_t most_spots = 128;  // of an access; beyond, the way is cut
}  // namespace

ObjectNumber Unroller::global(GlobalId id) {
  const Global& of = program_.globals[id];
  const std::uint32_t context = of.is_thread_local ? thread_object_ + 1 : 0;
  const std::size_t before = shape_.size();
  const ObjectNumber object =
      shape_.object({.kind = ObjectKey::Kind::Global, .context = context, .number = id.index()}, of.size);
  if (of.relocations.empty() || shape_.size() == before) return object;
  for (const Relocation& relocation : of.relocations) {
    std::set<Target> held;
    Word bits(shape_.pointer_bits());
    put_address(bits, held, 0, relocation);
    shape_.hold(object, relocation.offset, relocation.offset + relocation.size, held);
  }
  return object;
}

Unroller::Value Unroller::address_of(ObjectNumber object, std::uint64_t offset) {
  return {constant(shape_.address(object) + offset, shape_.pointer_bits()), set_of({{object, offset}})};
}

void Unroller::add_spot(std::vector<Spot>& out, const Value& address, ObjectNumber object, std::uint64_t offset) {
  const Bit is_it = equal(circuit_, address.bits, shape_.address(object) + offset);
  if (!is_it.is_no()) out.push_back({object, offset, is_it});
}

/// Where an access of so many bytes may be; from here on it is at one of them.
std::vector<Unroller::Spot> Unroller::spots(const Value& address, std::uint64_t bytes, Path& path) {
  const unsigned split = shape_.offset_bits();
  const Bits lower = Bits(address.bits).first(split), upper = Bits(address.bits).subspan(split);
  std::vector<Spot> out;
  std::set<ObjectNumber> anywhere;
  if (const auto number = number_of(upper)) {
    if (*number > 0 && *number <= shape_.size()) {
      const auto object = static_cast<ObjectNumber>(*number - 1);
      if (const auto offset = number_of(lower); offset && *offset + bytes <= shape_[object].bytes)
        return {{object, *offset, Bit::yes()}};
      const auto is_here = [&](const Target& one) { return one.object == object; };
      if (std::ranges::none_of(sets_[address.leads], is_here)) anywhere.insert(object);
    }
  }
  for (const Target& one : sets_[address.leads]) {
    if (one.offset == any_offset)
      anywhere.insert(one.object);
    else if (!anywhere.contains(one.object) && one.offset + bytes <= shape_[one.object].bytes)
      add_spot(out, address, one.object, one.offset);
  }
  std::erase_if(out, [&](const Spot& spot) { return anywhere.contains(spot.object); });
  std::uint64_t known = 0, wanted = 0;
  for (unsigned i = 0; i < split; ++i) {
    if (lower[i].is_constant()) known |= std::uint64_t{1} << i;
    if (lower[i].is_yes()) wanted |= std::uint64_t{1} << i;
  }
  // The lowest bit that is not known is the least distance between two offsets.
  const std::uint64_t step = ~known & (known + 1);
  for (const ObjectNumber object : anywhere)
    for (std::uint64_t offset = wanted & (step - 1); offset + bytes <= shape_[object].bytes; offset += step) {
      if ((offset & known) == wanted) add_spot(out, address, object, offset);
      if (out.size() < most_spots && step < std::uint64_t{1} << split) continue;
      execution_.is_cut = execution_.is_cut || out.size() >= most_spots;
      break;
    }
  Bit any = Bit::no();
  for (const Spot& spot : out) any = circuit_.either(any, spot.is_it);
  path.condition = circuit_.both(path.condition, any);
  return out;
}

bool Unroller::is_event(ObjectNumber object, const Path& path) {
  if (!path.is_public) return false;
  shape_.use(object, thread_object_);
  return shape_[object].is_shared;
}

void Unroller::put_address(Word& bits, std::set<Target>& leads, std::uint64_t at, const Relocation& relocation) {
  const ObjectNumber object =
      relocation.target.is_global()
          ? global(relocation.target.as_global())
          : shape_.object({.kind = ObjectKey::Kind::Function, .number = relocation.target.as_function().index()}, 1);
  leads.insert(
      {object, static_cast<std::uint64_t>(relocation.addend) & ((std::uint64_t{1} << shape_.offset_bits()) - 1)});
  const Word address =
      constant(shape_.address(object) + static_cast<std::uint64_t>(relocation.addend), shape_.pointer_bits());
  for (std::size_t i = 0; i < address.size() && at + i < bits.size(); ++i) bits[at + i] = address[i];
}

/// As the program begins.
Unroller::Value Unroller::image_chunk(ChunkPlace place) {
  const auto [known, is_new] = images_.try_emplace(place);
  if (!is_new) return known->second;
  Value out{constant(0, chunk_bytes * 8), 0};
  const ObjectKey& key = shape_[place.first].key;
  if (key.kind == ObjectKey::Kind::Global) {
    const Global& of = program_.globals[GlobalId(key.number)];
    const std::uint64_t begin = place.second * chunk_bytes;
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < chunk_bytes && begin + i < of.bytes.size(); ++i)
      bits |= std::uint64_t{of.bytes[begin + i]} << (8 * i);
    out.bits = constant(bits, chunk_bytes * 8);
    std::set<Target> leads;
    for (const Relocation& relocation : of.relocations) {
      if (relocation.offset + relocation.size <= begin || relocation.offset >= begin + chunk_bytes) continue;
      if (relocation.offset < begin || relocation.offset + relocation.size > begin + chunk_bytes)
        throw NoEncoding{"an address lies across words"};
      put_address(out.bits, leads, (relocation.offset - begin) * 8, relocation);
    }
    out.leads = set_of(leads);
  }
  return images_[place] = std::move(out);
}

Unroller::Value Unroller::initial_chunk(ChunkPlace place) {
  const auto known = published_.find(place);
  return known != published_.end() ? values_[known->second] : image_chunk(place);
}

Unroller::Value Unroller::chunk(const Memory& memory, ChunkPlace place) {
  const auto known = memory.find(place);
  return known != memory.end() ? values_[known->second] : initial_chunk(place);
}

Unroller::Value Unroller::read_private(const Memory& memory, const Spot& spot, std::uint64_t bytes) {
  Value out;
  for (std::uint64_t at = spot.offset; at < spot.offset + bytes;) {
    const std::uint64_t number = at / chunk_bytes, end = std::min((number + 1) * chunk_bytes, spot.offset + bytes);
    const Value here = chunk(memory, {spot.object, number});
    const Bits part = Bits(here.bits).subspan((at - number * chunk_bytes) * 8, (end - at) * 8);
    out.bits.insert(out.bits.end(), part.begin(), part.end());
    out.leads = join_sets(out.leads, here.leads);
    at = end;
  }
  return out;
}

void Unroller::write_private(Memory& memory, const Spot& spot, const Value& value, Bit condition) {
  const std::uint64_t bytes = value.bits.size() / 8;
  for (std::uint64_t at = spot.offset; at < spot.offset + bytes;) {
    const std::uint64_t number = at / chunk_bytes, end = std::min((number + 1) * chunk_bytes, spot.offset + bytes);
    Value here = chunk(memory, {spot.object, number});
    const bool is_all = end - at == chunk_bytes && condition.is_yes();
    here.leads = is_all ? value.leads : join_sets(here.leads, value.leads);
    for (std::uint64_t i = 0; i < (end - at) * 8; ++i) {
      Bit& bit = here.bits[(at - number * chunk_bytes) * 8 + i];
      bit = circuit_.choose(condition, value.bits[(at - spot.offset) * 8 + i], bit);
    }
    memory[{spot.object, number}] = keep(std::move(here));
    at = end;
  }
}

PointNumber Unroller::new_point(bool is_section) {
  UnrolledThread& of = execution_.threads[thread_];
  const auto number = static_cast<PointNumber>(execution_.points.size());
  execution_.points.push_back({thread_, static_cast<std::uint32_t>(of.points.size()), circuit_.input(), is_section});
  of.points.push_back(number);
  return number;
}

UnrolledEvent Unroller::event_at(const Site& site, Path& path, const AccessHow& how) {
  UnrolledEvent event;
  event.thread = thread_;
  event.condition = path.condition;
  event.function = site.frame.id;
  event.instruction = site.index;
  event.is_atomic = how.is_atomic;
  event.can_race = how.can_race;
  event.is_part = how.is_part;
  const bool goes_on = path.section != nobody;
  event.in_section = goes_on && execution_.points[path.section].is_section;
  if (goes_on && path.section != execution_.threads[thread_].points.back())
    throw NoEncoding{"an atomic section goes on behind one that ended on another way"};
  event.point = goes_on ? path.section : new_point();
  return event;
}

void Unroller::add_event(UnrolledEvent event) {
  touches_ += event.touches.size();
  execution_.events.push_back(std::move(event));
}

Unroller::Value Unroller::access(const Site& site, Path& path, const Value& address, std::uint64_t bytes,
                                 const AccessHow& how, bool reads, const Change& change) {
  const std::vector<Spot> at = how.is_lock ? lock_spots(address, bytes, path) : spots(address, bytes, path);
  return access_at(site, path, at, bytes, how, reads, change);
}

/// Read by one who does not know what others do: bits that nobody ever changes are what they were.
Word Unroller::bits_there(const std::vector<Spot>& at, std::uint64_t bytes) {
  std::vector<bool> may_be_set(bytes * 8), may_be_cleared(bytes * 8);
  for (const Spot& spot : at) {
    const Value first = read_private({}, spot, bytes);
    for (std::uint64_t i = 0; i < bytes * 8; ++i) {
      const std::uint64_t byte = spot.offset + i / 8, shift = byte % chunk_bytes * 8 + i % 8;
      const WrittenBits* written = shape_.written({spot.object, byte / chunk_bytes});
      if (!first.bits[i].is_no() || (written != nullptr && (written->set >> shift & 1U) != 0)) may_be_set[i] = true;
      if (!first.bits[i].is_yes() || (written != nullptr && (written->cleared >> shift & 1U) != 0))
        may_be_cleared[i] = true;
    }
  }
  Word out;
  for (std::uint64_t i = 0; i < bytes * 8; ++i)
    out.push_back(may_be_set[i] && may_be_cleared[i] ? circuit_.input() : Bit::of(may_be_set[i]));
  return out;
}

Unroller::Value Unroller::access_at(const Site& site, Path& path, const std::vector<Spot>& at, std::uint64_t bytes,
                                    const AccessHow& how, bool reads, const Change& change) {
  last_point_ = nobody;
  last_common_ = Bit::no();
  Value old{constant(0, bytes * 8), 0};
  if (path.condition.is_no()) return old;
  std::vector<Spot> own, common;
  for (const Spot& spot : at) {
    const bool can_change = !how.only_reads || shape_.is_written(spot.object, spot.offset, spot.offset + bytes);
    const bool is_known = is_event(spot.object, path);
    (is_known && can_change ? common : own).push_back(spot);
    if (is_known && can_change) last_common_ = circuit_.either(last_common_, spot.is_it);
  }
  const bool holds_addresses = bytes * 8 >= shape_.pointer_bits(), is_memory = how.role == TouchRole::Memory;
  UnrolledEvent event;
  const auto touch = [&](const Value& value, Bit condition, bool is_write) {
    for (const Spot& spot : common)
      for (const Cell& cell : shape_.cells(spot.object, spot.offset, spot.offset + bytes)) {
        const Bits part = Bits(value.bits).subspan((cell.begin - spot.offset) * 8, (cell.end - cell.begin) * 8);
        event.touches.push_back({cell, circuit_.both(condition, spot.is_it), Word(part.begin(), part.end()), is_write});
      }
  };
  if (!common.empty()) event = event_at(site, path, how);
  if (reads) {
    if (!common.empty() && is_memory) {
      old.bits = bits_there(common, bytes);
      touch(old, Bit::yes(), false);
      for (const Spot& spot : common)
        if (holds_addresses)
          old.leads = join_sets(old.leads, set_of(shape_.held(spot.object, spot.offset, spot.offset + bytes)));
    }
    for (const Spot& spot : own) old = choose_value(spot.is_it, read_private(path.memory, spot, bytes), old);
  }
  if (const auto changed = change(old)) {
    const auto& [value, condition] = *changed;
    if (is_memory) touch(value, condition, true);
    for (const Spot& spot : common) {
      if (is_memory) shape_.note_written(spot.object, spot.offset, value.bits);
      if (holds_addresses) shape_.hold(spot.object, spot.offset, spot.offset + bytes, sets_[value.leads]);
    }
    for (const Spot& spot : own) {
      if (holds_addresses && shape_[spot.object].is_shared)
        shape_.hold(spot.object, spot.offset, spot.offset + bytes, sets_[value.leads]);
      write_private(path.memory, spot, value, circuit_.both(condition, spot.is_it));
    }
  }
  if (common.empty()) return old;
  if (!is_memory)
    for (const Spot& spot : common)
      event.touches.push_back({{spot.object, spot.offset, spot.offset + bytes}, spot.is_it, {}, false, how.role});
  last_point_ = event.point;
  add_event(std::move(event));
  return old;
}

Unroller::Value Unroller::read(const Site& site, Path& path, const Value& address, std::uint64_t bytes,
                               const AccessHow& how) {
  AccessHow reading = how;
  reading.only_reads = true;
  return access(site, path, address, bytes, reading, true, [](const Value&) { return std::nullopt; });
}

void Unroller::write(const Site& site, Path& path, const Value& address, Value value, const AccessHow& how) {
  value = as_memory(std::move(value));
  const std::uint64_t bytes = value.bits.size() / 8;
  access(site, path, address, bytes, how, false, [&](const Value&) { return std::pair(value, Bit::yes()); });
}

/// In whole bytes.
Unroller::Value Unroller::as_memory(Value value) const {
  value.bits.resize((value.bits.size() + 7) / 8 * 8);
  return value;
}

/// Main is about to start the first thread: what it did up to here is the initial state of what others will know.
void Unroller::publish(Path& path) {
  if (path.is_public) return;
  if (was_published_) throw StartsOnSomeWays{};
  was_published_ = path.is_public = true;
  published_ = path.memory;
  for (const auto& [place, number] : published_)
    if (shape_[place.first].is_shared) {
      const std::uint64_t begin = place.second * chunk_bytes;
      shape_.hold(place.first, begin, begin + chunk_bytes, sets_[values_[number].leads]);
      path.memory.erase(place);
    }
}

}  // namespace heddle::judge::bmc
