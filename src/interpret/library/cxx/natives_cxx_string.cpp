// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of std::string that are not inline: {address, size, capacity or the text itself when it is short}.
#include <algorithm>

#include "interpret/code/values.h"
#include "interpret/library/cxx/exceptions.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
constexpr std::uint64_t short_capacity = 15;

/// A std::string in the program's memory.
class CxxString {
 public:
  CxxString(Call& call, const Slot& at) : core_(call.core), at_(at), word_(call.core.image.pointer_bytes) {}

  [[nodiscard]] Slot data() const { return core_.space.read_pointer(at_); }
  [[nodiscard]] std::uint64_t size() const { return core_.space.read_word(plus(at_, word_), word_); }
  [[nodiscard]] bool is_short() const { return data().bits == at_.bits + 2ULL * word_; }
  [[nodiscard]] std::uint64_t capacity() const {
    return is_short() ? short_capacity : core_.space.read_word(plus(at_, 2ULL * word_), word_);
  }
  [[nodiscard]] std::string content() const {
    const std::uint64_t count = size();
    return {reinterpret_cast<const char*>(core_.space.read_bytes(data(), count)), count};
  }
  void set_size(std::uint64_t size) {
    core_.space.write_word(plus(at_, word_), word_, size);
    core_.space.write_word(plus(data(), size), 1, 0);
  }
  void dispose() {
    if (!is_short()) core_.heap.release(data());
  }
  /// Becomes what `content` was: its buffer, or a short text of its own.
  struct Content {
    bool is_short = true;
    Slot buffer;
    std::uint64_t capacity = 0;
    std::string text;
  };
  [[nodiscard]] Content snapshot() const { return {is_short(), data(), capacity(), content()}; }
  void become(const Content& content) {
    if (content.is_short) {
      core_.space.write_pointer(at_, plus(at_, 2ULL * word_));
      core_.space.write_bytes(plus(at_, 2ULL * word_), content.text.data(), content.text.size());
    } else {
      use(content.buffer, content.capacity);
    }
    set_size(content.text.size());
  }
  void use(const Slot& buffer, std::uint64_t capacity) {
    core_.space.write_pointer(at_, buffer);
    core_.space.write_word(plus(at_, 2ULL * word_), word_, capacity);
  }

 private:
  Core& core_;
  Slot at_;
  std::uint32_t word_;
};

/// A fresh buffer for `wanted` characters, at least twice as large as the old one when it grows. Null: an exception is
/// on its way.
Slot create(Call& c, std::uint64_t& wanted, std::uint64_t old) {
  const std::uint64_t most = c.core.memory.address_mask() / 4;
  if (wanted > most) {
    throw_library(c, "St12length_error", "basic_string::_M_create");
    return {};
  }
  if (wanted > old && wanted < 2 * old) wanted = std::min(2 * old, most);
  const Slot fresh = c.core.heap.allocate(wanted + 1, 16, false, true);
  if (fresh.bits == 0) throw_library(c, "St9bad_alloc", "");
  return fresh;
}

/// `count` characters from `from` on make room for `middle`. False: an exception is on its way.
bool replace(Call& c, std::uint64_t from, std::uint64_t count, const std::string& middle) {
  CxxString text(c, c.slot(0));
  const std::uint64_t size = text.size(), tail = size - from - count;
  const std::uint64_t result = size - count + middle.size();
  if (result <= text.capacity()) {
    const Slot at = plus(text.data(), from);
    if (tail != 0 && count != middle.size()) c.core.space.copy_bytes(plus(at, middle.size()), plus(at, count), tail);
    c.core.space.write_bytes(at, middle.data(), middle.size());
  } else {
    std::uint64_t capacity = result;
    const Slot fresh = create(c, capacity, text.capacity());
    if (fresh.bits == 0) return false;
    const Slot old = text.data();
    c.core.space.copy_bytes(fresh, old, from);
    c.core.space.write_bytes(plus(fresh, from), middle.data(), middle.size());
    c.core.space.copy_bytes(plus(fresh, from + middle.size()), plus(old, from + count), tail);
    text.dispose();
    text.use(fresh, capacity);
  }
  text.set_size(result);
  return true;
}

