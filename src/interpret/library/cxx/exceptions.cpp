// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/cxx/exceptions.h"

#include "interpret/library/cxx/class_hierarchy.h"
#include "interpret/sync/effects.h"
#include "interpret/sync/locks.h"

namespace heddle::interpret {
namespace {

std::uint64_t selector_of(Address type) { return type == 0 ? 1 : type & 0x7fffffffU; }

/// What the landing pad does with the exception: 0 nothing, else the selector of the clause that matches; `caught` is
/// what the handler gets: the address of the object or of its base, of a pointer its value. Filter clauses (old throw
/// lists) are aggregates and are taken as "lets everything through".
std::uint64_t match(Core& core, const FunctionCode& function, const Code& pad, const Slot* frame,
                    const CaughtException& exception, Address& caught) {
  const Address object = exception.exception.bits;
  ClassHierarchy classes(core);
  const bool is_pointer = classes.is_pointer(exception.type);
  const Address value = is_pointer ? core.space.read_pointer(exception.exception).bits : object;
  for (const std::int32_t clause : function.lists[pad.extra]) {
    const Address wanted = (clause < 0 ? core.image.decoded.constants_end() : frame)[clause].bits;
    caught = value;
    if (wanted == 0 || (is_pointer && classes.convert_pointer(exception.type, caught, wanted)))
      return selector_of(wanted);
    const std::vector<Address> bases = classes.find(exception.type, object, wanted);
    if (is_pointer || bases.size() != 1) continue;
    caught = bases.front();
    return selector_of(wanted);
  }
  caught = value;
  return 0;
}

const CallCode* invoke_at(const Frame& frame) {
  const Code& code = frame.code->code[frame.pc];
  if (code.op != Op::Call && code.op != Op::CallExternal && code.op != Op::CallIndirect) return nullptr;
  const CallCode& site = frame.code->calls[code.extra];
  return site.is_invoke ? &site : nullptr;
}

const Code& pad_of(const Frame& frame, const CallCode& site) {
  return frame.code->code[frame.code->edges[site.unwind].target];
}

}  // namespace

namespace {

void end_uncaught(Core& core, Thread& thread) {
  if (core.library.now().terminate_handler == 0)
    core.account.end_run(OutcomeKind::Aborted, "an exception that nobody catches");
  begin_terminate(core, thread);
}

}  // namespace

void throw_exception(Core& core, Thread& thread, const CaughtException& exception) {
  bool is_caught = false;
  Address caught = 0;
  for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend() && !is_caught; ++frame) {
    if (frame->native == NativeKind::Terminate) {  // what a handler throws ends there
      is_caught = true;
      break;
    }
    const CallCode* site = frame->code == nullptr ? nullptr : invoke_at(*frame);
    if (site == nullptr) continue;
    is_caught =
        match(core, *frame->code, pad_of(*frame, *site), thread.slots.data() + frame->base, exception, caught) != 0;
  }
  if (!is_caught) return end_uncaught(core, thread);
  thread.exceptions.push_back(exception);
  unwind(core, thread);
}

void unwind(Core& core, Thread& thread) {
  if (thread.exceptions.empty()) core.account.undefined("unwinding without an exception");
  Address caught = 0;
  bool is_first = true;
  while (!thread.frames.empty()) {
    Frame& frame = thread.frames.back();
    const bool resumes = is_first && frame.code != nullptr && frame.code->code[frame.pc].op == Op::Resume;
    const CallCode* site = frame.code == nullptr || resumes ? nullptr : invoke_at(frame);
    is_first = false;
    if (site != nullptr) {
      const Code& pad = pad_of(frame, *site);
      if (pad.detail != 0 ||
          match(core, *frame.code, pad, thread.slots.data() + frame.base, thread.exceptions.back(), caught) != 0) {
        core.frames.take_edge(thread, frame.code->edges[site->unwind]);
        return;
      }
    }
    if (frame.native == NativeKind::ThreadMain || frame.native == NativeKind::Startup ||
        frame.native == NativeKind::Terminate)
      break;
    if (frame.native == NativeKind::Once) {  // the next caller runs it again
      Locks(core).end_once(frame.state[0], false);
    }
    if (frame.ends_section) core.sections.end();
    core.frames.pop(thread);
  }
  core.account.end_run(OutcomeKind::Aborted, "an exception that nobody catches");
}

void landing_pad(Core& core, const Thread& thread, const Code& code, Slot* to) {
  const Frame& frame = thread.frames.back();
  const CaughtException exception = thread.exceptions.back();
  Address caught = 0;
  const std::uint64_t selector = match(core, *frame.code, code, thread.slots.data() + frame.base, exception, caught);
  to[0] = core.space.pointer_at(caught);
  to[1] = {selector, 0, 0, 0};
}

void throw_library(NativeCall& call, std::string_view name, const std::string& message) {
  Core& core = call.core;
  ClassHierarchy classes(core);
  const std::uint32_t word = core.image.pointer_bytes;
  const Slot object = core.heap.allocate(2 * word, 16, true, false);
  core.space.write_pointer(object, core.space.pointer_at(classes.library_table(name)));
  if (find_library_class(name)->text.empty())
    core.space.write_pointer({object.bits + word, 0, object.object, 0}, core.objects.make_string(message));
  call.stays = true;
  throw_exception(core, call.thread, {object, classes.library_type(name), 0, 0});
}

}  // namespace heddle::interpret
