// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/memory/shared_memory.h"

#include <algorithm>

#include "program/model/device_register.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t widen_after = 8;
constexpr std::uint32_t widen_soon_after = 2;
constexpr std::int64_t most_elements = 512;

/// Where widening stops at no number that a program compares with, what grows is not waited for.
std::uint32_t wait_before_widening(const std::vector<std::int64_t>& thresholds) {
  return thresholds.size() > 1 ? widen_after : widen_soon_after;
}
}  // namespace

SharedMemory::Content& SharedMemory::at(CellId cell) {
  if (contents_.size() <= cell.index()) contents_.resize(cell.index() + 1);
  return contents_[cell.index()];
}

FormId SharedMemory::from_image(const Global& global, std::int64_t offset, std::uint32_t size) {
  std::vector<Target> parts;
  bool has_other_number = false;  // than `bytes` says
  for (const Relocation& r : global.relocations) {
    const auto at = static_cast<std::int64_t>(r.offset);
    if (at >= offset + size || offset >= at + r.size) continue;
    if (const auto address = device_address(u_.program, r)) {
      if (at == offset && r.size == size) return u_.constant(numeric::sign_extend(*address, size * 8));
      has_other_number = true;
      continue;
    }
    const ObjectId target =
        r.target.is_function() ? u_.function_object(r.target.as_function()) : u_.global_object(r.target.as_global());
    if (at == offset && r.size == size) return u_.address_of(target, r.addend);
    parts.push_back({target, -far, far, 1});
  }
  if (!parts.empty()) return u_.opaque(u_.with_addresses_of(u_.any_number(size * 8), u_.addresses(std::move(parts))));
  if (size > 8) return u_.opaque(u_.any_number(64));
  if (has_other_number) return u_.opaque(u_.any_number(size * 8));
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto k = static_cast<std::size_t>(offset) + i;
    if (k < global.bytes.size()) word |= std::uint64_t{global.bytes[k]} << (8 * i);
  }
  return u_.constant(numeric::sign_extend(word, size * 8));
}

/// What an initial content is: a number, an address, or described already.
InfoId SharedMemory::described(FormId f) {
  const Form form = u_.forms[f];
  if (form.opaque) return form.opaque;
  if (form.terms.empty()) return u_.number(Interval::constant(form.constant));
  return u_.addresses({{ObjectId(u_.symbols[form.terms[0].symbol].a), form.constant, form.constant, 0}});
}

InfoId SharedMemory::initial_range(const Global& global, const Cell& cell) {
  const std::int64_t stride = cell.stride;
  const std::int64_t first = cell.offset >= 0 ? cell.offset : ((cell.offset % stride) + stride) % stride;
  const std::int64_t end = std::min(static_cast<std::int64_t>(global.size), cell.end());
  const std::int64_t count = (end - first + stride - 1) / stride;
  InfoId out;
  if (count > most_elements) {
    out = global.bytes.empty() ? u_.number(Interval::constant(0)) : u_.any_number(cell.size * 8);
    for (const Relocation& r : global.relocations) {
      if (device_address(u_.program, r)) continue;  // a number, like the bytes
      const ObjectId target =
          r.target.is_function() ? u_.function_object(r.target.as_function()) : u_.global_object(r.target.as_global());
      out = u_.join(out, u_.addresses({{target, r.addend, r.addend, 0}}));
    }
    return out;
  }
  for (std::int64_t offset = first; offset + cell.size <= end; offset += stride) {
    const InfoId info = described(from_image(global, offset, cell.size));
    out = out ? u_.join(out, info) : info;
  }
  return out ? out : u_.any_number(cell.size * 8);
}