std::string bytes_at(Call& c, const Slot& pointer, std::uint64_t count) {
  return {reinterpret_cast<const char*>(c.core.space.read_bytes(pointer, count)), count};
}

void replace_part(Call& c) {  // (this, position, count, text, length)
  if (replace(c, c.word(1), c.word(2), bytes_at(c, c.slot(3), c.word(4)))) c.give_pointer(c.slot(0));
}
void replace_by_character(Call& c) {  // (this, position, count, times, character)
  if (replace(c, c.word(1), c.word(2), std::string(c.word(3), static_cast<char>(c.word(4))))) c.give_pointer(c.slot(0));
}
void append(Call& c) {  // (this, text, length)
  if (replace(c, CxxString(c, c.slot(0)).size(), 0, bytes_at(c, c.slot(1), c.word(2)))) c.give_pointer(c.slot(0));
}
void assign(Call& c) {  // (this, other)
  if (c.slot(0).bits != c.slot(1).bits)
    (void)replace(c, 0, CxxString(c, c.slot(0)).size(), CxxString(c, c.slot(1)).content());
}
void erase(Call& c) { (void)replace(c, c.word(1), c.word(2), ""); }

void create_buffer(Call& c) {  // (this, capacity by reference, old capacity)
  const std::uint32_t word = c.core.image.pointer_bytes;
  std::uint64_t wanted = c.core.space.read_word(c.slot(1), word);
  const Slot fresh = create(c, wanted, c.word(2));
  if (fresh.bits == 0) return;
  c.core.space.write_word(c.slot(1), word, wanted);
  c.give_pointer(fresh);
}

/// (this, position, count, text or null, length): as replace, but the size is left to the caller and null leaves a gap.
void mutate(Call& c) {
  CxxString text(c, c.slot(0));
  const std::uint64_t from = c.word(1), count = c.word(2), length = c.word(4), tail = text.size() - from - count;
  std::uint64_t capacity = text.size() + length - count;
  const Slot fresh = create(c, capacity, text.capacity());
  if (fresh.bits == 0) return;
  const Slot old = text.data();
  c.core.space.copy_bytes(fresh, old, from);
  if (c.slot(3).bits != 0) c.core.space.copy_bytes(plus(fresh, from), c.slot(3), length);
  c.core.space.copy_bytes(plus(fresh, from + length), plus(old, from + count), tail);
  text.dispose();
  text.use(fresh, capacity);
}

void construct(Call& c) {  // (this, count, character): the text is still short and without content
  CxxString text(c, c.slot(0));
  std::uint64_t capacity = c.word(1);
  if (capacity > short_capacity) {
    const Slot fresh = create(c, capacity, 0);
    if (fresh.bits == 0) return;
    text.use(fresh, capacity);
  }
  c.core.space.set_bytes(text.data(), c.slot(2), c.word(1));
  text.set_size(c.word(1));
}

void swap(Call& c) {  // (this, other)
  if (c.slot(0).bits == c.slot(1).bits) return;
  CxxString mine(c, c.slot(0)), other(c, c.slot(1));
  const CxxString::Content kept = mine.snapshot();
  mine.become(other.snapshot());
  other.become(kept);
}

void reserve(Call& c) {  // (this, capacity)
  CxxString text(c, c.slot(0));
  std::uint64_t capacity = c.word(1);
  if (capacity <= text.capacity()) return;
  const Slot fresh = create(c, capacity, text.capacity());
  if (fresh.bits == 0) return;
  c.core.space.copy_bytes(fresh, text.data(), text.size() + 1);
  text.dispose();
  text.use(fresh, capacity);
}

