// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/float_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "numeric/mpfr_number.h"
#include "numeric/soft_float.h"

namespace heddle::numeric {
namespace {

bool is_upper(char conversion) { return conversion >= 'A' && conversion <= 'Z'; }

/// %f, %e and %g of a number without its sign.
std::string decimal_digits(FloatFormat format, FloatBits value, const FloatSpec& spec) {
  const MpfrNumber number(format, with_sign(format, value, false));
  const std::string pattern = std::string(spec.is_alternative ? "%#.*RN" : "%.*RN") + spec.conversion;
  char* text = nullptr;
  mpfr_asprintf(&text, pattern.c_str(), spec.precision < 0 ? 6 : spec.precision, number.get());
  std::string out = text;
  mpfr_free_str(text);
  return out;
}

/// A significand in hexadecimal digits: one before the point, the rest behind it.
struct HexDigits {
  Bits128 digits = 0;
  int behind = 0;  ///< the point
  std::int32_t exponent = 0;
};

/// The leading digit holds the leading bit alone, with a stored one the first four bits.
HexDigits hex_digits(FloatFormat format, const Unpacked& x) {
  const FloatTraits traits = traits_of(format);
  const int leading = traits.has_leading_bit ? 4 : 1;
  const int fraction = static_cast<int>(traits.precision) - leading;
  HexDigits out;
  out.behind = (fraction + 3) / 4;
  out.digits = x.significand << (4 * out.behind - fraction);
  out.exponent = x.significand == 0 ? 0 : x.exponent + fraction;
  return out;
}

/// To `precision` digits behind the point, ties to even.
void round_digits(HexDigits& hex, int precision, bool has_leading_bit) {
  const int dropped = 4 * (hex.behind - precision);
  const Bits128 rest = hex.digits & ((Bits128{1} << dropped) - 1), half = Bits128{1} << (dropped - 1);
  hex.digits >>= dropped;
  hex.behind = precision;
  if (rest > half || (rest == half && (hex.digits & 1) != 0)) ++hex.digits;
  // Beyond the digit f the C library begins anew with a one.
  if (has_leading_bit && hex.digits >> (4 * precision) > 15) {
    hex.digits >>= 4;
    hex.exponent += 4;
  }
}

std::string hex_text(FloatFormat format, FloatBits value, const FloatSpec& spec) {
  HexDigits hex = hex_digits(format, unpack(format, value));
  if (spec.precision >= 0 && spec.precision < hex.behind)
    round_digits(hex, spec.precision, traits_of(format).has_leading_bit);
  std::string fraction;
  for (int i = hex.behind - 1; i >= 0; --i)
    fraction.push_back("0123456789abcdef"[static_cast<unsigned>((hex.digits >> (4 * i)) & 15)]);
  const auto leading = static_cast<unsigned>(hex.digits >> (4 * hex.behind));
  if (spec.precision < 0) fraction.erase(fraction.find_last_not_of('0') + 1);
  if (spec.precision > hex.behind) fraction.append(static_cast<std::size_t>(spec.precision - hex.behind), '0');
  std::string out(1, "0123456789abcdef"[leading & 15]);
  if (!fraction.empty() || spec.is_alternative) out += "." + fraction;
  out += (hex.exponent < 0 ? "p-" : "p+") + std::to_string(std::abs(hex.exponent));
  if (is_upper(spec.conversion))
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

std::string padded(const FloatSpec& spec, const std::string& prefix, const std::string& digits, bool may_have_zeros) {
  const std::size_t size = prefix.size() + digits.size();
  const std::size_t room =
      spec.width > 0 && static_cast<std::size_t>(spec.width) > size ? static_cast<std::size_t>(spec.width) - size : 0;
  if (spec.is_left) return prefix + digits + std::string(room, ' ');
  if (spec.has_zeros && may_have_zeros) return prefix + std::string(room, '0') + digits;
  return std::string(room, ' ') + prefix + digits;
}

/// Finds the longest beginning that is a number, as C's grammar has it.
class FloatReader {
 public:
  explicit FloatReader(std::string_view text) : text_(text) {}

  void run() {
    if (peek() == '+' || peek() == '-') is_negative = text_[at_++] == '-';
    begin = at_;
    if (accept_word("infinity") || accept_word("inf")) {
      is_infinite = true;
    } else if (accept_word("nan")) {
      is_nan = true;
      accept_payload();
    } else {
      accept_number();
    }
    end = is_infinite || is_nan || has_digits_ ? at_ : 0;
  }

  bool is_negative = false, is_infinite = false, is_nan = false, is_hexadecimal = false;
  std::size_t begin = 0, end = 0;  ///< of the number without its sign; end 0: there is none
  std::uint64_t payload = 0;

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  [[nodiscard]] bool is_own_digit(char c) const {
    return is_hexadecimal ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : is_digit(c);
  }

  bool accept_word(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i)
      if (std::tolower(static_cast<unsigned char>(peek(i))) != word[i]) return false;
    at_ += word.size();
    return true;
  }

  void accept_payload() {
    if (peek() != '(') return;
    std::size_t close = at_ + 1;
    while (close < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[close])) != 0 || text_[close] == '_'))
      ++close;
    if (close >= text_.size() || text_[close] != ')') return;
    const std::string inside(text_.substr(at_ + 1, close - at_ - 1));
    char* stop = nullptr;
    const std::uint64_t value = std::strtoull(inside.c_str(), &stop, 0);
    if (*stop == '\0') payload = value;
    at_ = close + 1;
  }

  void accept_digits() {
    for (; is_own_digit(peek()); ++at_) has_digits_ = true;
  }

  void accept_number() {
    const bool has_prefix = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    is_hexadecimal = has_prefix && (std::isxdigit(static_cast<unsigned char>(peek(2))) != 0 ||
                                    (peek(2) == '.' && std::isxdigit(static_cast<unsigned char>(peek(3))) != 0));
    if (is_hexadecimal) at_ += 2;
    accept_digits();
    if (peek() == '.' && (has_digits_ || is_own_digit(peek(1)))) {
      ++at_;
      accept_digits();
    }
    const char letter = is_hexadecimal ? 'p' : 'e';
    if (!has_digits_ || std::tolower(static_cast<unsigned char>(peek())) != letter) return;
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (!is_digit(peek(1 + sign))) return;
    at_ += 1 + sign;
    while (is_digit(peek())) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_digits_ = false;
};

