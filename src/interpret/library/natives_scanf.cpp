// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scanf and its family. Text that is known is read by the rules of C. From unknown input (state/file_table.h) each
// conversion's value is a choice of its own, so that a search meets numbers and not only bytes.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <limits>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"
#include "interpret/library/scanf_directive.h"
#include "interpret/library/scanf_text.h"
#include "numeric/float_text.h"
#include "numeric/soft_float.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

class Scanner {
 public:
  Scanner(Call& call, const std::string& format, ArgumentSource arguments, Text* text)
      : core_(call.core), format_(format), arguments_(arguments), text_(text) {}

  /// Conversions that were stored; -1: the input ended before the first.
  std::int64_t run() {
    if (text_ == nullptr) plan();
    for (std::size_t at = 0; at < format_.size();) {
      const char ch = format_[at++];
      if (std::isspace(static_cast<unsigned char>(ch)) != 0) {
        skip_space();
      } else if (ch != '%') {
        if (!literal(ch)) return result();
      } else {
        const Directive d = parse_directive(core_, format_, at);
        if (d.conversion == '%' ? !literal('%') : !convert(d)) return result();
      }
    }
    return stored_;
  }

 private:
  [[nodiscard]] std::int64_t result() const { return stored_ == 0 && ended_ ? -1 : stored_; }

  /// Unknown input: how many conversions succeed. 0, the first answer: all of them.
  void plan() {
    const std::uint64_t answer = core_.choices.value(8, false, "scanf");
    if (answer != 0) allowed_ = static_cast<std::int64_t>(answer) - 1;
    ended_ = true;
  }

  void skip_space() {
    while (text_ != nullptr && text_->peek() >= 0 && std::isspace(text_->peek()) != 0) text_->take();
  }

  bool literal(char wanted) {
    if (text_ == nullptr) return true;
    if (wanted == '%') skip_space();
    if (text_->peek() != static_cast<unsigned char>(wanted)) {
      ended_ = text_->peek() < 0;
      return false;
    }
    text_->take();
    return true;
  }

  bool convert(const Directive& d) {
    if (d.conversion == 'n') {
      if (text_ == nullptr) core_.account.unsupported("scanf conversion %n from unknown input");
      core_.space.write_word(arguments_.pointer(), integer_bytes(core_, d), text_->taken());
      return true;
    }
    if (text_ == nullptr && stored_ == allowed_) return false;
    if (d.conversion != 'c' && d.conversion != '[') skip_space();
    if (text_ != nullptr && text_->peek() < 0) {
      ended_ = true;
      return false;
    }
    switch (d.conversion) {
      case 'd':
      case 'u': return integer(d, 10);
      case 'i': return integer(d, 0);
      case 'o': return integer(d, 8);
      case 'x':
      case 'X':
      case 'p': return integer(d, 16);
      case 'a':
      case 'e':
      case 'f':
      case 'g':
      case 'A':
      case 'E':
      case 'F':
      case 'G': return real(d);
      case 'c': return characters(d, d.width == std::numeric_limits<int>::max() ? 1 : d.width);
      case 's':
      case '[': return string(d);
      default: core_.account.unsupported(std::string("scanf conversion %") + d.length + d.conversion);
    }
  }

  void done(const Directive& d) { stored_ += d.is_stored ? 1 : 0; }

  /// The longest text that is the beginning of a number: sign, prefix, digits.
  std::string integer_text(const Directive& d, int& base) {
    std::string out;
    const auto accept = [&](bool fits) {
      if (!fits || static_cast<int>(out.size()) >= d.width) return false;
      out.push_back(static_cast<char>(text_->peek()));
      text_->take();
      return true;
    };
    (void)accept(text_->peek() == '-' || text_->peek() == '+');
    if ((base == 0 || base == 16) && accept(text_->peek() == '0')) {
      if (accept(text_->peek() == 'x' || text_->peek() == 'X'))
        base = 16;
      else if (base == 0)
        base = 8;
    } else if (base == 0) {
      base = 10;
    }
    const auto is_digit = [&](int ch) {
      if (ch < 0 || std::isxdigit(ch) == 0) return false;
      const int value = std::isdigit(ch) != 0 ? ch - '0' : std::tolower(ch) - 'a' + 10;
      return value < base;
    };
    while (accept(is_digit(text_->peek()))) {
    }
    return out;
  }

