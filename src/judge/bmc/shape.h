// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape: the objects of an unrolled program, which addresses may lie in each, who accesses it, and in which pieces. It
// grows while the program is unrolled; what was unrolled before it stopped growing is unrolled again (unroll.h), so
// that a pointer that is read may lead wherever anybody may have it led.
//
// An object's address is its number in the upper half of a pointer: one that a program computes inside of an object
// tells the object by its upper bits.
#pragma once
#include <array>
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

/// Where a pointer may lead.
struct Target {
  ObjectNumber object = 0;
  std::uint64_t offset = 0;  ///< as in the lower half of a pointer
  auto operator<=>(const Target&) const = default;
};
inline constexpr std::uint64_t any_offset = std::numeric_limits<std::uint64_t>::max();

inline constexpr std::uint64_t chunk_bytes = 8;
using ChunkPlace = std::pair<ObjectNumber, std::uint64_t>;  ///< eight bytes of an object

/// What threads ever write to a chunk when there are others: each of its bits may be set, or may be cleared.
struct WrittenBits {
  std::uint64_t set = 0, cleared = 0;
  std::array<std::uint8_t, chunk_bytes> growths = {};  ///< of each byte
};

struct UnrolledObject {
  ObjectKey key;
  std::uint64_t bytes = 0;
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

  /// Such addresses may lie in these bytes.
  void hold(ObjectNumber object, std::uint64_t begin, std::uint64_t end, const std::set<Target>& addresses);
  [[nodiscard]] std::set<Target> held(ObjectNumber object, std::uint64_t begin, std::uint64_t end) const;
  /// Somebody writes these bits there.
  void note_written(ObjectNumber object, std::uint64_t offset, Bits bits);
  [[nodiscard]] bool is_written(ObjectNumber object, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] const WrittenBits* written(ChunkPlace place) const;  ///< null: nothing
  /// The lock or condition that lies there is used in ways that ask for its state.
  void make_special(ObjectNumber lock, std::uint64_t offset);
  [[nodiscard]] bool is_special(ObjectNumber lock, std::uint64_t offset) const {
    return special_.contains({lock, offset});
  }
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
  struct Held {
    std::set<Target> addresses;
    std::uint32_t growths = 0;
  };
  std::map<ChunkPlace, Held> held_;
  std::map<ChunkPlace, WrittenBits> written_;
  std::set<std::pair<ObjectNumber, std::uint64_t>> special_;
  bool has_grown_ = false, has_readers_ = false;
};

}  // namespace heddle::judge::bmc
