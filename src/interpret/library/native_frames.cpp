// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/native_frames.h"

#include <algorithm>

#include "base/check.h"
#include "interpret/code/values.h"
#include "interpret/library/cxx/exceptions.h"
#include "interpret/library/natives.h"
#include "interpret/sync/effects.h"
#include "interpret/sync/external_call.h"

namespace heddle::interpret {
namespace {

/// Texts that the program has, so it may compare with them, and a few numbers.
std::vector<std::string> likely_arguments(const Program& program) {
  constexpr std::size_t enough = 60, longest = 24;
  std::vector<std::string> texts = {"1", "0", "2", "3", "4", "8", "10", "100", "-1", "x"};
  for (const Global& global : program.globals) {
    if (!global.is_constant || !global.relocations.empty() || texts.size() == enough) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(global.bytes.data()), global.bytes.size());
    if (bytes.size() < 2 || bytes.size() > longest || bytes.find('\0') != bytes.size() - 1) continue;
    texts.emplace_back(bytes.substr(0, bytes.size() - 1));
  }
  return texts;
}

/// What the program is called with. It is an input if main looks at it and nobody gave it.
std::vector<std::string> arguments_of_main(Core& core, const Function& main) {
  if (!core.options.arguments.empty()) return core.options.arguments;
  std::vector<std::string> given = {"program"};
  const bool is_read = std::ranges::any_of(main.operands, [&](const Operand operand) {
    return operand.is_value() && main.is_parameter(operand.as_value());
  });
  if (!is_read || core.options.host.input) return given;
  const std::vector<std::string> texts = likely_arguments(core.image.program);
  const std::uint64_t more = core.choices.value(3, false, "argc - 1");
  for (std::uint64_t i = 1; i <= more; ++i)
    given.push_back(core.choices.text(texts, "argv[" + std::to_string(i) + "]"));
  return given;
}

void resume_startup(Core& core, Thread& thread) {
  if (!core.image.program.layout.little_endian)
    core.account.unsupported("a target with the most significant byte first");
  // The addresses of our memory do not fit into them.
  if (core.image.pointer_bytes < 4) core.account.unsupported("a machine whose pointers have two bytes");
  if (!core.image.program.unseen.empty()) core.account.unsupported(std::string(core.image.program.unseen.front()));
  Frame& frame = thread.frames.back();
  const std::uint32_t phase = frame.pc++;
  if (phase < core.image.program.constructors.size()) {
    enter(core, thread, Memory::function_address(core.image.program.constructors[phase].index()), {});
    return;
  }
  if (phase > core.image.program.constructors.size()) {
    begin_exit(core, thread, static_cast<int>(static_cast<std::int32_t>(thread.native_result.bits)));
    return;
  }
  const FunctionId main = core.image.program.find_function("main");
  if (!main.valid() || !core.image.program.functions[main].has_body())
    core.account.unsupported("a program without main");
  const std::vector<std::string> given = arguments_of_main(core, core.image.program.functions[main]);
  const auto count = given.size();
  const ObjectId list = core.objects.make((count + 2) * core.image.pointer_bytes, 0);
  for (std::size_t i = 0; i < count; ++i)
    core.space.write_pointer(core.space.pointer_to(list, i * core.image.pointer_bytes),
                             core.objects.make_string(given[i]));
  const Slot arguments[3] = {{count, 0, 0, 0},
                             core.space.pointer_to(list),
                             core.space.pointer_to(list, (count + 1) * core.image.pointer_bytes)};
  enter(core, thread, Memory::function_address(main.index()), arguments);
}

void resume_thread_main(Core& core, Thread& thread) {
  Frame& frame = thread.frames.back();
  const std::uint32_t phase = frame.pc++;
  if (phase == 0) {
    const Slot argument = thread.result;
    enter(core, thread, frame.state[0], {&argument, 1});
  } else if (phase == 1 && frame.state[1] != 0) {
    const Slot argument = thread.result;
    enter(core, thread, frame.state[1], {&argument, 1});
  } else {
    begin_thread_exit(core, thread, thread.native_result);
  }
}

bool resume_exit(Core& core, Thread& thread) {
  Frame& frame = thread.frames.back();
  if (frame.pc == 0) {
    if (!core.gate.admit(OpKind::Exit, 0)) return false;
    frame.pc = 1;
  }
  if (frame.state[1] != 0) {  // quick_exit
    if (core.library.now().quick_exit_calls.empty())
      core.account.end_run(OutcomeKind::Exited, "", static_cast<int>(static_cast<std::int64_t>(frame.state[0])) & 0xff);
    const ExitCall call = core.library.now().quick_exit_calls.back();
    core.library.change().quick_exit_calls.pop_back();
    enter(core, thread, call.function, {&call.argument, 1});
    return true;
  }
  if (!thread.exit_calls.empty()) {  // thread-local objects of the thread that ends the program
    const ExitCall call = thread.exit_calls.back();
    thread.exit_calls.pop_back();
    enter(core, thread, call.function, {&call.argument, 1});
    return true;
  }
  if (!core.library.now().exit_calls.empty()) {
    const ExitCall call = core.library.now().exit_calls.back();
    core.library.change().exit_calls.pop_back();
    enter(core, thread, call.function, {&call.argument, 1});
    return true;
  }
  if (frame.pc - 1 < core.image.program.destructors.size()) {
    enter(core, thread, Memory::function_address(core.image.program.destructors[frame.pc++ - 1].index()), {});
    return true;
  }
  core.account.end_run(OutcomeKind::Exited, "", static_cast<int>(static_cast<std::int64_t>(frame.state[0])) & 0xff);
}

void finish_thread(Core& core, Thread& thread) {
  if (core.gate.in_section()) core.account.unsupported("a thread that ends inside an atomic section");
  core.frames.pop_all(thread);
  core.frames.release_thread_locals(thread);
  core.recorder.add(EventKind::ThreadEnd, 0);
  core.threads.finish(thread);
  if (core.threads.live() == 0) core.account.end_run(OutcomeKind::Exited, "");
}

void resume_thread_exit(Core& core, Thread& thread) {
  Frame& frame = thread.frames.back();
  if (!thread.exit_calls.empty()) {
    const ExitCall call = thread.exit_calls.back();
    thread.exit_calls.pop_back();
    enter(core, thread, call.function, {&call.argument, 1});
    return;
  }
  for (; frame.pc < 4 * thread.keys.size(); ++frame.pc) {  // POSIX: a few rounds over all keys
    const std::size_t key = frame.pc % thread.keys.size();
    core.account.look_at_unknown(thread.keys[key].undef);
    if (thread.keys[key].bits == 0 || core.library.now().key_destructors[key] == 0) continue;
    const Slot value = thread.keys[key];
    thread.keys[key] = {};
    ++frame.pc;
    enter(core, thread, core.library.now().key_destructors[key], {&value, 1});
    return;
  }
  finish_thread(core, thread);
}

/// Binary insertion sort: stable, as the C library's merge sort is. state: base, count, size, function, i, low, high,
/// context.
void resume_sort(Core& core, Thread& thread) {
  const Slot order = thread.native_result;
  Frame& frame = thread.frames.back();
  auto& [base, count, size, function, i, low, high, context] = frame.state;
  if (frame.pc == 0) {
    i = 1, low = 0, high = 1;
    frame.pc = 1;
  } else {
    if (order.undef != 0) core.account.undefined("the order of two elements is not initialised");
    const std::uint64_t middle = (low + high) / 2;
    if (sign_extend(order.bits, 32) < 0)
      high = middle;
    else
      low = middle + 1;
  }
  while (i < count) {
    if (low < high) {
      const Slot arguments[3] = {core.space.pointer_at(base + i * size),
                                 core.space.pointer_at(base + (low + high) / 2 * size), core.space.pointer_at(context)};
      enter(core, thread, function, arguments);
      return;
    }
    if (low < i) {
      const std::uint8_t* bytes = core.space.read_bytes(core.space.pointer_at(base + low * size), (i - low + 1) * size);
      std::vector<std::uint8_t> moved(bytes + (i - low) * size, bytes + (i - low + 1) * size);
      moved.insert(moved.end(), bytes, bytes + (i - low) * size);
      core.space.write_bytes(core.space.pointer_at(base + low * size), moved.data(), moved.size());
    }
    ++i;
    low = 0;
    high = i;
  }
  core.frames.finish_native(thread, {});
}

/// state: key, base, count, size, function, low, high.
void resume_search(Core& core, Thread& thread) {
  const std::int64_t order = sign_extend(thread.native_result.bits, 32);
  Frame& frame = thread.frames.back();
  auto& [key, base, count, size, function, low, high, unused] = frame.state;
  const std::uint64_t middle = (low + high) / 2;
  if (frame.pc == 0) {
    low = 0, high = count;
    frame.pc = 1;
  } else if (core.account.look_at_unknown(thread.native_result.undef); order == 0) {
    core.frames.finish_native(thread, core.space.pointer_at(base + middle * size));
    return;
  } else if (order < 0) {
    high = middle;
  } else {
    low = middle + 1;
  }
  if (low >= high) {
    core.frames.finish_native(thread, {});
    return;
  }
  const Slot arguments[2] = {core.space.pointer_at(key), core.space.pointer_at(base + (low + high) / 2 * size)};
  enter(core, thread, function, arguments);
}

/// state: flag, function, whether it gets an argument, the argument.
void resume_once(Core& core, Thread& thread) {
  Frame& frame = thread.frames.back();
  if (frame.pc++ == 0) {
    const Slot argument = core.space.pointer_at(frame.state[3]);
    enter(core, thread, frame.state[1], {&argument, frame.state[2]});
    return;
  }
  Locks(core).end_once(frame.state[0], true);
  core.frames.finish_native(thread, {});
}

void resume_terminate(Core& core, Thread& thread) {
  const Address handler = core.library.now().terminate_handler;
  if (thread.frames.back().pc++ == 0 && handler != 0)
    enter(core, thread, handler, {});
  else
    core.account.end_run(OutcomeKind::Aborted, "std::terminate", exit_code_of_abort);
}

/// The call that the frame stands on throws.
void resume_throw(Core& core, Thread& thread) {
  core.frames.pop(thread);
  static const CallCode nowhere;
  NativeCall call{core, thread, nowhere, {}, {}, {}, {}, false, false};
  throw_library(call, "St12system_error", "Invalid argument");
}

}  // namespace

void begin_exit(Core& core, Thread& thread, int code, bool is_quick) {
  core.frames.push_native(thread, NativeKind::ExitHandlers);
  thread.frames.back().state[1] = is_quick ? 1 : 0;
  thread.frames.back().state[0] = static_cast<std::uint64_t>(static_cast<std::int64_t>(code));
}

bool resume_native(Core& core, Thread& thread) {
  switch (thread.frames.back().native) {
    case NativeKind::Startup: resume_startup(core, thread); return true;
    case NativeKind::ThreadMain: resume_thread_main(core, thread); return true;
    case NativeKind::ThreadExit: resume_thread_exit(core, thread); return true;
    case NativeKind::Sort: resume_sort(core, thread); return true;
    case NativeKind::Search: resume_search(core, thread); return true;
    case NativeKind::ExitHandlers: return resume_exit(core, thread);
    case NativeKind::Once: resume_once(core, thread); return true;
    case NativeKind::Terminate: resume_terminate(core, thread); return true;
    case NativeKind::Throw: resume_throw(core, thread); return true;
    case NativeKind::None: break;
  }
  HEDDLE_CHECK(false, "a frame of no kind");
  return false;
}

}  // namespace heddle::interpret
