// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <cstring>

#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void put_string(Call& c, const Slot& to, std::string_view text) {
  std::string bytes(text);
  bytes.push_back('\0');
  c.core.space.write_bytes(to, bytes.data(), bytes.size());
}

/// At most `limit` bytes, up to the first zero.
std::string text_upto(Call& c, const Slot& pointer, std::uint64_t limit) {
  std::string out;
  for (std::uint64_t i = 0; i < limit; ++i) {
    const auto byte = static_cast<char>(c.core.space.read_word(plus(pointer, i), 1));
    if (byte == 0) break;
    out.push_back(byte);
  }
  return out;
}

void give_int(Call& c, int value) { c.give(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))); }

/// Of a comparison's result the library promises the sign only.
void give_order(Call& c, int order) {
  give_int(c, order);
  if (order != 0) c.result.doubt = doubt::magnitude;
}

int order_of(std::string_view a, std::string_view b) {
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

std::string lower(std::string text) {
  for (char& ch : text) ch = static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
  return text;
}

void give_place(Call& c, std::size_t at) {
  if (at != std::string::npos) c.give_pointer(plus(c.slot(0), at));
}

void copy_apart(Call& c) {
  c.core.space.check_overlap(c.slot(0), c.slot(1), c.word(2));
  c.core.space.copy_bytes(c.slot(0), c.slot(1), c.word(2));
  c.give_pointer(c.slot(0));
}

void copy_memory(Call& c) {
  c.core.space.copy_bytes(c.slot(0), c.slot(1), c.word(2));
  c.give_pointer(c.slot(0));
}

void set_memory(Call& c) {
  c.core.space.set_bytes(c.slot(0), c.slot(1), c.word(2));
  c.give_pointer(c.slot(0));
}

/// The bytes up to the first difference decide: if one of them is not initialised, neither is the result.
void compare_memory(Call& c) {
  const std::uint64_t n = c.word(2);
  if (n == 0) {
    c.give(0);
    return;
  }
  const std::uint8_t* a = c.core.space.read_bytes(c.slot(0), n);
  const std::uint8_t* b = c.core.space.read_bytes(c.slot(1), n);
  const auto undef = [&](const Slot& p, std::uint64_t i) {
    const Object& object = c.core.space.resolve(p, n, false);
    return object.undef[(p.bits & c.core.memory.address_mask()) - object.base + i] != 0;
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    if (undef(c.slot(0), i) || undef(c.slot(1), i)) {
      c.result = {0, 0xffffffffU, 0, 0};
      return;
    }
    if (a[i] == b[i]) continue;
    give_order(c, a[i] < b[i] ? -1 : 1);
    return;
  }
  c.give(0);
}

void find_byte(Call& c) {
  const std::uint64_t n = c.word(2);
  for (std::uint64_t i = 0; i < n; ++i)
    if (c.core.space.read_word(plus(c.slot(0), i), 1) == (c.word(1) & 0xff)) {
      c.give_pointer(plus(c.slot(0), i));
      return;
    }
}

void copy_string(Call& c) {
  put_string(c, c.slot(0), c.text(1));
  c.give_pointer(c.slot(0));
}

void copy_string_n(Call& c) {
  const std::uint64_t n = c.word(2);
  std::string text = text_upto(c, c.slot(1), n);
  text.resize(n);
  c.core.space.write_bytes(c.slot(0), text.data(), n);
  c.give_pointer(c.slot(0));
}

void append_string(Call& c) {
  put_string(c, plus(c.slot(0), c.text(0).size()), c.text(1));
  c.give_pointer(c.slot(0));
}

void append_string_n(Call& c) {
  put_string(c, plus(c.slot(0), c.text(0).size()), text_upto(c, c.slot(1), c.word(2)));
  c.give_pointer(c.slot(0));
}

void duplicate(Call& c, const std::string& text) {
  const Slot fresh = c.core.heap.allocate(text.size() + 1, 16, false, true);
  if (fresh.bits != 0) put_string(c, fresh, text);
  c.give_pointer(fresh);
}

/// strtok_r; `state` holds where to go on.
void next_token(Call& c, const Slot& text, const std::string& delimiters, const Slot& state) {
  Slot at = text.bits != 0 ? text : c.core.space.read_pointer(state);
  if (at.bits == 0) return;
  const std::string rest = c.core.space.read_string(at);
  const std::size_t begin = rest.find_first_not_of(delimiters);
  if (begin == std::string::npos) {
    c.core.space.write_pointer(state, {});
    return;
  }
  const std::size_t end = std::min(rest.find_first_of(delimiters, begin), rest.size());
  if (end < rest.size()) {
    c.core.space.write_word(plus(at, end), 1, 0);
    c.core.space.write_pointer(state, plus(at, end + 1));
  } else {
    c.core.space.write_pointer(state, {});
  }
  c.give_pointer(plus(at, begin));
}

template <int (*test)(int)>
void classify(Call& c) {
  const auto ch = static_cast<int>(c.number(0));
  give_int(c, ch < -1 || ch > 255 ? 0 : test(ch) != 0 ? 1 : 0);
  if (c.result.bits != 0) c.result.doubt = doubt::magnitude;
}
template <int (*map)(int)>
void convert(Call& c) {
  const auto ch = static_cast<int>(c.number(0));
  give_int(c, ch < -1 || ch > 255 ? ch : map(ch));
}

/// Digits are compared as numbers, those that begin with 0 as fractions: the GNU order of versions.
int version_order(const std::string& a, const std::string& b) {
  const auto is_digit = [](char ch) { return ch >= '0' && ch <= '9'; };
  const auto at = [](const std::string& text, std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  std::size_t same = 0;
  while (same < a.size() && at(a, same) == at(b, same)) ++same;
  if (at(a, same) == at(b, same)) return 0;
  std::size_t begin = same;
  while (begin > 0 && is_digit(a[begin - 1])) --begin;
  const int plain = static_cast<unsigned char>(at(a, same)) < static_cast<unsigned char>(at(b, same)) ? -1 : 1;
  const bool is_number =
      begin < same ? is_digit(at(a, same)) || is_digit(at(b, same)) : is_digit(at(a, same)) && is_digit(at(b, same));
  if (!is_number) return plain;
  std::size_t zeros = begin;
  while (zeros < same && a[zeros] == '0') ++zeros;
  const bool is_fraction = begin < same ? a[begin] == '0' : at(a, same) == '0' || at(b, same) == '0';
  if (is_fraction) {
    // Only zeros so far: where they end, the number without more zeros is the larger one.
    if (begin < same && zeros == same && !(is_digit(at(a, same)) && is_digit(at(b, same))))
      return is_digit(at(a, same)) ? -1 : 1;
    return plain;
  }
  const auto length = [&](const std::string& text) {
    std::size_t end = same;
    while (is_digit(at(text, end))) ++end;
    return end;
  };
  if (length(a) != length(b)) return length(a) < length(b) ? -1 : 1;
  return plain;
}

/// Up to the first zero, then zeros to `n`; gives the end of the text.
void copy_string_to_end(Call& c) {
  const std::size_t length = text_upto(c, c.slot(1), c.word(2)).size();
  copy_string_n(c);
  c.give_pointer(plus(c.slot(0), length));
}

/// The BSD functions: always ended by a zero, and what would have been needed comes back.
void copy_limited(Call& c) {
  const std::string text = c.text(1);
  if (c.word(2) > 0) put_string(c, c.slot(0), std::string_view(text).substr(0, c.word(2) - 1));
  c.give(text.size());
}
void append_limited(Call& c) {
  const std::uint64_t room = c.word(2);
  const std::string before = text_upto(c, c.slot(0), room), text = c.text(1);
  if (before.size() < room)
    put_string(c, plus(c.slot(0), before.size()), std::string_view(text).substr(0, room - before.size() - 1));
  c.give(before.size() + text.size());
}

void find_last_byte(Call& c) {
  for (std::uint64_t i = c.word(2); i-- > 0;)
    if (c.core.space.read_word(plus(c.slot(0), i), 1) == (c.word(1) & 0xff)) {
      c.give_pointer(plus(c.slot(0), i));
      return;
    }
}

std::string bytes_of(Call& c, const Slot& from, std::uint64_t count) {
  const std::uint8_t* bytes = c.core.space.read_bytes(from, count);
  return {reinterpret_cast<const char*>(bytes), count};
}

void copy_upto_byte(Call& c) {
  for (std::uint64_t i = 0; i < c.word(3); ++i) {
    const std::uint64_t byte = c.core.space.read_word(plus(c.slot(1), i), 1);
    c.core.space.write_word(plus(c.slot(0), i), 1, byte);
    if (byte == (c.word(2) & 0xff)) {
      c.give_pointer(plus(c.slot(0), i + 1));
      return;
    }
  }
}

void find_end_or(Call& c) {
  const std::string text = c.text(0);
  const auto wanted = static_cast<char>(c.word(1));
  give_place(c, wanted == 0 ? text.size() : std::min(text.find(wanted), text.size()));
}

void find_first(Call& c) {
  const auto wanted = static_cast<char>(c.word(1));
  const std::string text = c.text(0);
  give_place(c, wanted == 0 ? text.size() : text.find(wanted));
}

void find_last(Call& c) {
  const auto wanted = static_cast<char>(c.word(1));
  const std::string text = c.text(0);
  give_place(c, wanted == 0 ? text.size() : text.rfind(wanted));
}

constexpr NativeEntry string_table[] = {
    {"memcpy", copy_apart},
    {"memmove", copy_memory},
    {"__memcpy_chk", copy_apart},
    {"__memmove_chk", copy_memory},
    {"mempcpy",
     [](Call& c) {
       copy_memory(c);
       c.give_pointer(plus(c.slot(0), c.word(2)));
     }},
    {"memset", set_memory},
    {"__memset_chk", set_memory},
    {"bzero", [](Call& c) { c.core.space.set_bytes(c.slot(0), {}, c.word(1)); }},
    {"bcopy", [](Call& c) { c.core.space.copy_bytes(c.slot(1), c.slot(0), c.word(2)); }},
    {"memcmp", compare_memory},
    {"bcmp", compare_memory},
    {"memchr", find_byte},
    {"strlen", [](Call& c) { c.give(c.text(0).size()); }},
    {"strnlen", [](Call& c) { c.give(text_upto(c, c.slot(0), c.word(1)).size()); }},
    {"strcmp", [](Call& c) { give_order(c, order_of(c.text(0), c.text(1))); }},
    {"strcoll", [](Call& c) { give_order(c, order_of(c.text(0), c.text(1))); }},
    {"strncmp",
     [](Call& c) { give_order(c, order_of(text_upto(c, c.slot(0), c.word(2)), text_upto(c, c.slot(1), c.word(2)))); }},
    {"strcasecmp", [](Call& c) { give_order(c, order_of(lower(c.text(0)), lower(c.text(1)))); }},
    {"strncasecmp",
     [](Call& c) {
       give_order(c, order_of(lower(text_upto(c, c.slot(0), c.word(2))), lower(text_upto(c, c.slot(1), c.word(2)))));
     }},
    {"strcpy", copy_string},
    {"__strcpy_chk", copy_string},
    {"stpcpy",
     [](Call& c) {
       copy_string(c);
       c.give_pointer(plus(c.slot(0), c.text(1).size()));
     }},
    {"strncpy", copy_string_n},
    {"__strncpy_chk", copy_string_n},
    {"strcat", append_string},
    {"__strcat_chk", append_string},
    {"strncat", append_string_n},
    {"__strncat_chk", append_string_n},
    {"strchr", find_first},
    {"index", find_first},
    {"strrchr", find_last},
    {"rindex", find_last},
    {"strchrnul", find_end_or},
    {"__strchrnul", find_end_or},
    {"strverscmp", [](Call& c) { give_order(c, version_order(c.text(0), c.text(1))); }},
    {"strcasestr", [](Call& c) { give_place(c, lower(c.text(0)).find(lower(c.text(1)))); }},
    {"stpncpy", copy_string_to_end},
    {"__stpncpy", copy_string_to_end},
    {"strlcpy", copy_limited},
    {"strlcat", append_limited},
    {"strxfrm", copy_limited},
    {"memrchr", find_last_byte},
    {"memccpy", copy_upto_byte},
    {"memmem",
     [](Call& c) { give_place(c, bytes_of(c, c.slot(0), c.word(1)).find(bytes_of(c, c.slot(2), c.word(3)))); }},
    {"explicit_bzero", [](Call& c) { c.core.space.set_bytes(c.slot(0), {}, c.word(1)); }},
    {"__mempcpy",
     [](Call& c) {
       copy_memory(c);
       c.give_pointer(plus(c.slot(0), c.word(2)));
     }},
    {"__strndup", [](Call& c) { duplicate(c, text_upto(c, c.slot(0), c.word(1))); }},
    {"strstr", [](Call& c) { give_place(c, c.text(0).find(c.text(1))); }},
    {"strpbrk", [](Call& c) { give_place(c, c.text(0).find_first_of(c.text(1))); }},
    {"strspn", [](Call& c) { c.give(std::min(c.text(0).find_first_not_of(c.text(1)), c.text(0).size())); }},
    {"strcspn", [](Call& c) { c.give(std::min(c.text(0).find_first_of(c.text(1)), c.text(0).size())); }},
    {"strdup", [](Call& c) { duplicate(c, c.text(0)); }},
    {"__strdup", [](Call& c) { duplicate(c, c.text(0)); }},
    {"strndup", [](Call& c) { duplicate(c, text_upto(c, c.slot(0), c.word(1))); }},
    {"strtok_r", [](Call& c) { next_token(c, c.slot(0), c.text(1), c.slot(2)); }},
    {"__strtok_r", [](Call& c) { next_token(c, c.slot(0), c.text(1), c.slot(2)); }},
    {"strtok",
     [](Call& c) {
       next_token(c, c.slot(0), c.text(1), c.core.space.pointer_to(c.core.objects.of_main(library::strtok_state, 8)));
     }},
    {"isalnum", classify<std::isalnum>},
    {"isalpha", classify<std::isalpha>},
    {"isblank", classify<std::isblank>},
    {"iscntrl", classify<std::iscntrl>},
    {"isdigit", classify<std::isdigit>},
    {"isgraph", classify<std::isgraph>},
    {"islower", classify<std::islower>},
    {"isprint", classify<std::isprint>},
    {"ispunct", classify<std::ispunct>},
    {"isspace", classify<std::isspace>},
    {"isupper", classify<std::isupper>},
    {"isxdigit", classify<std::isxdigit>},
    {"tolower", convert<std::tolower>},
    {"toupper", convert<std::toupper>},
};

}  // namespace

std::span<const NativeEntry> string_natives() { return string_table; }

}  // namespace heddle::interpret
