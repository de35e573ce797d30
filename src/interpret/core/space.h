// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as the program sees it: every access is checked, logged for undo and recorded as an event.
//
//   Slot p = …;                          // a pointer of the program
//   space.write_word(p, 4, 17);          // *(int *)p = 17, as the running thread does it
//   space.read_string(q)                 // all of a C string; ends the run if it has no end
//
// Checked: an access that no live object covers, that goes through an uninitialised pointer or writes a constant ends
// the run as undefined behaviour, with words that say which; one to a variable that nobody defines ends it as
// unsupported. A pointer that knows its object (Slot::object) is checked against that object alone, so running over the
// end of one array into the next is found; one that was loaded from memory or made of a number is looked up by its
// address.
//
// Not here: making and freeing objects (heap.h, frames.h), and whether an access has to wait for the scheduler
// (gate.h). The hot loop has the same steps for plain loads and stores of its own (machine/run.cpp).
#pragma once
#include "interpret/code/image.h"
#include "interpret/state/account.h"
#include "interpret/state/recorder.h"

namespace heddle::interpret {

class Space {
 public:
  Space(const Image& image, UndoLog& log, Memory& memory, Recorder& recorder, Account& account)
      : image_(image), log_(log), memory_(memory), recorder_(recorder), account_(account) {}

  /// The object that an access of `size` bytes lies in. Ends the run if there is none.
  [[nodiscard]] Object& resolve(const Slot& pointer, std::uint64_t size, bool is_write) {
    Object* object = memory_.accessible(pointer, size, is_write);
    return object != nullptr ? *object : resolve_slow(pointer, size, is_write);
  }
  Object& resolve_slow(const Slot& pointer, std::uint64_t size, bool is_write);
  /// Like an access of one byte; remembers that a synchronisation object lies there.
  Address resolve_sync(const Slot& pointer);

  Slot load(const Slot& pointer, const Leaf& leaf, bool is_atomic);
  void store(const Slot& pointer, const Leaf& leaf, const Slot& value, bool is_atomic);
  void load_many(const Slot& pointer, const Shape& shape, Slot* to, bool is_atomic);
  void store_many(const Slot& pointer, const Shape& shape, const Slot* from, bool is_atomic);
  void copy_bytes(const Slot& to, const Slot& from, std::uint64_t count);
  void check_overlap(const Slot& to, const Slot& from, std::uint64_t count);  ///< what memcpy forbids, memmove allows
  void set_bytes(const Slot& to, const Slot& byte, std::uint64_t count);
  std::uint64_t read_word(const Slot& pointer, std::uint32_t bytes);
  std::uint64_t read_handle(const Slot& pointer);  ///< of a thread
  void write_word(const Slot& pointer, std::uint32_t bytes, std::uint64_t value);
  Slot read_pointer(const Slot& pointer);
  void write_pointer(const Slot& pointer, const Slot& value);
  /// What is about to be stored may be an address, or overwrite a part of one: machine/doubts.h.
  void look_at_store(Object& object, std::uint64_t offset, std::uint64_t count, const Slot& value);
  std::string read_string(const Slot& pointer);
  /// `count` bytes; records one read.
  const std::uint8_t* read_bytes(const Slot& pointer, std::uint64_t count);
  void write_bytes(const Slot& pointer, const void* from, std::uint64_t count);

  [[nodiscard]] Slot pointer_to(ObjectId id, std::uint64_t offset = 0) const {
    return {memory_.object(id).base + offset, 0, id, 0};
  }
  [[nodiscard]] Slot pointer_at(Address address) {
    return {address & memory_.address_mask(), 0, memory_.find(address & memory_.address_mask()), 0};
  }
  [[nodiscard]] Address address_of(const Slot& pointer) const { return pointer.bits & memory_.address_mask(); }

 private:
  /// Memory was there: freed, or in the frame of a function that has returned.
  [[nodiscard]] bool is_ended(Address address) const;
  [[noreturn]] void bad_access(const Slot& pointer, std::uint64_t size, bool is_write);
  void before_write(const Object& object, std::uint64_t offset, std::uint64_t count) {
    if (log_.is_on()) memory_.log_bytes(memory_.id_of(object), offset, count);
  }
  void after_access(const Object& object, std::uint64_t offset, std::uint64_t count, bool is_write, bool is_atomic) {
    if (recorder_.is_recorded(object)) recorder_.add_access(object, object.base + offset, count, is_write, is_atomic);
  }

  const Image& image_;
  UndoLog& log_;
  Memory& memory_;
  Recorder& recorder_;
  Account& account_;
};

}  // namespace heddle::interpret
