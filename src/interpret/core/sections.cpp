// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/core.h"

namespace heddle::interpret {

bool Core::begin_section(Thread& thread) {
  if (section_depth > 0) {
    ++section_depth;
    return true;
  }
  if (!admit(thread, OpKind::Section, 0)) return false;
  section_mark = take_mark();
  memory.set_logging(true);
  touch_thread(current);
  thread.section = {};
  section_depth = 1;
  section_limit = 0;
  section_events = events.size();
  if (record == MachineOptions::Record::Nothing) record = MachineOptions::Record::Shared;
  emit(EventKind::SectionBegin, 0);
  return true;
}

void Core::end_section(Thread&) {
  if (--section_depth > 0) return;
  emit(EventKind::SectionEnd, 0);
  record = options.record;
  if (marks.empty()) forget_log();
}

void Core::section_failed(ThreadIndex index, const SectionFailed& why) {
  SectionWait wait;
  wait.is_waiting = true;
  wait.blocked = why.blocked;
  wait.object = why.object;
  for (std::size_t i = section_events; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.kind == EventKind::Read || event.kind == EventKind::AtomicRead)
      wait.reads.push_back({event.address, event.size, false, event.kind == EventKind::AtomicRead, false});
  }
  failed_section.events.assign(events.begin() + static_cast<std::ptrdiff_t>(section_events), events.end());
  failed_section.is_blocked = why.blocked != OpKind::None;
  undo_to(section_mark);
  events.resize(section_events);
  section_depth = 0;
  record = options.record;
  if (marks.empty()) forget_log();
  wait.content = content_of(wait.reads);
  touch_thread(index);
  Thread& thread = threads[index];
  thread.section = std::move(wait);
  thread.op = OpKind::Section;
  thread.touch_count = 0;
}

std::uint64_t Core::content_of(const std::vector<Touch>& reads) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Touch& touch : reads) {
    const ObjectId id = const_cast<Memory&>(memory).find(touch.address);
    if (id == 0) {
      hash = hash * 31 + 1;
      continue;
    }
    const Object& object = memory.object(id);
    const std::uint64_t offset = touch.address - object.base;
    for (std::uint64_t i = offset; i < object.size && i < offset + touch.size; ++i)
      hash = (hash ^ object.data[i]) * 0x100000001b3ULL;
  }
  return hash;
}

bool Core::section_may_run(const SectionWait& wait, ThreadIndex thread) const {
  if (!wait.is_waiting) return true;
  if (wait.blocked != OpKind::None && op_enabled(thread, wait.blocked, wait.object, 0)) return true;
  return content_of(wait.reads) != wait.content;
}

}  // namespace heddle::interpret
