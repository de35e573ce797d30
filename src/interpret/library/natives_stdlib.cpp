// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "interpret/code/values.h"
#include "interpret/library/native_frames.h"
#include "interpret/library/natives.h"
#include "numeric/float_text.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
void end_program(Call& c) {
  begin_exit(c.core, c.thread, static_cast<int>(c.number(0)));
  c.stays = true;
}

void end_quickly(Call& c) {
  begin_exit(c.core, c.thread, static_cast<int>(c.number(0)), true);
  c.stays = true;
}

void call_at_quick_exit(Call& c) {
  c.core.library.change().quick_exit_calls.push_back({c.slot(0).bits, {}});
  c.give(0);
}

void end_at_once(Call& c) { c.core.account.end_run(OutcomeKind::Exited, "", static_cast<int>(c.number(0)) & 0xff); }

void abort_program(Call& c) {
  if (c.core.gate.in_section()) throw SectionFailed{};
  c.core.account.end_run(OutcomeKind::Aborted, c.name(), exit_code_of_abort);
}

void assertion(Call& c) {
  std::string what = "assertion failed";
  if (c.count() > 0 && c.slot(0).bits != 0) what += ": " + c.text(0);
  c.core.account.end_run(OutcomeKind::AssertionFailed, what, exit_code_of_abort);
}

/// strtol and its family. `bits` of the result, C's rules for the base and for what is out of range.
void give_integer(Call& c, bool is_signed, std::uint32_t bits) {
  const std::string text = c.text(0);
  const int base = c.count() > 2 ? static_cast<int>(c.number(2)) : 10;
  if (base < 0 || base == 1 || base > 36) c.refuse();  // what else is set then, libraries do not agree on
  const ParsedInteger parsed = parse_integer(text, base, is_signed, bits);
  if (parsed.is_out_of_range) c.set_errno(ERANGE);
  if (c.count() > 1 && c.slot(1).bits != 0)
    c.core.space.write_pointer(c.slot(1), {c.slot(0).bits + parsed.length, 0, c.slot(0).object, 0});
  c.give(parsed.value);
}

/// atoi and its like: strtol, which has the width of long, and then what fits the result.
template <bool is_long_long>
void parse_number(Call& c) {
  c.give(parse_integer(c.text(0), 10, true, is_long_long ? 64 : c.core.image.pointer_bytes * 8).value);
}

void parse_real(Call& c) {
  const std::string text = c.text(0);
  std::size_t begin = 0;
  while (begin < text.size() && std::isspace(static_cast<unsigned char>(text[begin])) != 0) ++begin;
  const numeric::ParsedFloat parsed =
      numeric::parse_float(c.result_format(), std::string_view(text).substr(begin), c.core.image.platform.rules);
  if (parsed.is_out_of_range) c.set_errno(ERANGE);
  const std::size_t end = parsed.length == 0 ? 0 : begin + parsed.length;
  if (c.count() > 1 && c.slot(1).bits != 0)
    c.core.space.write_pointer(c.slot(1), {c.slot(0).bits + end, 0, c.slot(0).object, 0});
  c.give_float(parsed.value);
}

/// The additive generator of the C library, so that a compiled program draws the same numbers: 31 words, two moving
/// places.
class Random {
 public:
  explicit Random(Call& c)
      : core_(c.core), state_(c.core.space.pointer_to(c.core.objects.of_main(library::random_state, 4 * 34))) {
    if (get(33) == 0) seed(1);
  }
  void seed(std::uint32_t seed) {
    put(33, 1);
    std::int64_t word = seed == 0 ? 1 : static_cast<std::int32_t>(seed);
    for (std::uint32_t i = 0; i < 31; ++i) {
      put(i, static_cast<std::uint32_t>(word));
      word = 16807 * (word % 127773) - 2836 * (word / 127773);
      if (word < 0) word += 2147483647;
    }
    put(31, 3);
    put(32, 0);
    for (int i = 0; i < 310; ++i) next();
  }
  [[nodiscard]] Address place() const { return state_.bits; }
  std::uint32_t next() {
    const std::uint32_t front = get(31), rear = get(32);
    const std::uint32_t value = get(front) + get(rear);
    put(front, value);
    put(31, (front + 1) % 31);
    put(32, (rear + 1) % 31);
    return value >> 1;
  }

 private:
  [[nodiscard]] Slot at(std::uint32_t i) const { return {state_.bits + 4 * i, 0, state_.object, 0}; }
  std::uint32_t get(std::uint32_t i) { return static_cast<std::uint32_t>(core_.space.read_word(at(i), 4)); }
  void put(std::uint32_t i, std::uint32_t value) { core_.space.write_word(at(i), 4, value); }
  Core& core_;
  Slot state_;
};

