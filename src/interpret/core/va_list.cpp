// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/va_list.h"

#include <algorithm>

#include "interpret/code/values.h"

namespace heddle::interpret {
namespace {

constexpr std::uint32_t integer_end = 48, vector_end = 176;  // of x86_64's register save area

/// Registers of x86_64 as the compiler hands them out.
class Registers {
 public:
  enum class Class : std::uint8_t { Integer, Vector, Memory };

  /// Where in the save area an argument goes; none: into memory.
  std::optional<std::uint64_t> take(const Shape& shape) {
    const std::uint32_t words = shape.kind == TypeKind::Int && shape.bits > 64 ? 2 : 1;
    std::uint32_t& next = class_of(shape) == Class::Integer ? integer_ : vector_;
    const std::uint32_t step = class_of(shape) == Class::Integer ? 8 * words : 16;
    const std::uint32_t end = class_of(shape) == Class::Integer ? integer_end : vector_end;
    if (class_of(shape) == Class::Memory || next + step > end) return std::nullopt;
    next += step;
    return next - step;
  }
  [[nodiscard]] std::uint32_t integer_offset() const { return integer_; }
  [[nodiscard]] std::uint32_t vector_offset() const { return vector_; }

 private:
  static Class class_of(const Shape& shape) {
    switch (shape.kind) {
      case TypeKind::Int:
      case TypeKind::Pointer: return Class::Integer;
      case TypeKind::Float: return shape.format == FloatFormat::Extended ? Class::Memory : Class::Vector;
      case TypeKind::Vector: return shape.size <= 16 ? Class::Vector : Class::Memory;
      default: return Class::Memory;
    }
  }
  std::uint32_t integer_ = 0, vector_ = integer_end;
};

Registers after_parameters(const Core& core, const Function& function) {
  Registers out;
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    const bool is_copy = std::ranges::find(function.byval, i, &ByValue::index) != function.byval.end();
    if (!is_copy) (void)out.take(core.decoded.shapes[function.parameters[i].index()]);
  }
  return out;
}

/// How arguments are aligned in memory.
std::uint64_t alignment_of(const Core& core, const Shape& shape, const CallArgument& argument) {
  const std::uint64_t word = core.pointer_bytes;
  if (argument.byval != 0 || argument.stack_align != 0) return std::max(word, argument.stack_align);
  switch (core.platform.va_list) {
    case Platform::VaList::I386: return shape.kind == TypeKind::Vector && shape.size >= 16 ? shape.align : word;
    case Platform::VaList::AArch64: return std::clamp<std::uint64_t>(shape.align, word, 16);
    default: return std::max(word, shape.align);
  }
}

/// The variadic arguments of one call: first where each goes, then the stores.
class Layout {
 public:
  Layout(Core& core, const CallCode& site, std::size_t first) : core_(core), site_(site), first_(first) {
    address_.slots = 1;
    address_.kind = TypeKind::Pointer;
    address_.is_pointer = true;
    address_.size = address_.align = core.pointer_bytes;
    address_.bits = 8 * core.pointer_bytes;
    address_.leaves = {
        {0, static_cast<std::uint8_t>(core.pointer_bytes), static_cast<std::uint8_t>(8 * core.pointer_bytes), true}};
  }

  /// Offsets in the object that holds the save area, if there is one, and the arguments behind it.
  void place(std::optional<Registers> registers) {
    end_ = registers ? vector_end : 0;
    for (std::size_t i = first_; i < site_.arguments.size(); ++i) {
      const CallArgument& argument = site_.arguments[i];
      const Shape& shape = shape_of(argument);
      const auto saved = registers && argument.byval == 0 ? registers->take(shape) : std::nullopt;
      offsets_.push_back(saved ? *saved : in_memory(alignment_of(core_, shape, argument), size_of(argument)));
    }
  }

  void store(const Slot& area, const Thread& thread, std::uint32_t caller_base) {
    for (std::size_t i = first_; i < site_.arguments.size(); ++i) {
      const CallArgument& argument = site_.arguments[i];
      const Slot to{area.bits + offsets_[i - first_], 0, area.object, 0};
      const Slot* from = argument.slot < 0 ? core_.decoded.constants_end() + argument.slot
                                           : thread.slots.data() + caller_base + argument.slot;
      if (argument.byval != 0)
        core_.copy_bytes(to, *from, argument.byval);
      else
        core_.store_many(to, shape_of(argument), from, false);
    }
  }

  [[nodiscard]] std::uint64_t size() const { return end_; }

