// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/decoded.h"

namespace heddle::interpret {
namespace {

constexpr std::uint64_t max_value_slots = 4096;  // a larger aggregate in a register is no program we know

class ShapeTable {
 public:
  explicit ShapeTable(const Program& program)
      : program_(program), shapes_(program.types.size()), done_(shapes_.size()) {}

  std::vector<Shape> take() {
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (!program_.types[TypeId(i)].is_source) of(TypeId(i));
    return std::move(shapes_);
  }

 private:
  const Shape& of(TypeId id) {
    if (!done_[id.index()]) {
      done_[id.index()] = true;
      shapes_[id.index()] = make(program_.types[id]);
    }
    return shapes_[id.index()];
  }

  static void add_words(Shape& shape, std::uint64_t bits) {
    for (std::uint64_t at = 0; at < bits; at += 64) {
      const std::uint64_t part = std::min<std::uint64_t>(64, bits - at);
      shape.leaves.push_back({static_cast<std::uint32_t>(at / 8), static_cast<std::uint8_t>((part + 7) / 8),
                              static_cast<std::uint8_t>(part), false});
    }
  }

  /// False: no format that we compute with.
  static bool set_format(Shape& shape, const Type& type) {
    if (type.name == "ppc_fp128") return false;
    switch (type.value_bits) {
      case 16: shape.format = type.name == "bfloat" ? FloatFormat::Bfloat : FloatFormat::Half; return true;
      case 32: shape.format = FloatFormat::Single; return true;
      case 64: shape.format = FloatFormat::Double; return true;
      case 80: shape.format = FloatFormat::Extended; return true;
      case 128: shape.format = FloatFormat::Quad; return true;
      default: return false;
    }
  }

  void add_part(Shape& shape, const Shape& part, std::uint64_t offset) {
    shape.is_supported = shape.is_supported && part.is_supported && shape.leaves.size() < max_value_slots;
    if (!shape.is_supported) return;
    for (Leaf leaf : part.leaves) {
      leaf.offset += static_cast<std::uint32_t>(offset);
      shape.leaves.push_back(leaf);
    }
  }

  Shape make(const Type& type) {
    Shape shape;
    shape.kind = type.kind;
    shape.size = type.size_bytes();
    shape.align = std::max<std::uint64_t>(1, type.align_bits / 8);
    shape.bits = static_cast<std::uint32_t>(type.value_bits);
    switch (type.kind) {
      case TypeKind::Int:
        add_words(shape, type.value_bits);
        shape.is_supported = type.value_bits <= 128;
        break;
      case TypeKind::Float:
        shape.is_float = true;
        add_words(shape, type.value_bits);
        shape.is_supported = set_format(shape, type);
        break;
      case TypeKind::Pointer: {
        shape.is_pointer = true;
        shape.bits = program_.layout.pointer_bits;
        shape.leaves.push_back(
            {0, static_cast<std::uint8_t>(shape.bits / 8), static_cast<std::uint8_t>(shape.bits), true});
        break;
      }
      case TypeKind::Array:
      case TypeKind::Vector: {
        const Shape part = of(type.element);
        const std::uint64_t stride =
            type.kind == TypeKind::Array ? part.size : (program_.types[type.element].value_bits + 7) / 8;
        const std::uint64_t step = part.is_pointer ? part.size : stride;
        if (type.kind == TypeKind::Vector && part.bits % 8 != 0) shape.is_supported = false;
        for (std::uint64_t i = 0; i < type.count && shape.is_supported; ++i) add_part(shape, part, i * step);
        break;
      }
      case TypeKind::Struct:
        for (const Field& field : type.fields) add_part(shape, Shape(of(field.type)), field.offset_bits / 8);
        break;
      case TypeKind::Void:
      case TypeKind::Function: break;
      default: shape.is_supported = false;
    }
    shape.slots = static_cast<std::uint32_t>(shape.leaves.size());
    return shape;
  }

  const Program& program_;
  std::vector<Shape> shapes_;
  std::vector<bool> done_;
};

}  // namespace

std::vector<Shape> shapes_of(const Program& program) { return ShapeTable(program).take(); }

}  // namespace heddle::interpret