void resize(Call& c) {  // (this, size, character)
  CxxString text(c, c.slot(0));
  const std::uint64_t size = text.size(), wanted = c.word(1);
  if (wanted > size)
    (void)replace(c, size, 0, std::string(wanted - size, static_cast<char>(c.word(2))));
  else
    text.set_size(wanted);
}

void give_index(Call& c, std::size_t at) { c.give(at == std::string::npos ? ~0ULL : at); }

/// What is searched for: a text with its length in the fourth argument, or one character. The third is the position.
std::string needle(Call& c) {
  return c.bits(1) == 8 ? std::string(1, static_cast<char>(c.word(1))) : bytes_at(c, c.slot(1), c.word(3));
}
std::size_t position(Call& c) {
  return c.word(2) >= mask_of(c.core.image.pointer_bytes * 8) ? std::string::npos : c.word(2);
}

template <std::size_t (std::string::*search)(const std::string&, std::size_t) const noexcept>
void find(Call& c) {
  give_index(c, (CxxString(c, c.slot(0)).content().*search)(needle(c), position(c)));
}

void give_order(Call& c, const std::string& a, const std::string& b) {
  const int order = a.compare(b);
  c.give(static_cast<std::uint64_t>(order < 0 ? -1 : order > 0 ? 1 : 0));
}

/// compare(other), compare(text), compare(position, count, other | text [, length]).
void compare(Call& c) {
  const std::string name = c.name();
  std::string mine = CxxString(c, c.slot(0)).content();
  const bool is_part = c.count() > 2;
  if (is_part) {
    if (c.word(1) > mine.size()) {
      throw_library(c, "St12out_of_range", "basic_string::compare");
      return;
    }
    mine = mine.substr(c.word(1), c.word(2));
  }
  const std::size_t other = is_part ? 3 : 1;
  if (name.find("RKS4_", name.find("7compareE")) != std::string::npos)
    give_order(c, mine, CxxString(c, c.slot(other)).content());
  else
    give_order(c, mine, c.count() > 4 ? bytes_at(c, c.slot(other), c.word(4)) : c.text(other));
}

#define HEDDLE_STRING "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
#define HEDDLE_CONST_STRING "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"

constexpr NativeEntry cxx_string_table[] = {
    {HEDDLE_STRING "9_M_createE*", create_buffer},
    {HEDDLE_STRING "12_M_constructEmc", construct},
    {HEDDLE_STRING "12_M_constructEjc", construct},
    {HEDDLE_STRING "4swapERS4_", swap},
    {HEDDLE_STRING "9_M_assignERKS4_", assign},
    {HEDDLE_STRING "9_M_appendEPKc*", append},
    {HEDDLE_STRING "10_M_replaceE*", replace_part},
    {HEDDLE_STRING "14_M_replace_auxE*", replace_by_character},
    {HEDDLE_STRING "9_M_mutateE*", mutate},
    {HEDDLE_STRING "8_M_eraseE*", erase},
    {HEDDLE_STRING "7reserveEm", reserve},
    {HEDDLE_STRING "7reserveEj", reserve},
    {HEDDLE_STRING "6resizeEmc", resize},
    {HEDDLE_STRING "6resizeEjc", resize},
    {HEDDLE_CONST_STRING "4findE*", find<&std::string::find>},
    {HEDDLE_CONST_STRING "5rfindE*", find<&std::string::rfind>},
    {HEDDLE_CONST_STRING "13find_first_ofE*", find<&std::string::find_first_of>},
    {HEDDLE_CONST_STRING "12find_last_ofE*", find<&std::string::find_last_of>},
    {HEDDLE_CONST_STRING "17find_first_not_ofE*", find<&std::string::find_first_not_of>},
    {HEDDLE_CONST_STRING "16find_last_not_ofE*", find<&std::string::find_last_not_of>},
    {HEDDLE_CONST_STRING "7compareE*", compare},
};

#undef HEDDLE_STRING
#undef HEDDLE_CONST_STRING

}  // namespace

std::span<const NativeEntry> cxx_string_natives() { return cxx_string_table; }

}  // namespace heddle::interpret