 private:
  [[nodiscard]] const Shape& shape_of(const CallArgument& argument) const {
    return argument.type.valid() ? core_.decoded.shapes[argument.type.index()] : address_;
  }
  [[nodiscard]] std::uint64_t size_of(const CallArgument& argument) const {
    return argument.byval != 0 ? argument.byval : shape_of(argument).size;
  }
  std::uint64_t in_memory(std::uint64_t align, std::uint64_t size) {
    const std::uint64_t at = (end_ + align - 1) / align * align, word = core_.pointer_bytes;
    end_ = at + (size + word - 1) / word * word;
    return at;
  }

  Core& core_;
  const CallCode& site_;
  std::size_t first_;
  Shape address_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t end_ = 0;
};

Slot plus(const Slot& pointer, std::uint64_t offset) { return {pointer.bits + offset, 0, pointer.object, 0}; }

[[noreturn]] void unknown_list(Core& core) {
  const std::string& triple = core.program.layout.triple;
  core.unsupported("va_list of the target " + (triple.empty() ? "without a name" : triple));
}

}  // namespace

void Core::lay_out_varargs(Thread& thread, const FunctionCode& code, const CallCode& site, std::uint32_t caller_base) {
  const Function& function = program.functions[code.id];
  Layout layout(*this, site, function.parameters.size());
  layout.place(platform.va_list == Platform::VaList::X86_64 ? std::optional(after_parameters(*this, function))
                                                            : std::nullopt);
  // The largest alignment of an argument is a vector's.
  const Slot area = stack_object(thread, layout.size(), 64);
  thread.frames.back().varargs = area.bits;
  layout.store(area, thread, caller_base);
}

void start_va_list(Core& core, const Thread& thread, const Slot& list) {
  const Frame& frame = thread.frames.back();
  const Slot area = core.pointer_at(frame.varargs);
  switch (core.platform.va_list) {
    case Platform::VaList::Unknown: unknown_list(core);
    case Platform::VaList::I386: core.write_pointer(list, area); return;
    case Platform::VaList::X86_64: {
      const Registers used = after_parameters(core, core.program.functions[frame.code->id]);
      core.write_word(list, 4, used.integer_offset());
      core.write_word(plus(list, 4), 4, used.vector_offset());
      core.write_pointer(plus(list, 8), plus(area, vector_end));
      core.write_pointer(plus(list, 16), area);
      return;
    }
    case Platform::VaList::AArch64:
      core.write_pointer(list, area);
      for (const std::uint64_t offset : {8ULL, 16ULL, 24ULL}) core.write_word(plus(list, offset), 8, 0);
  }
}

std::uint64_t size_of_va_list(Core& core) {
  switch (core.platform.va_list) {
    case Platform::VaList::Unknown: unknown_list(core);
    case Platform::VaList::I386: return 4;
    case Platform::VaList::X86_64: return 24;
    case Platform::VaList::AArch64: break;
  }
  return 32;
}

VaListReader::VaListReader(Core& core, const Slot& list) : core_(core) {
  switch (core.platform.va_list) {
    case Platform::VaList::Unknown: unknown_list(core);
    case Platform::VaList::I386: cursor_ = list.bits; return;
    case Platform::VaList::X86_64:
      integer_offset_ = static_cast<std::uint32_t>(core.read_word(list, 4));
      vector_offset_ = static_cast<std::uint32_t>(core.read_word(plus(list, 4), 4));
      cursor_ = core.read_pointer(plus(list, 8)).bits;
      save_area_ = core.read_pointer(plus(list, 16)).bits;
      integer_end_ = integer_end;
      vector_end_ = vector_end;
      return;
    case Platform::VaList::AArch64:
      cursor_ = core.read_pointer(list).bits;
      if (core.read_word(plus(list, 24), 4) != 0 || core.read_word(plus(list, 28), 4) != 0)
        core.unsupported("a va_list that va_start did not make");
  }
}

Address VaListReader::in_memory(std::uint32_t bytes, std::uint32_t align) {
  const std::uint32_t word = core_.pointer_bytes;
  const Address at = (cursor_ + align - 1) / align * align;
  cursor_ = at + (bytes + word - 1) / word * word;
  return at;
}

Address VaListReader::integer(std::uint32_t bytes) {
  if (integer_offset_ >= integer_end_) return in_memory(bytes, core_.pointer_bytes);
  integer_offset_ += 8;
  return save_area_ + integer_offset_ - 8;
}

Address VaListReader::real() {
  if (vector_offset_ >= vector_end_) return in_memory(8, core_.pointer_bytes);
  vector_offset_ += 16;
  return save_area_ + vector_offset_ - 16;
}

Address VaListReader::long_double(std::uint32_t bytes, std::uint32_t align) { return in_memory(bytes, align); }

}  // namespace heddle::interpret
