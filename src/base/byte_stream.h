// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and texts as bytes, for records that one heddle writes and the same heddle reads.
//
//   ByteWriter out;  out.number(300).text("abc");
//   ByteReader in(out.bytes());  in.number() == 300;  in.text() == "abc"
//
// Numbers take 7 bits a byte, the lowest first. A reader never reads beyond the end: it gives zeros and `failed()` from
// then on.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/content_hash.h"

namespace heddle {

class ByteWriter {
 public:
  ByteWriter& number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  ByteWriter& signed_number(std::int64_t value) {
    return number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  /// Eight bytes, whatever the value: for hashes.
  ByteWriter& word(std::uint64_t value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
    return *this;
  }
  ByteWriter& hash(const ContentHash& value) { return word(value.high).word(value.low); }
  ByteWriter& text(std::string_view value) {
    number(value.size());
    bytes_ += value;
    return *this;
  }
  ByteWriter& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  std::uint64_t word() {
    std::uint64_t value = 0;
    const std::string_view raw = take(sizeof value);
    if (!raw.empty()) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  ContentHash hash() {
    const std::uint64_t high = word();
    return {high, word()};
  }
  std::string_view text() { return take(number()); }
  /// A number below `end`; else the reader has failed and gives 0.
  std::uint32_t below(std::uint64_t end) {
    const std::uint64_t value = number();
    if (value < end) return static_cast<std::uint32_t>(value);
    fail();
    return 0;
  }
  std::uint32_t number32() { return below(std::uint64_t{1} << 32); }
  std::int32_t signed32() {
    const std::int64_t value = signed_number();
    if (value != static_cast<std::int32_t>(value)) fail();
    return static_cast<std::int32_t>(value);
  }
  /// How many rows follow, each at least a byte long: a lie cannot cost memory.
  std::uint32_t count() { return below(rest_.size() + 1); }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  void fail() {
    failed_ = true;
    rest_ = {};
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace heddle
