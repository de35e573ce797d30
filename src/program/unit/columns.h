// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns: what a unit file consists of behind its header. One column holds one field of all rows of a kind as varints
// (or raw bytes), so that what is alike lies together and compresses well. ColumnWriter and ColumnReader have the same
// members, so that one description of a row (unit_form.h) serves both directions.
//
//   ColumnWriter out;  out.number(Column::Align, 8);
//   ColumnReader in(columns, arena);  std::uint64_t align;  in.number(Column::Align, align);
//
// A reader never reads beyond a column: it gives zeros and remembers that it failed. No list gets longer than the bytes
// that are left in the column its elements must come from, so a lie about a length cannot cost memory.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/id.h"
#include "base/table.h"

namespace heddle {

// The order is part of the form: change form_version in unit_file.cpp with it.
enum class Column : std::uint8_t {
  Counts,
  TextSizes,
  TextBytes,
  Units,
  Startup,
  FilePath,
  LocationFile,
  LocationLine,
  LocationColumn,
  LocationInlined,
  TypeFlags,
  TypeName,
  TypeSize,
  TypeValueBits,
  TypeAlign,
  TypeElement,
  TypeCount,
  TypeParameter,
  FieldName,
  FieldType,
  FieldOffset,
  FieldSize,
  FieldFlags,
  ConstantKind,
  ConstantType,
  ConstantBits,
  ConstantElement,
  SymbolName,
  SourceName,
  SymbolFlags,
  SymbolType,
  SourceType,
  SymbolLocation,
  GlobalSize,
  GlobalAlign,
  Image,
  RelocationOffset,
  RelocationTarget,
  RelocationAddend,
  Hash,
  Parameter,
  ByValue,
  BlockName,
  BlockCount,
  Shape,
  ShapeOperator,
  ShapeType,
  InstructionShape,
  InstructionLocation,
  OperandKind,
  OperandValue,
  OperandConstant,
  OperandGlobal,
  OperandFunction,
  OperandBlock,
  GepType,
  GepOffset,
  GepStride,
  CallType,
  CallFlags,
  CallText,
  Index,
  Text,
  NameValue,
  NameText,
  NameType,
  AnnotationKind,
  AnnotationSubject,
  AnnotationText,
};
inline constexpr std::size_t column_count = static_cast<std::size_t>(Column::AnnotationText) + 1;

/// The bytes of each column.
using Columns = std::array<std::string, column_count>;
using ColumnViews = std::array<std::string_view, column_count>;

inline std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
inline std::int64_t unzigzag(std::uint64_t v) { return static_cast<std::int64_t>((v >> 1) ^ (~(v & 1) + 1)); }

/// How ids that mostly repeat or come up in order are written: none, as before, the next new one, or how far back.
class OrderedIds {
 public:
  std::uint64_t code(std::uint32_t index) {
    std::uint64_t out = 0;
    if (index == Id<int>::none_value) return 0;
    if (index == last_)
      out = 1;
    else if (index == next_)
      out = 2;
    else
      out = 3 + zigzag(static_cast<std::int64_t>(next_) - index);
    note(index);
    return out;
  }
  std::uint32_t index(std::uint64_t code) {
    if (code == 0) return Id<int>::none_value;
    const auto index = static_cast<std::uint32_t>(code == 1   ? last_
                                                  : code == 2 ? next_
                                                              : next_ - static_cast<std::uint64_t>(unzigzag(code - 3)));
    note(index);
    return index;
  }

 private:
  void note(std::uint32_t index) {
    last_ = index;
    if (index >= next_) next_ = index + 1;
  }
  std::uint32_t last_ = 0;
  std::uint32_t next_ = 0;
};

class ColumnWriter {
 public:
  static constexpr bool reads = false;

  template <class T>
  void number(Column column, T value) {
    put(column, static_cast<std::uint64_t>(value));
  }
  template <class T>
  void signed_number(Column column, T value) {
    put(column, zigzag(value));
  }
  template <class Tag>
  void id(Column column, Id<Tag> id) {
    put(column, id.valid() ? std::uint64_t{id.index()} + 1 : 0);
  }
  template <class Tag>
  void ordered_id(Column column, Id<Tag> id) {
    put(column, ids_[index(column)].code(id.index()));
  }
  /// A number near the one before it in the column.
  void delta(Column column, std::uint32_t value) {
    std::uint32_t& last = last_[index(column)];
    put(column, zigzag(static_cast<std::int64_t>(value) - last));
    last = value;
  }
  /// A number that is mostly `expected`.
  void near(Column column, std::uint64_t value, std::uint64_t expected) {
    put(column, zigzag(static_cast<std::int64_t>(value - expected)));
  }
  template <class E>
  void enumeration(Column column, E value, E) {
    put(column, static_cast<std::uint64_t>(value));
  }
  template <class... B>
  void flags(Column column, B... bits) {
    std::uint64_t word = 0;
    unsigned at = 0;
    ((word |= std::uint64_t{bits} << at++), ...);
    put(column, word);
  }
  void word(Column column, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) columns_[index(column)] += static_cast<char>(value >> shift);
  }
  void text(Column column, std::string_view text);
  void bytes(Column column, std::span<const std::uint8_t> bytes) {
    put(Column::Counts, bytes.size());
    columns_[index(column)].append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  /// Every element takes at least a byte of column `each`.
  template <class T, class Row>
  void list(Column, std::span<const T> elements, const Row& row) {
    put(Column::Counts, elements.size());
    for (const T& element : elements) row(element);
  }
  template <class Container, class Row>
  void rows(Column, const Container& container, const Row& row) {
    put(Column::Counts, container.size());
    for (const auto& element : container) row(element);
  }

  Columns take();

 private:
  static std::size_t index(Column column) { return static_cast<std::size_t>(column); }
  void put(Column column, std::uint64_t value) {
    std::string& out = columns_[index(column)];
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
  }

  Columns columns_;
  std::array<std::uint32_t, column_count> last_{};
  std::array<OrderedIds, column_count> ids_{};
  std::unordered_map<std::string_view, std::uint32_t> texts_;  // only looked up; the views are the Program's
};

class ColumnReader {
 public:
  static constexpr bool reads = true;

