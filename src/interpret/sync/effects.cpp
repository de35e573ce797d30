// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/sync/effects.h"

#include "interpret/sync/external_call.h"

namespace heddle::interpret {
namespace {

bool end_here(NativeCall& call, const api::End& end) {
  switch (end.of) {
    case api::End::Of::Thread:
      begin_thread_exit(call.core, call.thread, has_argument(call, end.value) ? argument(call, end.value) : Slot{});
      call.stays = true;
      return true;
    case api::End::Of::Program:
    case api::End::Of::Exit: call.core.account.end_run(OutcomeKind::AssertionFailed, call.name());
    case api::End::Of::Terminate:
      begin_terminate(call.core, call.thread);
      call.stays = true;
      return true;
    case api::End::Of::Frame: break;
  }
  call.refuse();
}

bool return_value(NativeCall& call, const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Own: call.give(word(call, value.object)); return true;
    case api::ReturnValue::What::Argument: call.give_pointer(argument(call, value.object)); return true;
    case api::ReturnValue::What::Hidden:
      call.give_pointer(call.core.objects.key(call.core.image.externals[call.callee.index()].key));
      return true;
    case api::ReturnValue::What::ThisThread:
      call.give(Threads::handle_of(call.core.threads.current()));
      call.result.doubt = doubt::address;
      return true;
    case api::ReturnValue::What::Into:
    case api::ReturnValue::What::Reachable:
    case api::ReturnValue::What::Anything: break;
  }
  call.refuse();
}

bool call_back(NativeCall& call, const api::CallBack& back) {
  Core& core = call.core;
  const Program& program = core.image.program;
  if (back.global.empty()) call.refuse();
  const GlobalId global = program.find_global(back.global);
  if (!global.valid()) core.account.unsupported("global " + std::string(back.global));
  const bool is_local = program.globals[global].is_thread_local;
  const ObjectId id = is_local ? core.frames.thread_local_object(core.threads.current(), global)
                               : core.image.placement.global_object[global.index()];
  call.stays = true;
  enter(core, call.thread, core.space.read_pointer(core.space.pointer_to(id)).bits, {});
  return true;
}

bool assume(NativeCall& call, const api::Assume& assume) {
  const Slot& condition = argument(call, assume.object);
  const std::uint64_t truth = condition.undef == 0 ? condition.bits : call.core.choices.uninitialised_branch(1);
  if (truth == 0) call.core.sections.assumption_failed();
  return true;
}

}  // namespace

bool carry_out(NativeCall& call, const api::Action& action) {
  const auto refuse = [&]() -> bool { call.refuse(); };
  return api::treat(
      action, [&](const api::TakeLock& take) { return take_lock(call, take); },
      [&](const api::GiveLock& give) { return give_lock(call, give); },
      [&](const api::SetUpObject& object) { return set_up_object(call, object); },
      [&](const api::StartThread& start) { return start_thread(call, start); },
      [&](const api::RunLater& later) { return run_later(call, later); },
      [&](const api::LeaveThread& leave) { return leave_thread(call, leave); },
      [&](const api::UseCondition& use) { return use_condition(call, use); },
      [&](const api::WaitAtBarrier& wait) { return wait_at_barrier(call, wait); },
      [&](const api::UseSemaphore& use) { return use_semaphore(call, use); },
      [&](const api::RunOnce& once) { return run_once(call, once); },
      [&](const api::UseThreadValue& use) { return use_thread_value(call, use); },
      [&](const api::MakeMemory& make) { return make_memory(call, make); },
      [&](const api::Touch& touch) {
        if (!touch.ends_memory()) return refuse();
        if (touch.mode == api::Touch::Mode::Free)
          call.core.heap.release(argument(call, touch.object));
        else
          call.core.frames.end_local(argument(call, touch.object));
        return true;
      },
      [&](const api::TouchAtomic& touch) { return touch_atomic(call, touch); },
      [&](const api::MovePointers&) { return refuse(); },  // of library functions with native code
      [&](const api::ReturnValue& value) { return return_value(call, value); },
      [&](const api::CallBack& back) { return call_back(call, back); },
      [&](const api::End& end) { return end_here(call, end); },
      [&](const api::Assume& condition) { return assume(call, condition); },
      [&](const api::MaskEntries&) { return refuse(); }, [&](const api::DoUnsupported&) { return refuse(); });
}

}  // namespace heddle::interpret