  bool integer(const Directive& d, int base) {
    const std::uint32_t bytes = integer_bytes(core_, d);
    std::uint64_t value = 0;
    if (text_ == nullptr) {
      value = core_.choices.value(bytes * 8, false, "scanf");
    } else {
      const std::string text = integer_text(d, base);
      if (text.find_first_of("0123456789abcdefABCDEF") == std::string::npos) return false;
      // The C library reads a long, or a long long if it is asked for one, and stores what fits.
      const bool is_signed = d.conversion == 'd' || d.conversion == 'i';
      const std::uint32_t bits = bytes == 8 ? 64 : core_.image.pointer_bytes * 8;
      value = parse_integer(text, base, is_signed, bits).value;
    }
    if (d.is_stored) core_.space.write_word(arguments_.pointer(), bytes, value);
    done(d);
    return true;
  }

  std::string real_text(const Directive& d) {
    std::string out;
    bool has_digit = false, has_point = false, has_exponent = false;
    while (static_cast<int>(out.size()) < d.width) {
      const int ch = text_->peek();
      const bool is_sign = ch == '-' || ch == '+';
      const bool after_exponent = !out.empty() && (out.back() == 'e' || out.back() == 'E');
      bool fits = false;
      if (ch >= 0 && std::isdigit(ch) != 0)
        fits = has_digit = true;
      else if (is_sign)
        fits = out.empty() || after_exponent;
      else if (ch == '.')
        fits = !has_point && !has_exponent, has_point = true;
      else if (ch == 'e' || ch == 'E')
        fits = has_digit && !has_exponent, has_exponent = true;
      else if (ch >= 0 && std::isalpha(ch) != 0)
        core_.account.unsupported("scanf of a number in letters");
      if (!fits) break;
      out.push_back(static_cast<char>(ch));
      text_->take();
    }
    return has_digit ? out : "";
  }

  bool real(const Directive& d) {
    if (d.length == "L") return long_double(d);
    const std::uint32_t bits = d.length == "l" ? 64 : 32;
    std::uint64_t value = 0;
    if (text_ == nullptr) {
      value = core_.choices.value(bits, true, "scanf");
    } else {
      const std::string text = real_text(d);
      if (text.empty()) return false;
      value = bits == 64 ? std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr))
                         : std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr));
    }
    if (d.is_stored) core_.space.write_word(arguments_.pointer(), bits / 8, value);
    done(d);
    return true;
  }

  bool long_double(const Directive& d) {
    const std::optional<FloatFormat> format = core_.image.platform.long_double;
    if (!format) core_.account.unsupported("long double of the target " + core_.image.program.layout.triple);
    numeric::FloatBits value;
    if (text_ == nullptr) {
      const numeric::FloatBits chosen{core_.choices.value(64, true, "scanf"), 0};
      value = numeric::convert(FloatFormat::Double, chosen, *format, core_.image.platform.rules);
    } else {
      const std::string text = real_text(d);
      if (text.empty()) return false;
      value = numeric::parse_float(*format, text, core_.image.platform.rules).value;
    }
    if (d.is_stored) {
      const Slot to = arguments_.pointer();
      core_.space.write_word(to, 8, value.low);
      core_.space.write_word({to.bits + 8, 0, to.object, 0}, numeric::traits_of(*format).bits / 8 - 8, value.high);
    }
    done(d);
    return true;
  }

  bool characters(const Directive& d, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      if (text_ == nullptr) {
        out.push_back(static_cast<char>(core_.choices.value(8, false, "scanf")));
      } else if (text_->peek() < 0) {
        ended_ = true;
        return false;
      } else {
        out.push_back(static_cast<char>(text_->peek()));
        text_->take();
      }
    }
    if (d.is_stored) core_.space.write_bytes(arguments_.pointer(), out.data(), out.size());
    done(d);
    return true;
  }

  bool string(const Directive& d) {
    const bool is_set = d.conversion == '[';
    const auto fits = [&](int ch) {
      if (ch < 0) return false;
      return is_set ? d.set.find(static_cast<char>(ch)) != std::string::npos : std::isspace(ch) == 0;
    };
    std::string out;
    if (text_ == nullptr) {
      const std::uint64_t size =
          std::min<std::uint64_t>(1 + core_.choices.value(3, false, "scanf"), static_cast<std::uint64_t>(d.width));
      for (std::uint64_t i = 0; i < size; ++i) {
        const auto byte = static_cast<int>(core_.choices.value(8, false, "scanf"));
        out.push_back(byte != 0 && fits(byte) ? static_cast<char>(byte) : is_set && !d.set.empty() ? d.set[0] : 'a');
      }
    } else {
      while (static_cast<int>(out.size()) < d.width && fits(text_->peek())) {
        out.push_back(static_cast<char>(text_->peek()));
        text_->take();
      }
      if (out.empty()) return false;
    }
    if (d.is_stored) core_.space.write_bytes(arguments_.pointer(), out.c_str(), out.size() + 1);
    done(d);
    return true;
  }

  Core& core_;
  const std::string& format_;
  ArgumentSource arguments_;
  Text* text_;
  std::int64_t stored_ = 0;
  std::int64_t allowed_ = std::numeric_limits<std::int64_t>::max();
  bool ended_ = false;
};

