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

Registers after_parameters(const Image& image, const Function& function) {
  Registers out;
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    const bool is_copy = std::ranges::find(function.byval, i, &ByValue::index) != function.byval.end();
    if (!is_copy) (void)out.take(image.shape_of(function.parameters[i]));
  }
  return out;
}

/// How arguments are aligned in memory.
std::uint64_t alignment_of(const Image& image, const Shape& shape, const CallArgument& argument) {
  const std::uint64_t word = image.pointer_bytes;
  if (argument.byval != 0 || argument.stack_align != 0) return std::max(word, argument.stack_align);
  switch (image.platform.va_list) {
    case Platform::VaList::I386: return shape.kind == TypeKind::Vector && shape.size >= 16 ? shape.align : word;
    case Platform::VaList::AArch64: return std::clamp<std::uint64_t>(shape.align, word, 16);
    default: return std::max(word, shape.align);
  }
}

Shape address_shape(std::uint32_t bytes) {
  Shape out;
  out.slots = 1;
  out.kind = TypeKind::Pointer;
  out.is_pointer = true;
  out.size = out.align = bytes;
  out.bits = 8 * bytes;
  out.leaves = {{0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(8 * bytes), true}};
  return out;
}

}  // namespace

VarargsLayout::VarargsLayout(const Image& image, const Function& callee, const CallCode& site)
    : image_(image), site_(site), first_(callee.parameters.size()), address_(address_shape(image.pointer_bytes)) {
  std::optional<Registers> registers;
  if (image.platform.va_list == Platform::VaList::X86_64) registers = after_parameters(image, callee);
  end_ = registers ? vector_end : 0;
  for (std::size_t i = first_; i < site.arguments.size(); ++i) {
    const CallArgument& argument = site.arguments[i];
    const Shape& shape = shape_of(argument);
    const auto saved = registers && argument.byval == 0 ? registers->take(shape) : std::nullopt;
    offsets_.push_back(saved ? *saved : in_memory(alignment_of(image, shape, argument), size_of(argument)));
  }
}

void VarargsLayout::store(Space& space, const Slot& area, const Slot* caller) const {
  for (std::size_t i = first_; i < site_.arguments.size(); ++i) {
    const CallArgument& argument = site_.arguments[i];
    const Slot to = plus(area, offsets_[i - first_]);
    const Slot* from = (argument.slot < 0 ? image_.decoded.constants_end() : caller) + argument.slot;
    if (argument.byval != 0)
      space.copy_bytes(to, *from, argument.byval);
    else
      space.store_many(to, shape_of(argument), from, false);
  }
}

const Shape& VarargsLayout::shape_of(const CallArgument& argument) const {
  return argument.type.valid() ? image_.shape_of(argument.type) : address_;
}

std::uint64_t VarargsLayout::size_of(const CallArgument& argument) const {
  return argument.byval != 0 ? argument.byval : shape_of(argument).size;
}

std::uint64_t VarargsLayout::in_memory(std::uint64_t align, std::uint64_t size) {
  const std::uint64_t at = (end_ + align - 1) / align * align, word = image_.pointer_bytes;
  end_ = at + (size + word - 1) / word * word;
  return at;
}

void VaLists::refuse() {
  const std::string& triple = image_.program.layout.triple;
  account_.unsupported("va_list of the target " + (triple.empty() ? "without a name" : triple));
}

void VaLists::start(const Thread& thread, const Slot& list) {
  const Frame& frame = thread.frames.back();
  const Slot area = space_.pointer_at(frame.varargs);
  switch (image_.platform.va_list) {
    case Platform::VaList::Unknown: refuse();
    case Platform::VaList::I386: space_.write_pointer(list, area); return;
    case Platform::VaList::X86_64: {
      const Registers used = after_parameters(image_, image_.program.functions[frame.code->id]);
      space_.write_word(list, 4, used.integer_offset());
      space_.write_word(plus(list, 4), 4, used.vector_offset());
      space_.write_pointer(plus(list, 8), plus(area, vector_end));
      space_.write_pointer(plus(list, 16), area);
      return;
    }
    case Platform::VaList::AArch64:
      space_.write_pointer(list, area);
      for (const std::uint64_t offset : {8ULL, 16ULL, 24ULL}) space_.write_word(plus(list, offset), 8, 0);
  }
}

std::uint64_t VaLists::size() {
  switch (image_.platform.va_list) {
    case Platform::VaList::Unknown: refuse();
    case Platform::VaList::I386: return 4;
    case Platform::VaList::X86_64: return 24;
    case Platform::VaList::AArch64: break;
  }
  return 32;
}

VaLists::Reader VaLists::read(const Slot& list) {
  Reader out(image_.pointer_bytes);
  switch (image_.platform.va_list) {
    case Platform::VaList::Unknown: refuse();
    case Platform::VaList::I386: out.cursor_ = list.bits; break;
    case Platform::VaList::X86_64:
      out.integer_offset_ = static_cast<std::uint32_t>(space_.read_word(list, 4));
      out.vector_offset_ = static_cast<std::uint32_t>(space_.read_word(plus(list, 4), 4));
      out.cursor_ = space_.read_pointer(plus(list, 8)).bits;
      out.save_area_ = space_.read_pointer(plus(list, 16)).bits;
      out.integer_end_ = integer_end;
      out.vector_end_ = vector_end;
      break;
    case Platform::VaList::AArch64:
      out.cursor_ = space_.read_pointer(list).bits;
      if (space_.read_word(plus(list, 24), 4) != 0 || space_.read_word(plus(list, 28), 4) != 0)
        account_.unsupported("a va_list that va_start did not make");
  }
  return out;
}

Address VaLists::Reader::in_memory(std::uint32_t bytes, std::uint32_t align) {
  const Address at = (cursor_ + align - 1) / align * align;
  cursor_ = at + (bytes + word_ - 1) / word_ * word_;
  return at;
}

Address VaLists::Reader::integer(std::uint32_t bytes) {
  if (integer_offset_ >= integer_end_) return in_memory(bytes, word_);
  integer_offset_ += 8;
  return save_area_ + integer_offset_ - 8;
}

Address VaLists::Reader::real() {
  if (vector_offset_ >= vector_end_) return in_memory(8, word_);
  vector_offset_ += 16;
  return save_area_ + vector_offset_ - 16;
}

}  // namespace heddle::interpret
