// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::cout, std::cerr and std::clog: operators that are not inline, formatted by the flags of the stream object
// (synthetic.h). Two threads may use them at once, so these natives look at the object without leaving accesses
// behind.
#include <cstdio>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"
#include "numeric/float_text.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

enum Flag : std::uint32_t {
  bool_letters = 1 << 0,
  fixed_point = 1 << 2,
  hexadecimal = 1 << 3,
  internal_fill = 1 << 4,
  left_aligned = 1 << 5,
  octal = 1 << 6,
  scientific = 1 << 8,
  show_base = 1 << 9,
  show_point = 1 << 10,
  show_plus = 1 << 11,
  upper_case = 1 << 14,
};

class Stream {
 public:
  explicit Stream(Call& call) : call_(call) {
    Core& core = call.core;
    const Slot& at = call.slot(0);
    const Object& object = core.space.resolve(at, 272, false);
    const std::string_view name = object.global.valid() ? core.image.program.globals[object.global].name : "";
    descriptor_ = name == "_ZSt4cout" ? 1 : name == "_ZSt4cerr" || name == "_ZSt4clog" ? 2 : 0;
    if (descriptor_ == 0 || at.bits != object.base)
      core.account.unsupported(core.image.name_of(call.callee) +
                               " on a stream other than std::cout, std::cerr and std::clog");
    data_ = object.data;
  }

  [[nodiscard]] std::uint32_t flags() const { return static_cast<std::uint32_t>(field(flags_at, 4)); }
  [[nodiscard]] int precision() const { return static_cast<int>(field(precision_at, 8)); }

  void write(const std::string& text) { (void)call_.core.files.write(descriptor_, text); }

  /// With the fill of a formatted output; the width is used up.
  void write_padded(std::string text) {
    const std::uint64_t width = field(width_at, 8);
    if (width > text.size()) {
      const std::string fill(width - text.size(), static_cast<char>(data_[fill_at]));
      std::size_t where = 0;
      if ((flags() & left_aligned) != 0) where = text.size();
      if ((flags() & internal_fill) != 0) {
        where = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
        if (text.size() > where + 1 && text[where] == '0' && (text[where + 1] == 'x' || text[where + 1] == 'X'))
          where += 2;
      }
      text.insert(where, fill);
    }
    if (width != 0) {
      if (call_.core.log.is_on()) call_.core.memory.log_bytes(call_.core.memory.find(call_.slot(0).bits), width_at, 8);
      std::memset(data_ + width_at, 0, 8);
    }
    write(text);
  }

 private:
  static constexpr std::uint64_t precision_at = 16, width_at = 24, flags_at = 32, fill_at = 232;
  [[nodiscard]] std::uint64_t field(std::uint64_t at, std::uint32_t bytes) const {
    std::uint64_t value = 0;
    std::memcpy(&value, data_ + at, bytes);
    return value;
  }
  Call& call_;
  std::uint32_t descriptor_ = 0;
  std::uint8_t* data_ = nullptr;
};

std::string printed(const std::string& format, auto... arguments) {
  const int size = std::snprintf(nullptr, 0, format.c_str(), arguments...);
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(out.data(), out.size(), format.c_str(), arguments...);
  out.pop_back();
  return out;
}

template <bool is_signed>
void put_integer(Call& c) {
  Stream stream(c);
  const std::uint32_t flags = stream.flags();
  std::string format = "%";
  if ((flags & show_base) != 0) format += '#';
  const bool is_decimal = (flags & (octal | hexadecimal)) == 0;
  if (is_signed && is_decimal && (flags & show_plus) != 0) format += '+';
  format += "j";
  format += (flags & octal) != 0         ? 'o'
            : (flags & hexadecimal) != 0 ? ((flags & upper_case) != 0 ? 'X' : 'x')
            : is_signed                  ? 'd'
                                         : 'u';
  const std::uint64_t raw = c.word(1) & mask_of(c.bits(1));
  stream.write_padded(is_signed && is_decimal ? printed(format, static_cast<std::intmax_t>(sign_extend(raw, c.bits(1))))
                                              : printed(format, static_cast<std::uintmax_t>(raw)));
  c.give_pointer(c.slot(0));
}