  ColumnReader(const ColumnViews& columns, Arena& arena);

  [[nodiscard]] bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  [[nodiscard]] std::size_t left(Column column) const {
    return static_cast<std::size_t>(at_[index(column)].end - at_[index(column)].next);
  }
  [[nodiscard]] bool is_used_up() const;

  template <class T>
  void number(Column column, T& value) {
    const std::uint64_t word = get(column);
    value = static_cast<T>(word);
    if constexpr (sizeof(T) < sizeof word)
      if (static_cast<std::uint64_t>(value) != word) fail();
  }
  template <class T>
  void signed_number(Column column, T& value) {
    const std::int64_t word = unzigzag(get(column));
    value = static_cast<T>(word);
    if constexpr (sizeof(T) < sizeof word)
      if (value != word) fail();
  }
  template <class Tag>
  void id(Column column, Id<Tag>& id) {
    const std::uint64_t word = get(column);
    if (word > Id<Tag>::none_value) fail();
    id = word == 0 || failed_ ? Id<Tag>() : Id<Tag>(word - 1);
  }
  template <class Tag>
  void ordered_id(Column column, Id<Tag>& id) {
    const std::uint32_t found = ids_[index(column)].index(get(column));
    id = found == Id<Tag>::none_value ? Id<Tag>() : Id<Tag>(found);
  }
  void delta(Column column, std::uint32_t& value) {
    std::uint32_t& last = last_[index(column)];
    value = last += static_cast<std::uint32_t>(unzigzag(get(column)));
  }
  void near(Column column, std::uint64_t& value, std::uint64_t expected) {
    value = expected + static_cast<std::uint64_t>(unzigzag(get(column)));
  }
  template <class E>
  void enumeration(Column column, E& value, E last) {
    const std::uint64_t word = get(column);
    if (word > static_cast<std::uint64_t>(last)) fail();
    value = failed_ ? E{} : static_cast<E>(word);
  }
  template <class... B>
  void flags(Column column, B&... bits) {
    std::uint64_t word = get(column);
    ((bits = (word & 1) != 0, word >>= 1), ...);
    if (word != 0) fail();
  }
  void word(Column column, std::uint64_t& value);
  void text(Column column, std::string_view& text);
  void bytes(Column column, std::span<const std::uint8_t>& bytes);
  template <class T, class Row>
  void list(Column each, std::span<const T>& elements, const Row& row) {
    const std::span<T> made = arena_.array<T>(count(each));
    for (T& element : made) {
      row(element);
      if (failed_) return;
    }
    elements = made;
  }
  template <class Container, class Row>
  void rows(Column each, Container& container, const Row& row) {
    const std::size_t size = count(each);
    container.reserve(size);
    for (std::size_t i = 0; i < size && !failed_; ++i) {
      typename RowOf<Container>::type element{};
      row(element);
      add(container, std::move(element));
    }
  }
  /// The length of a list whose elements take at least a byte of `each`.
  std::size_t count(Column each) {
    const std::uint64_t size = get(Column::Counts);
    if (size > left(each)) fail();
    return failed_ ? 0 : size;
  }
  Arena& arena() { return arena_; }

 private:
  struct Cursor {
    const char* next = nullptr;
    const char* end = nullptr;
  };
  template <class Container>
  struct RowOf {
    using type = typename Container::value_type;
  };
  template <class T, class Tag>
  struct RowOf<Table<T, Tag>> {
    using type = T;
  };
  template <class T, class Tag>
  static void add(Table<T, Tag>& table, T&& row) {
    table.add(std::move(row));
  }
  template <class T>
  static void add(std::vector<T>& rows, T&& row) {
    rows.push_back(std::move(row));
  }
  static std::size_t index(Column column) { return static_cast<std::size_t>(column); }
  std::uint64_t get(Column column) {
    Cursor& at = at_[index(column)];
    if (at.next != at.end && static_cast<signed char>(*at.next) >= 0) [[likely]]
      return static_cast<unsigned char>(*at.next++);
    return get_long(at);
  }
  std::uint64_t get_long(Cursor& at);

  Arena& arena_;
  std::array<Cursor, column_count> at_;
  std::array<std::uint32_t, column_count> last_{};
  std::array<OrderedIds, column_count> ids_{};
  std::vector<std::string_view> table_;  // of texts
  std::size_t known_texts_ = 0;
  bool failed_ = false;
};

}  // namespace heddle
