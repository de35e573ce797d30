// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cstdio>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"
#include "numeric/float_text.h"

namespace heddle::interpret {

ArgumentSource ArgumentSource::of_list(NativeCall& call, std::size_t list) {
  ArgumentSource source(call, 0);
  source.list_ = va_lists(call).read(call.slot(list));
  return source;
}

std::uint64_t ArgumentSource::integer(std::uint32_t bytes) {
  Slot value;
  if (list_) {
    const Leaf leaf{0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false};
    value = call_.core.space.load(call_.core.space.pointer_at(list_->integer(bytes)), leaf, false);
  } else {
    value = call_.slot(next_++);
  }
  if (value.undef != 0) call_.core.account.add_note(Note::Kind::Uninitialised, "an uninitialised value is printed");
  if (value.doubt == doubt::address) call_.core.account.add_doubt("an address is made a text");
  return value.bits & mask_of(bytes * 8);
}

Slot ArgumentSource::pointer() {
  if (!list_) return call_.slot(next_++);
  return call_.core.space.read_pointer(call_.core.space.pointer_at(list_->integer(call_.core.image.pointer_bytes)));
}

double ArgumentSource::real() {
  Core& core = call_.core;
  Slot value;
  if (list_) {
    value = core.space.load(core.space.pointer_at(list_->real()), {0, 8, 64, false}, false);
  } else {
    if (call_.bits(next_) != 64 || call_.format(next_) != FloatFormat::Double)
      core.account.unsupported("printf conversion for double of another type");
    value = call_.slot(next_++);
  }
  if (value.undef != 0) core.account.add_note(Note::Kind::Uninitialised, "an uninitialised value is printed");
  return std::bit_cast<double>(value.bits);
}

ArgumentSource::LongDouble ArgumentSource::long_double() {
  Core& core = call_.core;
  const std::optional<FloatFormat> format = core.image.platform.long_double;
  if (!format) core.account.unsupported("long double of the target " + core.image.program.layout.triple);
  Slot slots[2];
  if (list_) {
    const bool is_quad = *format == FloatFormat::Quad;
    const std::uint32_t word = core.image.pointer_bytes;
    const Address at = list_->long_double(word == 4 ? 12 : 16, word == 4 ? 4 : 16);
    const auto rest = static_cast<std::uint8_t>(is_quad ? 8 : 2);
    slots[0] = core.space.load(core.space.pointer_at(at), {0, 8, 64, false}, false);
    slots[1] =
        core.space.load(core.space.pointer_at(at + 8), {0, rest, static_cast<std::uint8_t>(8 * rest), false}, false);
  } else {
    const std::size_t at = next_++;
    (void)call_.slot(at);  // it is there
    if (call_.format(at) != *format) core.account.unsupported("printf conversion for long double of another type");
    const Slot* from = core.frames.slot_at(call_.thread, call_.site.arguments[at].slot);
    slots[0] = from[0];
    slots[1] = from[1];
  }
  if (slots[0].undef != 0 || slots[1].undef != 0)
    core.account.add_note(Note::Kind::Uninitialised, "an uninitialised value is printed");
  return {*format, {slots[0].bits, slots[1].bits}};
}

namespace {

struct Spec {
  std::string flags;
  int width = -1, precision = -1;
  std::string length;
  char conversion = 0;
};

template <class T>
std::string print(const Spec& spec, const std::string& host_length, T value) {
  std::string format = "%" + spec.flags;
  if (spec.width >= 0) format += std::to_string(spec.width);
  if (spec.precision >= 0) format += "." + std::to_string(spec.precision);
  format += host_length + spec.conversion;
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(out.data(), out.size(), format.c_str(), value);
  out.pop_back();
  return out;
}

class Formatter {
 public:
  Formatter(Core& core, const std::string& format, ArgumentSource arguments)
      : core_(core), format_(format), arguments_(arguments) {}