void draw(Call& c) {
  if (c.is_admitted(Random(c).place())) c.give(Random(c).next());
}
void seed(Call& c) {
  if (c.is_admitted(Random(c).place())) Random(c).seed(static_cast<std::uint32_t>(c.word(0)));
}

void absolute(Call& c) {
  const std::int64_t value = c.number(0);
  c.give(value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value));
}

void sort(Call& c) {
  if (c.word(1) < 2 || c.word(2) == 0) return;
  if (!c.core.space.read_bytes(c.slot(0), c.word(1) * c.word(2))) return;
  c.core.frames.push_native(c.thread, NativeKind::Sort);
  c.thread.frames.back().state = {c.word(0), c.word(1), c.word(2), c.word(3), 0, 0, 0, c.count() > 4 ? c.word(4) : 0};
  c.stays = true;
}

void search(Call& c) {
  c.core.frames.push_native(c.thread, NativeKind::Search);
  c.thread.frames.back().state = {c.word(0), c.word(1), c.word(2), c.word(3), c.word(4), 0, 0, 0};
  c.stays = true;
}

void set_jump(Call& c) {
  Thread& thread = c.thread;
  const std::uint64_t token = thread.jumps.size() + 1;
  const auto frame = static_cast<std::uint32_t>(thread.frames.size() - 1);
  thread.jumps.push_back({token, frame, thread.frames.back().serial, thread.frames.back().pc});
  c.core.space.write_word(c.slot(0), c.core.image.pointer_bytes, token);
  c.give(0);
}

void long_jump(Call& c) {
  const std::uint64_t value = c.word(1) & 0xffffffffU;
  c.core.frames.long_jump(c.thread, c.core.space.read_word(c.slot(0), c.core.image.pointer_bytes),
                          value == 0 ? 1 : value);
  c.stays = true;
}

/// Tables of <ctype.h>: 384 entries, of which 128 stand before the address that is given out.
void give_table(Call& c, std::uint32_t which, std::uint32_t width, std::uint64_t (*entry)(int)) {
  Core& core = c.core;
  const ObjectId id = core.objects.of_thread(which, 384 * width + 8);
  if (core.memory.object(id).data[384 * width] == 0) {
    for (int i = -128; i < 256; ++i)
      core.space.write_word(core.space.pointer_to(id, static_cast<std::uint64_t>(i + 128) * width), width, entry(i));
    core.space.write_word(core.space.pointer_to(id, 384 * width), 8, core.memory.object(id).base + 128 * width);
  }
  c.give_pointer(core.space.pointer_to(id, 384 * width));
}

std::uint64_t ctype_bits(int ch) {
  if (ch < 0) return 0;
  const auto bit = [](bool set, int at) { return set ? std::uint64_t{1} << (at < 8 ? at + 8 : at - 8) : 0; };
  return bit(std::isupper(ch) != 0, 0) | bit(std::islower(ch) != 0, 1) | bit(std::isalpha(ch) != 0, 2) |
         bit(std::isdigit(ch) != 0, 3) | bit(std::isxdigit(ch) != 0, 4) | bit(std::isspace(ch) != 0, 5) |
         bit(std::isprint(ch) != 0, 6) | bit(std::isgraph(ch) != 0, 7) | bit(std::isblank(ch) != 0, 8) |
         bit(std::iscntrl(ch) != 0, 9) | bit(std::ispunct(ch) != 0, 10) | bit(std::isalnum(ch) != 0, 11);
}

/// Libraries do not agree on what another alignment gets.
void allocate_aligned(Call& c) {
  if (!std::has_single_bit(c.word(0))) c.refuse();
  c.give_pointer(c.core.heap.allocate(c.word(1), c.word(0), false, true));
}

void allocate_aligned_into(Call& c) {
  if (!std::has_single_bit(c.word(1)) || c.word(1) % c.core.image.pointer_bytes != 0) return c.give(EINVAL);
  const Slot fresh = c.core.heap.allocate(c.word(2), c.word(1), false, true);
  if (fresh.bits != 0) c.core.space.write_pointer(c.slot(0), fresh);
  c.give(fresh.bits != 0 ? 0 : ENOMEM);
}