FormId SharedMemory::initial(CellId id) {
  const Cell cell = u_.cells[id];
  const ObjectKind kind = u_.objects[cell.object].kind;
  switch (kind) {
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal: {
      const Global& global = u_.program.globals[GlobalId(u_.objects[cell.object].a)];
      if (global.is_declaration()) break;
      if (cell.stride != 0) return u_.opaque(initial_range(global, cell));
      if (cell.offset < 0 || cell.offset + cell.size > static_cast<std::int64_t>(global.size))
        return u_.opaque(u_.any_number(cell.size * 8));
      return from_image(global, cell.offset, cell.size);
    }
    case ObjectKind::Stack:
    case ObjectKind::Heap:
    case ObjectKind::TlsValue:
      return u_.objects[cell.object].zeroed ? u_.constant(0) : u_.opaque(u_.any_number(cell.size * 8));
    case ObjectKind::Hidden:
      if (cell.stride == 0 && cell.size * 8 < u_.pointer_bits()) return u_.opaque(u_.any_number(cell.size * 8));
      return u_.opaque(u_.with_addresses_of(u_.any_number(cell.size * 8), u_.addresses({{cell.object, -far, far, 1}})));
    case ObjectKind::External: break;
    default: return u_.opaque(u_.any_number(cell.size * 8));
  }
  // The world outside holds numbers and pointers into itself (assumption `undefined-functions`).
  const ObjectId outside = u_.object(ObjectKind::External, 0, {}, {}, false);
  return u_.opaque(u_.with_addresses_of(u_.any_number(cell.size * 8), u_.addresses({{outside, -far, far, 1}})));
}

InfoId SharedMemory::read(CellId id) {
  const Cell cell = u_.cells[id];
  reads_.read(cell.object);
  InfoId out;
  auto include = [&](InfoId info) { out = out ? u_.join(out, info) : info; };
  bool initial_counts = at(id).initial != Initial::Overwritten;
  for (const CellId other : u_.overlapping(cell)) {
    if (other.index() >= contents_.size()) continue;
    const Content& content = contents_[other.index()];
    if (!content.info) continue;
    const bool is_whole = Universe::fit(cell, u_.cells[other]);
    include(is_whole ? content.info : u_.with_addresses_of(u_.any_number(cell.size * 8), content.info));
  }
  if (initial_counts) include(described(initial(id)));
  return out ? out : u_.any_number(cell.size * 8);
}

/// `known`: the part of the content that it is added to.
void SharedMemory::add(CellId cell, InfoId& known, std::uint32_t& updates, InfoId info) {
  InfoId next = info;
  const bool widens = thresholds_ && updates > wait_before_widening(*thresholds_);
  if (known) next = widens ? u_.widen(known, info, *thresholds_) : u_.join(known, info);
  if (next == known) return;
  known = next;
  ++updates;
  changed_ = true;
  note_change(cell);
}

void SharedMemory::write(CellId cell, InfoId info, const Writer& writer) {
  Content& content = at(cell);
  const auto set = [&](bool& flag) {
    if (flag) return;
    changed_ = flag = true;
    note_change(cell);
  };
  if (!content.written) {
    content.protection = writer.locks;
    content.writer = writer.thread;
    content.step = writer.step;
    set(content.written);
  } else {
    if (content.writer != writer.thread) set(content.several_writers);
    if (writer.step < content.step) {
      content.step = writer.step;
      changed_ = true;
      note_change(cell);
    }
    const auto is_missing = [&](const LockName& l) { return !std::ranges::binary_search(writer.locks, l); };
    if (std::erase_if(content.protection, is_missing) > 0) {
      changed_ = true;
      note_change(cell);
    }
  }
  if (!writer.changes_flag) set(content.plainly_written);
  begin(cell, content, Initial::Included);
  add(cell, content.stored, content.updates, info);
  add(cell, content.info, content.updates, info);
}

/// What counts of the content before the first store that others see.
void SharedMemory::begin(CellId cell, Content& content, Initial initial) {
  if (content.initial != Initial::Untouched) return;
  content.initial = initial;
  note_change(cell);
}

void SharedMemory::publish(CellId cell, InfoId info, bool first) {
  Content& content = at(cell);
  begin(cell, content, first ? Initial::Overwritten : Initial::Included);
  add(cell, content.info, content.updates, info);
}

void SharedMemory::publish_initial(CellId cell) {
  Content& content = at(cell);
  if (content.initial == Initial::Included) return;
  if (content.initial == Initial::Overwritten) changed_ = true;
  content.initial = Initial::Included;
  note_change(cell);
}

