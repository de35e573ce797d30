// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/sections.h"

namespace heddle::interpret {

bool Sections::begin() {
  if (gate_.in_section()) {
    gate_.enter_section();
    return true;
  }
  if (!gate_.admit(OpKind::Section, 0)) return false;
  mark_ = journal_.take();
  threads_.save(threads_.current());
  threads_.running().section = {};
  gate_.enter_section();
  limit_ = 0;
  first_event_ = recorder_.events().size();
  recorder_.record_section();
  recorder_.add(EventKind::SectionBegin, 0);
  return true;
}

void Sections::end() {
  if (gate_.leave_section() > 0) return;
  recorder_.add(EventKind::SectionEnd, 0);
  recorder_.record_as_asked();
  journal_.forget_unless_marked();
}

void Sections::fail(const SectionFailed& why) {
  SectionWait wait;
  wait.is_waiting = true;
  wait.blocked = why.blocked;
  wait.object = why.object;
  failed_.events.assign(recorder_.events().begin() + static_cast<std::ptrdiff_t>(first_event_),
                        recorder_.events().end());
  failed_.is_blocked = why.blocked != OpKind::None;
  for (const Event& event : failed_.events)
    if (event.kind == EventKind::Read || event.kind == EventKind::AtomicRead)
      wait.reads.push_back({event.address, event.size, false, event.kind == EventKind::AtomicRead, false});
  journal_.undo_to(mark_);
  recorder_.drop_from(first_event_);
  gate_.leave_all_sections();
  recorder_.record_as_asked();
  journal_.forget_unless_marked();
  wait.content = enabling_.content_of(wait.reads);
  threads_.save(threads_.current());
  Thread& thread = threads_.running();
  thread.section = std::move(wait);
  thread.op = OpKind::Section;
  thread.touch_count = 0;
}

void Sections::assumption_failed() {
  if (gate_.in_section()) throw SectionFailed{};
  account_.end_run(OutcomeKind::Infeasible, "an assumption is false");
}

void Sections::check_length(std::uint64_t now) {
  if (limit_ == 0) limit_ = now + options_.max_section_instructions;
  if (now > limit_) account_.cap_reached("instructions in an atomic section");
}

}  // namespace heddle::interpret