ArgumentSource arguments_of(Call& c, std::size_t format, bool is_list) {
  return is_list ? ArgumentSource::of_list(c, format + 1) : ArgumentSource(c, format + 1);
}

void scan_stream(Call& c, std::uint32_t descriptor, std::size_t format, bool is_list) {
  if (!c.is_admitted(c.core.files.stream_object(descriptor).bits)) return;
  c.core.library.save();
  const OpenFile& file = c.core.files.open_file(descriptor);
  const bool is_known = file.kind == FileKind::Stored || (file.kind == FileKind::Input && c.core.files.knows_input());
  StreamText text(c.core, descriptor);
  const std::string wanted = c.text(format);
  const std::int64_t stored = Scanner(c, wanted, arguments_of(c, format, is_list), is_known ? &text : nullptr).run();
  text.finish();
  c.give(static_cast<std::uint64_t>(stored));
}

void scan_string(Call& c, bool is_list) {
  StringText text(c.text(0));
  const std::string wanted = c.text(1);
  c.give(static_cast<std::uint64_t>(Scanner(c, wanted, arguments_of(c, 1, is_list), &text).run()));
}

template <bool is_list>
void scan_input(Call& c) {
  scan_stream(c, 0, 0, is_list);
}
template <bool is_list>
void scan_file(Call& c) {
  scan_stream(c, c.core.files.descriptor_of(c.slot(0)), 1, is_list);
}
template <bool is_list>
void scan_text(Call& c) {
  scan_string(c, is_list);
}

constexpr NativeEntry scan_table[] = {
    {"scanf", scan_input<false>}, {"__isoc99_scanf", scan_input<false>}, {"__isoc23_scanf", scan_input<false>},
    {"vscanf", scan_input<true>}, {"__isoc99_vscanf", scan_input<true>}, {"__isoc23_vscanf", scan_input<true>},
    {"fscanf", scan_file<false>}, {"__isoc99_fscanf", scan_file<false>}, {"__isoc23_fscanf", scan_file<false>},
    {"vfscanf", scan_file<true>}, {"__isoc99_vfscanf", scan_file<true>}, {"__isoc23_vfscanf", scan_file<true>},
    {"sscanf", scan_text<false>}, {"__isoc99_sscanf", scan_text<false>}, {"__isoc23_sscanf", scan_text<false>},
    {"vsscanf", scan_text<true>}, {"__isoc99_vsscanf", scan_text<true>}, {"__isoc23_vsscanf", scan_text<true>},
};

}  // namespace

std::span<const NativeEntry> scan_natives() { return scan_table; }

}  // namespace heddle::interpret
