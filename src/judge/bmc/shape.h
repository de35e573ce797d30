// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape: the objects of an unrolled program, which addresses may lie in each, who accesses it, and in which pieces. It
// grows while the program is unrolled; what was unrolled before it stopped growing is unrolled again (unroll.h), so
// that a pointer that is read may lead wherever anybody may have it led.
//
// An object's address is its number in the upper half of a pointer: one that a program computes inside of an object
// tells the object by its upper bits.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "judge/bmc/execution.h"

namespace heddle::judge::bmc {

/// What makes an object the same one when the program is unrolled again.
struct ObjectKey {
  enum class Kind : std::uint8_t { Global, Local, Heap, Function, Thread, Lock, Hidden };
  Kind kind = Kind::Global;
  std::uint32_t context =
      0;  ///< Local, Heap: of the place in the unrolled program; Global, Hidden: thread + 1 if each has its own
  std::uint32_t number = 0;  ///< of the global, function, thread, instruction; Lock: of the object it lies in
  std::vector<std::uint32_t> rounds = {};  ///< of the loops around it
  std::string name = {};                   ///< Hidden
  auto operator<=>(const ObjectKey&) const = default;
};

struct UnrolledObject {
  ObjectKey key;
  std::uint64_t bytes = 0;
  std::set<ObjectNumber> held;   ///< whose addresses may lie in it
  std::uint32_t user = nobody;   ///< the thread that accesses it
  bool is_shared = false;        ///< there are several
  std::set<std::uint64_t> cuts;  ///< where its cells begin and end
};

class Shape {
 public:
  explicit Shape(unsigned pointer_bits) : pointer_bits_(pointer_bits), offset_bits_(pointer_bits == 64 ? 32 : 18) {}

  ObjectNumber object(const ObjectKey& key, std::uint64_t bytes);
  [[nodiscard]] const UnrolledObject& operator[](ObjectNumber object) const { return objects_[object]; }
  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  /// Of a place in the unrolled program: a call, in a context, in rounds of loops.
  std::uint32_t context(std::vector<std::uint32_t> place);

  [[nodiscard]] std::uint64_t address(ObjectNumber object) const { return std::uint64_t{object + 1} << offset_bits_; }
  [[nodiscard]] unsigned offset_bits() const { return offset_bits_; }
  [[nodiscard]] unsigned pointer_bits() const { return pointer_bits_; }

  void hold(ObjectNumber object, const std::set<ObjectNumber>& addresses);
  void use(ObjectNumber object, ThreadNumber thread);
  /// Some lock is taken in shared mode.
  void meet_readers();
  [[nodiscard]] bool has_readers() const { return has_readers_; }
  /// The cells of some bytes.
  std::vector<Cell> cells(ObjectNumber object, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] std::vector<Cell> all_cells(ObjectNumber object) const;

  [[nodiscard]] bool has_grown() const { return has_grown_; }
  void begin_again() { has_grown_ = false; }

 private:
  unsigned pointer_bits_, offset_bits_;
  std::vector<UnrolledObject> objects_;
  std::map<ObjectKey, ObjectNumber> by_key_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> contexts_;
  bool has_grown_ = false, has_readers_ = false;
};

}  // namespace heddle::judge::bmc
