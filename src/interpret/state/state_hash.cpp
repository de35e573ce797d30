// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/state_hash.h"

#include <algorithm>

#include "interpret/code/live_slots.h"
#include "interpret/state/library_store.h"
#include "interpret/state/sync_table.h"
#include "interpret/state/threads.h"

namespace heddle::interpret {
namespace {

/// Two halves that know nothing of each other, one multiplication a word each: most of a search's time goes in here.
class FastHasher {
 public:
  void add(std::uint64_t word) {
    a_ = fold(a_ ^ word, 0x9e3779b97f4a7c15ULL);
    b_ = fold(b_ + word, 0xd6e8feb86659fd93ULL) + word;
  }
  void add(std::string_view text) {
    add(text.size());
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) add(word_of(text, 8));
    if (!text.empty()) add(word_of(text, text.size()));
  }
  [[nodiscard]] ContentHash finish() const { return Hasher().add(a_).add(b_).finish(); }

 private:
  static std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static std::uint64_t word_of(std::string_view text, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), size);
    return word;
  }

  std::uint64_t a_ = 0x165667b19e3779f9ULL, b_ = 0xc2b2ae3d27d4eb4fULL;
};

class StateWalk {
 public:
  explicit StateWalk(const StateParts& state) : state_(state), memory_(state.memory) {}

  void add(const SyncTable& syncs) {
    std::vector<Sync> rows = syncs.rows();
    std::ranges::sort(rows, {}, &Sync::address);
    add(rows.size());
    for (const Sync& row : rows) {
      add(row.address, static_cast<std::uint64_t>(row.type), row.owner, row.count);
      add(row.readers, row.limit, row.generation);
    }
  }

  void add_memory() {
    std::vector<const Object*> objects;
    for (ObjectId id = 1; id < memory_.object_count(); ++id)
      if (memory_.object(id).is_alive && !memory_.object(id).is_constant) objects.push_back(&memory_.object(id));
    std::ranges::sort(objects, {}, [](const Object* o) { return o->base; });
    add(objects.size());
    for (const Object* object : objects) {
      add(object->base, object->size, object->is_shared ? 1 : 0, object->has_sync ? 1 : 0);
      add(object->rounded_begin, object->rounded_end);  // decides what has a doubt, whatever the bytes are
      add_bytes(object->data, object->size);
      add_bytes(object->undef, object->size);
    }
  }

  void add(const Thread& thread) {
    add(static_cast<std::uint64_t>(thread.status), static_cast<std::uint64_t>(thread.op), thread.op_object,
        thread.op_lock);
    add(thread.touch_count);
    for (std::size_t i = 0; i < thread.touch_count; ++i) {
      const TouchedBytes& touch = thread.touches[i];
      add(touch.address, touch.size, touch.is_write ? 1 : 0, touch.is_atomic ? 1 : 0);
      add(touch.is_lock ? 1 : 0, touch.is_end ? 1 : 0);
    }
    add(thread.is_detached ? 1 : 0, thread.is_joined ? 1 : 0, thread.was_signalled ? 1 : 0, thread.is_timed ? 1 : 0);
    add(thread.timeout_status, thread.wait_count, thread.creator, thread.group);
    add(thread.children, thread.ordinal, thread.stack_top);
    add(thread.result);
    add(thread.native_result);
    add_frames(thread);
    add_lists(thread);
  }

  void add(const LibraryState& library) {
    add_calls(library.exit_calls);
    add_calls(library.quick_exit_calls);
    add(library.key_destructors.size());
    for (const Address one : library.key_destructors) add(one);
    add(library.terminate_handler, library.clock, library.process, library.parent);
    add(library.alarm, library.constants.size());
    for (const auto& [name, value] : library.constants) {
      add_text(name);
      add(value);
    }
    add(library.files);
  }

  [[nodiscard]] StateHash finish() const { return {hasher_.finish(), bytes_}; }

 private:
  template <typename... Words>
  void add(std::uint64_t word, Words... words) {
    hasher_.add(word);
    bytes_ += sizeof word;
    if constexpr (sizeof...(words) != 0) add(words...);
  }
  void add_text(std::string_view text) {
    hasher_.add(text);
    bytes_ += text.size();
  }
  void add_bytes(const std::uint8_t* data, std::uint64_t size) {
    add_text({reinterpret_cast<const char*>(data), size});
  }

