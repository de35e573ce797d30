// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the machine itself does between calls of program functions: start-up, thread bodies, once, qsort, exit. Each is
// a frame with a phase (its pc), resumed when what it called has returned; so a program function called from here may
// stop anywhere.
#include "base/check.h"
#include "interpret/code/values.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

bool Core::resume_native(Thread& thread) {
  switch (thread.frames.back().native) {
    case NativeKind::Startup: resume_startup(thread); return true;
    case NativeKind::ThreadMain: resume_thread_main(thread); return true;
    case NativeKind::ThreadExit: resume_thread_exit(thread); return true;
    case NativeKind::Sort: resume_sort(thread); return true;
    case NativeKind::Search: resume_search(thread); return true;
    case NativeKind::ExitHandlers: return resume_exit(thread);
    case NativeKind::Once: {
      Frame& frame = thread.frames.back();
      if (frame.pc++ == 0) {
        const Slot argument = pointer_at(frame.state[3]);
        enter(thread, frame.state[1], &argument, frame.state[2]);
        return true;
      }
      Sync& flag = sync(frame.state[0]);
      save_sync(flag);
      flag.count = 2;
      flag.owner = no_thread;
      emit(EventKind::Release, frame.state[0]);
      finish_native(thread, {});
      return true;
    }
    case NativeKind::None: break;
  }
  HEDDLE_CHECK(false, "a frame of no kind");
  return false;
}

void Core::resume_startup(Thread& thread) {
  if (!program.layout.little_endian) unsupported("a target with the most significant byte first");
  Frame& frame = thread.frames.back();
  const std::uint32_t phase = frame.pc++;
  if (phase < program.constructors.size()) {
    enter(thread, memory.function_address(program.constructors[phase].index()), nullptr, 0);
    return;
  }
  if (phase > program.constructors.size()) {
    begin_exit(thread, static_cast<int>(static_cast<std::int32_t>(thread.native_result.bits)));
    return;
  }
  const FunctionId main = program.find_function("main");
  if (!main.valid() || !program.functions[main].has_body()) unsupported("a program without main");
  if (options.arguments.empty()) options.arguments = {"program"};
  const auto count = options.arguments.size();
  const ObjectId list = memory.allocate({ObjectKind::Library, (count + 2) * pointer_bytes, 16, 0, {}, 0, true});
  for (std::size_t i = 0; i < count; ++i)
    write_pointer(pointer_to(list, i * pointer_bytes), make_string(options.arguments[i]));
  const Slot arguments[3] = {{count, 0, 0, 0}, pointer_to(list), pointer_to(list, (count + 1) * pointer_bytes)};
  enter(thread, memory.function_address(main.index()), arguments, 3);
}

void Core::resume_thread_main(Thread& thread) {
  Frame& frame = thread.frames.back();
  const std::uint32_t phase = frame.pc++;
  if (phase == 0) {
    const Slot argument = thread.result;
    enter(thread, frame.state[0], &argument, 1);
  } else if (phase == 1 && frame.state[1] != 0) {
    const Slot argument = thread.result;
    enter(thread, frame.state[1], &argument, 1);
  } else {
    begin_thread_exit(thread, thread.native_result);
  }
}

void Core::begin_exit(Thread& thread, int code) {
  push_native(thread, NativeKind::ExitHandlers);
  thread.frames.back().state[0] = static_cast<std::uint64_t>(static_cast<std::int64_t>(code));
}

bool Core::resume_exit(Thread& thread) {
  Frame& frame = thread.frames.back();
  if (frame.pc == 0) {
    if (!admit(thread, OpKind::Exit, 0)) return false;
    frame.pc = 1;
  }
  if (!thread.exit_calls.empty()) {  // thread-local objects of the thread that ends the program
    const ExitCall call = thread.exit_calls.back();
    thread.exit_calls.pop_back();
    enter(thread, call.function, &call.argument, 1);
    return true;
  }
  if (!shared.exit_calls.empty()) {
    touch_shared();
    const ExitCall call = shared.exit_calls.back();
    shared.exit_calls.pop_back();
    enter(thread, call.function, &call.argument, 1);
    return true;
  }
  if (frame.pc - 1 < program.destructors.size()) {
    enter(thread, memory.function_address(program.destructors[frame.pc++ - 1].index()), nullptr, 0);
    return true;
  }
  outcome.exit_code = static_cast<int>(static_cast<std::int64_t>(frame.state[0])) & 0xff;
  end_run(OutcomeKind::Exited, "");
}