FloatBits nan_with(FloatFormat format, std::uint64_t payload) {
  const Bits128 room = (Bits128{1} << (traits_of(format).precision - 2)) - 1;
  return FloatBits::of(default_nan(format, {.default_nan_is_negative = false}).joined() | (payload & room));
}

}  // namespace

std::string print_float(FloatFormat format, FloatBits value, const FloatSpec& spec) {
  const Unpacked x = unpack(format, value);
  std::string prefix = x.is_negative ? "-" : spec.has_plus ? "+" : spec.has_space ? " " : "";
  const bool upper = is_upper(spec.conversion);
  if (x.is_nan()) return padded(spec, prefix, upper ? "NAN" : "nan", false);
  if (x.kind == FloatClass::Infinite) return padded(spec, prefix, upper ? "INF" : "inf", false);
  if (spec.conversion != 'a' && spec.conversion != 'A')
    return padded(spec, prefix, decimal_digits(format, value, spec), true);
  prefix += upper ? "0X" : "0x";
  return padded(spec, prefix, hex_text(format, value, spec), true);
}

ParsedFloat parse_float(FloatFormat format, std::string_view text, const FloatRules& rules) {
  FloatReader reader(text);
  reader.run();
  ParsedFloat out;
  out.length = reader.end;
  if (reader.end == 0) return out;
  if (reader.is_infinite) {
    out.value = infinity(format, false);
  } else if (reader.is_nan) {
    out.value = nan_with(format, reader.payload);
  } else {
    const std::string digits(text.substr(reader.begin, reader.end - reader.begin));
    const WideExponents wide;
    MpfrNumber number(traits_of(format).precision);
    const int direction =
        mpfr_strtofr(number.get(), digits.c_str(), nullptr, reader.is_hexadecimal ? 16 : 10, MPFR_RNDN);
    Rounding rounding;
    out.value = rounded_into(format, number.get(), direction, rules, &rounding);
    out.is_out_of_range = rounding.has_overflowed || rounding.is_tiny;
  }
  out.value = with_sign(format, out.value, reader.is_negative);
  return out;
}

}  // namespace heddle::numeric