  std::string run() {
    for (at_ = 0; at_ < format_.size(); ++at_) {
      if (format_[at_] != '%') {
        out_.push_back(format_[at_]);
        continue;
      }
      ++at_;
      const Spec spec = parse();
      convert(spec);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  int number() {
    if (peek() == '*') {
      ++at_;
      return static_cast<int>(sign_extend(arguments_.integer(4), 32));
    }
    int value = 0;
    while (peek() >= '0' && peek() <= '9') value = value * 10 + (format_[at_++] - '0');
    return value;
  }

  Spec parse() {
    Spec spec;
    while (std::string_view("-+ #0'").find(peek()) != std::string_view::npos && peek() != '\0')
      spec.flags.push_back(format_[at_++]);
    if (peek() == '*' || (peek() >= '1' && peek() <= '9')) spec.width = number();
    if (spec.width < -1) {
      spec.flags += '-';
      spec.width = -spec.width;
    }
    if (peek() == '.') {
      ++at_;
      spec.precision = number();
    }
    while (std::string_view("hlLqjzt").find(peek()) != std::string_view::npos && peek() != '\0')
      spec.length.push_back(format_[at_++]);
    spec.conversion = peek();
    return spec;
  }

  [[nodiscard]] std::uint32_t size_of(const Spec& spec) const {
    if (spec.length == "ll" || spec.length == "q" || spec.length == "j" || spec.length == "L") return 8;
    if (spec.length == "l" || spec.length == "z" || spec.length == "t") return core_.image.pointer_bytes;
    return 4;
  }

  void convert(const Spec& spec) {
    switch (spec.conversion) {
      case '%': out_.push_back('%'); return;
      case 'd':
      case 'i': {
        const std::uint32_t size = size_of(spec);
        const std::uint32_t bits = spec.length == "hh" ? 8 : spec.length == "h" ? 16 : size * 8;
        out_ += print(spec, "j", static_cast<std::intmax_t>(sign_extend(arguments_.integer(size), bits)));
        return;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        const std::uint32_t size = size_of(spec);
        const std::uint32_t bits = spec.length == "hh" ? 8 : spec.length == "h" ? 16 : size * 8;
        out_ += print(spec, "j", static_cast<std::uintmax_t>(arguments_.integer(size) & mask_of(bits)));
        return;
      }
      case 'c':
        if (!spec.length.empty()) refuse(spec);
        out_ += print(spec, "", static_cast<int>(arguments_.integer(4)));
        return;
      case 's':
        if (!spec.length.empty()) refuse(spec);
        text(spec);
        return;
      case 'p': {
        const Slot pointer = arguments_.pointer();
        if (core_.memory.is_address(pointer.bits)) core_.account.add_doubt("an address is made a text");
        Spec number = spec;
        number.conversion = 's';
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "0x%jx", static_cast<std::uintmax_t>(pointer.bits));
        out_ += print(number, "", pointer.bits == 0 ? "(nil)" : static_cast<const char*>(buffer));
        return;
      }
      case 'n': core_.space.write_word(arguments_.pointer(), size_of(spec), out_.size()); return;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': real(spec); return;
      default: refuse(spec);
    }
  }

  [[noreturn]] void refuse(const Spec& spec) {
    core_.account.unsupported(std::string("printf conversion %") + spec.length + spec.conversion);
  }

  void real(const Spec& spec) {
    if (spec.length != "L") {
      out_ += print(spec, "", arguments_.real());
      return;
    }
    const auto has = [&](char flag) { return spec.flags.find(flag) != std::string::npos; };
    const ArgumentSource::LongDouble number = arguments_.long_double();
    out_ += numeric::print_float(number.format, number.value,
                                 {.conversion = spec.conversion,
                                  .width = spec.width,
                                  .precision = spec.precision,
                                  .is_left = has('-'),
                                  .has_plus = has('+'),
                                  .has_space = has(' '),
                                  .is_alternative = has('#'),
                                  .has_zeros = has('0')});
  }

  void text(const Spec& spec) {
    const Slot pointer = arguments_.pointer();
    std::string value;
    if (pointer.bits == 0) {
      value = "(null)";
    } else if (spec.precision >= 0) {
      for (int i = 0; i < spec.precision; ++i) {
        const auto byte = static_cast<char>(
            core_.space.read_word({pointer.bits + static_cast<std::uint64_t>(i), 0, pointer.object, 0}, 1));
        if (byte == 0) break;
        value.push_back(byte);
      }
    } else {
      value = core_.space.read_string(pointer);
    }
    Spec plain = spec;
    plain.precision = -1;
    out_ += print(plain, "", value.c_str());
  }

  Core& core_;
  const std::string& format_;
  ArgumentSource arguments_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string format_text(Core& core, const std::string& format, ArgumentSource arguments) {
  return Formatter(core, format, arguments).run();
}

}  // namespace heddle::interpret