bool SharedMemory::is_owned(CellId id, ThreadId thread) const {
  if (u_.threads.threads[thread].multiple) return false;
  const Cell& cell = u_.cells[id];
  reads_.read(cell.object);
  return are_owned(written_over(cell), thread);
}

bool SharedMemory::are_owned(const Contents& written, ThreadId thread) const {
  return !u_.threads.threads[thread].multiple && std::ranges::none_of(written, [&](const Content* content) {
    return content->several_writers || content->writer != thread;
  });
}

bool SharedMemory::is_protected(CellId id, const std::vector<LockName>& held) const {
  const Cell& cell = u_.cells[id];
  reads_.read(cell.object);
  return are_protected(written_over(cell), held);
}

/// One of the locks protects all of them. All sets are sorted: each is searched for what the other has.
bool SharedMemory::are_protected(const Contents& written, const std::vector<LockName>& held) {
  if (written.empty() || held.empty()) return !held.empty();
  const std::vector<LockName>& first = written.front()->protection;
  for (auto lock = held.begin(); lock != held.end();) {
    const auto next = std::lower_bound(first.begin(), first.end(), *lock);
    if (next == first.end()) return false;
    if (*next != *lock) {
      lock = std::lower_bound(lock, held.end(), *next);
      continue;
    }
    if (std::ranges::all_of(
            written, [&](const Content* content) { return std::ranges::binary_search(content->protection, *lock); }))
      return true;
    ++lock;
  }
  return false;
}

bool SharedMemory::is_stable(CellId id, ThreadId thread, const std::vector<LockName>& held) const {
  const Cell& cell = u_.cells[id];
  reads_.read(cell.object);
  const Contents written = written_over(cell);
  return !written.empty() && (are_owned(written, thread) || are_protected(written, held));
}

/// What was written to cells that overlap with it.
SharedMemory::Contents SharedMemory::written_over(const Cell& cell) const {
  Contents out;
  for (const CellId other : u_.overlapping(cell))
    if (other.index() < contents_.size() && contents_[other.index()].written) out.push_back(&contents_[other.index()]);
  return out;
}

/// What is written to a cell of a global variable that no other written one overlaps with.
const SharedMemory::Content* SharedMemory::only_one_written(CellId id) const {
  const Cell& cell = u_.cells[id];
  if (id.index() >= contents_.size() || u_.objects[cell.object].kind != ObjectKind::Global || cell.stride != 0)
    return nullptr;
  reads_.read(cell.object);
  const Content& content = contents_[id.index()];
  if (!content.written) return nullptr;
  const Contents written = written_over(cell);
  return written.size() == 1 && written[0] == &content ? &content : nullptr;
}

std::optional<Interval> SharedMemory::lasting(CellId id) const {
  const Content* content = only_one_written(id);
  if (content == nullptr || content->protection.empty() || !u_.infos[content->stored].is_number()) return std::nullopt;
  return u_.infos[content->stored].number;
}

std::int64_t SharedMemory::step(CellId id) const {
  const Content* content = only_one_written(id);
  return content == nullptr ? 0 : content->step;
}

bool SharedMemory::has_plain_write(ObjectId object, std::int64_t offset, std::uint32_t size) const {
  const Cell flag = Cell::single(object, offset, size);
  reads_.read(object);
  return std::ranges::any_of(u_.overlapping(flag), [&](CellId c) {
    if (c.index() >= contents_.size() || !contents_[c.index()].written) return false;
    const Cell& cell = u_.cells[c];
    const bool is_the_flag = cell.offset == offset && cell.size == size && cell.stride == 0;
    return contents_[c.index()].plainly_written || !is_the_flag;
  });
}

bool SharedMemory::is_owned_object(ObjectId object, ThreadId thread) const {
  if (!u_.is_singleton(object)) return false;
  reads_.read(object);
  const auto& cells = u_.objects[object].cells;
  return std::all_of(cells.begin(), cells.end(), [&](CellId c) { return is_owned(c, thread); });
}

bool SharedMemory::is_frozen(CellId id) const {
  const Cell& cell = u_.cells[id];
  reads_.read(cell.object);
  return written_over(cell).empty();
}

}  // namespace heddle::topdown