void Core::begin_thread_exit(Thread& thread, const Slot& result) {
  thread.result = result;
  while (!thread.frames.empty()) pop_frame(thread);
  push_native(thread, NativeKind::ThreadExit);
}

void Core::resume_thread_exit(Thread& thread) {
  Frame& frame = thread.frames.back();
  if (!thread.exit_calls.empty()) {
    const ExitCall call = thread.exit_calls.back();
    thread.exit_calls.pop_back();
    enter(thread, call.function, &call.argument, 1);
    return;
  }
  for (; frame.pc < 4 * thread.keys.size(); ++frame.pc) {  // POSIX: a few rounds over all keys
    const std::size_t key = frame.pc % thread.keys.size();
    if (thread.keys[key].bits == 0 || shared.key_destructors[key] == 0) continue;
    const Slot value = thread.keys[key];
    thread.keys[key] = {};
    ++frame.pc;
    enter(thread, shared.key_destructors[key], &value, 1);
    return;
  }
  finish_thread(thread);
}

void Core::finish_thread(Thread& thread) {
  if (section_depth > 0) unsupported("a thread that ends inside an atomic section");
  while (!thread.frames.empty()) pop_frame(thread);
  for (const auto& [global, id] : thread.thread_locals) {
    if (memory.object(id).has_sync) drop_syncs(memory.object(id));
    memory.release(id);
  }
  thread.thread_locals.clear();
  emit(EventKind::ThreadEnd, 0);
  thread.status = ThreadStatus::Finished;
  thread.op = OpKind::None;
  --live_threads;
  if (live_threads == 0) end_run(OutcomeKind::Exited, "");
}

/// Binary insertion sort: stable, as the C library's merge sort is. state: base, count, size, function, i, low, high,
/// context.
void Core::resume_sort(Thread& thread) {
  const Slot order = thread.native_result;
  Frame& frame = thread.frames.back();
  auto& [base, count, size, function, i, low, high, context] = frame.state;
  if (frame.pc == 0) {
    i = 1, low = 0, high = 1;
    frame.pc = 1;
  } else {
    if (order.undef != 0) undefined("the order of two elements is not initialised");
    const std::uint64_t middle = (low + high) / 2;
    if (sign_extend(order.bits, 32) < 0)
      high = middle;
    else
      low = middle + 1;
  }
  while (i < count) {
    if (low < high) {
      const Slot arguments[3] = {pointer_at(base + i * size), pointer_at(base + (low + high) / 2 * size),
                                 pointer_at(context)};
      enter(thread, function, arguments, 3);
      return;
    }
    if (low < i) {
      const std::uint8_t* bytes = read_bytes(pointer_at(base + low * size), (i - low + 1) * size);
      std::vector<std::uint8_t> moved(bytes + (i - low) * size, bytes + (i - low + 1) * size);
      moved.insert(moved.end(), bytes, bytes + (i - low) * size);
      write_bytes(pointer_at(base + low * size), moved.data(), moved.size());
    }
    ++i;
    low = 0;
    high = i;
  }
  finish_native(thread, {});
}

/// state: key, base, count, size, function, low, high.
void Core::resume_search(Thread& thread) {
  const std::int64_t order = sign_extend(thread.native_result.bits, 32);
  Frame& frame = thread.frames.back();
  auto& [key, base, count, size, function, low, high, unused] = frame.state;
  const std::uint64_t middle = (low + high) / 2;
  if (frame.pc == 0) {
    low = 0, high = count;
    frame.pc = 1;
  } else if (order == 0) {
    finish_native(thread, pointer_at(base + middle * size));
    return;
  } else if (order < 0) {
    high = middle;
  } else {
    low = middle + 1;
  }
  if (low >= high) {
    finish_native(thread, {});
    return;
  }
  const Slot arguments[2] = {pointer_at(key), pointer_at(base + (low + high) / 2 * size)};
  enter(thread, function, arguments, 2);
}

}  // namespace heddle::interpret