  /// A pointer whose object died is another one than when the object lived, although its bits are the same.
  void add(const Slot& slot) {
    const Object* object = slot.object == 0 ? nullptr : &memory_.object(slot.object);
    const std::uint64_t base = object == nullptr ? 0 : object->is_alive ? object->base : ~0ULL;
    if ((slot.undef | slot.doubt | base) == 0)
      add(0, slot.bits);
    else
      add(1, slot.bits, slot.undef, slot.doubt, base);
  }

  void add_frames(const Thread& thread) {
    add(thread.frames.size());
    for (const Frame& frame : thread.frames) {
      add(frame.code == nullptr ? ~0ULL : frame.code->id.index(), frame.pc, frame.varargs, frame.stack_top);
      add(static_cast<std::uint64_t>(frame.native), frame.ends_section ? 1 : 0, frame.first_object);
      if (!thread.jumps.empty()) add(frame.serial);
      if (frame.code == nullptr)
        for (const std::uint64_t word : frame.state) add(word);
      else
        add_registers(thread, frame);
    }
  }

  void add_registers(const Thread& thread, const Frame& frame) {
    if (!thread.jumps.empty()) {
      for (std::uint32_t i = 0; i < frame.code->frame_slots; ++i) add(thread.slots[frame.base + i]);
      return;
    }
    for (const std::uint32_t slot : state_.live.at(*frame.code, state_.code.shapes, frame.pc))
      add(thread.slots[frame.base + slot]);
  }

  void add_lists(const Thread& thread) {
    add(thread.stack_objects.size());
    for (const ObjectId id : thread.stack_objects) add(memory_.object(id).base);
    add(thread.thread_locals.size());
    for (const auto& [global, object] : thread.thread_locals) add(global.index(), memory_.object(object).base);
    add(thread.library.size());
    for (const auto& [what, object] : thread.library) add(what, memory_.object(object).base);
    add(thread.keys.size());
    for (const Slot& key : thread.keys) add(key);
    add_calls(thread.exit_calls);
    add(thread.jumps.size(), thread.jumps.empty() ? 0 : thread.next_serial);
    for (const JumpPoint& jump : thread.jumps) add(jump.token, jump.frame, jump.serial, jump.pc);
    add(thread.held.size());
    for (const HeldLock& held : thread.held) add(held.lock, held.is_shared ? 1 : 0);
    add(thread.exceptions.size());
    for (const CaughtException& one : thread.exceptions) {
      add(one.exception);
      add(one.type, one.destructor, one.handlers);
    }
    const SectionWait& wait = thread.section;
    add(wait.is_waiting ? 1 : 0);
    if (wait.is_waiting) add(wait.content, static_cast<std::uint64_t>(wait.blocked), wait.object);
  }

  void add_calls(const std::vector<ExitCall>& calls) {
    add(calls.size());
    for (const ExitCall& call : calls) {
      add(call.function);
      add(call.argument);
    }
  }

  void add(const FileTable& files) {
    add(files.open.size(), files.stored.size(), files.removed.size());
    for (const OpenFile& file : files.open) {
      add(static_cast<std::uint64_t>(file.kind), file.may_read ? 1 : 0, file.may_write ? 1 : 0, file.appends ? 1 : 0);
      add(file.at_end ? 1 : 0, file.failed ? 1 : 0, static_cast<std::uint64_t>(file.pushed), file.stored);
      add(file.position, file.stream);
    }
    for (const StoredFile& file : files.stored) {
      add_text(file.name);
      add_text(file.content);
    }
    for (const std::string& name : files.removed) add_text(name);
  }

  const StateParts& state_;
  const Memory& memory_;
  FastHasher hasher_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

StateHash state_hash(const StateParts& state) {
  StateWalk walk(state);
  walk.add_memory();
  walk.add(state.syncs);
  for (const Thread& thread : state.threads) walk.add(thread);
  walk.add(state.library);
  return walk.finish();
}

}  // namespace heddle::interpret