constexpr NativeEntry stdlib_table[] = {
    {"exit", end_program},
    {"_exit", end_at_once},
    {"_Exit", end_at_once},
    {"quick_exit", end_quickly},
    {"at_quick_exit", call_at_quick_exit},
    {"abort", abort_program},
    {"llvm.trap", abort_program},
    {"llvm.debugtrap", abort_program},
    {"__stack_chk_fail", abort_program},
    {"__assert_fail", assertion},
    {"__assert", assertion},
    {"__assert_rtn", assertion},
    {"__assert_perror_fail", [](Call& c) { c.core.account.end_run(OutcomeKind::AssertionFailed, "assertion failed"); }},
    {"atoi", parse_number<false>},
    {"atol", parse_number<false>},
    {"atoll", parse_number<true>},
    {"atof", parse_real},
    {"strtol", [](Call& c) { give_integer(c, true, c.core.image.pointer_bytes * 8); }},
    {"strtoul", [](Call& c) { give_integer(c, false, c.core.image.pointer_bytes * 8); }},
    {"strtoll", [](Call& c) { give_integer(c, true, 64); }},
    {"strtoull", [](Call& c) { give_integer(c, false, 64); }},
    {"strtoimax", [](Call& c) { give_integer(c, true, 64); }},
    {"strtoumax", [](Call& c) { give_integer(c, false, 64); }},
    {"__isoc23_strtol", [](Call& c) { give_integer(c, true, c.core.image.pointer_bytes * 8); }},
    {"__isoc23_strtoul", [](Call& c) { give_integer(c, false, c.core.image.pointer_bytes * 8); }},
    {"__isoc23_strtoll", [](Call& c) { give_integer(c, true, 64); }},
    {"__isoc23_strtoull", [](Call& c) { give_integer(c, false, 64); }},
    {"strtod", parse_real},
    {"strtof", parse_real},
    {"strtold", parse_real},
    {"rand", draw},
    {"random", draw},
    {"srand", seed},
    {"srandom", seed},
    {"abs", absolute},
    {"labs", absolute},
    {"llabs", absolute},
    {"imaxabs", absolute},
    {"qsort", sort},
    {"qsort_r", sort},
    {"bsearch", search},
    {"aligned_alloc", allocate_aligned},
    {"memalign", allocate_aligned},
    {"posix_memalign", allocate_aligned_into},
    {"__errno_location", [](Call& c) { c.give_pointer(c.errno_place()); }},
    {"__ctype_b_loc", [](Call& c) { give_table(c, library::ctype_table, 2, ctype_bits); }},
    {"__ctype_tolower_loc",
     [](Call& c) {
       give_table(c, library::lower_table, 4, [](int ch) {
         return static_cast<std::uint64_t>(static_cast<std::int64_t>(ch < 0 ? ch : std::tolower(ch)));
       });
     }},
    {"__ctype_toupper_loc",
     [](Call& c) {
       give_table(c, library::upper_table, 4, [](int ch) {
         return static_cast<std::uint64_t>(static_cast<std::int64_t>(ch < 0 ? ch : std::toupper(ch)));
       });
     }},
    {"setjmp", set_jump},
    {"_setjmp", set_jump},
    {"__sigsetjmp", set_jump},
    {"sigsetjmp", set_jump},
    {"longjmp", long_jump},
    {"_longjmp", long_jump},
    {"siglongjmp", long_jump},
    {"__longjmp_chk", long_jump},
};

}  // namespace

ParsedInteger parse_integer(const std::string& text, int base, bool is_signed, std::uint32_t bits) {
  const bool is_narrow = bits < 64;
  char* end = nullptr;
  ParsedInteger out;
  errno = 0;
  if (is_signed) {
    long long parsed = std::strtoll(text.c_str(), &end, base);
    const auto top = static_cast<long long>(mask_of(bits - 1));
    out.is_out_of_range = errno == ERANGE || (is_narrow && (parsed > top || parsed < -top - 1));
    if (is_narrow && out.is_out_of_range) parsed = parsed > top ? top : -top - 1;
    out.value = static_cast<std::uint64_t>(parsed);
  } else {
    out.value = std::strtoull(text.c_str(), &end, base);
    const std::uint64_t magnitude =
        text.find('-') < static_cast<std::size_t>(end - text.c_str()) ? ~out.value + 1 : out.value;
    out.is_out_of_range = errno == ERANGE || magnitude > mask_of(bits);
    if (out.is_out_of_range) out.value = mask_of(bits);
  }
  out.length = static_cast<std::size_t>(end - text.c_str());
  return out;
}

std::span<const NativeEntry> stdlib_natives() { return stdlib_table; }

}  // namespace heddle::interpret