void put_bool(Call& c) {
  Stream stream(c);
  const bool value = (c.word(1) & 1) != 0;
  stream.write_padded((stream.flags() & bool_letters) != 0 ? (value ? "true" : "false") : (value ? "1" : "0"));
  c.give_pointer(c.slot(0));
}

void put_real(Call& c) {
  Stream stream(c);
  const std::uint32_t flags = stream.flags();
  const std::uint32_t form = flags & (fixed_point | scientific);
  std::string format = "%";
  if ((flags & show_plus) != 0) format += '+';
  if ((flags & show_point) != 0) format += '#';
  const bool is_hexadecimal = form == (fixed_point | scientific);
  if (!is_hexadecimal) format += "." + std::to_string(stream.precision() < 0 ? 6 : stream.precision());
  char letter = form == fixed_point ? 'f' : form == scientific ? 'e' : is_hexadecimal ? 'a' : 'g';
  if ((flags & upper_case) != 0) letter = static_cast<char>(letter - 'a' + 'A');
  if (c.bits(1) > 64)
    stream.write_padded(numeric::print_float(c.format(1), c.float_value(1),
                                             {.conversion = letter,
                                              .precision = is_hexadecimal           ? -1
                                                           : stream.precision() < 0 ? 6
                                                                                    : stream.precision(),
                                              .has_plus = (flags & show_plus) != 0,
                                              .is_alternative = (flags & show_point) != 0}));
  else
    stream.write_padded(printed(format + letter, c.real(1)));
  c.give_pointer(c.slot(0));
}

void put_pointer(Call& c) {
  Stream(c).write_padded(c.word(1) == 0 ? "0" : printed("0x%jx", static_cast<std::uintmax_t>(c.word(1))));
  c.give_pointer(c.slot(0));
}

std::string bytes_at(Call& c) {
  const std::uint64_t count = c.word(2);
  return {reinterpret_cast<const char*>(c.core.space.read_bytes(c.slot(1), count)), count};
}

void put_text(Call& c) {
  Stream(c).write_padded(bytes_at(c));
  c.give_pointer(c.slot(0));
}
void put_bytes(Call& c) {
  Stream(c).write(bytes_at(c));
  c.give_pointer(c.slot(0));
}
void put_character(Call& c) {
  Stream(c).write(std::string(1, static_cast<char>(c.word(1))));
  c.give_pointer(c.slot(0));
}
void flush_stream(Call& c) {
  (void)Stream(c);
  c.give_pointer(c.slot(0));
}
void set_up_streams(Call&) {}  // they are there from the start

constexpr NativeEntry cxx_stream_table[] = {
    {"_ZNSt8ios_base4InitC1Ev", set_up_streams},
    {"_ZNSt8ios_base4InitD1Ev", set_up_streams},
    {"_ZNSolsEi", put_integer<true>},
    {"_ZNSolsEs", put_integer<true>},
    {"_ZNSolsEl", put_integer<true>},
    {"_ZNSolsEx", put_integer<true>},
    {"_ZNSolsEj", put_integer<false>},
    {"_ZNSolsEt", put_integer<false>},
    {"_ZNSolsEm", put_integer<false>},
    {"_ZNSolsEy", put_integer<false>},
    {"_ZNSolsEb", put_bool},
    {"_ZNSolsEd", put_real},
    {"_ZNSolsEf", put_real},
    {"_ZNSolsEe", put_real},
    {"_ZNSolsEPKv", put_pointer},
    {"_ZNSo9_M_insertIlEERSoT_", put_integer<true>},
    {"_ZNSo9_M_insertIxEERSoT_", put_integer<true>},
    {"_ZNSo9_M_insertImEERSoT_", put_integer<false>},
    {"_ZNSo9_M_insertIyEERSoT_", put_integer<false>},
    {"_ZNSo9_M_insertIbEERSoT_", put_bool},
    {"_ZNSo9_M_insertIdEERSoT_", put_real},
    {"_ZNSo9_M_insertIeEERSoT_", put_real},
    {"_ZNSo9_M_insertIPKvEERSoT_", put_pointer},
    {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", put_text},
    {"_ZNSo5writeEPKcl", put_bytes},
    {"_ZNSo3putEc", put_character},
    {"_ZNSo5flushEv", flush_stream},
};

}  // namespace

std::span<const NativeEntry> cxx_stream_natives() { return cxx_stream_table; }

}  // namespace heddle::interpret
